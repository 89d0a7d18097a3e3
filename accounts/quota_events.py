"""What an account's webhook is told of its allowance: each thing once in a month, and a mode when it is another."""

import math
from typing import Any

from accounts import isolation, webhooks
from accounts.models import Account, AlertSettings, MonthlyUsage
from accounts.operations import Usage
from accounts.webhooks import events

#: Share of the allowance, and what is told when it is reached.
THRESHOLDS = ((80, events.QUOTA_WARNING), (95, events.QUOTA_CRITICAL), (100, events.QUOTA_EXHAUSTED))


def spent(account: Account, usage: Usage, *, mode: str, reason: str) -> None:
    """After one operation: tells what that one made true. Asks nothing of the database where it made nothing."""
    if not usage.has_hook:
        return
    if usage.used == 1:
        reset(account, usage)
    for share, event in THRESHOLDS:
        if usage.used == _reached_at(usage, share):
            _tell(account, event, usage)
    # The last one of a month that ends in a block is served in full, and is no return to it.
    if not (usage.is_spent and usage.policy == AlertSettings.Overage.BLOCK):
        changed(account, usage, mode=mode, reason=reason)


def standing(account: Account, usage: Usage) -> None:
    """Tells all that is true and was not told yet, such as what a process that fell had still to tell."""
    if usage.has_hook:
        reset(account, usage)
        for share, event in THRESHOLDS:
            if usage.is_limited and usage.used >= _reached_at(usage, share):
                _tell(account, event, usage)


def changed(account: Account, usage: Usage, *, mode: str, reason: str) -> None:
    """Tells the mode, where it is another than the one told last."""
    if not usage.has_hook or usage.told_mode == mode:
        return
    with isolation.account(account.pk):
        # Of several calls that see the same change, one gets the row.
        rows = AlertSettings.objects.filter(account=account, told_mode=usage.told_mode)
        if rows.update(told_mode=mode):
            data = {"from": usage.told_mode, "to": mode, "reason": reason, **figures(usage)}
            webhooks.emit(account, events.MODE_CHANGED, data)


def reset(account: Account, usage: Usage) -> None:
    """Tells that a new month has begun, where something was used in an earlier one."""
    with isolation.account(account.pk):
        earlier = MonthlyUsage.objects.filter(account=account, period_start__lt=usage.period, operations__gt=0)
        if earlier.exists():
            _tell(account, events.QUOTA_RESET, usage)


def figures(usage: Usage) -> dict[str, Any]:
    return {
        "period_start": usage.period.isoformat(),
        "reset_at": usage.reset_at.isoformat().replace("+00:00", "Z"),
        "operations_used": usage.used,
        "operations_allowed": usage.most if usage.is_limited else None,
        "used_pct": usage.used_pct,
        "overage_policy": usage.policy,
    }


def _tell(account: Account, event: str, usage: Usage) -> None:
    webhooks.emit(account, event, figures(usage), once_key=f"{event}:{usage.period:%Y-%m-%d}")


def _reached_at(usage: Usage, share: int) -> int:
    """The operation that reaches a share of the allowance; none does where there is no limit."""
    return max(1, math.ceil(usage.most * share / 100)) if usage.is_limited else 0
