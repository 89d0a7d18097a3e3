"""Age: importance falls while nobody asks, what nobody ever asked for is archived, and a run that would do too much
does nothing."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from accounts import isolation
from accounts.models import AlertSettings, WebhookDelivery
from memories.end_users import ageing, lifecycle
from memories.models import EndUser, LifecycleRun, Memory, MemoryVersion
from tests.cast import Person
from tests.memories.end_users.diary import rows, send, told
from tests.requirements import requirement

BEGUN = datetime(2026, 3, 1, 9, tzinfo=UTC)
WEIGHTS = [
    ("goal", 1.5),
    ("procedure", 1.0),
    ("relationship", 0.8),
    ("preference", 0.5),
    ("expertise", 0.3),
    ("fact", 0.0),
]


def day(number: float) -> datetime:
    return BEGUN + timedelta(days=number)


def told_at(who: Person, number: float, user: str, content: str, category: str = "goal", **more: Any) -> str:
    with time_machine.travel(day(number), tick=False):
        return told(who, user, content, category, **more)


def run_at(who: Person, number: float, **how: Any) -> LifecycleRun:
    with time_machine.travel(day(number), tick=False):
        return lifecycle.run(who.account, **how)


def state(who: Person, user: str = "kim") -> list[tuple[float, bool]]:
    return [(row.importance_score, row.is_archived) for row in rows(who, user)]


def history(who: Person, memory_id: str) -> list[tuple[str, str]]:
    with isolation.account(who.account.pk):
        found = MemoryVersion.objects.filter(memory__public_id=memory_id).order_by("version")
        return list(found.values_list("change_type", "reason"))


@pytest.fixture
def unbraked(settings: Any) -> None:
    settings.PAM_LIFECYCLE_MOST_PERCENT = 100


@requirement("end-users:lifecycle:decay")
@pytest.mark.parametrize(("category", "weight"), WEIGHTS)
def test_importance_falls_by_half_a_point_a_month_after_the_first_by_weight(
    alice: Person, unbraked: None, category: str, weight: float
) -> None:
    memory = told_at(alice, 0, "kim", "User is on the way to somewhere.", category, importance_score=8)

    seen = {}
    for number in (29, 30, 59, 60, 61, 89, 90, 149, 150):
        run_at(alice, number)
        ((seen[number], archived),) = state(alice)
        assert not archived

    assert {number: seen[number] for number in (29, 30, 59)} == {29: 8, 30: 8, 59: 8}
    falls = {60: 1, 61: 1, 89: 1, 90: 2, 149: 3, 150: 4}
    assert {number: seen[number] for number in falls} == {
        number: pytest.approx(8 - 0.5 * weight * times) for number, times in falls.items()
    }
    changes = [change for change, _ in history(alice, memory)]
    assert changes == ["created"] + ["importance_decay"] * (4 if weight else 0)


@requirement("end-users:lifecycle:decay")
def test_a_run_that_was_missed_makes_good_what_was_due(alice: Person, unbraked: None) -> None:
    memory = told_at(alice, 0, "kim", "User is on the way to somewhere.", importance_score=8)

    run_at(alice, 151)

    assert state(alice) == [(8 - 4 * 0.75, False)]
    assert history(alice, memory)[1:] == [("importance_decay", "Idle for 151 days.")]


@requirement("end-users:lifecycle:idle")
@pytest.mark.parametrize("sign", ["seen again", "edited", "told"])
def test_whatever_is_done_with_a_memory_begins_its_idle_days_anew(alice: Person, unbraked: None, sign: str) -> None:
    memory = told_at(alice, 0, "kim", "User is on the way to somewhere.", importance_score=8)
    run_at(alice, 75)
    with time_machine.travel(day(80), tick=False):
        if sign == "seen again":
            told(alice, "kim", "User is on the way to somewhere.", "goal", importance_score=2)
        elif sign == "edited":
            send(alice, "patch", f"memories/{memory}", {"metadata": {"seen": 1}})
        else:
            with isolation.account(alice.account.pk):
                Memory.objects.filter(public_id=memory).update(last_accessed_at=day(80), access_count=1)

    for number in (90, 120, 139):
        run_at(alice, number)
    assert state(alice) == [(7.25, False)]
    run_at(alice, 140)
    assert state(alice) == [(6.5, False)]


@requirement("end-users:lifecycle:archive")
@pytest.mark.parametrize(
    ("category", "importance", "accesses", "number", "archived"),
    [
        ("fact", 1.4, 0, 90, True),
        ("fact", 1.4, 0, 89, False),
        ("fact", 1.4, 1, 900, False),
        ("fact", 1.5, 0, 900, False),
        ("goal", 2.9, 0, 90, True),
        ("goal", 3.1, 0, 90, False),
        ("goal", 3.1, 0, 120, True),
    ],
)
def test_what_is_unimportant_and_was_never_asked_for_is_archived(
    alice: Person, unbraked: None, category: str, importance: float, accesses: int, number: int, archived: bool
) -> None:
    told_at(alice, 0, "kim", "User is on the way to somewhere.", category, importance_score=importance)
    with isolation.account(alice.account.pk):
        Memory.objects.update(access_count=accesses, last_accessed_at=day(0) if accesses else None)

    run_at(alice, number)

    ((_, is_archived),) = state(alice)
    assert is_archived is archived


@requirement("end-users:lifecycle:reversible")
def test_what_age_archived_is_in_its_history_and_comes_back_to_stay(alice: Person, unbraked: None) -> None:
    memory = told_at(alice, 0, "kim", "User is on the way to somewhere.", importance_score=2)
    run_at(alice, 90)
    assert state(alice) == [(1.0, True)]
    assert [change for change, _ in history(alice, memory)] == ["created", "importance_decay", "archived"]

    with time_machine.travel(day(91), tick=False):
        back = send(alice, "patch", f"memories/{memory}", {"is_archived": False, "importance_score": 6}).json()["data"]

    assert back["is_archived"] is False
    run_at(alice, 120)
    assert state(alice) == [(6.0, False)]


@requirement("end-users:lifecycle:brake")
def test_a_run_that_would_change_more_than_its_share_changes_nothing_and_says_so(
    alice: Person, settings: Any, caplog: Any
) -> None:
    settings.PAM_LIFECYCLE_HANDFUL = 2
    for number in range(3):
        told_at(alice, 0, "kim", f"User plans journey number {number}.", importance_score=8)
    for number in range(7):
        told_at(alice, 70, "kim", f"User has bought ticket number {number}.", importance_score=8)
    before = [(row.pk, row.updated_at, row.importance_score) for row in rows(alice, "kim")]

    stopped = run_at(alice, 75)

    assert (stopped.state, stopped.live, stopped.due, stopped.decayed) == ("stopped", 10, 3, 0)
    assert "3 of 10 live memories would be changed" in stopped.reason
    assert stopped.reason in caplog.text
    assert [(row.pk, row.updated_at, row.importance_score) for row in rows(alice, "kim")] == before
    settings.PAM_LIFECYCLE_MOST_PERCENT = 30
    assert (run_at(alice, 75).state, state(alice)[0]) == ("done", (7.25, False))


@requirement("end-users:lifecycle:brake")
def test_not_even_a_handful_is_archived_beyond_the_share(alice: Person) -> None:
    told_at(alice, 0, "kim", "User owns one red umbrella.", "fact", importance_score=1)
    for number in range(3):
        told_at(alice, 0, "lee", f"User has bought ticket number {number}.", "fact", importance_score=8)
    assert run_at(alice, 90).state == "done"
    assert state(alice) == [(1.0, True)]

    told_at(alice, 100, "kim", "User owns one blue umbrella.", "fact", importance_score=1)
    told_at(alice, 100, "kim", "User owns one pale umbrella.", "fact", importance_score=1)
    stopped = run_at(alice, 190)

    assert (stopped.state, stopped.due_archived, stopped.archived) == ("stopped", 2, 0)
    assert [archived for _, archived in state(alice)] == [True, False, False]
    assert run_at(alice, 190, is_unbounded=True).archived == 2


@requirement("end-users:lifecycle:idempotent")
def test_a_second_run_of_the_day_finds_nothing_to_do(alice: Person, unbraked: None) -> None:
    memory = told_at(alice, 0, "kim", "User is on the way to somewhere.", importance_score=8)

    first, second = run_at(alice, 60), run_at(alice, 60.5)

    assert (first.decayed, second.pk, second.decayed) == (1, first.pk, 1)
    assert state(alice) == [(7.25, False)]
    assert len(history(alice, memory)) == 2


@requirement("end-users:lifecycle:idempotent")
@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_do_everything_once(alice: Person, unbraked: None) -> None:
    for user in range(6):
        for number in range(4):
            told_at(alice, 0, f"kim-{user}", f"User plans journey number {number}.", importance_score=8)
    together = threading.Barrier(2)

    def age() -> None:
        together.wait()
        lifecycle.run(alice.account)
        connection.close()

    with time_machine.travel(day(60), tick=False):
        threads = [threading.Thread(target=age) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert {each for user in range(6) for each in state(alice, f"kim-{user}")} == {(7.25, False)}
    with isolation.account(alice.account.pk):
        assert MemoryVersion.objects.filter(change_type="importance_decay").count() == 24
        assert LifecycleRun.objects.get().decayed == 24


@requirement("end-users:lifecycle:idempotent")
def test_what_a_run_left_undone_the_next_one_does(
    alice: Person, unbraked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "_BATCH", 2)
    for user in range(3):
        for number in range(5):
            told_at(alice, 0, f"kim-{user}", f"User plans journey number {number}.", importance_score=8)

    assert run_at(alice, 60).decayed == 15
    assert {each for user in range(3) for each in state(alice, f"kim-{user}")} == {(7.25, False)}


@requirement("end-users:lifecycle:same-rule")
def test_the_rows_that_the_database_calls_due_are_those_that_the_rule_changes(alice: Person) -> None:
    for at, (category, _) in enumerate(WEIGHTS):
        for nth, importance in enumerate((1.0, 1.4, 1.5, 2.0, 6.0)):
            memory = told_at(alice, at, "kim", f"User keeps note {at}-{nth}.", category, importance_score=importance)
            with isolation.account(alice.account.pk):
                Memory.objects.filter(public_id=memory).update(
                    access_count=nth % 2, last_accessed_at=day(nth * 7) if nth % 2 else None
                )
    for number in range(20, 200, 7):
        now = day(number)
        with isolation.account(alice.account.pk):
            due = set(lifecycle.due(now).values_list("pk", flat=True))
            live = list(Memory.objects.filter(is_archived=False))
        changed = {
            row.pk
            for row in live
            if (told := ageing.aged(row, now)).is_archived or told.importance != row.importance_score
        }
        assert due == changed, number
        run_at(alice, number, is_unbounded=True)


@requirement("end-users:lifecycle:isolation")
def test_the_age_of_one_account_is_not_the_age_of_another(alice: Person, charlie: Person, unbraked: None) -> None:
    for who in (alice, charlie):
        told_at(who, 0, "kim", "User is on the way to somewhere.", importance_score=8)

    run_at(alice, 60)

    assert state(alice) == [(7.25, False)]
    assert state(charlie) == [(8.0, False)]


@requirement("end-users:lifecycle:seen")
def test_ageing_is_no_sign_of_life(alice: Person, unbraked: None) -> None:
    told_at(alice, 0, "kim", "User is on the way to somewhere.", importance_score=8)

    run_at(alice, 60)

    with isolation.account(alice.account.pk):
        assert EndUser.objects.get().last_seen_at == day(0)


@requirement("end-users:lifecycle:event")
def test_what_was_archived_is_told_to_the_webhook_by_ids_alone(alice: Person, unbraked: None) -> None:
    with isolation.account(alice.account.pk):
        AlertSettings.objects.update_or_create(account=alice.account, defaults={"webhook_url": "https://example.com/"})
    memory = told_at(alice, 0, "kim", "User owns one red umbrella.", "fact", importance_score=1)

    run_at(alice, 90)

    with isolation.account(alice.account.pk):
        delivery = WebhookDelivery.objects.get()
    assert (delivery.event, delivery.data) == (
        "memory.archived",
        {"external_user_id": "kim", "memory_ids": [memory], "archived": 1, "reason": "idle"},
    )
