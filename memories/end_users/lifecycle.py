"""What age does to memories: importance falls, what nobody ever asked for is archived. Called by beat.

An account is looked at as a whole first: a run that would change more of its live memories than it may changes nothing
and says so (R4). Then one end user after the other, each in a transaction of their own and under their turn, so that it
can break off anywhere, come twice, and run twice at once: what is due is told by the rows. Source: contract end_users,
"Lifecycle".
"""

import logging
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts import audit, isolation, webhooks
from accounts.caller import Caller
from accounts.models import Account, Membership, User
from memories import work
from memories.end_users import ageing, people, versions
from memories.end_users.ageing import Aged
from memories.end_users.errors import EndUserNotFound
from memories.models import EndUser, LifecycleRun, Memory

logger = logging.getLogger(__name__)

AGE_ACCOUNT = "memories.tasks.age_account"
_BATCH = 500
_MOST_TOLD = 100
_NEEDED = (
    "account_id",
    "end_user_id",
    "public_id",
    "content",
    "category",
    "importance_score",
    "is_archived",
    "access_count",
    "last_accessed_at",
    "decayed_at",
    "created_at",
    "updated_at",
)


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a run would do: of `live` memories it would change `due`, and archive `archived` of those."""

    live: int
    due: int
    archived: int


def due(now: datetime) -> "models.QuerySet[Memory]":
    """The live memories that age would change now, of whichever account the transaction sees; as `ageing.aged`."""
    falling = [category for category, weight in ageing.WEIGHTS.items() if weight]
    rows = Memory.objects.filter(is_archived=False).annotate(
        # Postgres's GREATEST passes over what is null.
        idle_since=Greatest("created_at", "updated_at", "last_accessed_at")
    )
    fresh = models.Q(decayed_at=None) | models.Q(decayed_at__lte=models.F("idle_since"))
    begun = fresh & models.Q(idle_since__lte=now - ageing.GRACE - ageing.PERIOD)
    going_on = ~fresh & models.Q(decayed_at__lte=now - ageing.PERIOD)
    falls = models.Q(category__in=falling, importance_score__gt=ageing.LEAST) & (begun | going_on)
    forgotten = models.Q(
        access_count=0,
        last_accessed_at=None,
        importance_score__lt=ageing.ARCHIVED_BELOW,
        idle_since__lte=now - ageing.ARCHIVED_AFTER,
    )
    return rows.filter(falls | forgotten)


def sweep() -> None:
    """Sends a message for each account in which something is due."""
    with isolation.every_account():
        accounts = list(due(timezone.now()).order_by().values_list("account_id", flat=True).distinct())
    work.send((AGE_ACCOUNT, (account_pk,)) for account_pk in accounts)


def run(account: Account, *, is_unbounded: bool = False) -> LifecycleRun:
    """Ages an account's memories, or stops before anything is changed. What came of it is kept as the day's run.

    `is_unbounded`: somebody has looked at what it would do, and wants it.
    """
    now = timezone.now()
    with isolation.account(account.pk):
        prospect = _prospect(account, now)
    reason = "" if is_unbounded else _too_much(prospect)
    if reason:
        logger.warning("The ageing of account %s stopped: %s", account.public_id, reason)
        return _kept(account, now, prospect, reason=reason)
    done = [_age(account, end_user, now) for end_user in _concerned(account, now)]
    return _kept(account, now, prospect, decayed=sum(each[0] for each in done), archived=sum(each[1] for each in done))


def latest(caller: Caller) -> LifecycleRun | None:
    """What came of the account's last run; None before the first."""
    with isolation.account(caller.account.pk):
        return LifecycleRun.objects.filter(account=caller.account).order_by("-day").first()


def let_it_run(caller: Caller) -> None:
    """Has a worker do what the last run was kept from doing. For owners and admins, who have seen what it would do."""
    caller.require_role(Membership.Role.ADMIN)
    work.send([(AGE_ACCOUNT, (caller.account.pk, True))])


def let_it_run_by_staff(actor: User, run: LifecycleRun, *, reason: str) -> None:
    """The same for staff; the audit log keeps who and why."""
    audit.write(actor, "let run", run, reason=reason)
    work.after_commit([(AGE_ACCOUNT, (run.account_id, True))])


def _prospect(account: Account, now: datetime) -> Prospect:
    rows = due(now).filter(account=account).only(*_NEEDED).order_by()
    archived = [ageing.aged(memory, now).is_archived for memory in rows.iterator(_BATCH)]
    live = Memory.objects.filter(account=account, is_archived=False).count()
    return Prospect(live, len(archived), sum(archived))


