"""Filling in vectors: rows of every kind that have none are the queue, in turns that keep the embedder busy.

Memories of end users and records come first, being few, and don't wait for documents to be read. A document's rows are
taken across documents.

No row is locked while the embedder works. Workers that meet at one account share it by blocks of ids, reserved in
Valkey; should they meet in one all the same, the same vectors are made twice, and nothing else happens.
"""

import itertools
import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.core.cache import cache
from django.db import connection, models
from django.utils import timezone
from django_redis.exceptions import ConnectionInterrupted
from redis.exceptions import RedisError

from accounts import isolation
from memories import embedding, indexing
from memories.agents import windows
from memories.company import readiness
from memories.company.processing import neighbours, tidy
from memories.embedders.base import Vector
from memories.end_users import conflicts
from memories.errors import EmbedderUnavailable
from memories.models import Document, Fact, Memory, Readiness, Record, Section

logger = logging.getLogger(__name__)

# Enough texts that the embedder's batches are of one length each; few enough that other work waits for seconds only.
TURN = 192
_PART = 128
_BLOCK = 256
_LOOK_AHEAD = 8 * TURN
# Longer than a turn takes anywhere; after it the blocks of a worker that died are free again.
_RESERVED_SECONDS = 300
# A rate measured on fewer texts tells nothing.
_MEASURABLE = 64

# One thread for all turns: a new one each time would bring torch's own threads along each time.
_embedder = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vectors")

Row = Memory | Record | Section | Fact
Kind = type[Memory] | type[Record] | type[Section] | type[Fact]
# Those that come from no document are few, and are not kept waiting by documents that are still to be read.
_AT_ONCE: tuple[Kind, ...] = (Memory, Record)
_KINDS: tuple[Kind, ...] = (*_AT_ONCE, Section, Fact)
# What a vector is made from.
_COLUMNS: dict[Kind, tuple[str, ...]] = {
    Memory: ("content",),
    Record: ("text",),
    Section: ("heading", "text"),
    Fact: ("heading", "statement"),
}


def embed(account_id: int) -> bool:
    """Gives vectors to a turn's worth of rows. Returns whether more is to be done at once.

    While documents wait to be read they come before the vectors of others, since a read one is found by its words: each
    asks again for this. A failing embedder is noted and left alone for a while; the rows are found by their words.
    """
    kinds = _in_turn(account_id)
    if not kinds:
        return False
    with _reserved(account_id, kinds) as found:
        if not any(found.values()):
            tidy.when_idle(account_id)
            return kinds == _KINDS and neighbours.settle(account_id)
        try:
            if rows := _rows(account_id, found):
                _fill(account_id, rows)
        except EmbedderUnavailable as error:
            _fail(account_id, error)
            return False
    return True


def renew(account_id: int, *, limit: int = TURN) -> int:
    """Embeds rows again that another model embedded, `limit` of each kind. How many; raises EmbedderUnavailable."""
    with isolation.account(account_id):
        found = {kind: list(_stale(account_id, kind).values_list("pk", flat=True)[:limit]) for kind in _KINDS}
    rows = _rows(account_id, found, is_null=False)
    if rows:
        _fill(account_id, rows)
    return len(rows)


def stale(account_id: int) -> int:
    """How many rows have a vector of another model."""
    with isolation.account(account_id):
        return sum(_stale(account_id, kind).count() for kind in _KINDS)


def _stale(account_id: int, kind: Kind) -> models.QuerySet[Any]:
    rows = kind.objects.filter(account_id=account_id, vector__isnull=False)
    return rows.exclude(vector_model=embedding.model_name())


def _in_turn(account_id: int) -> tuple[Kind, ...]:
    """Whose rows are embedded now: nobody's while the embedder is left alone, and while documents wait to be read only
    those that come from no document."""
    paused = Readiness.objects.filter(account_id=account_id, embed_again_at__gt=timezone.now())
    coming = Document.objects.filter(account_id=account_id).waiting()
    with isolation.account(account_id):
        if paused.exists():
            return ()
        return _AT_ONCE if coming.exists() else _KINDS


