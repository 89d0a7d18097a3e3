"""Export and import: a life carried into an empty account is equal, and a file that is wrong changes nothing."""

import json
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.db import models

from accounts import isolation
from memories.end_users import erasure
from memories.end_users.moving import exported, kinds
from memories.models import Conflict, EndUser, ExtractionJob, Memory, MemoryVersion, PendingCandidate, Retrieval
from tests.cast import Person
from tests.memories.end_users.diary import rows, send, told
from tests.memories.end_users.test_erasure import filled
from tests.requirements import requirement

MARK = "zyxomarvel"
LONG_AGO = datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)


def export(who: Person, user: str) -> bytes:
    answer = send(who, "get", f"tenant/users/{user}/export")
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def restored(who: Person, lines: bytes | str) -> dict[str, int]:
    answer = send(who, "post", "tenant/import", lines)
    assert answer.status_code == 200, answer.content
    told: dict[str, int] = answer.json()["data"]
    return told


def lived(who: Person, user: str = "kim") -> None:
    """A life of some months, with everything that can happen in one."""
    with time_machine.travel(LONG_AGO):
        filled(who, user, MARK)
        old = told(who, user, "User lives in Berlin since March.", metadata={"nested": {"list": [1, None, "ü"]}})
        new = told(who, user, "User lives in Lisbon since May.")
    with isolation.account(who.account.pk):
        row = EndUser.objects.get(account=who.account, external_id=user)
        before, after = Memory.objects.get(public_id=old), Memory.objects.get(public_id=new)
        after.previous_version = before
        after.save()
        Memory.objects.filter(pk=before.pk).update(
            is_archived=True,
            archived_at=LONG_AGO,
            archived_as="conflict_update",
            provenance={"service": "desk", "evidence": ["a", {"b": 2}]},
            source_event_id="event-9",
            seen_count=4,
            access_count=7,
            last_accessed_at=LONG_AGO,
            decayed_at=LONG_AGO,
            slot="residence",
            slot_value="berlin",
            is_negated=True,
        )
        Conflict.objects.create(
            account=who.account, end_user=row, old=before, new=after, statement=after.content, outcome="UPDATE",
            keep="b", resolved_by="apk_x", resolved_at=LONG_AGO, asked_at=LONG_AGO, created_at=LONG_AGO,
        )  # fmt: skip
        Retrieval.objects.create(
            account=who.account, end_user=row, memory_ids=[after.pk, before.pk], outcome="ignored", created_at=LONG_AGO
        )
        EndUser.objects.filter(pk=row.pk).update(blocked_at=LONG_AGO)


def everything(who: Person, user: str = "kim") -> dict[str, list[dict[str, Any]]]:
    """Every table's rows of an end user by what they say, with links told by what they lead to."""
    found = {}
    with isolation.account(who.account.pk):
        row = EndUser.objects.get(account=who.account, external_id=user)
        public = {memory.pk: str(memory.public_id) for memory in Memory.objects.filter(end_user=row)}
        found["enduser"] = [_said(row, public)]
        for model, column in erasure.concerning():
            if model not in kinds.NOT_CARRIED:
                mine = model._default_manager.filter(**{column: row.pk})
                found[str(model._meta.model_name)] = sorted((_said(each, public) for each in mine), key=str)
    return found


_OF_HERE = {"id", "account_id", "end_user_id", "revision", "due_at", "claimed_at"}


def _said(row: models.Model, public: dict[int, str]) -> dict[str, Any]:
    said = {}
    for column in row._meta.concrete_fields:
        value = getattr(row, column.attname)
        if column.related_model is Memory:
            value = public.get(value)
        elif column.attname == "memory_ids":
            value = [public[each] for each in value]
        elif column.attname in ("words", "vector"):
            value = str(value)
        if column.attname not in _OF_HERE:
            said[column.attname] = value
    return said


@requirement("end-users:export:equal")
def test_a_life_carried_into_an_empty_account_is_equal(alice: Person, charlie: Person) -> None:
    lived(alice)
    lines = export(alice, "kim")
    before = everything(alice)
    assert all(before.values()), "a table without rows proves nothing"
    assert send(alice, "delete", "tenant/users/kim").status_code == 200

    done = restored(charlie, lines)

    assert everything(charlie) == before
    assert done["present"] == 0
    assert done["memories"] == len(before["memory"])
    assert export(charlie, "kim") == lines


@requirement("end-users:export:equal")
def test_every_line_is_json_with_a_type_and_says_whose_it_is(alice: Person) -> None:
    lived(alice, 'kim/ü\n"quoted"')

    lines = [json.loads(line) for line in export(alice, "kim%2F%C3%BC%0A%22quoted%22").splitlines()]

    assert {line["external_user_id"] for line in lines} == {'kim/ü\n"quoted"'}
    assert [line["type"] for line in lines[:2]] == ["end_user", "memory"]
    assert {line["type"] for line in lines} == {kind.name for kind in kinds.ALL}
    archived = [line for line in lines if line["type"] == "memory" and line["is_archived"]]
    assert next(state["change_type"] for state in archived[0]["versions"]) == "created"


