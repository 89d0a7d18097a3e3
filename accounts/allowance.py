"""How end-user memory serves an account now: modes, the month's allowance, and what happens at its end.

An operation is one call that adds to end-user memory, or one that retrieves from it (operations.py counts). Modes
(contract: end_users):

    FULL                as it should be
    DEGRADED_RETRIEVE   set by staff: answers come from the hot tier and by words only
    PASSTHROUGH         nothing is remembered and no context is given: set by staff, or the allowance is used up and the
                        account's overage policy is to block
    BLOCKED             set by staff, or the account is suspended or has no plan

Trouble of ours must never fail the caller's own work: nothing here raises. When the database does not answer, a call
goes through uncounted.
"""

import logging
from dataclasses import dataclass
from datetime import date, datetime

from django.db import DatabaseError, InterfaceError
from psycopg_pool import PoolTimeout

from accounts import isolation, operations, quota_events
from accounts.models import Account, AlertSettings
from accounts.operations import Usage

logger = logging.getLogger(__name__)
#: What a database raises that does not answer.
AWAY = (DatabaseError, InterfaceError, PoolTimeout)
Mode = Account.MemoryMode
Overage = AlertSettings.Overage

NORMAL, STAFF, SUSPENDED, NO_PLAN, USED_UP = "", "staff", "suspended", "no_plan", "used_up"
#: Modes in which something is done for a call, so that it counts.
WORKING = frozenset({Mode.FULL, Mode.DEGRADED_RETRIEVE})


@dataclass(frozen=True, slots=True)
class Allowance:
    """How a call is to be served, and what is left of the month.

    reason          where the mode comes from: "" (as it should be), "staff", "suspended", "no_plan" or "used_up"
    remaining_pct   0 to 100; 100 on a plan without a limit
    reset_at        when the next month begins (UTC)
    is_counted      this call was counted
    is_charged      it lies over the allowance, and the account's policy is to pay for such
    is_over         it lies over the allowance, whatever the policy
    """

    mode: Account.MemoryMode
    reason: str
    remaining_pct: float
    reset_at: datetime
    period: date
    is_counted: bool = False
    is_charged: bool = False
    is_over: bool = False

    @property
    def headers(self) -> dict[str, str]:
        return {
            "X-MemoryOS-Quota-Mode": str(self.mode.value),
            "X-MemoryOS-Budget-Remaining": f"{self.remaining_pct:g}",
            "X-MemoryOS-Quota-Reset": self.reset_at.isoformat().replace("+00:00", "Z"),
        }


def spend(account: Account) -> Allowance:
    """Counts one operation where the mode lets it be done. Call it outside of a transaction, once the work is sure."""
    mode, reason = _by_hand(account)
    if mode not in WORKING:
        return look(account)
    try:
        usage = operations.take(account, is_open=_is_open(mode, reason))
        if usage is None:
            return _used_up(account)
        quota_events.spent(account, usage, mode=mode, reason=reason)
    except AWAY:
        logger.exception("An operation of account %d went through uncounted", account.pk)
        return _allowance(operations.unread(account), mode, reason)
    return _allowance(usage, mode, reason, is_counted=True)


def look(account: Account) -> Allowance:
    """How the next call would be served; counts nothing."""
    mode, reason = _by_hand(account)
    try:
        usage = operations.read(account)
        mode, reason = _as_used(usage, mode, reason)
        quota_events.changed(account, usage, mode=mode, reason=reason)
    except AWAY:
        logger.exception("The allowance of account %d could not be read", account.pk)
        usage = operations.unread(account)
    return _allowance(usage, mode, reason)


def give_back(account: Account, spent: Allowance) -> None:
    """Uncounts a call that came to nothing by our own fault."""
    if not spent.is_counted:
        return
    try:
        operations.give_back(account, spent.period)
    except AWAY:
        logger.exception("An operation of account %d could not be given back", account.pk)


def tell_all() -> int:
    """Tells every webhook what is true of its account and was not told yet; returns of how many accounts.

    Nobody may call in the minute in which a month begins or staff change a mode, and a process can fall between
    counting and telling.
    """
    with isolation.every_account():
        alerts = list(AlertSettings.objects.exclude(webhook_url="").select_related("account__plan"))
    for row in alerts:
        look(row.account)
        quota_events.standing(row.account, operations.read(row.account))
    return len(alerts)


def _by_hand(account: Account) -> tuple[Account.MemoryMode, str]:
    """The mode and its reason as far as the month's operations have no say."""
    if account.is_suspended:
        return Mode.BLOCKED, SUSPENDED
    if account.plan is None:
        return Mode.BLOCKED, NO_PLAN
    if account.memory_mode:
        return Mode(account.memory_mode), STAFF
    return Mode.FULL, NORMAL


def _is_open(mode: Account.MemoryMode, reason: str) -> bool:
    """Staff who set FULL by hand mean it, whatever has been used."""
    return mode == Mode.FULL and reason == STAFF


def _as_used(usage: Usage, mode: Account.MemoryMode, reason: str) -> tuple[Account.MemoryMode, str]:
    is_closed = usage.is_spent and usage.policy == Overage.BLOCK and not _is_open(mode, reason)
    return (Mode.PASSTHROUGH, USED_UP) if mode in WORKING and is_closed else (mode, reason)


def _used_up(account: Account) -> Allowance:
    usage = operations.read(account)
    quota_events.changed(account, usage, mode=Mode.PASSTHROUGH, reason=USED_UP)
    return _allowance(usage, Mode.PASSTHROUGH, USED_UP)


def _allowance(usage: Usage, mode: Account.MemoryMode, reason: str, *, is_counted: bool = False) -> Allowance:
    is_over = is_counted and usage.is_over
    return Allowance(
        mode=mode,
        reason=reason,
        remaining_pct=usage.remaining_pct,
        reset_at=usage.reset_at,
        period=usage.period,
        is_counted=is_counted,
        is_charged=is_over and usage.policy == Overage.CHARGE and not _is_open(mode, reason),
        is_over=is_over,
    )