def _too_much(prospect: Prospect) -> str:
    """Why a run must not happen; empty where it may.

    Of a handful of memories any change is a large share: that many may fall together, but not be archived.
    """
    most = prospect.live * settings.PAM_LIFECYCLE_MOST_PERCENT / 100
    told = f"at most {settings.PAM_LIFECYCLE_MOST_PERCENT} % may be at a time. Nothing was changed."
    if prospect.archived > most:
        return f"{prospect.archived:,} of {prospect.live:,} live memories would be archived; {told}"
    if prospect.due > max(most, settings.PAM_LIFECYCLE_HANDFUL):
        return f"{prospect.due:,} of {prospect.live:,} live memories would be changed; {told}"
    return ""


def _concerned(account: Account, now: datetime) -> Iterator[EndUser]:
    """Those of whom something is due, page by page, so that no transaction stays open."""
    after = 0
    while True:
        with isolation.account(account.pk):
            ids = due(now).filter(account=account, end_user__gt=after).order_by().values("end_user_id")
            page = list(EndUser.objects.filter(account=account, pk__in=ids).order_by("pk")[:_BATCH])
        yield from page
        if len(page) < _BATCH:
            return
        after = page[-1].pk


def _age(account: Account, end_user: EndUser, now: datetime) -> tuple[int, int]:
    """How many of one end user's memories fell, and how many were archived."""
    fell = archived = 0
    while True:
        with isolation.account(account.pk):
            try:
                people.take_turn(end_user, is_seen=False)
            except EndUserNotFound:
                return fell, archived
            batch = _batch(account, end_user, now)
            fallen, put_away = _apply(batch, now)
            if put_away:
                _tell(account, end_user, put_away)
        fell, archived = fell + len(fallen), archived + len(put_away)
        if len(batch) < _BATCH:
            return fell, archived


def _batch(account: Account, end_user: EndUser, now: datetime) -> list[tuple[Memory, Aged]]:
    # What is being told at this moment is not idle; passing over it, two who lock never wait for each other.
    rows = due(now).filter(account=account, end_user=end_user).select_for_update(of=("self",), skip_locked=True)
    return [(memory, ageing.aged(memory, now)) for memory in rows.only(*_NEEDED).order_by("pk")[:_BATCH]]


def _apply(batch: list[tuple[Memory, Aged]], now: datetime) -> tuple[list[Memory], list[Memory]]:
    """Keeps what age made of them, with a version for each change; those that fell and those that were archived."""
    fallen, put_away = [], []
    for memory, aged in batch:
        if aged.importance != memory.importance_score:
            fallen.append(memory)
            memory.importance_score, memory.decayed_at = aged.importance, aged.decayed_at
        if aged.is_archived:
            put_away.append(memory)
    _keep_versions(fallen, now, versions.Change.IMPORTANCE_DECAY)
    for memory in put_away:
        memory.is_archived, memory.archived_at, memory.archived_as = True, now, versions.Change.ARCHIVED
    _keep_versions(put_away, now, versions.Change.ARCHIVED)
    changed = ["importance_score", "decayed_at", "is_archived", "archived_at", "archived_as"]
    Memory.objects.bulk_update([memory for memory, _ in batch], changed, batch_size=_BATCH)
    return fallen, put_away


def _keep_versions(memories: list[Memory], now: datetime, change: versions.Change) -> None:
    by_reason = defaultdict(list)
    for memory in memories:
        by_reason[f"Idle for {(now - ageing.idle_since(memory)).days} days."].append(memory)
    for reason, those in by_reason.items():
        versions.add_all(those, change, reason)


def _tell(account: Account, end_user: EndUser, archived: list[Memory]) -> None:
    ids = [str(memory.public_id) for memory in archived[:_MOST_TOLD]]
    told = {"external_user_id": end_user.external_id, "memory_ids": ids, "archived": len(archived), "reason": "idle"}
    webhooks.emit(account, "memory.archived", told)


def _kept(
    account: Account, now: datetime, prospect: Prospect, *, reason: str = "", decayed: int = 0, archived: int = 0
) -> LifecycleRun:
    """The day's run, with what earlier ones of the same day did added up."""
    with isolation.account(account.pk):
        # Held until the end, so that two at once do not count over each other.
        day, _ = LifecycleRun.objects.select_for_update().get_or_create(
            account=account, day=now.date(), defaults={"live": 0, "due": 0, "state": LifecycleRun.State.DONE}
        )
        day.state = LifecycleRun.State.STOPPED if reason else LifecycleRun.State.DONE
        day.reason, day.finished_at = reason, timezone.now()
        day.live, day.due, day.due_archived = prospect.live, prospect.due, prospect.archived
        day.decayed, day.archived = day.decayed + decayed, day.archived + archived
        day.save()
    return day
