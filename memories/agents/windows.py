"""Windows: a record is searched with the records around it in its session, which say what it is about.

A record's window is itself, counted once, with up to two neighbours before and after it, counted a half and a quarter:
those of the same account, space and session, in the order they were recorded; records without a session are neighbours
in their space. Its words are the words of these counts together; its vector is the mean of their vectors by the same
weights. So a record that comes, goes or is hidden changes the windows of its neighbours: whoever does that calls
`renew` in the same transaction, and has taken the account's turn before, so that neither of two neighbours misses the
other.
What is hidden is nobody's neighbour. Neighbours share the space, so a window says nothing that its reader may not read.

Weights: benchmarks/dialogue.py prints what they are worth.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import BinaryField, Func
from pgvector import SparseVector

from memories import embedding, indexing, words
from memories.embedders.base import Vector
from memories.models import Record

#: What the record itself counts, and its neighbours one and two steps away.
STEPS = (1.0, 0.5, 0.25)
#: Records of one session that are so far apart by id are renewed one by one.
_APART = 1_000
_LOCK = 0x5041_4D01
_SENT = Func("vector", function="halfvec_send", output_field=BinaryField())
_COUNTS = 4


@dataclass(frozen=True, slots=True)
class _Said:
    """The terms of one text and its topics with how often it says them, and its length in terms."""

    counts: Counter[str]
    length: int


def take_turn(account_id: int) -> None:
    """Waits until nobody else records in the account, and keeps others waiting until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, account_id % 2**31])


def settle(fresh: Sequence[Record]) -> None:
    """Gives new rows of one session, not stored yet, their words, and the session's last rows theirs anew."""
    if not fresh:
        return
    steps = len(STEPS) - 1
    before = list(_beside(fresh[0]).only("text", "topics").order_by("-id")[: 2 * steps])[::-1]
    rows = [*before, *fresh]
    weighed = list(_words([_said(row) for row in rows]))
    for row, said in zip(fresh, weighed[len(before) :], strict=True):
        row.words = said
    changed = list(zip(before, weighed, strict=False))[-steps:]
    _store("words", "sparsevec", fresh[0].account_id, [(row.pk, said.to_text()) for row, said in changed])


def renew(account_id: int, ids: Iterable[int]) -> None:
    """The windows of these records and of their neighbours, anew. They may be hidden, or stand there again."""
    for rows, first, end in _runs(account_id, ids, with_vectors=True):
        weighed = list(_words([_said(row) for row in rows]))
        of_words = [(row.pk, said.to_text()) for row, said in zip(rows, weighed, strict=True)]
        _store("words", "sparsevec", account_id, of_words[first:end])
        _store("near_vector", "halfvec", account_id, _vectors(rows)[first:end])


def renew_vectors(account_id: int, ids: Iterable[int]) -> None:
    """The same for records that have just got a vector: their words stay."""
    for rows, first, end in _runs(account_id, ids, with_vectors=True):
        _store("near_vector", "halfvec", account_id, _vectors(rows)[first:end])


def neighbours(row: Record) -> list[int]:
    """The ids of the records whose windows hold `row`, nearest first on either side."""
    steps = len(STEPS) - 1
    beside = _beside(row)
    before = beside.filter(id__lt=row.pk).order_by("-id").values_list("pk", flat=True)[:steps]
    after = beside.filter(id__gt=row.pk).order_by("id").values_list("pk", flat=True)[:steps]
    return [*before, *after]


def _beside(row: Record) -> Any:
    """The session's records that can be seen."""
    rows = Record.objects.filter(account_id=row.account_id, session=row.session, hidden_at=None)
    return rows.filter(space=None) if row.space_id is None else rows.filter(space_id=row.space_id)


