"""Conflicts of an account by pages, and how many there are of which kind."""

from dataclasses import dataclass, field

from django.db.models import Count, Q

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from memories import page_tokens
from memories.end_users import people
from memories.end_users.conflicts import resolving
from memories.end_users.conflicts.rows import Outcome
from memories.end_users.errors import BadSetting, refused
from memories.models import Conflict

USUAL, MOST = 10, 50
PENDING, RESOLVED = "pending", "resolved"
STATUSES = (PENDING, RESOLVED)


@dataclass(frozen=True, slots=True)
class Page:
    """Conflicts, where the next page begins (empty on the last one), and how many there are on all pages."""

    conflicts: list[Conflict]
    next_cursor: str
    limit: int
    total: int


@dataclass(frozen=True, slots=True)
class Stats:
    """by_outcome holds every outcome, also those that never came; asked counts questions that were handed out."""

    total: int
    pending: int
    resolved: int
    asked: int
    by_outcome: dict[str, int] = field(default_factory=dict)


def status(row: Conflict) -> str:
    """Pending while it is open and both sides are told."""
    if row.resolved_at is not None or row.new is None or row.new.is_archived or row.old.is_archived:
        return RESOLVED
    return PENDING


def listed(
    caller: Caller, *, status: str = "", external_user_id: str | None = None, cursor: str = "", limit: int = USUAL
) -> Page:
    """A page of the account's conflicts, the newest first. Two queries.

    Raises Refused for a bound, BadSetting for a cursor of another list.
    """
    caller.require_scope(scopes.READ)
    if status and status not in STATUSES:
        raise refused("status", f"must be one of {', '.join(STATUSES)}.")
    if not 1 <= limit <= MOST:
        raise refused("limit", f"must be 1 to {MOST}.")
    marks = {"list": "conflicts", "account": caller.account.public_id, "status": status, "user": external_user_id}
    try:
        after = page_tokens.older(cursor, marks, argument="cursor")
    except InvalidArguments as error:
        raise BadSetting(error.message, argument="cursor") from error
    rows = Conflict.objects.filter(_of_status(status), account=caller.account)
    if external_user_id is not None:
        rows = rows.filter(end_user__external_id=people.check_id(external_user_id))
    with isolation.account(caller.account.pk):
        total = rows.count()
        found = list(resolving.with_sides(rows.filter(after)).order_by("-created_at", "-id")[: limit + 1])
    token = page_tokens.after(found[limit - 1], marks) if len(found) > limit else ""
    return Page(found[:limit], token, limit, total)


def _of_status(status: str) -> Q:
    if not status:
        return Q()
    # Not the negation of PENDING: a row without a new memory would be lost in it.
    gone = Q(resolved_at__isnull=False) | Q(new=None) | Q(old__is_archived=True) | Q(new__is_archived=True)
    return resolving.PENDING if status == PENDING else gone


def stats(caller: Caller) -> Stats:
    """One query."""
    caller.require_scope(scopes.READ)
    outcomes = {outcome: Count("pk", filter=Q(outcome=outcome)) for outcome in Outcome.values}
    with isolation.account(caller.account.pk):
        told = Conflict.objects.filter(account=caller.account).aggregate(
            total=Count("pk"),
            pending=Count("pk", filter=resolving.PENDING),
            asked=Count("pk", filter=Q(asked_at__isnull=False)),
            **outcomes,
        )
    return Stats(
        total=told["total"],
        pending=told["pending"],
        resolved=told["total"] - told["pending"],
        asked=told["asked"],
        by_outcome={outcome: told[outcome] for outcome in Outcome.values},
    )
