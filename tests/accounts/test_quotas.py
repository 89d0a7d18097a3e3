"""Entitlement, the hour's attempts, the month's successes: exact, also side by side."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connections
from django.utils import timezone

from accounts import quotas
from accounts.errors import EntitlementRequired, QuotaExceeded
from accounts.models import Account, Plan
from tests.cast import Person
from tests.requirements import requirement


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
def test_the_hourly_limit_fails_open_when_valkey_is_away(alice: Person, settings) -> None:
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}}
    account = on_plan(alice.account, monthly_retrievals=-1, hourly_attempts=1)

    succeed(account)
    succeed(account)


@requirement("accounts:quotas:exact-in-parallel")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("limits", [{"monthly_retrievals": 10, "hourly_attempts": -1}, {"hourly_attempts": 10}])
def test_a_hundred_parallel_calls_at_a_limit_of_ten_let_exactly_ten_through(alice: Person, limits: dict) -> None:
    account = on_plan(alice.account, **limits)

    def attempt(_: int) -> bool:
        try:
            succeed(account)
        except QuotaExceeded:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(attempt, range(100))) == 10
    assert quotas.spent(account) == 10


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
