"""What was found, read in full: statements, sections, documents. Three queries, however much was found.

Each query names one table and keys of it: on a table that was never analysed, a join may be planned a thousand times
too slow.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

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
    rows = _rows(_FACTS, account, facts.values())
    wanted = dict.fromkeys([*sections, *(row["section_id"] for row in rows)])
    section_rows = {row["id"]: row for row in _rows(_SECTIONS, account, wanted)}
    of_them = _rows(_DOCUMENTS, account, {row["document_id"] for row in section_rows.values()})
    documents = {row["id"]: row for row in of_them}
    found = {key: _section(section_rows[key], documents) for key in wanted if key in section_rows}
    rows = [row for row in rows if row["section_id"] in found]
    by_id = {row["id"]: row for row in rows}
    same: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        same.setdefault(row["statement_hash"], []).append(row)
    return Passages(
        [_fact(by_id[key], same[by_id[key]["statement_hash"]], found) for key in facts if key in by_id], found
    )


def superseded(account: Account, ids: Iterable[int]) -> set[int]:
    """Which of these sections something else took the place of."""
    return {row["id"] for row in _rows(_SUPERSEDED, account, ids)}


def _rows(sql: str, account: Account, wanted: Iterable[int] | Iterable[str]) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [account.pk, list(wanted)])
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


# Written out: Python takes longer to build these than Postgres to answer them, at every search.
_FACTS = """
    SELECT id, section_id, document_id, statement, statement_hash, heading, terms, halfvec_send(vector) AS sent,
           vector_model
    FROM memories_fact WHERE account_id = %s AND statement_hash = ANY(%s::text[]) ORDER BY id
"""
_SECTIONS = """
    SELECT id, document_id, tree_path, heading, summary, text, superseded, terms, halfvec_send(vector) AS sent,
           vector_model
    FROM memories_section WHERE account_id = %s AND id = ANY(%s::bigint[])
"""
_DOCUMENTS = """
    SELECT id, path, title, observed_at FROM memories_document WHERE account_id = %s AND id = ANY(%s::bigint[])
"""
_SUPERSEDED = """
    SELECT id FROM memories_section WHERE account_id = %s AND id = ANY(%s::bigint[]) AND superseded <> ''
"""


def _section(row: dict[str, Any], documents: Mapping[int, Mapping[str, Any]]) -> FoundSection:
    document = documents.get(row["document_id"], {})
    return FoundSection(
        id=row["id"],
        document_id=row["document_id"],
        path=document.get("path", ""),
        title=document.get("title", ""),
        tree_path=row["tree_path"],
        heading=row["heading"],
        summary=row["summary"],
        text=row["text"],
        superseded=row["superseded"],
        observed_at=document.get("observed_at"),
        terms=frozenset(row["terms"]),
        vector=_vector(row),
    )


def _fact(row: dict[str, Any], same: Sequence[dict[str, Any]], sections: Mapping[int, FoundSection]) -> FoundFact:
    places: dict[int, Origin] = {}
    for other in sorted(same, key=lambda place: place["id"] != row["id"]):
        section = sections[other["section_id"]]
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
        id=row["id"],
        section_id=row["section_id"],
        statement=row["statement"],
        heading=row["heading"],
        sources=tuple(places.values()),
        terms=frozenset(row["terms"]),
        vector=_vector(row),
    )


def _vector(row: dict[str, Any]) -> Vector | None:
    """Of the present model only: another model's vector says nothing about the question's."""
    if row["sent"] is None or row["vector_model"] != embedding.model_name():
        return None
    return np.frombuffer(row["sent"], dtype=">f2", offset=_COUNTS).astype(np.float32)