def _runs(account_id: int, ids: Iterable[int], *, with_vectors: bool) -> Iterator[tuple[list[Any], int, int]]:
    """Stretches of sessions in order, each with the range of its rows whose windows may have changed."""
    places = Record.objects.filter(account_id=account_id, pk__in=list(ids)).order_by("space_id", "session", "id")
    stretch: list[Record] = []
    for row in places.only("account_id", "space_id", "session"):
        if stretch and not _goes_on(stretch[-1], row):
            yield _stretch(stretch, with_vectors=with_vectors)
            stretch = []
        stretch.append(row)
    if stretch:
        yield _stretch(stretch, with_vectors=with_vectors)


def _goes_on(last: Record, row: Record) -> bool:
    return (last.space_id, last.session) == (row.space_id, row.session) and row.pk - last.pk <= _APART


def _stretch(places: Sequence[Record], *, with_vectors: bool) -> tuple[list[Any], int, int]:
    """The rows from four before the first place to four after the last: on either side two whose windows may change,
    and two that these hold."""
    steps = len(STEPS) - 1
    columns = _beside(places[0]).only("text", "topics", "vector_model")
    columns = columns.annotate(sent=_SENT) if with_vectors else columns
    before = list(columns.filter(id__lt=places[0].pk).order_by("-id")[: 2 * steps])[::-1]
    between = list(columns.filter(id__range=(places[0].pk, places[-1].pk)).order_by("id"))
    after = list(columns.filter(id__gt=places[-1].pk).order_by("id")[: 2 * steps])
    rows = [*before, *between, *after]
    return rows, max(0, len(before) - steps), len(rows) - max(0, len(after) - steps)


def _said(row: Record) -> _Said:
    counts, length = words.counted(row.text)
    for term in set(words.terms(" ".join(row.topics))):
        counts[term] += indexing.PATH_WEIGHTS["record"]  # type: ignore[assignment]  # a Counter may hold shares
    return _Said(counts, length)


def _words(said: Sequence[_Said]) -> Iterator[SparseVector]:
    """The words of each one's window, given a stretch of a session in order."""
    for at in range(len(said)):
        counts: dict[str, float] = {}
        length = 0.0
        for place, share in _window(at, len(said)):
            length += share * said[place].length
            for term, count in said[place].counts.items():
                counts[term] = counts.get(term, 0.0) + share * count
        weights = words.weighed(counts, length, average_length=indexing.LENGTHS["record"])
        yield indexing.sparse(indexing.heaviest(weights))


def _vectors(rows: Sequence[Any]) -> list[tuple[int, str | None]]:
    """Each row's id with the vector of its window; None where the row has none of its own."""
    own = [_vector(row) for row in rows]
    made: list[tuple[int, str | None]] = []
    for at, row in enumerate(rows):
        if own[at] is None:
            made.append((row.pk, None))
            continue
        members = [(own[place], share) for place, share in _window(at, len(rows))]
        mean = np.sum([share * vector for vector, share in members if vector is not None], axis=0)
        made.append((row.pk, embedding.as_text(mean / (np.linalg.norm(mean) or 1.0))))
    return made


def _vector(row: Any) -> Vector | None:
    """Of the present model only: vectors of different models do not add up."""
    if row.sent is None or row.vector_model != embedding.model_name():
        return None
    return np.frombuffer(row.sent, dtype=">f2", offset=_COUNTS).astype(np.float32)


def _window(at: int, length: int) -> Iterator[tuple[int, float]]:
    for place in range(max(0, at - len(STEPS) + 1), min(length, at + len(STEPS))):
        yield place, STEPS[abs(place - at)]


def _store(column: str, kind: str, account_id: int, made: Sequence[tuple[int, str | None]]) -> None:
    values: dict[str, Any] = {
        "account": account_id,
        "ids": [pk for pk, _ in made],
        "values": [text for _, text in made],
    }
    if made:
        with connection.cursor() as cursor:
            cursor.execute(_STORE.format(column=column, kind=kind), values)


_STORE = """
    UPDATE memories_record r SET {column} = made.value::{kind}
    FROM unnest(%(ids)s::bigint[], %(values)s::text[]) AS made (id, value)
    WHERE r.account_id = %(account)s AND r.id = made.id
"""