@requirement("end-users:export:columns")
def test_every_column_is_carried_or_left_out_for_a_reason() -> None:
    every = [kinds.END_USER, kinds.VERSION, *kinds.ALL[1:]]
    for kind in every:
        columns = {column.name for column in kind.columns}
        fields = {column.name for column in kind.model._meta.concrete_fields}
        assert columns | kind.linked | kind.left_out == fields, kind.name
        assert not columns & kind.linked, kind.name
    carried = {kind.model for kind in every} | set(kinds.NOT_CARRIED) | {EndUser}
    assert {model for model, _ in erasure.concerning()} <= carried


@requirement("end-users:import:twice")
def test_importing_twice_doubles_nothing(alice: Person, charlie: Person) -> None:
    lived(alice)
    lines = export(alice, "kim")

    first, second = restored(charlie, lines), restored(charlie, lines)

    assert {name: number for name, number in second.items() if number} == {
        "present": sum(first.values()) - first["present"]
    }
    assert restored(alice, lines) == second
    assert len(export(charlie, "kim").splitlines()) == len(lines.splitlines())


@requirement("end-users:import:twice")
def test_ids_that_another_account_has_are_made_anew_and_its_rows_stay(alice: Person, charlie: Person) -> None:
    lived(alice)
    before = everything(alice)

    done = restored(charlie, export(alice, "kim"))

    assert everything(alice) == before
    assert done["memories"] == len(before["memory"])
    theirs, ours = ({row.public_id for row in rows(who, "kim")} for who in (alice, charlie))
    assert not theirs & ours
    assert [row.content for row in rows(charlie, "kim")] == [row.content for row in rows(alice, "kim")]
    with isolation.account(charlie.account.pk):
        linked = Memory.objects.exclude(previous_version=None).get()
        assert linked.previous_version is not None
        assert linked.previous_version.account_id == charlie.account.pk


@requirement("end-users:import:twice")
def test_what_is_said_here_already_stays_and_stands_for_the_line(alice: Person, charlie: Person) -> None:
    told(alice, "kim", "User lives in Lisbon since May.", importance_score=3)
    kept = told(charlie, "kim", "USER lives in Lisbon since May", importance_score=9)

    done = restored(charlie, export(alice, "kim"))

    assert (done["memories"], done["present"]) == (0, 2)
    ((only),) = rows(charlie, "kim")
    assert (str(only.public_id), only.importance_score) == (kept, 9)


PERSON = {
    "type": "end_user",
    "external_user_id": "kim",
    "created_at": "2026-01-01T00:00:00Z",
    "last_seen_at": "2026-01-01T00:00:00Z",
    "blocked_at": None,
}
MEMORY = {
    "type": "memory",
    "external_user_id": "kim",
    "id": "8c0e3a0c-5f36-4b7d-9a43-0a6d5f0f7c11",
    "content": "User likes quiet birds.",
    "category": "preference",
    "importance_score": 5,
    "confidence_score": 1,
    "observed_at": "2026-01-01T00:00:00Z",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "versions": [],
}


