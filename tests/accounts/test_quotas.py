"""Entitlement, the hour's attempts, the month's successes: exact, also side by side.

PAM_RACE_ROUNDS sets how often a hundred calls come at once; `make fuzz` asks for 50.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections
from django.utils import timezone
from prometheus_client import REGISTRY

from accounts import isolation, quotas
from accounts.errors import EntitlementRequired, QuotaExceeded
from accounts.models import Account, MonthlyUsage, Plan
from pam.local.valkey import Valkey
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.requirements import requirement

ROUNDS = int(os.environ.get("PAM_RACE_ROUNDS", "1"))


def on_plan(account: Account, **limits: int) -> Account:
    account.plan = Plan.objects.create(name="tight", title="Tight", **limits)
    account.save(update_fields=["plan"])
    return account


def succeed(account: Account) -> None:
    with quotas.retrieval(account) as reservation:
        reservation.keep()


@requirement("accounts:quotas:entitlement")
def test_without_a_plan_or_suspended_nothing_is_answered(alice: Person) -> None:
    account = alice.account
    account.suspended_at = timezone.now()
    with pytest.raises(EntitlementRequired, match="suspended"):
        succeed(account)
    account.suspended_at, account.plan = None, None
    with pytest.raises(EntitlementRequired, match="no active plan"):
        succeed(account)


@requirement("accounts:quotas:monthly")
def test_only_successes_count_towards_the_month(alice: Person) -> None:
    account = on_plan(alice.account, monthly_retrievals=2, hourly_attempts=-1)
    succeed(account)
    with pytest.raises(RuntimeError), quotas.retrieval(account):
        raise RuntimeError
    succeed(account)

    with pytest.raises(QuotaExceeded, match="2 retrievals of this month") as refused:
        succeed(account)
    assert refused.value.retry_after > 0
    assert quotas.spent(account) == 2


@requirement("accounts:quotas:hourly")
def test_every_attempt_counts_towards_the_hour_and_the_next_hour_is_fresh(alice: Person, time_machine) -> None:
    time_machine.move_to(datetime(2026, 3, 1, 10, 30, tzinfo=UTC), tick=False)
    account = on_plan(alice.account, monthly_retrievals=-1, hourly_attempts=2)
    with pytest.raises(RuntimeError), quotas.retrieval(account):
        raise RuntimeError
    succeed(account)
    with pytest.raises(QuotaExceeded, match="11:00 UTC") as refused:
        succeed(account)
    assert refused.value.retry_after == 1800

    time_machine.shift(timedelta(minutes=30))
    succeed(account)


@requirement("accounts:quotas:fails-open")
def test_the_hourly_limit_fails_open_while_valkey_is_stopped_and_holds_again_after(
    alice: Person, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    valkey = Valkey(tmp_path, say=lambda line: None, durable=False)
    valkey.start()
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": valkey.url}}
    account = on_plan(alice.account, monthly_retrievals=-1, hourly_attempts=1)
    try:
        succeed(account)
        with pytest.raises(QuotaExceeded):
            succeed(account)
        unchecked = _unchecked()

        valkey.stop()
        succeed(account)
        succeed(account)
        assert _unchecked() == unchecked + 2

        valkey.start()
        succeed(account)  # It forgot the hour's attempts, as it keeps nothing in a test.
        with pytest.raises(QuotaExceeded):
            succeed(account)
    finally:
        valkey.stop()


def _unchecked() -> float:
    return REGISTRY.get_sample_value("pam_limits_unchecked_total", {"limit": "hourly_attempts"}) or 0.0


@requirement("accounts:quotas:plans")
def test_a_plan_that_staff_change_holds_from_the_next_call_on(alice: Person) -> None:
    on_plan(alice.account, hourly_attempts=1)
    agent = Wire(alice.secret)
    agent.refused(prompt="Who owns billing?")

    before = agent.refused(prompt="Who owns billing?")["error_code"]
    Plan.objects.filter(name="tight").update(hourly_attempts=3)
    after = agent.refused(prompt="Who owns billing?")["error_code"]

    assert before == "quota_exceeded"
    assert after != "quota_exceeded"


@requirement("accounts:quotas:exact-in-parallel")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("limits", [{"monthly_retrievals": 10, "hourly_attempts": -1}, {"hourly_attempts": 10}])
def test_a_hundred_parallel_calls_at_a_limit_of_ten_let_exactly_ten_through(alice: Person, limits: dict) -> None:
    account = on_plan(alice.account, **limits)

    for _ in range(ROUNDS):
        with isolation.account(account.pk):
            MonthlyUsage.objects.all().delete()
        cache.delete_pattern(f"burst:{account.public_id}:*")
        assert _let_through(account, calls=100) == 10
        assert quotas.spent(account) == 10


def _let_through(account: Account, *, calls: int) -> int:
    """How many of so many calls, all begun at the same moment, went through."""
    start = Barrier(calls)

    def attempt(_: int) -> bool:
        start.wait()
        try:
            succeed(account)
        except QuotaExceeded:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(calls) as pool:
        return sum(pool.map(attempt, range(calls)))


@pytest.mark.parametrize(
    ("made", "today", "start", "following"),
    [
        (date(2026, 1, 15), date(2026, 3, 20), date(2026, 3, 15), date(2026, 4, 15)),
        (date(2026, 1, 15), date(2026, 3, 14), date(2026, 2, 15), date(2026, 3, 15)),
        (date(2026, 1, 31), date(2026, 3, 1), date(2026, 2, 28), date(2026, 3, 31)),
        (date(2026, 1, 31), date(2026, 12, 31), date(2026, 12, 31), date(2027, 1, 31)),
        (date(2026, 1, 15), date(2026, 1, 3), date(2025, 12, 15), date(2026, 1, 15)),
    ],
)
@requirement("accounts:quotas:own-day")
def test_the_month_starts_on_the_accounts_own_day(made: date, today: date, start: date, following: date) -> None:
    account = Account(created_at=datetime.combine(made, datetime.min.time(), UTC))

    assert quotas.period_start(account, today) == start
    assert quotas.next_period(account, start) == following
