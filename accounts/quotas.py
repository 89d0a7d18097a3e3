"""What an account may use: entitlement, attempts in the hour, successes in the month.

Order (contract: company memory): entitlement, hourly burst (counts the attempt), monthly allowance; a success counts
one monthly unit. Checking and counting are one atomic step: the burst is one INCR in Valkey, and the monthly unit is
reserved by one UPDATE before the work and given back if the work fails, so that parallel calls never pass a limit
together.

The month starts on the day of the month on which the account was made. The burst fails open when Valkey is away: an
account is not locked out by our own trouble.
"""

import calendar
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import connection, models
from django.utils import timezone
from redis.exceptions import RedisError

from accounts import isolation, meters
from accounts.errors import EntitlementRequired, QuotaExceeded
from accounts.models import Account, MonthlyUsage, Plan
from accounts.postgres import ahead

logger = logging.getLogger(__name__)
HOUR = 3600


class Reservation:
    """A monthly unit held for a call that is under way. `keep()` makes it count; otherwise it is given back."""

    def __init__(self) -> None:
        self.counted = False

    def keep(self) -> None:
        self.counted = True


class Unmetered(Reservation):
    """No unit is held, so there is none to keep."""

    def keep(self) -> None:
        pass


@contextmanager
def unmetered(account: Account) -> Iterator[Reservation]:
    """Lets a call through that is not counted: it needs a plan and an account that is not suspended, no more."""
    entitled(account)
    yield Unmetered()


@contextmanager
def retrieval(account: Account) -> Iterator[Reservation]:
    """Lets one retrieval through, or raises EntitlementRequired or QuotaExceeded saying which limit and until when."""
    plan = entitled(account)
    spend_attempt(account, plan)
    period = period_start(account, timezone.now().date())
    reserve_unit(account, plan, period)
    reservation = Reservation()
    try:
        yield reservation
    finally:
        if not reservation.counted:
            _give_back(account, period)


def entitled(account: Account) -> Plan:
    """The plan in force. Raises EntitlementRequired when there is none or the account is suspended."""
    not_suspended(account)
    if account.plan is None:
        raise EntitlementRequired
    return account.plan


def not_suspended(account: Account) -> None:
    """Raises EntitlementRequired for an account that is suspended."""
    if account.is_suspended:
        raise EntitlementRequired("This account is suspended. Ask the operator of this installation.")


def spend_attempt(account: Account, plan: Plan) -> None:
    """Counts one attempt of this UTC hour. Raises QuotaExceeded when the hour's attempts are used up."""
    if plan.hourly_attempts == Plan.UNLIMITED:
        return
    now = timezone.now().astimezone(UTC)
    hour = now.replace(minute=0, second=0, microsecond=0)
    key = f"burst:{account.public_id}:{hour:%Y%m%d%H}"
    try:
        cache.add(key, 0, timeout=HOUR + 60)
        attempts = cache.incr(key)
    except (RedisError, ValueError, OSError):
        meters.UNCHECKED.labels("hourly_attempts").inc()
        logger.warning("The hourly limit was not checked: Valkey did not answer.")
        return
    if attempts > plan.hourly_attempts:
        until = hour + timedelta(hours=1)
        raise QuotaExceeded(
            f"The {plan.hourly_attempts} attempts of this hour are used up. The next hour starts at {until:%H:%M} UTC.",
            retry_after=_seconds_until(until),
        )


def reserve_unit(account: Account, plan: Plan, period: date) -> None:
    """Takes one unit of the month. Raises QuotaExceeded when none is left."""
    # Only the month's first call, or its last, needs the row to be made sure of.
    if not _take(account, plan, period) and not _take_first(account, plan, period):
        until = datetime.combine(next_period(account, period), datetime.min.time(), UTC)
        raise QuotaExceeded(
            f"The {plan.monthly_retrievals} retrievals of this month are used up. The next starts on {until:%Y-%m-%d}.",
            retry_after=_seconds_until(until),
        )


def _take(account: Account, plan: Plan, period: date) -> int:
    with isolation.account(account.pk, once=True), connection.cursor() as cursor:
        _commit_without_waiting()
        most, unlimited = plan.monthly_retrievals, Plan.UNLIMITED
        cursor.execute(_TAKE, {"account": account.pk, "period": period, "most": most, "unlimited": unlimited})
        taken: int = cursor.rowcount
    return taken


