"""Events on their way: kept with what they tell of, tried three times, told once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from accounts import isolation, waking, webhooks
from accounts.models import AlertSettings, WebhookDelivery
from accounts.webhooks import queue
from tests.accounts.webhooks.receiver import Receiver, receiving
from tests.cast import Person
from tests.requirements import requirement

SECRET = "whsec_of_a_test"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = True
    with receiving() as receiver:
        yield receiver


def hook(who: Person, url: str) -> None:
    with isolation.account(who.account.pk):
        AlertSettings.objects.create(account=who.account, webhook_url=url, webhook_secret=SECRET)


def emitted(who: Person, **more: Any) -> WebhookDelivery:
    delivery = webhooks.emit(who.account, "memory.archived", {"memory_ids": ["one"]}, **more)
    assert delivery is not None
    return delivery


def row(delivery: WebhookDelivery) -> WebhookDelivery:
    with isolation.account(delivery.account_id):
        return WebhookDelivery.objects.get(pk=delivery.pk)


def deliver(delivery: WebhookDelivery) -> bool:
    return queue.deliver(delivery.pk, delivery.account_id)


@requirement("webhooks:queue:delivers")
def test_an_event_arrives_once_with_its_account_and_a_signature(alice: Person, receiver: Receiver) -> None:
    hook(alice, receiver.url)
    delivery = emitted(alice)

    assert deliver(delivery)
    assert not deliver(delivery)

    [got] = receiver.got
    assert got.is_signed_with(SECRET)
    told = got.json()
    assert (told["event"], told["tenant_id"]) == ("memory.archived", alice.account.public_id)
    assert told["data"] == {"memory_ids": ["one"]}
    assert got.headers["x-memoryos-delivery"] == delivery.public_id
    kept = row(delivery)
    assert (kept.state, kept.attempts, kept.last_error) == ("delivered", 1, "")


@requirement("webhooks:queue:three-tries")
def test_after_three_tries_with_growing_pauses_it_is_given_up(
    alice: Person, receiver: Receiver, time_machine: Any
) -> None:
    hook(alice, receiver.url)
    receiver.status = 500
    delivery, pauses = emitted(alice), []
    for _ in range(3):
        assert not deliver(delivery)
        assert not deliver(delivery)
        pauses.append(round((row(delivery).due_at - timezone.now()).total_seconds()))
        time_machine.move_to(row(delivery).due_at + timedelta(seconds=1))

    assert len(receiver.got) == 3
    assert pauses[:2] == [10, 60]
    kept = row(delivery)
    assert (kept.state, kept.attempts, kept.last_error) == ("failed", 3, "It answered 500.")
    assert kept.finished_at is not None


@requirement("webhooks:queue:three-tries")
def test_a_later_try_may_succeed(alice: Person, receiver: Receiver, time_machine: Any) -> None:
    hook(alice, receiver.url)
    receiver.statuses = [503, 200]
    delivery = emitted(alice)
    deliver(delivery)
    time_machine.move_to(timezone.now() + timedelta(seconds=11))

    assert queue.sweep() == 1
    assert deliver(delivery)
    assert [got.headers["x-memoryos-delivery"] for got in receiver.got] == [delivery.public_id] * 2


@requirement("webhooks:queue:crash")
def test_a_worker_that_falls_in_the_middle_costs_a_try_and_no_event(
    alice: Person, receiver: Receiver, time_machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(alice, receiver.url)
    delivery = emitted(alice)

    def fall(*_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(queue, "_send", fall)
        with pytest.raises(SystemExit):
            deliver(delivery)
    assert not deliver(delivery)
    time_machine.move_to(timezone.now() + queue.LEASE + timedelta(seconds=1))

    assert deliver(delivery)
    assert row(delivery).attempts == 2


@requirement("webhooks:queue:crash")
def test_one_that_falls_in_the_last_try_ends_as_failed(alice: Person, receiver: Receiver) -> None:
    hook(alice, receiver.url)
    delivery = emitted(alice)
    with isolation.account(alice.account.pk):
        WebhookDelivery.objects.filter(pk=delivery.pk).update(attempts=3)

    assert queue.sweep() == 0
    kept = row(delivery)
    assert (kept.state, kept.last_error) == ("failed", "The last try was broken off.")


@requirement("webhooks:queue:once")
@pytest.mark.django_db(transaction=True)
def test_an_event_of_one_key_is_told_once_by_however_many(alice: Person, receiver: Receiver) -> None:
    hook(alice, receiver.url)

    def tell(_: int) -> bool:
        try:
            return webhooks.emit(alice.account, "quota.warning", {}, once_key="quota.warning:2026-03") is not None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(tell, range(24))) == 1


@requirement("webhooks:queue:once")
@pytest.mark.django_db(transaction=True)
def test_eight_workers_at_once_send_an_event_once(alice: Person, receiver: Receiver) -> None:
    hook(alice, receiver.url)
    delivery = emitted(alice)

    def work(_: int) -> bool:
        try:
            return deliver(delivery)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(work, range(8))) == 1
    assert len(receiver.got) == 1


@requirement("webhooks:queue:with-its-cause")
@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_is_not_told(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    hook(alice, "https://hooks.example/")
    woken: list[Any] = []
    monkeypatch.setattr(waking, "send", woken.extend)
    with transaction.atomic():
        emitted(alice)
        transaction.set_rollback(True)
    with transaction.atomic():
        delivery = emitted(alice)
        assert woken == []

    assert woken == [("accounts.tasks.deliver_webhook", (delivery.pk, alice.account.pk))]
    with isolation.account(alice.account.pk):
        assert WebhookDelivery.objects.count() == 1


@requirement("webhooks:queue:no-webhook")
def test_without_a_webhook_nothing_is_kept_and_one_taken_away_ends_what_is_on_its_way(
    alice: Person, receiver: Receiver
) -> None:
    assert webhooks.emit(alice.account, "memory.archived", {}) is None
    hook(alice, receiver.url)
    delivery = emitted(alice)
    with isolation.account(alice.account.pk):
        AlertSettings.objects.update(webhook_url="")

    assert not deliver(delivery)
    assert receiver.got == []
    assert row(delivery).state == "failed"


@requirement("webhooks:queue:pruned")
def test_what_was_done_with_a_month_ago_is_forgotten(alice: Person, receiver: Receiver, time_machine: Any) -> None:
    hook(alice, receiver.url)
    done, waiting = emitted(alice), emitted(alice)
    deliver(done)
    assert queue.prune() == 0
    time_machine.move_to(timezone.now() + timedelta(days=31))

    assert queue.prune() == 1
    assert row(waiting).state == "waiting"


@requirement("webhooks:processing")
def test_delay_and_recovery_are_told_at_each_turn_and_not_between(alice: Person) -> None:
    hook(alice, "https://hooks.example/")
    for is_delayed in (False, True, True, False, False, True):
        webhooks.processing(alice.account, is_delayed=is_delayed, waiting=3)

    with isolation.account(alice.account.pk):
        rows = list(WebhookDelivery.objects.order_by("id"))
    assert [each.event for each in rows] == ["processing.delayed", "processing.recovered", "processing.delayed"]
    assert rows[0].data == {"waiting": 3}
