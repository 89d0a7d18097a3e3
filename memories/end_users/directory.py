"""Who the end users of an account are, how much is remembered of each, and who of them is blocked.

Source: contract end_users, `/v1/tenant/users`.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models.functions import Collate, Upper
from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Membership
from memories import page_tokens, storable
from memories.end_users import people, traces
from memories.end_users.errors import BadSetting, refused
from memories.models import Conflict, EndUser, ExtractionJob, Memory, PendingCandidate, Retrieval

USUAL, MOST = 10, 50
LONGEST_SEARCH = people.LONGEST_ID
#: The database's own folds the case of all scripts, where "C", by which ids are compared, folds ASCII alone.
_FOLDING = "default"


@dataclass(frozen=True, slots=True)
class Listed:
    """An end user with the number of their live memories."""

    row: EndUser
    memories: int


@dataclass(frozen=True, slots=True)
class Page:
    """`next_cursor` is empty on the last page; `total` counts all that the search finds."""

    users: list[Listed]
    next_cursor: str
    limit: int
    total: int


@dataclass(frozen=True, slots=True)
class Stats:
    """What is remembered of one end user, in figures.

    by_category    live memories only
    jobs           by status
    """

    row: EndUser
    memories: int
    archived: int
    by_category: dict[str, int] = field(default_factory=dict)
    average_importance: float | None = None
    last_memory_at: datetime | None = None
    last_accessed_at: datetime | None = None
    accesses: int = 0
    pending_candidates: int = 0
    pending_conflicts: int = 0
    retrievals: int = 0
    jobs: dict[str, int] = field(default_factory=dict)


def listed(caller: Caller, *, search: str = "", cursor: str = "", limit: int = USUAL) -> Page:
    """A page of the account's end users, who came last first. `search` is a part of the id, in any case; `%` and `_`
    stand for themselves. Three queries.

    Raises Refused for a bound, BadSetting for a cursor of another list.
    """
    caller.require_scope(scopes.READ)
    if not 1 <= limit <= MOST:
        raise refused("limit", f"must be 1 to {MOST}.")
    if len(storable.check("search", search)) > LONGEST_SEARCH:
        raise refused("search", f"must have at most {LONGEST_SEARCH} characters.")
    marks = {"list": "end users", "account": caller.account.public_id, "search": search}
    after = _after(cursor, marks)
    with isolation.account(caller.account.pk):
        rows = _matching(EndUser.objects.filter(account=caller.account), search)
        total = rows.count()
        page = list(rows.filter(after).order_by("-created_at", "-id")[: limit + 1])
        counts = _memory_counts(page[:limit])
    token = page_tokens.after(page[limit - 1], marks) if len(page) > limit else ""
    return Page([Listed(row, counts.get(row.pk, 0)) for row in page[:limit]], token, limit, total)


def _after(cursor: str, marks: dict[str, Any]) -> models.Q:
    try:
        return page_tokens.older(cursor, marks, argument="cursor")
    except InvalidArguments as error:
        raise BadSetting(error.message, argument="cursor") from error


def _matching(rows: "models.QuerySet[EndUser]", search: str) -> "models.QuerySet[EndUser]":
    if not search:
        return rows
    folded = rows.annotate(folded=Upper(Collate("external_id", _FOLDING)))
    # `contains` escapes what LIKE reads as a pattern.
    return folded.filter(folded__contains=Upper(Collate(models.Value(search), _FOLDING)))


def _memory_counts(users: list[EndUser]) -> dict[int, int]:
    if not users:
        return {}
    live = Memory.objects.filter(account_id=users[0].account_id, end_user__in=users, is_archived=False)
    return dict(live.values("end_user_id").annotate(number=models.Count("pk")).values_list("end_user_id", "number"))


def stats(caller: Caller, external_id: str) -> Stats:
    """Raises EndUserNotFound. Seven queries."""
    caller.require_scope(scopes.READ)
    with isolation.account(caller.account.pk):
        row = people.known(caller.account, external_id)
        own: dict[str, Any] = {"account": caller.account, "end_user": row}
        memories = Memory.objects.filter(**own)
        live = memories.filter(is_archived=False)
        categories = live.order_by().values("category").annotate(number=models.Count("pk"))
        jobs = ExtractionJob.objects.filter(**own).order_by().values("status").annotate(number=models.Count("pk"))
        return Stats(
            row=row,
            by_category=dict(categories.values_list("category", "number")),
            jobs=dict(jobs.values_list("status", "number")),
            pending_candidates=PendingCandidate.objects.filter(**own).count(),
            pending_conflicts=Conflict.objects.filter(**own, resolved_at=None).count(),
            retrievals=Retrieval.objects.filter(**own).count(),
            **_summed(memories),
        )


def _summed(memories: "models.QuerySet[Memory]") -> dict[str, Any]:
    is_live = models.Q(is_archived=False)
    return memories.aggregate(
        memories=models.Count("pk", filter=is_live),
        archived=models.Count("pk", filter=~is_live),
        average_importance=models.Avg("importance_score", filter=is_live),
        last_memory_at=models.Max("created_at"),
        last_accessed_at=models.Max("last_accessed_at"),
        accesses=models.functions.Coalesce(models.Sum("access_count"), 0),
    )


def block(caller: Caller, external_id: str) -> EndUser:
    """From now on nothing is remembered of them and nothing told about them; what is there stays.

    Blocking twice keeps the first time. Raises EndUserNotFound.
    """
    return _set_blocked(caller, external_id, timezone.now())


def unblock(caller: Caller, external_id: str) -> EndUser:
    """Raises EndUserNotFound."""
    return _set_blocked(caller, external_id, None)


def _set_blocked(caller: Caller, external_id: str, at: datetime | None) -> EndUser:
    caller.require_scope(scopes.WRITE)
    caller.require_role(Membership.Role.MEMBER)
    with isolation.account(caller.account.pk):
        row = people.known(caller.account, external_id)
        people.take_turn(row, is_seen=False)
        row.blocked_at = at and (row.blocked_at or at)
        row.save(update_fields=["blocked_at"])
        # In the transaction, so that who reads what Valkey holds afterwards finds the row blocked.
        traces.forget(row.account_id, row.pk)
    return row
