"""Looking through records as a person does: words, or filters, or both; one page."""

from dataclasses import dataclass
from typing import Any

from accounts.caller import Caller
from memories.agents import arguments, listing, searching
from memories.agents.shown import RecordShown
from memories.models import Record

PAGE = 50
#: Words are looked for by rank; of so many best ones those are shown that the other filters let through.
BEST = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to show; empty means any. `space` is a space's id."""

    q: str = ""
    kind: str = ""
    status: str = ""
    agent: str = ""
    session: str = ""
    topic: str = ""
    space: str = ""

    @property
    def anything(self) -> bool:
        return any((self.q, self.kind, self.status, self.agent, self.session, self.topic, self.space))


@dataclass(frozen=True, slots=True)
class Found:
    """`degraded` says why the search was weaker than usual, else it is empty."""

    records: list[RecordShown]
    next_page_token: str = ""
    degraded: str = ""


def page(caller: Caller, wanted: Wanted, *, page_token: str = "") -> Found:
    """Newest first; or, with words, best first and on one page. Raises InvalidArguments for what is no filter."""
    if wanted.q:
        return _searched(caller, wanted)
    filters: dict[str, Any] = {name: getattr(wanted, name) for name in ("kind", "status", "agent", "session", "topic")}
    rows = listing.records(caller, **filters, space_id=wanted.space, page_size=PAGE, page_token=page_token)
    return Found(rows.records, rows.next_page_token)


def _searched(caller: Caller, wanted: Wanted) -> Found:
    arguments.optional_choice(wanted.status, "status", Record.Status.values)
    found = searching.search(
        caller,
        query=wanted.q,
        kind=wanted.kind,
        include_inactive=wanted.status != Record.Status.ACTIVE,
        space_id=wanted.space,
        page_size=BEST,
    )
    fitting = [hit.record for hit in found.records if _fits(hit.record, wanted)]
    return Found(fitting, degraded=found.degraded)


def _fits(row: RecordShown, wanted: Wanted) -> bool:
    exact = ((wanted.status, row.status), (wanted.agent, row.agent), (wanted.session, row.session))
    return all(not asked or asked == said for asked, said in exact) and (not wanted.topic or wanted.topic in row.topics)
