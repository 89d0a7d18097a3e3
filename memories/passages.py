"""What was found, read in full: statements, sections, documents. Two queries, however much was found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from accounts.models import Account
from memories import embedding
from memories.embedders.base import Vector
from memories.models import Fact, Section


@dataclass(frozen=True)
class Origin:
    """One place where a statement stands."""

    document_id: int
    path: str
    title: str
    section_id: int
    tree_path: str


@dataclass(frozen=True)
class FoundSection:
    """A passage: `text` is its Markdown as it stands, `heading` its path from the document's title on."""

    id: int
    document_id: int
    path: str
    title: str
    tree_path: str
    heading: str
    summary: str
    text: str
    terms: frozenset[int] = field(repr=False, default=frozenset())
    vector: Vector | None = field(repr=False, default=None)
    relevance: float = 0.0


@dataclass(frozen=True)
class FoundFact:
    """A statement with how well it answers (0 to 1) and every place it stands in, the best first."""

    id: int
    section_id: int
    statement: str
    heading: str
    sources: tuple[Origin, ...]
    terms: frozenset[int] = field(repr=False, default=frozenset())
    vector: Vector | None = field(repr=False, default=None)
    relevance: float = 0.0


def sections(account: Account, ids: Iterable[int]) -> dict[int, FoundSection]:
    """The sections of `ids`, in that order."""
    wanted = list(ids)
    rows = Section.objects.filter(account=account, id__in=wanted).select_related("document")
    fields = ("document__path", "document__title", "tree_path", "heading", "summary", "text", "terms", "document_id")
    found = {
        row.pk: FoundSection(
            row.pk,
            row.document_id,
            row.document.path,
            row.document.title,
            row.tree_path,
            row.heading,
            row.summary,
            row.text,
            frozenset(row.terms),
            _vector(row),
        )
        for row in rows.only(*fields, "vector", "vector_model")
    }
    return {key: found[key] for key in wanted if key in found}


def facts(account: Account, ids: Sequence[int]) -> list[FoundFact]:
    """The facts of `ids` in that order, each with every place where its statement stands."""
    hashes = Fact.objects.filter(account=account, id__in=ids).values("statement_hash")
    rows = Fact.objects.filter(account=account, statement_hash__in=hashes).select_related("document", "section")
    fields = ("statement_hash", "statement", "heading", "terms", "vector", "vector_model", "document_id", "section_id")
    places = ("document__path", "document__title", "section__tree_path")
    by_hash: dict[str, list[Fact]] = {}
    by_id: dict[int, Fact] = {}
    for row in rows.only(*fields, *places).order_by("pk"):
        by_hash.setdefault(row.statement_hash, []).append(row)
        by_id[row.pk] = row
    return [_fact(by_id[found], by_hash[by_id[found].statement_hash]) for found in ids if found in by_id]


def _fact(row: Fact, same: Sequence[Fact]) -> FoundFact:
    places: dict[int, Origin] = {}
    for other in sorted(same, key=lambda fact: fact.pk != row.pk):
        places.setdefault(
            other.document_id,
            Origin(
                other.document_id,
                other.document.path,
                other.document.title,
                other.section_id,
                other.section.tree_path,
            ),
        )
    return FoundFact(
        row.pk, row.section_id, row.statement, row.heading, tuple(places.values()), frozenset(row.terms), _vector(row)
    )


def _vector(row: Fact | Section) -> Vector | None:
    """Of the present model only: another model's vector says nothing about the question's."""
    is_comparable = row.vector is not None and row.vector_model == embedding.model_name()
    return np.asarray(row.vector, dtype=np.float32) if is_comparable else None
