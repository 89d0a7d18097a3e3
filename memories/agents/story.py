"""One record with all that hangs on it: for the page of a record. Everything in it is what the caller reads.

Source: contract knowledge, "The page".
"""

from dataclasses import dataclass

from accounts import isolation, scopes
from accounts.caller import Caller
from memories.agents import listing, shown, spaces, supersession
from memories.agents.listing import History
from memories.agents.shown import RecordShown, SummaryShown
from memories.models import Record, Summary


@dataclass(frozen=True, slots=True)
class Story:
    """`neighbours` are the other records of its summary, in the order they were recorded; `space_name` is empty for
    what belongs to the account as a whole."""

    history: History
    summary: SummaryShown | None
    neighbours: list[RecordShown]
    space_name: str
    can_write: bool


def of(caller: Caller, record_id: str) -> Story:
    """Raises NotFound for what the caller does not read."""
    caller.require_scope(scopes.DECISIONS_READ)
    with isolation.account(caller.account.pk):
        within = spaces.reach(caller)
        row = supersession.found(caller, record_id, within)
        summary = row.summary if row.summary and row.summary.hidden_at is None else None
        return Story(
            history=listing.history(caller, record_id),
            summary=shown.summary(summary) if summary else None,
            neighbours=_neighbours(row, summary, within) if summary else [],
            space_name=row.space.name if row.space else "",
            can_write=within.writes(row.space) if row.space else within.writes_whole,
        )


def _neighbours(row: Record, summary: Summary, within: spaces.Reach) -> list[RecordShown]:
    rows = Record.objects.filter(within.readable(), account=row.account_id, summary=summary, hidden_at=None)
    rows = rows.exclude(pk=row.pk).select_related(*shown.RECORD_RELATED)
    rows = rows.defer(*shown.UNREAD).order_by("id")
    return [shown.record(beside) for beside in rows]
