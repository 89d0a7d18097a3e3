"""What a retrieval found, as it leaves the house: frozen shapes, and their JSON. Pure.

Field names are the contract's (seed `retrieve_memory`, `structuredContent`); what goes beyond them is marked "ours".
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from memories.company.answering import quoting

LONGEST_PATH = 200
_LONGEST_TITLE = 120
#: Origins told for one statement; of a boilerplate sentence in a hundred documents the rest is a number.
MOST_ORIGINS = 4
#: A fact below this answers one time in ten.
FAINT = 0.1
#: So many are told where all are so.
NEAREST = 3


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something is said: a document by title and path, and the place in the tree of sections."""

    title: str
    source_path: str
    tree_path: str

    def structured(self) -> dict[str, str]:
        title = quoting.shortened(quoting.folded(self.title), _LONGEST_TITLE)
        return {"title": title, "source_path": self.source_path}


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement with every place that says it, best first. `relevance` is 0 to 1.

    `superseded` says what took its place ("superseded by D-014"); empty while it holds.
    """

    statement: str
    relevance: float
    origins: tuple[Origin, ...]
    observed_at: datetime | None = None
    kind: str = "document"
    pks: tuple[int, ...] = ()
    superseded: str = ""

    def structured(self) -> dict[str, Any]:
        """The contract's three fields, then ours."""
        return {
            "statement": self.statement,
            "relevance_score": round(self.relevance, 2),
            "source_path": self.origins[0].source_path,
            "tree_path": shown_path(self.origins[0].tree_path),
            "kind": self.kind,
            "observed_at": self.observed_at.isoformat() if self.observed_at else None,
            "sources": [origin.structured() for origin in self.origins[:MOST_ORIGINS]],
            "further_sources": len(self.origins[MOST_ORIGINS:]),
            "superseded": self.superseded or None,
        }


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, organization, product … that the facts speak of, as relevant as the best of them."""

    label: str
    type: str
    properties: dict[str, str]
    relevance: float

    def structured(self) -> dict[str, Any]:
        return {"label": self.label, "type": self.type, "properties": self.properties}


@dataclass(frozen=True, slots=True)
class Relationship:
    """An edge between two entities, with the statement that says so."""

    subject: str
    predicate: str
    object: str
    fact: str
    origin: Origin
    relevance: float
    subject_type: str = ""
    object_type: str = ""

    def structured(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "subject_type": self.subject_type,
            "predicate": self.predicate,
            "object": self.object,
            "object_type": self.object_type,
            "fact": self.fact,
            "source_path": self.origin.source_path,
        }


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage of a document as its Markdown stands there."""

    text: str
    relevance: float
    origin: Origin
    truncated: bool = False
    observed_at: datetime | None = None
    superseded: str = ""

    def structured(self) -> dict[str, Any]:
        return {
            **self.origin.structured(),
            "tree_path": shown_path(self.origin.tree_path),
            "excerpt": self.text,
            "relevance_score": round(self.relevance, 2),
            "truncated": self.truncated,
            "superseded": self.superseded or None,
            "observed_at": self.observed_at.isoformat() if self.observed_at else None,
        }


@dataclass(frozen=True, slots=True)
class Target:
    """A section that was looked into, and why."""

    tree_path: str
    reason: str

    def structured(self) -> dict[str, str]:
        return {"tree_path": shown_path(self.tree_path), "relevance_reason": self.reason}


T = TypeVar("T", Fact, Entity, Relationship, Excerpt)
Item = Fact | Entity | Relationship | Excerpt
# Of equally relevant items the one whose kind stands further back goes first when room is short.
_KINDS: tuple[type[Item], ...] = (Fact, Excerpt, Relationship, Entity)


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that the report tells. `coverage` is comprehensive, partial, limited or none. `unmentioned`: the
    identifiers asked about that stand nowhere in what was found.
    """

    facts: tuple[Fact, ...] = ()
    entities: tuple[Entity, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    coverage: str = "none"
    summary: str = ""
    left_out: int = 0
    unmentioned: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        return (*self.facts, *self.excerpts, *self.relationships, *self.entities)

    @property
    def average_relevance(self) -> float:
        """Over facts and excerpts; entities and relationships have no score of their own."""
        scores = [fact.relevance for fact in self.facts] + [excerpt.relevance for excerpt in self.excerpts]
        return round(sum(scores) / len(scores), 2) if scores else 0.0

    def without_least(self, count: int) -> "Findings":
        """Whole items gone, the least relevant first, and counted."""
        ranked = sorted(self.items, key=lambda item: (-item.relevance, _KINDS.index(type(item))))
        gone = {id(item) for item in ranked[max(0, len(ranked) - count) :]}
        return replace(
            self,
            facts=_kept(self.facts, gone),
            entities=_kept(self.entities, gone),
            relationships=_kept(self.relationships, gone),
            excerpts=_kept(self.excerpts, gone),
            left_out=self.left_out + len(gone),
        )

    @property
    def is_thin(self) -> bool:
        """Whether nothing that was found answers: of the subject, if that."""
        return self.coverage == "limited" and all(fact.relevance < FAINT for fact in self.facts)

    def nearest(self) -> "Findings":
        """The few facts that come nearest and nothing else; the rest is counted."""
        kept = tuple(sorted(self.facts, key=lambda fact: -fact.relevance)[:NEAREST])
        gone = len(self.items) - len(kept)
        return replace(self, facts=kept, entities=(), relationships=(), excerpts=(), left_out=self.left_out + gone)

    def structured(self) -> dict[str, Any]:
        return {
            "context_summary": self.summary,
            "facts": [fact.structured() for fact in self.facts],
            "entities": [entity.structured() for entity in self.entities],
            "relationships": [edge.structured() for edge in self.relationships],
            "documents": [excerpt.structured() for excerpt in self.excerpts],
            "total_items": len(self.items),
            "avg_relevance_score": self.average_relevance,
            "coverage_assessment": self.coverage,
            "items_left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True)
class Phase:
    """What targeting decided: how wide to look, and where."""

    strategy: str = "narrow"
    estimated_tokens: int = 0
    targets: tuple[Target, ...] = field(default_factory=tuple)

    def narrowed(self, share: float) -> "Phase":
        """Told of only so many sections, the first one always: for answers that are too long."""
        return replace(self, targets=self.targets[: max(1, int(len(self.targets) * share))])

    def structured(self) -> dict[str, Any]:
        return {
            "search_strategy": self.strategy,
            "estimated_tokens": self.estimated_tokens,
            "targeted_sections": [target.structured() for target in self.targets],
        }


def _kept(items: Sequence[T], gone: set[int]) -> tuple[T, ...]:
    return tuple(item for item in items if id(item) not in gone)


def shown_path(path: str) -> str:
    """A tree path of reasonable length: its beginning and its end."""
    path = quoting.folded(path)
    if len(path) <= LONGEST_PATH:
        return path
    half = (LONGEST_PATH - 3) // 2
    return f"{path[:half].rstrip()} … {path[-half:].lstrip()}"
