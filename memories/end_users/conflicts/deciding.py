"""What becomes of a new statement and the old memories that it is held against. Pure: no database.

The newest that was said counts, not the newest that came in: what was observed earlier than the memory it contradicts
is turned away (REJECT). What is much less sure than the memory it contradicts only raises a question.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from memories.end_users.conflicts.contradiction import Judged, Relation

#: By how much less sure a statement must be for its contradiction to be in doubt.
LESS_SURE = 0.25


class Said(NamedTuple):
    """How sure something is, 0 to 1, and when it was said."""

    confidence: float
    observed_at: datetime


Old = TypeVar("Old")


@dataclass(frozen=True, slots=True)
class Plan(Generic[Old]):
    """rejected_by     the memory that stays because it was said later
    merged_into        the memory that says it already, as exactly or more
    replaced, merged   those whose place the new one takes, contradicted or told more exactly; with the reason
    doubtful           those that may contradict it
    """

    rejected_by: tuple[Old, str] | None = None
    merged_into: tuple[Old, str] | None = None
    replaced: list[tuple[Old, str]] = field(default_factory=list)
    merged: list[tuple[Old, str]] = field(default_factory=list)
    doubtful: list[tuple[Old, str]] = field(default_factory=list)


def plan(new: Said, judged: Iterable[tuple[Old, Said, Judged]]) -> Plan[Old]:
    """`judged`: each old memory, and how the new statement stands to it."""
    by: dict[Relation, list[tuple[Old, str]]] = {}
    for old, said, (relation, reason) in judged:
        if relation is Relation.CONTRADICTS and new.observed_at < said.observed_at:
            return Plan(rejected_by=(old, reason))
        by.setdefault(_with_doubt(new, said, relation), []).append((old, reason))
    same = [*by.get(Relation.SAME, []), *by.get(Relation.WIDENS, [])]
    return Plan(
        merged_into=same[0] if same else None,
        replaced=by.get(Relation.CONTRADICTS, []),
        merged=[] if same else by.get(Relation.NARROWS, []),
        doubtful=[] if same else by.get(Relation.DOUBTFUL, []),
    )


def _with_doubt(new: Said, old: Said, relation: Relation) -> Relation:
    is_unsure = new.confidence <= old.confidence - LESS_SURE
    return Relation.DOUBTFUL if relation is Relation.CONTRADICTS and is_unsure else relation
