"""`memory_search_records`: the records that answer a query, best first. What is best is search.py's to say.

Source: contract knowledge, "Reading"; R11, R20, R35, R37.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.models import Account
from memories import redaction
from memories import search as ranking
from memories.agents import arguments, spaces
from memories.agents.shown import RecordShown
from memories.agents.spaces import Reach
from memories.models import Record, Space
from memories.record_candidates import Scope
from memories.search import FoundRecord

USUAL, MOST = 20, 100


@dataclass(frozen=True, slots=True)
class Hit:
    """`score` is from 0 to 1; `match` tells what found it: `meaning`, `words` or `both`."""

    record: RecordShown
    score: float
    match: str

    def structured(self) -> dict[str, Any]:
        return {**self.record.structured(), "score": self.score, "match": self.match}


@dataclass(frozen=True, slots=True)
class Hits:
    """`degraded` says why the search was weaker than usual, else it is empty."""

    records: list[Hit]
    degraded: str = ""

    def structured(self) -> dict[str, Any]:
        degraded = {"degraded": self.degraded} if self.degraded else {}
        return {"records": [hit.structured() for hit in self.records], "next_page_token": "", **degraded}


def search(
    caller: Caller,
    *,
    query: str,
    kind: str = "",
    include_inactive: bool = False,
    status: str = "",
    agent: str = "",
    session: str = "",
    topic: str = "",
    space_id: str = "",
    account_id: str = "",
    page_size: int = 0,
) -> Hits:
    """The records that the caller reads and that answer `query`: active ones first, then the best, then the newest.

    The other filters are those of `listing.records`; a status goes before `include_inactive`. An empty `space_id` is
    everything the caller reads. Raises InvalidArguments and NotFound.
    """
    caller.require_scope(scopes.DECISIONS_READ)
    spaces.own_account(caller, account_id)
    asked = redaction.cut(arguments.query(query)).text
    filters: dict[str, Any] = {
        "kinds": tuple(filter(None, [arguments.optional_choice(kind, "kind", Record.Kind.values)])),
        "status": arguments.optional_choice(status, "status", Record.Status.values),
        "agent": arguments.label(agent, "agent"),
        "session": arguments.label(session, "session"),
        "topic": arguments.label(topic, "topic"),
        "include_inactive": include_inactive,
    }
    size = arguments.page_size(page_size, usual=USUAL, most=MOST)
    prepared = ranking.prepare_whole(asked)
    with isolation.account(caller.account.pk):
        scope = replace(in_scope(caller, space_id, spaces.reach(caller)), **filters)
        found = ranking.records(caller.account, prepared, scope, count=size)
        return Hits(read(caller.account, found), prepared.degraded)


def in_scope(caller: Caller, space_id: str, within: Reach) -> Scope:
    """One space, or, with an empty id, everything that the caller reads; active records. Raises NotFound. One query."""
    space = spaces.readable(caller, space_id, within)
    if space is not None:
        return Scope((space.pk,), whole=False, in_one_space=True)
    rows = Space.objects.filter(account=caller.account, hidden_at=None)
    return Scope(tuple(row.pk for row in rows if within.reads(row)))


def read(account: Account, found: Sequence[FoundRecord]) -> list[Hit]:
    """What was found, in full and in its order. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, [account.pk, [each.record_id for each in found]])
        by_key = {key: RecordShown(*values) for key, *values in cursor.fetchall()}
    return [Hit(by_key[each.record_id], each.score, each.match) for each in found if each.record_id in by_key]


# As shown.record puts it, column by column. Written out: Python takes five times as long to build it, and the rows of
# five tables from each answer, as Postgres takes to answer.
_READ = """
    SELECT r.id, r.public_id, r.kind, r.text, r.status, r.agent, r.session, coalesce(space.public_id, ''), r.decided_by,
           r.topics, r.links, coalesce(before.public_id, ''), coalesce(after.public_id, ''), r.seen_count, r.created_at,
           r.last_seen_at, coalesce(summary.public_id, '')
    FROM memories_record r
    LEFT JOIN memories_space space ON space.id = r.space_id
    LEFT JOIN memories_summary summary ON summary.id = r.summary_id AND summary.hidden_at IS NULL
    LEFT JOIN LATERAL (
        SELECT old.public_id FROM memories_record old LEFT JOIN memories_space place ON place.id = old.space_id
        WHERE old.id = r.supersedes_id AND old.hidden_at IS NULL AND place.hidden_at IS NULL
    ) AS before ON true
    LEFT JOIN LATERAL (
        SELECT new.public_id FROM memories_record new LEFT JOIN memories_space place ON place.id = new.space_id
        WHERE new.id = r.superseded_by_id AND new.hidden_at IS NULL AND place.hidden_at IS NULL
    ) AS after ON true
    WHERE r.account_id = %s AND r.id = ANY(%s::bigint[]) AND r.hidden_at IS NULL
"""
