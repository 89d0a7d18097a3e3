"""POST /v1/memories/add over HTTP: what is taken in, what is held back by a gate, and what is refused by name."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts import api_keys, isolation, operations
from accounts.models import Account, AlertSettings, Plan
from memories.models import EndUser, ExtractionJob, IdempotentAnswer
from tests.cast import Person
from tests.memories.end_users import chats, diary
from tests.memories.end_users.chats import LISBON, add, said
from tests.requirements import requirement

FIELDS = {
    "job_id",
    "status",
    "blocked_reason",
    "nothing_to_extract",
    "retry_after_seconds",
    "budget_remaining_pct",
    "processing_eta_seconds",
    "processing_status",
    "request_id",
    "timestamp",
}
HEADERS = {
    "X-MemoryOS-Quota-Mode",
    "X-MemoryOS-Budget-Remaining",
    "X-MemoryOS-Quota-Reset",
    "X-MemoryOS-Circuit-Status",
    "X-MemoryOS-Processing",
}
NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def refused(answer: Any) -> str:
    """The field that a 422 names."""
    body = answer.json()
    assert (answer.status_code, body["code"], body["error"]) == (422, "REQ_422", "invalid_request"), body
    assert set(body) == {"error", "code", "request_id", "details"}
    return str(body["details"][0]["field"])


def on_plan(account: Account, operations: int) -> None:
    account.plan = Plan.objects.create(name="tight", title="Tight", monthly_operations=operations)
    account.save(update_fields=["plan"])


def in_mode(account: Account, mode: str) -> None:
    account.memory_mode = mode
    account.save(update_fields=["memory_mode"])


@pytest.fixture
def no_valkey(settings: Any) -> None:
    settings.CACHES = {**settings.CACHES, "default": {**settings.CACHES["default"], "LOCATION": NOBODY_LISTENS}}


@requirement("end-users:add:answer")
def test_what_was_said_is_queued_and_the_answer_has_every_field_and_header(alice: Person) -> None:
    answer = add(alice, said(LISBON))

    body = answer.json()
    assert (answer.status_code, set(body)) == (200, FIELDS)
    assert (body["status"], body["blocked_reason"], body["nothing_to_extract"]) == ("queued", None, False)
    assert (body["retry_after_seconds"], body["budget_remaining_pct"]) == (None, 100.0)
    assert body["processing_eta_seconds"] >= 1
    assert body["processing_status"] == "normal"
    assert body["request_id"] == answer.headers["X-Request-Id"]
    assert set(answer.headers) >= HEADERS
    assert answer.headers["X-MemoryOS-Quota-Mode"] == "FULL"
    assert answer.headers["X-MemoryOS-Circuit-Status"] == "closed"
    job = chats.job(alice, body["job_id"])
    assert (job["status"], job["attempts"], job["started_at"], job["completed_at"]) == ("queued", 0, None, None)


@requirement("end-users:add:answer")
def test_a_job_shows_what_became_of_it_and_keeps_no_message(alice: Person) -> None:
    job_id = chats.added(alice, LISBON)
    chats.read_all(alice)

    job = chats.job(alice, job_id)
    assert set(job) == {
        "job_id",
        "status",
        "memories_created",
        "pending_candidates_buffered",
        "pending_candidates_promoted",
        "attempts",
        "error_summary",
        "queued_at",
        "started_at",
        "completed_at",
    }
    assert (job["status"], job["memories_created"], job["attempts"], job["error_summary"]) == ("completed", 1, 1, None)
    assert job["queued_at"] <= job["started_at"] <= job["completed_at"]
    assert chats.row(alice, job_id).messages == []
    assert any("Lisbon" in content for content in chats.contents(alice))


@requirement("end-users:add:answer")
@pytest.mark.parametrize("job_id", ["00000000-0000-4000-8000-000000000000", "7", "'", "%00", "a" * 300])
def test_a_job_that_never_was_is_not_found(alice: Person, job_id: str) -> None:
    answer = diary.send(alice, "get", f"memories/jobs/{job_id}")

    assert (answer.status_code, answer.json()["code"], answer.json()["error"]) == (404, "JOB_404", "job_not_found")


@requirement("end-users:add:answer")
def test_another_accounts_job_is_answered_like_one_that_never_was(alice: Person, charlie: Person) -> None:
    job_id = chats.added(alice, LISBON)

    foreign, never = (diary.send(charlie, "get", f"memories/jobs/{each}") for each in (job_id, uuid.uuid4()))
    assert foreign.status_code == never.status_code == 404
    assert foreign.json()["details"] == never.json()["details"]


@requirement("end-users:add:permissions")
def test_adding_needs_write_and_looking_at_a_job_needs_read(alice: Person) -> None:
    job_id = chats.added(alice, LISBON)
    for permission, can_add, can_look in (("read", 403, 200), ("write", 200, 403)):
        key = api_keys.issue(alice.account, name=permission, permissions=[permission]).secret
        header = {"Authorization": f"ApiKey {key}"}
        tried = add(alice, said("I work as a nurse."), **header)
        looked = diary.send(alice, "get", f"memories/jobs/{job_id}", **header)

        assert (tried.status_code, looked.status_code) == (can_add, can_look)
        assert "AUTH_403" in (tried.json().get("code"), looked.json().get("code"))


def source(**more: Any) -> dict[str, Any]:
    return said(LISBON, source=more)


def sized(count: int) -> dict[str, str]:
    """Metadata of so many bytes as JSON."""
    return {"k": "x" * (count - len('{"k": ""}'))}


BOUNDS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "external_user_id shortest": (said(LISBON, user="p"), said(LISBON, user=""), "external_user_id"),
    "external_user_id longest": (said(LISBON, user="p" * 255), said(LISBON, user="p" * 256), "external_user_id"),
    "emoji count as characters": (said(LISBON, user="😀" * 255), said(LISBON, user="😀" * 256), "external_user_id"),
    "fewest messages": (said(LISBON), said(), "messages"),
    "most messages": (said(*[LISBON] * 100), said(*[LISBON] * 101), "messages"),
    "shortest content": (said("I"), said(""), "messages[0].content"),
    "longest agent_id": (said(LISBON, agent_id="a" * 200), said(LISBON, agent_id="a" * 201), "agent_id"),
    "most metadata": (said(LISBON, metadata=sized(8000)), said(LISBON, metadata=sized(8001)), "metadata"),
    "longest service": (source(service="s" * 200), source(service="s" * 201), "source.service"),
    "shortest service": (source(service="s"), source(service=""), "source.service"),
    "longest event_id": (source(event_id="e" * 255), source(event_id="e" * 256), "source.event_id"),
    "shortest event_id": (source(event_id="e"), source(event_id=""), "source.event_id"),
    "most evidence": (source(evidence=["e"] * 20), source(evidence=["e"] * 21), "source.evidence"),
    "earliest observed_at": (
        source(observed_at="1970-01-01T00:00:00Z"),
        source(observed_at="1969-12-31T23:59:59Z"),
        "source.observed_at",
    ),
    "most scope": (source(scope=sized(8000)), source(scope=sized(8001)), "source.scope"),
}


@requirement("end-users:add:bounds")
@pytest.mark.parametrize("bound", BOUNDS)
def test_every_bound_holds_to_the_letter(alice: Person, bound: str) -> None:
    within, beyond, field = BOUNDS[bound]

    assert add(alice, within).status_code == 200
    assert refused(add(alice, beyond)) == field


@requirement("end-users:add:bounds")
def test_an_idempotency_key_has_up_to_255_characters(alice: Person) -> None:
    assert add(alice, said(LISBON), **{"Idempotency-Key": "k" * 255}).status_code == 200
    assert refused(add(alice, said(LISBON), **{"Idempotency-Key": "k" * 256})) == "Idempotency-Key"


def message(**fields: Any) -> dict[str, Any]:
    return {"external_user_id": "pat", "messages": [fields]}


WRONG: dict[str, tuple[Any, str]] = {
    "no external_user_id": ({"messages": [{"role": "user", "content": "I"}]}, "external_user_id"),
    "a number for external_user_id": (said(LISBON, user=7), "external_user_id"),  # type: ignore[arg-type]
    "null for external_user_id": (said(LISBON, user=None), "external_user_id"),  # type: ignore[arg-type]
    "no messages": ({"external_user_id": "pat"}, "messages"),
    "text for messages": ({"external_user_id": "pat", "messages": LISBON}, "messages"),
    "an object for messages": ({"external_user_id": "pat", "messages": {"role": "user"}}, "messages"),
    "text for a message": ({"external_user_id": "pat", "messages": [LISBON]}, "messages[0]"),
    "no role": (message(content=LISBON), "messages[0].role"),
    "another role": (message(role="tool", content=LISBON), "messages[0].role"),
    "another case of a role": (message(role="User", content=LISBON), "messages[0].role"),
    "no content": (message(role="user"), "messages[0].content"),
    "null for content": (message(role="user", content=None), "messages[0].content"),
    "a number for content": (message(role="user", content=5), "messages[0].content"),
    "a list for content": (message(role="user", content=["text"]), "messages[0].content"),
    "an unknown field of a message": (message(role="user", content="I", name="Pat"), "messages[0].name"),
    "an unknown field": (said(LISBON, limit="5"), "limit"),
    "a number for agent_id": (said(LISBON, agent_id=5), "agent_id"),
    "text for metadata": (said(LISBON, metadata="plan=pro"), "metadata"),
    "a list for metadata": (said(LISBON, metadata=[]), "metadata"),
    "text for source": (said(LISBON, source="helpdesk"), "source"),
    "a naive observed_at": (source(observed_at="2026-04-17T09:45:00"), "source.observed_at"),
    "a day for observed_at": (source(observed_at="2026-04-17"), "source.observed_at"),
    "a number for observed_at": (source(observed_at=1776419100), "source.observed_at"),
    "an offset of nowhere": (source(observed_at="2026-04-17T09:45:00+23:59"), "source.observed_at"),
    "a day that is none": (source(observed_at="2026-02-30T09:45:00Z"), "source.observed_at"),
    "a number for event_id": (source(event_id=7), "source.event_id"),
    "text for scope": (source(scope="mobile"), "source.scope"),
    "text for evidence": (source(evidence="ticket"), "source.evidence"),
    "a list for the body": ([], "body"),
    "text for the body": ('"text"', "body"),
    "broken JSON": ('{"external_user_id": "pat", ', "body"),
    "no number": ('{"external_user_id": "pat", "messages": [], "metadata": {"a": NaN}}', "body"),
    "a number beyond all": (
        '{"external_user_id": "pat", "messages": [{"role": "user", "content": "I"}], "metadata": {"a": 1e999}}',
        "metadata",
    ),
    "brackets without end": ('{"metadata": ' + "[" * 100_000, "body"),
}


@requirement("end-users:add:bad-input")
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_refused_by_the_name_of_its_field(alice: Person, wrong: str) -> None:
    body, field = WRONG[wrong]

    assert refused(add(alice, body)) == field
    assert chats.jobs(alice) == []


@requirement("end-users:add:bad-input")
@pytest.mark.parametrize("bad", ["\\u0000", "\\ud800"], ids=["NUL", "half a surrogate pair"])
@pytest.mark.parametrize(
    ("body", "field"),
    [
        (said(LISBON, user="p@"), "external_user_id"),
        (said("I live in Lisbon@"), "messages[0].content"),
        (said(LISBON, agent_id="a@"), "agent_id"),
        (said(LISBON, metadata={"k": ["v@"]}), "metadata"),
        (said(LISBON, metadata={"k@": 1}), "metadata"),
        (source(service="s@"), "source.service"),
        (source(event_id="e@"), "source.event_id"),
        (source(scope={"s@": 1}), "source.scope"),
        (source(evidence=[{"e": "@"}]), "source.evidence"),
    ],
)
def test_what_cannot_be_stored_is_refused_wherever_it_stands(
    alice: Person, bad: str, body: dict[str, Any], field: str
) -> None:
    assert refused(add(alice, json.dumps(body).replace("@", bad))) == field


@requirement("end-users:add:too-large")
def test_a_body_of_one_megabyte_is_taken_and_one_of_a_byte_more_is_not(alice: Person) -> None:
    empty = len(json.dumps(said("")))
    largest = said("I live in Lisbon. " * ((1024**2 - empty) // 18) + "x" * ((1024**2 - empty) % 18))
    assert len(json.dumps(largest)) == 1024**2

    assert add(alice, largest).status_code == 200
    for body in (json.dumps(largest) + " ", said(*["x" * 100_000] * 100)):
        answer = add(alice, body)
        assert (answer.status_code, answer.json()["code"]) == (413, "REQ_413")


@requirement("end-users:add:exact-ids")
def test_ids_that_look_alike_are_different_end_users(alice: Person) -> None:
    ids = [
        "pat",
        "Pat",
        " pat",
        "pat ",
        "é",
        "e\u0301",
        "a/b",
        "a\\b",
        "../pat",
        "a?b#c",
        "'",
        '"',
        "%2F",
        "😀",
        "ﬁ",
        "fi",
    ]
    answers = [add(alice, said(LISBON, user=each)).json() for each in ids]

    assert {answer["status"] for answer in answers} == {"queued"}
    with isolation.account(alice.account.pk):
        assert sorted(EndUser.objects.values_list("external_id", flat=True)) == sorted(ids)


@requirement("end-users:add:blocked")
def test_nothing_is_taken_in_of_a_blocked_end_user(alice: Person) -> None:
    chats.added(alice, LISBON)
    with isolation.account(alice.account.pk):
        EndUser.objects.update(blocked_at=datetime.now(UTC))
    answer = add(alice, said("I work as a nurse."))

    assert (answer.status_code, answer.json()["code"], answer.json()["error"]) == (403, "PRX_403", "end_user_blocked")
    chats.read_all(alice)
    (job,) = chats.jobs(alice)
    assert (job.status, job.messages) == ("dead", [])
    assert "blocked" in job.error_summary
    assert diary.rows(alice, "pat") == []


@requirement("end-users:add:gate-l1")
def test_too_many_in_a_minute_for_one_end_user_are_held_back_and_others_are_not(alice: Person, settings: Any) -> None:
    settings.PAM_ADDS_PER_END_USER_MINUTE = 3
    answers = [add(alice, said(f"My cat is {age} years old.")).json() for age in range(2, 7)]

    assert [answer["status"] for answer in answers] == ["queued"] * 3 + ["L1"] * 2
    held = answers[-1]
    assert 1 <= held["retry_after_seconds"] <= 60
    assert held["blocked_reason"]
    assert (held["job_id"], held["nothing_to_extract"], held["processing_eta_seconds"]) == (None, False, None)
    assert add(alice, said(LISBON, user="kim")).json()["status"] == "queued"
    assert len(chats.jobs(alice)) == 4


@requirement("end-users:add:gate-l1")
def test_without_valkey_the_gate_counts_in_this_process_and_the_call_does_not_fail(
    alice: Person, settings: Any, no_valkey: None
) -> None:
    settings.PAM_ADDS_PER_END_USER_MINUTE = 2
    answers = [add(alice, said(f"My cat is {age} years old.")) for age in range(2, 5)]

    assert [answer.json()["status"] for answer in answers] == ["queued", "queued", "L1"]
    assert answers[0].headers["X-MemoryOS-Circuit-Status"] == "open"
    chats.read_all(alice)
    assert [job.status for job in chats.jobs(alice)] == ["completed"] * 2


@requirement("end-users:add:gate-l2")
@pytest.mark.parametrize(
    "messages",
    [
        [("user", "Hi!")],
        [("user", "Good morning"), ("assistant", "Hello, what can I do for you?"), ("user", "thanks, bye")],
        [("user", "👍")],
        [("user", "...")],
        [("user", " ")],
        [("user", "Vielen Dank!")],
        [("user", "yes")],
        [("assistant", "You live in Lisbon.")],
        [("system", "The user lives in Lisbon.")],
        [("user", "ok"), ("assistant", "You live in Lisbon, then.")],
    ],
    ids=str,
)
def test_messages_in_which_the_user_says_nothing_are_held_back(alice: Person, messages: list[tuple[str, str]]) -> None:
    turns = [{"role": role, "content": content} for role, content in messages]
    answer = add(alice, {"external_user_id": "pat", "messages": turns}).json()

    assert (answer["status"], answer["nothing_to_extract"], answer["job_id"]) == ("L2", True, None)
    assert chats.jobs(alice) == []


@requirement("end-users:add:gate-l2")
@pytest.mark.parametrize(
    "messages",
    [
        [("user", "Hi, I live in Lisbon.")],
        [("assistant", "Do you live in Lisbon?"), ("user", "Yes.")],
        [("assistant", "How old are you?"), ("user", "42")],
        [("user", "我住在里斯本")],
        [("user", "Thanks, vegan.")],
    ],
    ids=str,
)
def test_messages_that_may_say_something_are_read(alice: Person, messages: list[tuple[str, str]]) -> None:
    turns = [{"role": role, "content": content} for role, content in messages]

    assert add(alice, {"external_user_id": "pat", "messages": turns}).json()["status"] == "queued"


@requirement("end-users:add:gate-l3")
def test_what_one_of_the_last_five_said_is_held_back(alice: Person) -> None:
    chats.added(alice, LISBON)
    for age in range(2, 6):
        chats.added(alice, f"My cat is {age} years old.")

    for again in (LISBON, "i live in  LISBON", "I live in Lisbon!"):
        assert add(alice, said(again)).json()["status"] == "L3"
    chats.read_all(alice)
    assert add(alice, said(LISBON)).json()["status"] == "L3"
    for other in (said(LISBON, user="kim"), said(LISBON, agent_id="bot"), said(LISBON, source={"service": "desk"})):
        assert add(alice, other).json()["status"] == "queued"


@requirement("end-users:add:gate-l3")
def test_what_the_last_five_did_not_say_is_taken_in(alice: Person) -> None:
    chats.added(alice, LISBON)
    for age in range(2, 7):
        chats.added(alice, f"My cat is {age} years old.")

    assert add(alice, said(LISBON)).json()["status"] == "queued"


@requirement("end-users:add:gate-l3")
def test_what_could_not_be_read_may_be_said_again(alice: Person) -> None:
    job_id = chats.added(alice, LISBON)
    with isolation.account(alice.account.pk):
        ExtractionJob.objects.filter(public_id=job_id).update(status="dead", messages=[])

    assert add(alice, said(LISBON)).json()["status"] == "queued"


@requirement("end-users:add:gate-l4")
def test_a_used_up_allowance_holds_back_and_only_what_is_taken_in_counts(alice: Person, settings: Any) -> None:
    on_plan(alice.account, 2)
    add(alice, said("Hi!"))
    chats.added(alice, LISBON)
    add(alice, said(LISBON))
    last = add(alice, said("I work as a nurse."))
    held = add(alice, said("I have two cats."))

    assert (last.json()["status"], last.json()["budget_remaining_pct"]) == ("queued", 0.0)
    assert last.headers["X-MemoryOS-Budget-Remaining"] == "0"
    body = held.json()
    assert (held.status_code, body["status"], body["job_id"]) == (200, "L4", None)
    assert body["retry_after_seconds"] > 0
    assert held.headers["X-MemoryOS-Quota-Mode"] == "PASSTHROUGH"
    assert len(chats.jobs(alice)) == 2
    assert operations.read(alice.account).used == 2


@requirement("end-users:add:gate-l4")
@pytest.mark.parametrize("policy", ["warn", "charge"])
def test_an_account_that_pays_or_is_warned_goes_on_beyond_its_allowance(alice: Person, policy: str) -> None:
    on_plan(alice.account, 1)
    with isolation.account(alice.account.pk):
        AlertSettings.objects.update_or_create(account=alice.account, defaults={"overage_policy": policy})
    chats.added(alice, LISBON)

    assert add(alice, said("I work as a nurse.")).json()["status"] == "queued"


@requirement("end-users:add:modes")
@pytest.mark.parametrize(
    ("mode", "status"),
    [("PASSTHROUGH", "passthrough"), ("BLOCKED", "blocked"), ("DEGRADED_RETRIEVE", "queued"), ("FULL", "queued")],
)
def test_the_mode_of_the_account_is_told_and_never_fails_the_call(alice: Person, mode: str, status: str) -> None:
    in_mode(alice.account, mode)
    answer = add(alice, said(LISBON))

    assert (answer.status_code, answer.json()["status"]) == (200, status)
    assert answer.headers["X-MemoryOS-Quota-Mode"] == mode
    assert bool(answer.json()["blocked_reason"]) is (status != "queued")
    assert len(chats.jobs(alice)) == (status == "queued")


@requirement("end-users:add:idempotent")
def test_the_same_key_gets_the_same_answer_to_the_letter_and_makes_one_job(alice: Person) -> None:
    key = {"Idempotency-Key": "order-7"}
    first = add(alice, said(LISBON), **key)
    chats.read_all(alice)
    again = add(alice, said(LISBON), **key)

    assert again.content == first.content
    assert {name: again.headers[name] for name in HEADERS} == {name: first.headers[name] for name in HEADERS}
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert len(chats.jobs(alice)) == 1
    assert operations.read(alice.account).used == 1


@requirement("end-users:add:idempotent")
@pytest.mark.parametrize(
    "other",
    [
        said("I work as a nurse."),
        said(LISBON, user="kim"),
        said(LISBON, metadata={"plan": "pro"}),
        said(LISBON, source={"service": "desk"}),
    ],
    ids=str,
)
def test_the_same_key_with_another_body_is_a_conflict(alice: Person, other: dict[str, Any]) -> None:
    key = {"Idempotency-Key": "order-7"}
    add(alice, said(LISBON), **key)
    answer = add(alice, other, **key)

    assert (answer.status_code, answer.json()["code"]) == (409, "PROV_409")
    assert "Idempotency-Key" in json.dumps(answer.json()["details"])
    assert len(chats.jobs(alice)) == 1


@requirement("end-users:add:idempotent")
def test_a_key_belongs_to_its_account_and_lasts_a_day(alice: Person, charlie: Person, time_machine: Any) -> None:
    start = datetime(2026, 11, 5, 12, tzinfo=UTC)
    key = {"Idempotency-Key": "order-7"}
    time_machine.move_to(start, tick=False)
    first = add(alice, said(LISBON), **key).json()
    assert add(charlie, said("I work as a nurse."), **key).json()["status"] == "queued"

    time_machine.move_to(start + timedelta(hours=23, minutes=59), tick=False)
    assert add(alice, said(LISBON), **key).json() == first
    time_machine.move_to(start + timedelta(hours=24), tick=False)
    later = add(alice, said("I work as a nurse."), **key).json()
    assert later["status"] == "queued"
    assert later["job_id"] != first["job_id"]
    with isolation.account(alice.account.pk):
        assert IdempotentAnswer.objects.count() == 1


@requirement("end-users:add:idempotent")
def test_what_was_held_back_for_good_is_told_again_and_what_may_come_later_is_tried_again(
    alice: Person, settings: Any
) -> None:
    greeting = add(alice, said("Hi!"), **{"Idempotency-Key": "a"})
    assert add(alice, said("Hi!"), **{"Idempotency-Key": "a"}).content == greeting.content

    settings.PAM_ADDS_PER_END_USER_MINUTE = 1
    assert add(alice, said(LISBON), **{"Idempotency-Key": "b"}).json()["status"] == "L1"
    settings.PAM_ADDS_PER_END_USER_MINUTE = 30
    assert add(alice, said(LISBON), **{"Idempotency-Key": "b"}).json()["status"] == "queued"


@requirement("end-users:add:events")
def test_the_same_event_gets_its_job_again_and_another_payload_is_a_conflict(alice: Person) -> None:
    event = {"service": "desk", "event_id": "ticket-4711", "observed_at": "2026-04-17T09:45:00Z"}
    job_id = chats.added(alice, LISBON, source=event)
    chats.read_all(alice)

    assert add(alice, said(LISBON, source=event)).json()["job_id"] == job_id
    other = add(alice, said("I work as a nurse.", source=event))
    assert (other.status_code, other.json()["code"], other.json()["error"]) == (409, "PROV_409", "event_conflict")
    assert len(chats.jobs(alice)) == 1
    assert operations.read(alice.account).used == 1
    for apart in (
        said(LISBON, user="kim", source=event),
        said(LISBON, source={**event, "service": "shop"}),
        said(LISBON, source={**event, "event_id": "Ticket-4711"}),
    ):
        assert add(alice, apart).json()["job_id"] != job_id


@requirement("end-users:add:events")
def test_a_memory_tells_where_it_comes_from(alice: Person) -> None:
    event = {
        "service": "desk",
        "event_id": "ticket-4711",
        "observed_at": "2026-04-17T11:45:00+02:00",
        "scope": {"product": "mobile"},
        "evidence": ["reply 2", {"line": 3}],
    }
    chats.added(alice, LISBON, source=event, agent_id="bot", metadata={"channel": "chat"})
    chats.read_all(alice)

    (memory,) = diary.rows(alice, "pat")
    assert (memory.source_event_id, memory.agent_id, memory.metadata) == ("ticket-4711", "bot", {"channel": "chat"})
    del event["event_id"]
    assert memory.provenance == event
    assert memory.observed_at == datetime(2026, 4, 17, 9, 45, tzinfo=UTC)


@requirement("end-users:add:events")
def test_days_are_meant_where_it_was_said(alice: Person) -> None:
    shortly_after_midnight = "2026-04-18T00:30:00+02:00"
    chats.added(alice, "I moved to Lisbon yesterday.", source={"observed_at": shortly_after_midnight})
    chats.read_all(alice)

    (memory,) = diary.rows(alice, "pat")
    assert "2026-04-17" in memory.content
    assert memory.observed_at == datetime(2026, 4, 17, 22, 30, tzinfo=UTC)


SECRET = "sk-proj-Qm3vT9xKp2LwR8sZ4nYb7Hc1Jd6Fg5Ae"  # noqa: S105 (it looks like one, and opens nothing)


@requirement("end-users:add:secrets")
def test_secrets_are_cut_before_anything_is_stored(alice: Person) -> None:
    answer = add(
        alice,
        said(
            f"My key is {SECRET}. I live in Lisbon.",
            agent_id=f"bot {SECRET}",
            metadata={"apiKey": "hunter2hunter2", "deep": [{"note": SECRET}]},
            source={
                "service": f"desk {SECRET}",
                "event_id": SECRET,
                "scope": {"Password": "correct horse"},
                "evidence": [SECRET],
            },
        ),
        **{"Idempotency-Key": "k"},
    )
    assert answer.json()["status"] == "queued"

    with isolation.account(alice.account.pk):
        kept = repr(list(ExtractionJob.objects.values()) + list(IdempotentAnswer.objects.values()))
    chats.read_all(alice)
    kept += repr([memory.__dict__ for memory in diary.rows(alice, "pat")])
    for secret in (SECRET, "hunter2", "correct horse"):
        assert secret not in kept
    assert "[redacted" in kept
    assert "Lisbon" in kept
    again = add(alice, said("I work as a nurse.", source={"service": f"desk {SECRET}", "event_id": SECRET}))
    assert again.json()["code"] == "PROV_409"


@requirement("end-users:add:processing-told")
def test_what_waits_too_long_is_told_as_delayed(alice: Person, time_machine: Any) -> None:
    start = datetime(2026, 11, 5, 12, tzinfo=UTC)
    time_machine.move_to(start, tick=False)
    chats.added(alice, LISBON)
    with isolation.account(alice.account.pk):
        ExtractionJob.objects.update(queued_at=datetime(2026, 1, 1, tzinfo=UTC))
    answer = add(alice, said("I work as a nurse."))

    assert answer.json()["processing_status"] == answer.headers["X-MemoryOS-Processing"] == "delayed"
    assert answer.json()["processing_eta_seconds"] > 120