@contextmanager
def _reserved(account_id: int, kinds: Sequence[Kind] = _KINDS) -> Iterator[dict[Kind, list[int]]]:
    """The ids of about a turn's worth of rows without a vector that no other worker has, in the order of kinds."""
    found: dict[Kind, list[int]] = {}
    keys: list[str] = []
    try:
        for kind in kinds:
            for block, ids in itertools.groupby(_without_vector(account_id, kind), lambda pk: pk // _BLOCK):
                if sum(map(len, found.values())) >= TURN:
                    break
                key = f"embedding:{kind._meta.model_name}:{account_id}:{block}"
                if _reserve(key):
                    keys.append(key)
                    found[kind] = [*found.get(kind, []), *ids]
        yield found
    finally:
        _release(keys)


def _without_vector(account_id: int, kind: Kind) -> list[int]:
    with isolation.account(account_id):
        rows = kind.objects.filter(account_id=account_id, vector__isnull=True).order_by("pk")
        return list(rows.values_list("pk", flat=True)[:_LOOK_AHEAD])


def _reserve(key: str) -> bool:
    try:
        return bool(cache.add(key, 1, timeout=_RESERVED_SECONDS))
    except (ConnectionInterrupted, RedisError, OSError):
        return True


def _release(keys: Sequence[str]) -> None:
    try:
        cache.delete_many(keys)
    except (ConnectionInterrupted, RedisError, OSError):
        logger.warning("Valkey did not answer; rows stay reserved for %d s at most.", _RESERVED_SECONDS)


def _rows(account_id: int, found: dict[Kind, list[int]], *, is_null: bool = True) -> list[Row]:
    """The rows as they are now: another worker may have been faster."""
    rows: list[Row] = []
    with isolation.account(account_id):
        for kind, ids in found.items():
            present = kind.objects.filter(account_id=account_id, pk__in=ids, vector__isnull=is_null)
            rows += present.only(*_COLUMNS[kind])
    return rows


def _fill(account_id: int, rows: Sequence[Row]) -> None:
    """Embeds outside of any transaction. While one part is stored and counted, the embedder works on the next."""
    texts = sorted(((indexing.input_of(row), row) for row in rows), key=lambda pair: len(pair[0]))
    parts = [texts[at : at + _PART] for at in range(0, len(texts), _PART)]
    started, done = time.monotonic(), 0
    ahead = _embedder.submit(embedding.documents, [text for text, _ in parts[0]])
    for number, part in enumerate(parts, start=1):
        vectors = ahead.result()
        if number < len(parts):
            ahead = _embedder.submit(embedding.documents, [text for text, _ in parts[number]])
        done += len(part)
        rate = done / (time.monotonic() - started) if done >= _MEASURABLE else 0
        _keep(account_id, [row for _, row in part], vectors, rate)


def _keep(account_id: int, rows: Sequence[Row], vectors: Sequence[Vector], rate: float) -> None:
    made: dict[Kind, list[tuple[int, Vector]]] = {}
    for row, vector in zip(rows, vectors, strict=True):
        made.setdefault(type(row), []).append((row.pk, vector))
    with isolation.account(account_id, is_lasting=False):
        if Record in made:
            windows.take_turn(account_id)
        for kind in _KINDS:
            _store(account_id, kind, made.get(kind, []))
        if Record in made:
            windows.renew_vectors(account_id, [pk for pk, _ in made[Record]])
        readiness.embedded(account_id, rate=rate)
    # What a memory contradicts by its meaning shows only now. After the commit: it waits for the person's turn.
    conflicts.review(account_id, [pk for pk, _ in made.get(Memory, [])])


def _store(account_id: int, kind: Kind, made: Sequence[tuple[int, Vector]]) -> None:
    if not made:
        return
    values: dict[str, int | str | list[int] | list[str]] = {
        "account": account_id,
        "ids": [pk for pk, _ in made],
        "vectors": [embedding.as_text(vector) for _, vector in made],
        "model": embedding.model_name(),
        "is_large": _is_large(account_id, kind),
    }
    with connection.cursor() as cursor:
        cursor.execute(_STORE.format(table=kind._meta.db_table), values)


def _is_large(account_id: int, kind: Kind) -> bool:
    # One person's memories are scanned whole, however many others have.
    return not issubclass(kind, Memory) and neighbours.is_large(account_id, kind)


def _fail(account_id: int, error: EmbedderUnavailable) -> None:
    with isolation.account(account_id):
        again = readiness.embedder_failed(account_id)
    logger.warning("Account %d waits for its vectors until %s: %s", account_id, again.isoformat(), error.message)


# A row that is being deleted or moved is not waited for: if it stays, it comes again. In an account too large to be
# scanned whole it goes into the index of nearest neighbours at once.
_STORE = """
    WITH free AS (
        SELECT id FROM {table} WHERE account_id = %(account)s AND id = ANY(%(ids)s) FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE {table} r
    SET vector = made.vector::halfvec, vector_model = %(model)s, is_indexed = r.is_indexed OR %(is_large)s
    FROM unnest(%(ids)s::bigint[], %(vectors)s::text[]) AS made (id, vector) JOIN free USING (id)
    WHERE r.id = made.id
"""