@requirement("end-users:import:all-or-nothing")
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"type": "Memory"}, "no line about an end user"),
        ({"type": ["memory"]}, "no line about an end user"),
        ({"external_user_id": "lee"}, "its end user's own line must come before it"),
        ({"external_user_id": ""}, "external_user_id must have 1 to 255 characters"),
        ({"external_user_id": "x" * 256}, "external_user_id must have 1 to 255 characters"),
        ({"external_user_id": 7}, "external_user_id must be text"),
        ({"id": "kim"}, "id must be a UUID"),
        ({"id": None}, "id is missing"),
        ({"content": ""}, "content must have 1 to 500 characters"),
        ({"content": "x" * 501}, "content must have 1 to 500 characters"),
        ({"content": "a\x00b"}, "NUL"),
        ({"content": "a\ud800b"}, "surrogate"),
        ({"content": {"a": 1}}, "content must be text"),
        ({"category": "hobby"}, "category must be one of"),
        ({"importance_score": 0.9}, "importance_score must be a number from 1 to 10"),
        ({"importance_score": 10.1}, "importance_score must be a number from 1 to 10"),
        ({"importance_score": True}, "importance_score must be a number"),
        ({"confidence_score": 1.1}, "confidence_score must be a number from 0 to 1"),
        ({"created_at": "2026-01-01T00:00:00"}, "created_at must be a moment with a time zone"),
        ({"created_at": "yesterday"}, "created_at must be a moment"),
        ({"created_at": "0001-01-01T00:00:00Z"}, "created_at must be a moment"),
        ({"is_archived": "yes"}, "is_archived must be true or false"),
        ({"is_archived": True}, "archived_at goes with is_archived"),
        ({"archived_at": "2026-01-01T00:00:00Z"}, "archived_at goes with is_archived"),
        ({"archived_as": "tired"}, "archived_as must be one of"),
        ({"metadata": []}, "metadata must be an object"),
        ({"metadata": {"a": "\x00"}}, "NUL"),
        ({"metadata": {"a": "x" * 200_000}}, "metadata must have at most"),
        ({"seen_count": 0}, "seen_count must be a whole number"),
        ({"seen_count": 2**31}, "seen_count must be a whole number"),
        ({"previous_version_id": MEMORY["id"]}, "comes back to itself"),
        ({"versions": ["one"]}, "versions must be a list of objects"),
        ({"versions": {"one": 1}}, "versions must be a list"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_comes_in(alice: Person, changed: dict[str, Any], reason: str) -> None:
    fine = {**MEMORY, "id": str(uuid.uuid4()), "content": "User likes loud birds."}
    body = "\n".join(json.dumps(each) for each in (PERSON, fine, {**MEMORY, **changed}))

    answer = send(alice, "post", "tenant/import", body)

    told = answer.json()
    assert (answer.status_code, told["code"]) == (422, "REQ_422")
    assert told["details"][0]["reason"].startswith("Line 3: ")
    assert reason in told["details"][0]["reason"]
    assert told["details"][0]["reason"].endswith("Nothing was imported.")
    with isolation.account(alice.account.pk):
        assert not EndUser.objects.exists()


@requirement("end-users:import:all-or-nothing")
def test_what_is_no_json_is_named_and_so_is_too_much_of_it(alice: Person, settings: Any, monkeypatch: Any) -> None:
    assert "Line 1: it is no JSON" in send(alice, "post", "tenant/import", "{").content.decode()
    assert "Line 1: it is no JSON" in send(alice, "post", "tenant/import", "[" * 100_000).content.decode()

    monkeypatch.setattr(exported, "MOST_PEOPLE", 2)
    body = "\n".join(json.dumps({**PERSON, "external_user_id": f"kim-{number}"}) for number in range(3))
    assert "Line 3: an import has at most 2 end users" in send(alice, "post", "tenant/import", body).content.decode()
    monkeypatch.setattr(exported, "MOST_LINES", 1)
    assert "Line 2: an import has at most 1 lines" in send(alice, "post", "tenant/import", body).content.decode()
    settings.PAM_MAX_IMPORT_BYTES = 100
    answer = send(alice, "post", "tenant/import", body)
    assert (answer.status_code, answer.json()["code"]) == (413, "REQ_413")


@requirement("end-users:import:all-or-nothing")
def test_an_id_on_lines_of_two_people_is_refused(alice: Person) -> None:
    lee = {**PERSON, "external_user_id": "lee"}
    body = "\n".join(json.dumps(each) for each in (PERSON, lee, MEMORY, {**MEMORY, "external_user_id": "lee"}))

    assert (
        "Line 4: its id stands on a line of another end user"
        in send(alice, "post", "tenant/import", body).content.decode()
    )


@requirement("end-users:import:all-or-nothing")
def test_secrets_are_cut_out_of_what_comes_in(alice: Person) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5"
    memory = {**MEMORY, "content": f"User's token is {secret}.", "metadata": {"token": secret}}
    candidate = {
        **{name: MEMORY[name] for name in ("external_user_id", "category", "importance_score", "created_at")},
        "type": "pending_candidate", "content": f"User said {secret}.", "confidence_score": 0.5,
    }  # fmt: skip

    restored(alice, "\n".join(json.dumps(each) for each in (PERSON, memory, candidate)))

    with isolation.account(alice.account.pk):
        kept = [str(vars(row)) for model in (Memory, PendingCandidate) for row in model.objects.all()]
    assert len(kept) == 2
    assert not any(secret in each for each in kept)


@requirement("end-users:export:equal")
def test_a_job_somebody_was_at_work_on_waits_again(alice: Person, charlie: Person) -> None:
    told(alice, "kim", "User likes quiet birds.")
    with isolation.account(alice.account.pk):
        row = EndUser.objects.get()
        ExtractionJob.objects.create(
            account=alice.account, end_user=row, status="processing", gist_hash="0" * 64, payload_hash="0" * 64,
            messages=[{"role": "user", "content": "I like birds"}], attempts=1,
        )  # fmt: skip
    restored(charlie, export(alice, "kim"))

    with isolation.account(charlie.account.pk):
        job = ExtractionJob.objects.get()
        assert MemoryVersion.objects.count() == 1
    assert (job.status, job.attempts, job.claimed_at) == ("queued", 1, None)
    assert job.messages == [{"role": "user", "content": "I like birds"}]
