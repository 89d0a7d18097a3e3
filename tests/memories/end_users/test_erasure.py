"""Erasing an end user: nothing of them is left anywhere, everything of everybody else is as it was."""

import logging
import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.db import connection, models, transaction
from django.test import Client
from django.utils import timezone
from django_redis.exceptions import ConnectionInterrupted

from accounts import api_keys, isolation
from accounts.errors import InvalidArguments, PermissionMissing
from accounts.models import AuditEntry, User, WebhookDelivery
from memories import sameness, words
from memories.end_users import erasure, people, remember, traces
from memories.end_users.errors import EndUserNotFound
from memories.end_users.intake import claims, worker
from memories.end_users.statements import Origin, Statement
from memories.end_users.traces import Trace
from memories.models import (
    Conflict,
    DomainProfile,
    EndUser,
    Erasure,
    HiddenMemory,
    Memory,
    MemoryVersion,
    PendingCandidate,
    Retrieval,
)
from tests.cast import Person, person
from tests.memories.end_users import chats
from tests.memories.end_users import traces as looking
from tests.memories.end_users.diary import send, told
from tests.requirements import requirement

MARK = "zyxomarvel"
USER = f"person-{MARK}"
TEXT = f"User has a parrot called {MARK}."


@pytest.fixture(autouse=True)
def empty_valkey(valkey_is_ours: bool) -> None:
    """What other tests left there is none of ours."""
    if not valkey_is_ours:
        pytest.skip("REDIS_URL names a server that may hold other things.")
    cache.clear()


def filled(who: Person, user: str, mark: str) -> None:
    """Rows in every table, and keys of every kind, about one end user: through the routes, and by hand what they would
    make only in another mood."""
    memory = told(who, user, f"User has a parrot called {mark}.", metadata={"note": mark}, agent_id=mark)
    send(who, "patch", f"memories/{memory}", {"content": f"User has two parrots called {mark}."})
    second = told(who, user, f"User sold the parrot called {mark}.")
    send(who, "delete", f"memories/{second}")
    source = {"service": "desk", "event_id": f"event-{mark}", "evidence": [{"said": mark}], "scope": {"room": mark}}
    read = chats.said(f"I work at the {mark} bakery.", user=user, source=source, metadata={"note": mark})
    assert chats.add(who, read, **{"Idempotency-Key": f"key-{mark}"}).json()["status"] == "queued"
    chats.read_all(who)
    chats.added(who, f"My favourite opera is {mark}.", user=user)
    important = told(who, user, f"User must never be offered {mark}.", "preference", importance_score=10)
    with isolation.account(who.account.pk):
        Memory.objects.filter(public_id=important).update(access_count=9, last_accessed_at=timezone.now())
    for _ in range(2):
        asked = {"external_user_id": user, "query": f"What about {mark}?"}
        assert mark in send(who, "post", "memories/retrieve", asked).content.decode()
    by_hand(who, user, mark)


def by_hand(who: Person, user: str, mark: str) -> None:
    with isolation.account(who.account.pk):
        row = EndUser.objects.get(account=who.account, external_id=user)
        own: dict[str, Any] = {"account": who.account, "end_user": row}
        old = Memory.objects.filter(**own).earliest("pk")
        text = f"User bought a parrot called {mark}."
        PendingCandidate.objects.create(
            **own, content=text, content_hash=sameness.text_hash(text), category="fact", importance_score=5,
            confidence_score=0.5,
        )  # fmt: skip
        Conflict.objects.create(**own, old=old, statement=text, question=f"Is it {mark}?")
        DomainProfile.objects.create(**own, domain="support", data={"tone": mark}, restated={mark: [mark]})
        HiddenMemory.objects.create(**own, public_id=uuid.uuid4(), content=mark, lines=[mark], hidden_by="staff")
        told_of = {"external_user_id": user, "memory_ids": [str(old.public_id)]}
        WebhookDelivery.objects.create(account=who.account, event="memory.archived", data=told_of)


