"""Looking through records as a person does: words, or filters, or both; one page."""

from dataclasses import dataclass
from typing import Any

from accounts.caller import Caller
from memories.agents import listing, searching
from memories.agents.shown import RecordShown, SummaryShown

PAGE, SESSIONS = 50, 20
_FILTERS = ("kind", "status", "agent", "session", "topic")


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
    """`degraded` says why the search was weaker than usual, else it is empty. `has_more`: the best ones are all of them
    that a search shows, and others may fit, too.
    """

    records: list[RecordShown]
    next_page_token: str = ""
    degraded: str = ""
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class Sessions:
    """Summaries, newest first, each with the records that came with it."""

    summaries: list[tuple[SummaryShown, list[RecordShown]]]
    next_page_token: str = ""


def page(caller: Caller, wanted: Wanted, *, page_token: str = "") -> Found:
    """Newest first; or, with words, best first and on one page. Raises InvalidArguments for what is no filter."""
    if wanted.q:
        return _searched(caller, wanted)
    filters: dict[str, Any] = {name: getattr(wanted, name) for name in _FILTERS}
    rows = listing.records(caller, **filters, space_id=wanted.space, page_size=PAGE, page_token=page_token)
    return Found(rows.records, rows.next_page_token)


def _searched(caller: Caller, wanted: Wanted) -> Found:
    filters: dict[str, Any] = {name: getattr(wanted, name) for name in _FILTERS}
    found = searching.search(
        caller, query=wanted.q, **filters, include_inactive=True, space_id=wanted.space, page_size=searching.MOST
    )
    return Found(
        [hit.record for hit in found.records],
        degraded=found.degraded,
        has_more=len(found.records) == searching.MOST,
    )


def sessions(caller: Caller, wanted: Wanted, *, page_token: str = "") -> Sessions:
    """What sessions concluded: of `wanted`, agent, session and space count. Raises as `page`."""
    asked = {"agent": wanted.agent, "session": wanted.session, "space_id": wanted.space}
    rows = listing.summaries(caller, **asked, page_size=SESSIONS, page_token=page_token)
    records = listing.of_summaries(caller, [row.id for row in rows.summaries])
    return Sessions([(row, records.get(row.id, [])) for row in rows.summaries], rows.next_page_token)
