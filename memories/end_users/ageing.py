"""How a memory that nobody asks for loses importance, and when it is put away. Pure.

Source: contract end_users, "Lifecycle": after 30 idle days importance falls by 0.5 each further 30 days, weighted by
category; below 1.5, 90 idle days and never accessed: archived.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from memories.models import Memory

GRACE = timedelta(days=30)
PERIOD = timedelta(days=30)
FALL = 0.5
LEAST = 1.0
WEIGHTS: dict[str, float] = {
    Memory.Category.GOAL: 1.5,
    Memory.Category.PROCEDURE: 1.0,
    Memory.Category.RELATIONSHIP: 0.8,
    Memory.Category.PREFERENCE: 0.5,
    Memory.Category.EXPERTISE: 0.3,
    Memory.Category.FACT: 0.0,
}
ARCHIVED_BELOW = 1.5
ARCHIVED_AFTER = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Aged:
    """What age makes of a memory: its importance, up to when that is reckoned, and whether it is put away."""

    importance: float
    decayed_at: datetime | None
    is_archived: bool


def idle_since(memory: Memory) -> datetime:
    """When it was last written, said again, changed or told."""
    return max(memory.created_at, memory.updated_at, memory.last_accessed_at or memory.created_at)


def aged(memory: Memory, now: datetime) -> Aged:
    """A live memory as it ought to be now. What was reckoned once is not reckoned again, whenever this is asked."""
    since = idle_since(memory)
    importance, reckoned = _fallen(memory, since, now)
    is_forgotten = memory.access_count == 0 and memory.last_accessed_at is None
    return Aged(importance, reckoned, is_forgotten and importance < ARCHIVED_BELOW and now - since >= ARCHIVED_AFTER)


def _fallen(memory: Memory, since: datetime, now: datetime) -> tuple[float, datetime | None]:
    is_under_way = memory.decayed_at is not None and memory.decayed_at > since
    begun = memory.decayed_at if is_under_way and memory.decayed_at else since + GRACE
    periods = max((now - begun) // PERIOD, 0)
    fall = FALL * WEIGHTS[memory.category] * periods
    if not fall or memory.importance_score <= LEAST:
        return memory.importance_score, memory.decayed_at
    return max(round(memory.importance_score - fall, 4), LEAST), begun + PERIOD * periods