_TAKE = """
    UPDATE accounts_monthlyusage SET retrievals = retrievals + 1
    WHERE account_id = %(account)s AND period_start = %(period)s
      AND (%(most)s = %(unlimited)s OR retrievals < %(most)s)
"""


def _take_first(account: Account, plan: Plan, period: date) -> int:
    with isolation.account(account.pk, once=True):
        first = MonthlyUsage(account=account, period_start=period)
        MonthlyUsage.objects.bulk_create([first], ignore_conflicts=True)
    return _take(account, plan, period)


def _commit_without_waiting() -> None:
    """This transaction is not waited for on its way to the disk: the next that is carries it along.

    For every metered call that is the row of the request log, written before the answer is sent; so no answered call is
    lost to a crash, and a call waits for the disk once.
    """
    ahead.send("SET LOCAL synchronous_commit TO off")


def _give_back(account: Account, period: date) -> None:
    with isolation.account(account.pk, once=True):
        _commit_without_waiting()
        usage = MonthlyUsage.objects.filter(account=account, period_start=period, retrievals__gt=0)
        usage.update(retrievals=models.F("retrievals") - 1)


@dataclass(frozen=True, slots=True)
class Quota:
    """How much of the month's retrievals an account has used. `most` and `left` are None without a limit."""

    plan: str
    state: str
    used: int
    most: int | None
    left: int | None
    reset_at: datetime

    @property
    def percent(self) -> float | None:
        return None if self.most is None else round(100 * self.used / self.most, 1) if self.most else 100.0

    def structured(self) -> dict[str, Any]:
        """In the names of the contract."""
        return {
            "plan": self.plan or None,
            "status": self.state,
            "retrieve_requests_used": self.used,
            "max_retrieve_requests": self.most,
            "retrieve_requests_left": self.left,
            "usage_percent": self.percent,
            "reset_at": self.reset_at.isoformat().replace("+00:00", "Z"),
        }


NEAR_LIMIT = 0.8


def quota(account: Account) -> Quota:
    """The month's allowance and what is left of it. Source: contract console, "Quotas"."""
    used = spent(account)
    plan = account.plan
    limited = plan is not None and plan.monthly_retrievals != Plan.UNLIMITED
    most = plan.monthly_retrievals if plan is not None and limited else None
    until = next_period(account, period_start(account, timezone.now().date()))
    return Quota(
        plan="" if plan is None else plan.name,
        state=_state(account, used, most),
        used=used,
        most=most,
        left=None if most is None else max(0, most - used),
        reset_at=datetime.combine(until, datetime.min.time(), UTC),
    )


def _state(account: Account, used: int, most: int | None) -> str:
    if account.is_suspended or account.plan is None:
        return "entitlement_required"
    if most is None:
        return "unlimited"
    if used >= most:
        return "limited"
    return "near_limit" if used > NEAR_LIMIT * most else "ok"


def spent(account: Account) -> int:
    """The successful retrievals of the account's present month."""
    period = period_start(account, timezone.now().date())
    with isolation.account(account.pk):
        usage = MonthlyUsage.objects.filter(account=account, period_start=period).first()
    return usage.retrievals if usage else 0


def period_start(account: Account, today: date) -> date:
    """The latest start of a month of the account, not after `today`."""
    anchor = account.created_at.astimezone(UTC).day
    this_month = _on_day(today.year, today.month, anchor)
    if this_month <= today:
        return this_month
    before = today.replace(day=1) - timedelta(days=1)
    return _on_day(before.year, before.month, anchor)


def next_period(account: Account, period: date) -> date:
    after = (period.replace(day=1) + timedelta(days=32)).replace(day=1)
    return _on_day(after.year, after.month, account.created_at.astimezone(UTC).day)


def _on_day(year: int, month: int, day: int) -> date:
    """The day of that month, or the month's last one where it is shorter."""
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))


def _seconds_until(moment: datetime) -> int:
    return max(1, int((moment - timezone.now()).total_seconds()))
