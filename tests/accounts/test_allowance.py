"""The month's operations of end-user memory: exact side by side, and what the mode is when they are used up."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connections
from django.utils import timezone
from psycopg_pool import PoolTimeout

from accounts import allowance, isolation, operations
from accounts.models import Account, AlertSettings, Plan, WebhookDelivery
from tests.cast import Person
from tests.requirements import requirement


def on_plan(account: Account, operations: int) -> Account:
    account.plan = Plan.objects.create(name="tight", title="Tight", monthly_operations=operations)
    account.save(update_fields=["plan"])
    return account


def alerts(account: Account, **values: Any) -> None:
    with isolation.account(account.pk):
        AlertSettings.objects.update_or_create(account=account, defaults=values)


def told(account: Account) -> list[str]:
    with isolation.account(account.pk):
        return list(WebhookDelivery.objects.order_by("id").values_list("event", flat=True))


@requirement("accounts:allowance:counts")
def test_each_operation_counts_and_looking_counts_nothing(alice: Person) -> None:
    account = on_plan(alice.account, 4)

    spent = [allowance.spend(account) for _ in range(3)]
    allowance.look(account)

    assert [each.remaining_pct for each in spent] == [75, 50, 25]
    assert all(each.is_counted and each.mode == "FULL" for each in spent)
    assert operations.read(account).used == 3
    assert spent[0].headers["X-MemoryOS-Quota-Mode"] == "FULL"
    assert spent[0].headers["X-MemoryOS-Budget-Remaining"] == "75"


@requirement("accounts:allowance:counts")
def test_an_operation_costs_one_statement(alice: Person, django_assert_num_queries: Any) -> None:
    allowance.spend(alice.account)

    # A savepoint, since the test holds a transaction, the statement that checks and counts, and the savepoint's end.
    with django_assert_num_queries(3):
        allowance.spend(alice.account)


@requirement("accounts:allowance:counts")
def test_an_operation_that_came_to_nothing_is_given_back(alice: Person) -> None:
    account = on_plan(alice.account, 1)
    first = allowance.spend(account)
    allowance.give_back(account, first)
    allowance.give_back(account, allowance.look(account))

    assert operations.read(account).used == 0
    assert allowance.spend(account).is_counted


@requirement("accounts:allowance:overage")
@pytest.mark.parametrize(
    ("policy", "mode", "is_counted", "is_charged"),
    [("block", "PASSTHROUGH", False, False), ("warn", "FULL", True, False), ("charge", "FULL", True, True)],
)
def test_beyond_the_allowance_the_policy_decides(
    alice: Person, policy: str, mode: str, is_counted: bool, is_charged: bool
) -> None:
    account = on_plan(alice.account, 1)
    alerts(account, overage_policy=policy)
    within, beyond = allowance.spend(account), allowance.spend(account)

    assert (within.mode, within.is_charged, within.is_over) == ("FULL", False, False)
    assert (beyond.mode, beyond.is_counted, beyond.is_charged) == (mode, is_counted, is_charged)
    assert beyond.is_over is is_counted
    assert beyond.remaining_pct == 0
    assert (beyond.reason == "used_up") is (policy == "block")
    assert operations.read(account).used == (2 if is_counted else 1)


@requirement("accounts:allowance:modes")
@pytest.mark.parametrize(
    ("mode", "is_counted"), [("FULL", True), ("DEGRADED_RETRIEVE", True), ("PASSTHROUGH", False), ("BLOCKED", False)]
)
def test_staff_set_the_mode_by_hand_and_only_what_works_counts(alice: Person, mode: str, is_counted: bool) -> None:
    alice.account.memory_mode = mode

    spent = allowance.spend(alice.account)

    assert (spent.mode, spent.reason, spent.is_counted) == (mode, "staff", is_counted)
    assert operations.read(alice.account).used == int(is_counted)


@requirement("accounts:allowance:modes")
@pytest.mark.parametrize(("by_hand", "mode"), [("FULL", "FULL"), ("DEGRADED_RETRIEVE", "PASSTHROUGH")])
def test_full_by_hand_outlives_the_allowance_and_degraded_does_not(alice: Person, by_hand: str, mode: str) -> None:
    account = on_plan(alice.account, 1)
    account.memory_mode = by_hand
    allowance.spend(account)

    assert allowance.spend(account).mode == mode
    assert allowance.look(account).mode == mode
    assert not allowance.spend(account).is_charged


@requirement("accounts:allowance:modes")
def test_suspended_or_without_a_plan_an_account_is_blocked(alice: Person) -> None:
    account = alice.account
    account.memory_mode = "FULL"
    account.suspended_at = timezone.now()
    suspended = allowance.spend(account)
    account.suspended_at, account.plan = None, None
    without = allowance.spend(account)

    assert (suspended.mode, suspended.reason) == ("BLOCKED", "suspended")
    assert (without.mode, without.reason) == ("BLOCKED", "no_plan")


@requirement("accounts:allowance:exact-in-parallel")
@pytest.mark.django_db(transaction=True)
def test_a_hundred_parallel_operations_at_an_allowance_of_ten_let_exactly_ten_through(alice: Person) -> None:
    account = on_plan(alice.account, 10)
    alerts(account, webhook_url="https://hooks.example/pam")

    def attempt(_: int) -> bool:
        try:
            return allowance.spend(account).is_counted
        finally:
            connections.close_all()

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(attempt, range(100))) == 10
    assert operations.read(account).used == 10
    assert sorted(told(account)) == ["mode.changed", "quota.critical", "quota.exhausted", "quota.warning"]


@requirement("accounts:allowance:never-fails")
@pytest.mark.parametrize("fault", [OperationalError, InterfaceError, PoolTimeout])
def test_a_database_that_does_not_answer_lets_the_call_through_uncounted(
    alice: Person, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise fault("the server closed the connection unexpectedly")

    monkeypatch.setattr(operations, "_asked", away)

    spent, looked = allowance.spend(alice.account), allowance.look(alice.account)
    allowance.give_back(alice.account, spent)

    assert (spent.mode, spent.is_counted) == ("FULL", False)
    assert looked.mode == "FULL"


@requirement("webhooks:quota-events")
def test_thresholds_are_told_once_a_month_in_their_order(alice: Person, time_machine: Any) -> None:
    account = on_plan(alice.account, 20)
    account.created_at = datetime(2026, 1, 15, tzinfo=UTC)
    alerts(account, webhook_url="https://hooks.example/pam", overage_policy="warn")
    time_machine.move_to(datetime(2026, 3, 20, tzinfo=UTC), tick=False)
    for _ in range(25):
        allowance.spend(account)
    allowance.tell_all()

    assert told(account) == ["quota.warning", "quota.critical", "quota.exhausted"]
    with isolation.account(account.pk):
        warning = WebhookDelivery.objects.get(event="quota.warning")
    assert warning.data == {
        "period_start": "2026-03-15",
        "reset_at": "2026-04-15T00:00:00Z",
        "operations_used": 16,
        "operations_allowed": 20,
        "used_pct": 80.0,
        "overage_policy": "warn",
    }


@requirement("webhooks:quota-events")
def test_a_new_month_is_told_once_and_so_is_the_return_to_full(alice: Person, time_machine: Any) -> None:
    account = on_plan(alice.account, 2)
    account.created_at = datetime(2026, 1, 15, tzinfo=UTC)
    account.save(update_fields=["created_at"])
    alerts(account, webhook_url="https://hooks.example/pam")
    time_machine.move_to(datetime(2026, 3, 20, tzinfo=UTC), tick=False)
    modes = [allowance.spend(account).mode for _ in range(4)]
    time_machine.move_to(datetime(2026, 4, 15, 0, 1, tzinfo=UTC), tick=False)
    allowance.tell_all()
    allowance.spend(account)
    allowance.tell_all()

    assert modes == ["FULL", "FULL", "PASSTHROUGH", "PASSTHROUGH"]
    before = ["quota.warning", "quota.critical", "quota.exhausted", "mode.changed"]
    assert told(account) == [*before, "mode.changed", "quota.reset"]
    with isolation.account(account.pk):
        changes = list(WebhookDelivery.objects.filter(event="mode.changed").order_by("id"))
    assert [(row.data["from"], row.data["to"], row.data["reason"]) for row in changes] == [
        ("FULL", "PASSTHROUGH", "used_up"),
        ("PASSTHROUGH", "FULL", ""),
    ]


@requirement("webhooks:quota-events")
def test_what_staff_and_suspension_change_is_told_by_the_sweep(alice: Person) -> None:
    account = alice.account
    alerts(account, webhook_url="https://hooks.example/pam")
    for mode in ("DEGRADED_RETRIEVE", "DEGRADED_RETRIEVE", ""):
        Account.objects.filter(pk=account.pk).update(memory_mode=mode)
        allowance.tell_all()
    Account.objects.filter(pk=account.pk).update(suspended_at=timezone.now())
    allowance.tell_all()

    with isolation.account(account.pk):
        told_modes = [row.data["to"] for row in WebhookDelivery.objects.order_by("id")]
    assert told_modes == ["DEGRADED_RETRIEVE", "FULL", "BLOCKED"]


@requirement("webhooks:quota-events")
def test_without_a_webhook_nothing_is_kept(alice: Person) -> None:
    account = on_plan(alice.account, 1)
    for _ in range(3):
        allowance.spend(account)
    allowance.tell_all()

    assert told(account) == []