def needles(mark: str) -> list[str]:
    """What a trace may look like: the text, the hashes of what was said, and the numbers that its words have."""
    said = [
        f"User {did} {mark}." for did in ("has a parrot called", "has two parrots called", "sold the parrot called")
    ]
    return [
        mark,
        *(str(words.number(term)) for term in words.terms(mark)),
        *(sameness.text_hash(each) for each in said),
    ]


def counts(who: Person) -> dict[str, int]:
    """How many rows of each table are the account's."""
    with isolation.account(who.account.pk), connection.cursor() as cursor:
        found = {}
        for table in looking.tables():
            cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608
            found[table] = cursor.fetchone()[0]
    return found


def concerned() -> list[type[models.Model]]:
    return [model for model, _ in erasure.concerning()]


@requirement("end-users:erase:everything")
@pytest.mark.django_db(transaction=True)
def test_nothing_of_an_erased_end_user_is_left_anywhere(alice: Person, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    filled(alice, USER, MARK)
    with isolation.account(alice.account.pk):
        row = EndUser.objects.get()
        empty = [model for model in concerned() if not model._default_manager.filter(end_user=row).exists()]
        memories = Memory.objects.count()
    assert empty == [], "nothing was put there, so nothing is proved of it"
    before = {table for table, _ in looking.in_tables(needles(MARK))}
    assert {"memories_enduser", "memories_memory", "memories_memoryversion", "memories_extractionjob"} < before
    kinds = {name.rpartition(":")[2] for name, _ in looking.in_valkey([MARK])}
    assert {Trace.HOT, Trace.ANSWERS} <= kinds

    answer = send(alice, "delete", f"tenant/users/{USER}")

    assert answer.json()["data"] == {"deleted": True, "memories_removed": memories}
    assert looking.in_tables(needles(MARK)) == set()
    assert looking.in_valkey(needles(MARK)) == set()
    assert looking.in_files([MARK]) == set()
    assert MARK not in caplog.text.replace(f"/v1/tenant/users/{USER}", "")
    assert send(alice, "delete", f"tenant/users/{USER}").json()["code"] == "PRX_404"
    with isolation.account(alice.account.pk):
        kept = Erasure.objects.get()
    assert (kept.memories_removed, kept.end_user_pk) == (memories, row.pk)


@requirement("end-users:erase:nobody-else")
def test_everybody_elses_rows_are_as_they_were(alice: Person, charlie: Person) -> None:
    filled(charlie, USER, MARK)
    filled(alice, USER.upper(), f"{MARK}-upper")
    chats.read_all(alice)
    before = counts(alice), counts(charlie)
    filled(alice, USER, f"{MARK}-own")
    strangers = looking.in_valkey([f"{MARK}-upper"])

    send(alice, "delete", f"tenant/users/{USER}")

    after = counts(alice)
    assert after.pop("memories_erasure") == 1
    del before[0]["memories_erasure"]
    assert after == before[0]
    assert counts(charlie) == before[1]
    assert looking.in_valkey([f"{MARK}-upper"]) == strangers != set()
    assert looking.in_tables([f"{MARK}-own"]) == set()


@requirement("end-users:erase:everything")
def test_somebody_of_the_same_id_begins_with_nothing(alice: Person) -> None:
    filled(alice, USER, MARK)
    send(alice, "delete", f"tenant/users/{USER}")

    told(alice, USER, "User likes quiet birds.")

    stats = send(alice, "get", f"tenant/users/{USER}/stats").json()["data"]
    assert (stats["memory_count"], stats["archived_count"], stats["retrievals"]) == (1, 0, 0)


def erase_meanwhile(who: Person, write: Callable[[EndUser, Callable[[], None]], None]) -> list[Any]:
    """Lets `write` begin, erases, and lets it end; what came of the two, the erasing first."""
    told(who, USER, TEXT)
    with isolation.account(who.account.pk):
        row = EndUser.objects.get(external_id=USER)
    begun, outcome = threading.Event(), {}

    def writing() -> None:
        try:
            write(row, begun.set)
        except EndUserNotFound as error:
            outcome["writing"] = error
        finally:
            begun.set()
            connection.close()

    def erasing() -> None:
        begun.wait()
        outcome["erasing"] = send(who, "delete", f"tenant/users/{USER}").status_code
        connection.close()

    threads = [threading.Thread(target=each) for each in (writing, erasing)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [outcome["erasing"], outcome.get("writing")]


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


def until_it_waits() -> None:
    """Until the other one stands before our lock."""
    for _ in range(10_000):
        if waits_for_a_lock():
            return
        threading.Event().wait(0.001)
    raise AssertionError("nobody waited")


@requirement("end-users:erase:while-writing")
@pytest.mark.django_db(transaction=True)
def test_what_is_being_written_when_its_end_user_is_erased_goes_with_them(alice: Person) -> None:
    def write(row: EndUser, begun: Callable[[], None]) -> None:
        with isolation.account(alice.account.pk):
            people.take_turn(row)
            begun()
            until_it_waits()
            remember.write(alice.account, row, [Statement(f"User feeds {MARK} daily.", "fact")], Origin())

    assert erase_meanwhile(alice, write) == [200, None]
    assert looking.in_tables(needles(MARK)) == set()


@requirement("end-users:erase:while-writing")
@pytest.mark.django_db(transaction=True)
def test_what_is_read_and_cached_while_its_end_user_is_erased_goes_with_them(alice: Person) -> None:
    def write(row: EndUser, begun: Callable[[], None]) -> None:
        with isolation.account(alice.account.pk):
            assert traces.hold(row)
            begun()
            until_it_waits()
            Retrieval.objects.create(account=alice.account, end_user=row, memory_ids=[1])
            cache.set(traces.key(alice.account.pk, row.pk, Trace.HOT), {"text": MARK}, timeout=600)

    assert erase_meanwhile(alice, write) == [200, None]
    assert looking.in_tables(needles(MARK)) == set()
    assert looking.in_valkey(needles(MARK)) == set()


@requirement("end-users:erase:while-writing")
@pytest.mark.django_db(transaction=True)
def test_who_comes_after_the_erasing_finds_nobody_and_writes_nothing(alice: Person) -> None:
    told(alice, USER, TEXT)
    with isolation.account(alice.account.pk):
        row = EndUser.objects.get(external_id=USER)
    send(alice, "delete", f"tenant/users/{USER}")

    with isolation.account(alice.account.pk):
        assert not traces.hold(row)
        with pytest.raises(EndUserNotFound):
            remember.write(alice.account, row, [Statement(f"User feeds {MARK} daily.", "fact")], Origin())
    assert looking.in_tables(needles(MARK)) == set()


@requirement("end-users:erase:while-writing")
@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_read_while_its_end_user_is_erased_brings_nothing_back(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    chats.added(alice, f"I work at the {MARK} bakery.", user=USER)
    claim = claims.take(alice.account.pk)
    assert claim is not None
    read = worker.extract.extract

    def reading(*given: Any, **named: Any) -> Any:
        found = read(*given, **named)
        assert send(alice, "delete", f"tenant/users/{USER}").status_code == 200
        return found

    monkeypatch.setattr(worker.extract, "extract", reading)

    worker.read(claim)

    assert looking.in_tables(needles(MARK)) == set()
    assert looking.in_valkey(needles(MARK)) == set()
    assert claims.take(alice.account.pk) is None


@requirement("end-users:erase:valkey-away")
def test_what_valkey_could_not_delete_goes_with_a_later_round(
    alice: Person, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def away(*_: object, **__: object) -> None:
        raise ConnectionInterrupted(connection=None)

    filled(alice, USER, MARK)
    with monkeypatch.context() as patch:
        patch.setattr(traces.cache, "delete_many", away)
        with django_capture_on_commit_callbacks(execute=True):
            assert send(alice, "delete", f"tenant/users/{USER}").status_code == 200
    assert looking.in_valkey([MARK])

    erasure.finish()
    assert looking.in_valkey([MARK]), "it waits until all that ran meanwhile has ended"
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        erasure.finish()

    assert looking.in_valkey([MARK]) == set()
    with isolation.account(alice.account.pk):
        assert Erasure.objects.get().swept_at is not None


@requirement("end-users:erase:may")
@pytest.mark.parametrize("permissions", [["read"], ["write"], ["admin"], ["read", "write", "admin"]])
def test_a_key_without_the_permission_to_delete_erases_nobody(alice: Person, permissions: list[str]) -> None:
    told(alice, USER, TEXT)
    issued = api_keys.issue(alice.account, name="a shop", created_by=alice.user, permissions=permissions)

    refused = send(alice, "delete", f"tenant/users/{USER}", Authorization=f"ApiKey {issued.secret}")

    assert (refused.status_code, refused.json()["code"]) == (403, "AUTH_403")
    assert send(alice, "get", f"tenant/users/{USER}/stats").status_code == 200


@requirement("end-users:erase:may")
@pytest.mark.parametrize(("role", "may"), [("viewer", False), ("member", False), ("admin", True), ("owner", True)])
def test_at_the_console_admins_and_owners_erase(alice: Person, role: str, may: bool) -> None:
    told(alice, USER, TEXT)
    dora = person("dora", alice.account, role)

    if may:
        assert erasure.end_user(dora.caller, USER).memories_removed == 1
        with isolation.account(alice.account.pk):
            assert Erasure.objects.get().erased_by == "dora@example.com"
    else:
        with pytest.raises(PermissionMissing):
            erasure.end_user(dora.caller, USER)
        assert send(alice, "get", f"tenant/users/{USER}/stats").status_code == 200


@requirement("end-users:erase:may")
def test_staff_erase_with_a_reason_and_the_log_does_not_say_whom(alice: Person, charlie: Person) -> None:
    told(alice, USER, TEXT)
    with isolation.account(alice.account.pk):
        row = EndUser.objects.select_related("account").get()
    with pytest.raises(InvalidArguments), transaction.atomic():
        erasure.by_staff(charlie.user, row, reason=" ")

    erasure.by_staff(charlie.user, row, reason="Asked for in writing.")

    with isolation.account(alice.account.pk):
        entry = AuditEntry.objects.get()
        assert not MemoryVersion.objects.exists()
    assert (entry.did, entry.thing, entry.thing_id) == ("erase", "enduser", str(row.pk))
    assert looking.in_tables(needles(MARK)) == set()


@requirement("end-users:erase:may")
def test_staff_see_texts_change_none_and_erase_by_an_action(client: Client, alice: Person, charlie: Person) -> None:
    client.force_login(User.objects.create_superuser("staff@example.com", "long enough a password"))
    memory = told(alice, USER, TEXT)
    told(charlie, USER, TEXT)
    with isolation.account(alice.account.pk):
        row, kept = EndUser.objects.get(), Memory.objects.get(public_id=memory)
    listed = client.get("/admin/memories/memory/", {"q": USER}).content.decode()
    page = client.get(f"/admin/memories/memory/{kept.pk}/change/").content.decode()
    assert listed.count(TEXT) >= 2
    assert TEXT in page
    assert 'name="content"' not in page

    asked = {"action": "erase", "_selected_action": [row.pk]}
    assert "why" in client.post("/admin/memories/enduser/", asked).content.decode().lower()
    client.post("/admin/memories/enduser/", {**asked, "reason": "Asked for in writing."})

    with isolation.every_account():
        assert [each.account_id for each in EndUser.objects.all()] == [charlie.account.pk]
        assert AuditEntry.objects.get().did == "erase"
        assert not LogEntry.objects.filter(object_repr__contains=MARK).exists()
