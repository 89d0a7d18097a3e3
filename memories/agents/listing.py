"""Records and summaries, newest first, page by page; and one of them alone. Nothing here ranks.

Source: contract knowledge, "Reading"; R11, R36.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from accounts import isolation, scopes
from accounts.caller import Caller
from memories import page_tokens
from memories.agents import arguments, shown, spaces, supersession
from memories.agents.shown import RecordShown, SummaryShown
from memories.models import Record, Summary

USUAL, MOST = 50, 200


@dataclass(frozen=True, slots=True)
class RecordPage:
    """`next_page_token` is empty on the last page."""

    records: list[RecordShown]
    next_page_token: str

    def structured(self) -> dict[str, Any]:
        return {"records": [row.structured() for row in self.records], "next_page_token": self.next_page_token}


@dataclass(frozen=True, slots=True)
class SummaryPage:
    """`items`: by the id of a summary without text, what of its records is in force and readable, as (kind, text)."""

    summaries: list[SummaryShown]
    next_page_token: str
    items: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def structured(self) -> dict[str, Any]:
        return {"summaries": [row.structured() for row in self.summaries], "next_page_token": self.next_page_token}


@dataclass(frozen=True, slots=True)
class History:
    """A record with those it replaced, newest first, and those that replaced it, the one in force last."""

    record: RecordShown
    earlier: list[RecordShown]
    later: list[RecordShown]


def records(
    caller: Caller,
    *,
    kind: str = "",
    status: str = "",
    agent: str = "",
    session: str = "",
    topic: str = "",
    space_id: str = "",
    account_id: str = "",
    page_size: int = 0,
    page_token: str = "",
) -> RecordPage:
    """A page of the records that the caller reads and the filters let through. Four queries, five with a space."""
    filters = {
        "kind": arguments.optional_choice(kind, "kind", Record.Kind.values),
        "status": arguments.optional_choice(status, "status", Record.Status.values),
        "agent": arguments.label(agent, "agent"),
        "session": arguments.label(session, "session"),
        "topics__contains": [arguments.label(topic, "topic")] if topic else "",
    }
    rows, token = _page(caller, Record, filters, space_id, account_id, page_size, page_token, shown.RECORD_RELATED)
    return RecordPage([shown.record(row) for row in rows], token)


def summaries(
    caller: Caller,
    *,
    agent: str = "",
    session: str = "",
    space_id: str = "",
    account_id: str = "",
    page_size: int = 0,
    page_token: str = "",
) -> SummaryPage:
    """A page of the summaries that the caller reads. Four queries, five with a space; more where one has no text."""
    filters = {"agent": arguments.label(agent, "agent"), "session": arguments.label(session, "session")}
    rows, token = _page(caller, Summary, filters, space_id, account_id, page_size, page_token, shown.SUMMARY_RELATED)
    return SummaryPage(
        [shown.summary(row) for row in rows], token, _items(caller, [row for row in rows if not row.text])
    )


def _items(caller: Caller, rows: list[Summary]) -> dict[str, list[tuple[str, str]]]:
    """What the active records of these summaries say, in order."""
    told = of_summaries(caller, [row.public_id for row in rows]) if rows else {}
    active = {name: [each for each in found if each.status == Record.Status.ACTIVE] for name, found in told.items()}
    return {name: [(each.kind, each.text) for each in found] for name, found in active.items()}


def of_summaries(caller: Caller, summary_ids: Collection[str]) -> dict[str, list[RecordShown]]:
    """The records, whatever their status, that came with each of these summaries, which the caller has been shown.

    They stand in the space of their summary. One query.
    """
    caller.require_scope(scopes.DECISIONS_READ)
    found: dict[str, list[RecordShown]] = defaultdict(list)
    with isolation.account(caller.account.pk):
        rows = Record.objects.filter(account=caller.account, summary__public_id__in=summary_ids, hidden_at=None)
        for row in rows.defer(*shown.UNREAD).select_related(*shown.RECORD_RELATED).order_by("id"):
            each = shown.record(row)
            found[each.summary_id].append(each)
    return dict(found)


def record(caller: Caller, record_id: str) -> RecordShown:
    """One record. Raises NotFound for an id that never was and for one not readable alike."""
    caller.require_scope(scopes.DECISIONS_READ)
    with isolation.account(caller.account.pk):
        return shown.record(supersession.found(caller, record_id, spaces.reach(caller)))


def history(caller: Caller, record_id: str) -> History:
    """One record with its chain, both ways, as far as the caller reads it."""
    caller.require_scope(scopes.DECISIONS_READ)
    with isolation.account(caller.account.pk):
        within = spaces.reach(caller)
        row = supersession.found(caller, record_id, within)
        earlier = supersession.chain(row, "supersedes")
        later = supersession.chain(row, "superseded_by")
        return History(shown.record(row), _readable(earlier, within), _readable(later, within))


def _readable(rows: list[Record], within: spaces.Reach) -> list[RecordShown]:
    seen = [row for row in rows if row.hidden_at is None and (row.space is None or within.reads(row.space))]
    return [shown.record(row) for row in seen]


def _page(
    caller: Caller,
    model: type[Any],
    filters: dict[str, Any],
    space_id: str,
    account_id: str,
    page_size: int,
    page_token: str,
    related: tuple[str, ...],
) -> tuple[list[Any], str]:
    caller.require_scope(scopes.DECISIONS_READ)
    spaces.own_account(caller, account_id)
    size = arguments.page_size(page_size, usual=USUAL, most=MOST)
    marks = {**filters, "list": model._meta.model_name, "account": caller.account.public_id, "space": space_id}
    after = page_tokens.older(page_token, marks)
    with isolation.account(caller.account.pk):
        condition = in_reach(caller, space_id, spaces.reach(caller))
        wanted = models.Q(**{name: value for name, value in filters.items() if value})
        rows = model.objects.filter(condition, wanted, after, account=caller.account, hidden_at=None)
        rows = rows.defer(*(shown.UNREAD if model is Record else ()))
        found = list(rows.select_related(*related).order_by("-created_at", "-id")[: size + 1])
    more = len(found) > size
    return found[:size], page_tokens.after(found[size - 1], marks) if more else ""


def in_reach(caller: Caller, space_id: str, within: spaces.Reach) -> models.Q:
    """The condition on rows of one space, or, with an empty id, of everything in the account that the caller reads."""
    space = spaces.readable(caller, space_id, within)
    return models.Q(space=space) if space else within.readable()
