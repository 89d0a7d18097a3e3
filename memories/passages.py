"""What was found, read in full: statements, and sections with their documents. Two queries, however much was found.

Each query names one table and keys of it: on a table that was never analysed, a join may be planned a thousand times
too slow. A section's document is looked up by its key, row by row.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
from django.db import connection

from accounts.models import Account
from memories import embedding
from memories.embedders.base import Vector

# Vectors as Postgres sends them: two counts of 16 bits, then the numbers, big end first. The field would make a list.
_COUNTS = 4


DOCUMENT = "document"


@dataclass(frozen=True)
class Origin:
    """One place where a statement stands."""

    document_id: int
    path: str
    title: str
    section_id: int
    tree_path: str
    observed_at: datetime | None = None
    superseded: str = ""


@dataclass(frozen=True)
class FoundSection:
    """A passage: `text` is its Markdown as it stands, `heading` its path from the document's title on.

    `superseded` says what took its place ("superseded by D-014"); empty while it holds.
    """

    id: int
    document_id: int
    path: str
    title: str
    tree_path: str
    heading: str
    summary: str
    text: str
    observed_at: datetime | None = None
    superseded: str = ""
    terms: frozenset[int] = field(repr=False, default=frozenset())
    vector: Vector | None = field(repr=False, default=None)
    relevance: float = 0.0


@dataclass(frozen=True)
class FoundFact:
    """A statement with how well it answers (0 to 1) and every place it stands in, the best first.

    `kind`: DOCUMENT, or of what was recorded (memories/noted.py) the record's kind.
    """

    id: int
    section_id: int
    statement: str
    heading: str
    sources: tuple[Origin, ...]
    terms: frozenset[int] = field(repr=False, default=frozenset())
    vector: Vector | None = field(repr=False, default=None)
    relevance: float = 0.0
    kind: str = DOCUMENT

    @property
    def superseded(self) -> str:
        """What took its place, where every passage that says it is superseded; else empty."""
        marks = [origin.superseded for origin in self.sources]
        return marks[0] if marks and all(marks) else ""


@dataclass(frozen=True)
class Passages:
    """The facts in the order asked for, and the sections of all of them and those asked for, by id."""

    facts: list[FoundFact]
    sections: dict[int, FoundSection]


def read(account: Account, facts: Mapping[int, str], sections: Iterable[int]) -> Passages:
    """`facts`: id -> hash of the statement, best first. What was deleted meanwhile is left out."""
    rows = list(starmap(_Fact, _rows(_FACTS, account, facts.values())))
    wanted = dict.fromkeys([*sections, *(row.section_id for row in rows)])
    section_rows = {row.id: row for row in starmap(_Section, _rows(_SECTIONS, account, wanted))}
    found = {key: _section(section_rows[key]) for key in wanted if key in section_rows}
    rows = [row for row in rows if row.section_id in found]
    by_id = {row.id: row for row in rows}
    same: dict[str, list[_Fact]] = {}
    for row in rows:
        same.setdefault(row.statement_hash, []).append(row)
    return Passages([_fact(by_id[key], same[by_id[key].statement_hash], found) for key in facts if key in by_id], found)


def _rows(sql: str, account: Account, wanted: Iterable[int] | Iterable[str]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [account.pk, list(wanted)])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


class _Fact(NamedTuple):
    """A row of _FACTS."""

    id: int
    section_id: int
    document_id: int
    statement: str
    statement_hash: str
    heading: str
    terms: list[int]
    sent: bytes | None
    vector_model: str


class _Section(NamedTuple):
    """A row of _SECTIONS; what is of its document is None once that is gone."""

    id: int
    document_id: int
    tree_path: str
    heading: str
    summary: str
    text: str
    superseded: str
    terms: list[int]
    sent: bytes | None
    vector_model: str
    path: str | None
    title: str | None
    observed_at: datetime | None


# Written out: Python takes longer to build these than Postgres to answer them, at every search.
_FACTS = """
    SELECT id, section_id, document_id, statement, statement_hash, heading, terms, halfvec_send(vector) AS sent,
           vector_model
    FROM memories_fact WHERE account_id = %s AND statement_hash = ANY(%s::text[]) ORDER BY id
"""
_SECTIONS = """
    SELECT s.id, s.document_id, s.tree_path, s.heading, s.summary, s.text, s.superseded, s.terms,
           halfvec_send(s.vector) AS sent, s.vector_model, d.path, d.title, d.observed_at
    FROM memories_section s LEFT JOIN LATERAL (
        SELECT path, title, observed_at FROM memories_document
        WHERE account_id = s.account_id AND id = s.document_id OFFSET 0
    ) AS d ON true
    WHERE s.account_id = %s AND s.id = ANY(%s::bigint[])
"""


def _section(row: _Section) -> FoundSection:
    return FoundSection(
        id=row.id,
        document_id=row.document_id,
        path=row.path or "",
        title=row.title or "",
        tree_path=row.tree_path,
        heading=row.heading,
        summary=row.summary,
        text=row.text,
        superseded=row.superseded,
        observed_at=row.observed_at,
        terms=frozenset(row.terms),
        vector=_vector(row),
    )


def _fact(row: _Fact, same: Sequence[_Fact], sections: Mapping[int, FoundSection]) -> FoundFact:
    places: dict[int, Origin] = {}
    for other in sorted(same, key=lambda place: place.id != row.id):
        section = sections[other.section_id]
        origin = Origin(
            section.document_id,
            section.path,
            section.title,
            section.id,
            section.tree_path,
            section.observed_at,
            section.superseded,
        )
        places.setdefault(section.document_id, origin)
    return FoundFact(
        id=row.id,
        section_id=row.section_id,
        statement=row.statement,
        heading=row.heading,
        sources=tuple(places.values()),
        terms=frozenset(row.terms),
        vector=_vector(row),
    )


def _vector(row: _Fact | _Section) -> Vector | None:
    """Of the present model only: another model's vector says nothing about the question's."""
    if row.sent is None or row.vector_model != embedding.model_name():
        return None
    return np.frombuffer(row.sent, dtype=">f2", offset=_COUNTS).astype(np.float32)
