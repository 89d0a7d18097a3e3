"""`memory_search_records`: the records that answer a query, best first. What is best is search.py's to say.

Source: contract knowledge, "Reading"; R11, R20, R35, R37.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.models import Account
from memories import redaction
from memories import search as ranking
from memories.agents import arguments, shown, spaces
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
    space_id: str = "",
    account_id: str = "",
    page_size: int = 0,
) -> Hits:
    """The records that the caller reads and that answer `query`: active ones first, then the best, then the newest.

    An empty `space_id` is everything the caller reads. Raises InvalidArguments and NotFound.
    """
    caller.require_scope(scopes.DECISIONS_READ)
    spaces.own_account(caller, account_id)
    asked = redaction.cut(arguments.query(query)).text
    kinds = tuple(filter(None, [arguments.optional_choice(kind, "kind", Record.Kind.values)]))
    size = arguments.page_size(page_size, usual=USUAL, most=MOST)
    prepared = ranking.prepare_whole(asked)
    with isolation.account(caller.account.pk):
        scope = in_scope(caller, space_id, spaces.reach(caller), kinds=kinds, include_inactive=include_inactive)
        found = ranking.records(caller.account, prepared, scope, count=size)
        return Hits(read(caller.account, found), prepared.degraded)


def in_scope(
    caller: Caller, space_id: str, within: Reach, *, kinds: tuple[str, ...] = (), include_inactive: bool = False
) -> Scope:
    """One space, or, with an empty id, everything that the caller reads. Raises NotFound. One query."""
    space = spaces.readable(caller, space_id, within)
    if space is not None:
        return Scope((space.pk,), whole=False, kinds=kinds, include_inactive=include_inactive, is_narrow=True)
    rows = Space.objects.filter(account=caller.account, hidden_at=None)
    readable = tuple(row.pk for row in rows if within.reads(row))
    return Scope(readable, kinds=kinds, include_inactive=include_inactive)


def read(account: Account, found: Sequence[FoundRecord]) -> list[Hit]:
    """What was found, in full and in its order. One query."""
    rows = Record.objects.filter(account=account, pk__in=[each.record_id for each in found], hidden_at=None)
    by_key = {row.pk: row for row in rows.select_related(*shown.RECORD_RELATED).defer(*shown.UNREAD)}
    return [
        Hit(shown.record(by_key[each.record_id]), each.score, each.match) for each in found if each.record_id in by_key
    ]
