"""Records and summaries as they leave the house: frozen shapes, and their JSON. Pure, but for reading a row's fields.

Source: contract knowledge, "Things". Ids are public ones; an empty text stands where there is nothing.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from memories.models import Record, Summary

#: What the two shapes read of other rows: to be fetched along with them.
RECORD_RELATED = ("space", "summary", "supersedes__space", "superseded_by__space")
SUMMARY_RELATED = ("space",)
#: What of a record is for searching alone, and wide.
UNREAD = ("vector", "near_vector", "near_signs", "words", "terms")


@dataclass(frozen=True, slots=True)
class RecordShown:
    id: str
    kind: str
    text: str
    status: str
    agent: str
    session: str
    space_id: str
    decided_by: str
    topics: list[str]
    links: list[str]
    supersedes: str
    superseded_by: str
    seen_count: int
    created_at: datetime
    last_seen_at: datetime
    summary_id: str

    def structured(self) -> dict[str, Any]:
        return {name: _plain(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class SummaryShown:
    id: str
    agent: str
    session: str
    trigger: str
    text: str
    space_id: str
    created_at: datetime
    item_count: int

    def structured(self) -> dict[str, Any]:
        return {name: _plain(value) for name, value in asdict(self).items()}


def record(row: Record) -> RecordShown:
    """A row fetched with RECORD_RELATED. What is hidden is not named, nor that it is there."""
    return RecordShown(
        id=row.public_id,
        kind=row.kind,
        text=row.text,
        status=row.status,
        agent=row.agent,
        session=row.session,
        space_id=row.space.public_id if row.space else "",
        decided_by=row.decided_by,
        topics=row.topics,
        links=row.links,
        supersedes=_linked(row.supersedes),
        superseded_by=_linked(row.superseded_by),
        seen_count=row.seen_count,
        created_at=row.created_at,
        last_seen_at=row.last_seen_at,
        summary_id=_id(row.summary),
    )


def summary(row: Summary) -> SummaryShown:
    return SummaryShown(
        id=row.public_id,
        agent=row.agent,
        session=row.session,
        trigger=row.trigger,
        text=row.text,
        space_id=row.space.public_id if row.space else "",
        created_at=row.created_at,
        item_count=row.item_count,
    )


def _linked(row: Record | None) -> str:
    return "" if row is None or (row.space and row.space.hidden_at) else _id(row)


def _id(row: Record | Summary | None) -> str:
    return row.public_id if row is not None and row.hidden_at is None else ""


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
