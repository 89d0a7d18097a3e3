"""The rate of an API key by the minute: exact side by side, and nobody's trouble when Valkey is away."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from accounts import isolation, rates
from accounts.errors import RateExceeded
from accounts.models import Account, ApiKey, Plan
from tests.cast import Person
from tests.requirements import requirement


def key_of(account: Account, rate: int, name: str = "Shop") -> ApiKey:
    with isolation.account(account.pk):
        return ApiKey.objects.create(account=account, name=name, key_hash=name, rate_limit_per_minute=rate)


def is_let_through(key: ApiKey) -> bool:
    try:
        rates.check(key)
    except RateExceeded:
        return False
    return True


@requirement("accounts:rates:key")
def test_a_key_has_its_rate_by_the_minute_and_is_told_how_long_to_wait(alice: Person) -> None:
    key, other = key_of(alice.account, 2), key_of(alice.account, 1, "Other")
    rates.check(key)
    rates.check(key)

    with pytest.raises(RateExceeded, match="2 requests a minute are open to this API key") as refused:
        rates.check(key)
    assert 1 <= refused.value.retry_after <= 60
    rates.check(other)


@requirement("accounts:rates:key")
def test_the_next_minute_is_fresh(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MINUTE_MS", 1)
    key = key_of(alice.account, 1)

    # Each lasts a thousandth of a second here: of so many requests several open a minute of their own.
    assert sum(is_let_through(key) for _ in range(200)) > 1


@requirement("accounts:rates:plan")
def test_all_keys_of_an_account_share_the_rate_of_its_plan(alice: Person) -> None:
    alice.account.plan = Plan.objects.create(name="tight", title="Tight", minutely_operations=3)
    first, second = key_of(alice.account, 60), key_of(alice.account, 60, "Other")
    for key in (first, second, first):
        rates.check(key)

    with pytest.raises(RateExceeded, match="3 requests a minute are open to all API keys"):
        rates.check(second)


@requirement("accounts:rates:exact-in-parallel")
def test_a_hundred_parallel_requests_at_a_rate_of_ten_let_exactly_ten_through(alice: Person) -> None:
    key = key_of(alice.account, 10)

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(lambda _: is_let_through(key), range(100))) == 10


@requirement("accounts:rates:fails-open")
def test_without_valkey_everything_is_let_through_and_logged(
    alice: Person, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}}
    key = key_of(alice.account, 1)

    assert all(is_let_through(key) for _ in range(3))
    assert "was not checked" in caplog.text
