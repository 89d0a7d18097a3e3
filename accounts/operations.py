"""Counting the operations of end-user memory: one statement checks and counts, so that parallel calls are exact.

Knows nothing of modes and events. The month is the account's own (quotas.py).
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db import connection, models
from django.utils import timezone

from accounts import isolation, quotas
from accounts.models import Account, AlertSettings, MonthlyUsage, Plan

Overage = AlertSettings.Overage


@dataclass(frozen=True, slots=True)
class Usage:
    """Where an account stands in the month that starts at `period`.

    most       operations in the plan; -1 without a limit
    has_hook   whether a webhook is to be told of it
    told_mode  the mode that the webhook knows of
    """

    period: date
    reset_at: datetime
    most: int
    used: int = 0
    policy: str = Overage.BLOCK
    has_hook: bool = False
    told_mode: str = Account.MemoryMode.FULL

    @property
    def is_limited(self) -> bool:
        return self.most != Plan.UNLIMITED

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left of the allowance."""
        return self.is_limited and self.used >= self.most

    @property
    def is_over(self) -> bool:
        """Whether more was used than the allowance."""
        return self.is_limited and self.used > self.most

    @property
    def used_pct(self) -> float:
        if not self.is_limited:
            return 0.0
        return round(self.used / self.most * 100, 2) if self.most else 100.0

    @property
    def remaining_pct(self) -> float:
        return round(max(0.0, 100 - self.used_pct), 2)


def unread(account: Account) -> Usage:
    """The month and its limit, before anything is known of what was used."""
    period = quotas.period_start(account, timezone.now().date())
    reset_at = datetime.combine(quotas.next_period(account, period), datetime.min.time(), UTC)
    return Usage(period, reset_at, account.plan.monthly_operations if account.plan else 0)


def take(account: Account, *, is_open: bool) -> Usage | None:
    """Counts one operation, and returns the usage with it; None when the allowance is used up and its end is one.

    `is_open`: the allowance has no end for this account, whatever its overage policy.
    """
    month = unread(account)
    found = _asked(account, _TAKE, month, open=is_open)
    return _usage(month, found) if found else None


def read(account: Account) -> Usage:
    """The usage as it stands."""
    month = unread(account)
    found = _asked(account, _READ, month)
    return _usage(month, found) if found else month


def give_back(account: Account, period: date) -> None:
    """Uncounts an operation that came to nothing."""
    with isolation.account(account.pk, is_lasting=False, once=True):
        usage = MonthlyUsage.objects.filter(account=account, period_start=period, operations__gt=0)
        usage.update(operations=models.F("operations") - 1)


def _asked(account: Account, statement: str, month: Usage, **more: Any) -> tuple[Any, ...] | None:
    asked = {"account": account.pk, "period": month.period, "most": month.most, **more}
    # Not waited for on its way to the disk: what is written of the call itself carries it along.
    with isolation.account(account.pk, is_lasting=False, once=True), connection.cursor() as cursor:
        cursor.execute(statement, asked)
        found: tuple[Any, ...] | None = cursor.fetchone()
    return found


def _usage(month: Usage, found: tuple[Any, ...]) -> Usage:
    used, policy, has_hook, told_mode = found
    return Usage(
        month.period,
        month.reset_at,
        month.most,
        used=used,
        policy=policy or month.policy,
        has_hook=bool(has_hook),
        told_mode=told_mode or month.told_mode,
    )


# Without a row of its own an account's policy is to block.
_TAKE = """
    WITH alerts AS (
        SELECT overage_policy, webhook_url <> '' AS has_hook, told_mode
        FROM accounts_alertsettings WHERE account_id = %(account)s
    ), endless AS (
        SELECT %(open)s OR %(most)s = -1 OR COALESCE((SELECT overage_policy <> 'block' FROM alerts), FALSE) AS is_so
    )
    INSERT INTO accounts_monthlyusage AS month (account_id, period_start, retrievals, operations)
    SELECT %(account)s, %(period)s, 0, 1 FROM endless WHERE is_so OR %(most)s > 0
    ON CONFLICT (account_id, period_start) DO UPDATE SET operations = month.operations + 1
    WHERE (SELECT is_so FROM endless) OR month.operations < %(most)s
    RETURNING operations, (SELECT overage_policy FROM alerts), (SELECT has_hook FROM alerts),
        (SELECT told_mode FROM alerts)
"""

_READ = """
    SELECT COALESCE(u.operations, 0), a.overage_policy, a.webhook_url <> '', a.told_mode
    FROM (SELECT %(account)s::bigint AS account_id) asked
    LEFT JOIN accounts_monthlyusage u ON u.account_id = asked.account_id AND u.period_start = %(period)s
    LEFT JOIN accounts_alertsettings a ON a.account_id = asked.account_id
"""
