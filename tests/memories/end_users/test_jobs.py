"""Jobs as workers see them: one at a time for each end user, in order, three tries, and nothing twice."""

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import isolation
from accounts.models import AlertSettings, WebhookDelivery
from benchmarks import talked
from memories import work
from memories.end_users import people
from memories.end_users.errors import EndUserNotFound
from memories.end_users.intake import claims, sweeping, worker
from memories.end_users.intake.claims import Claim
from memories.end_users.reading import extract
from memories.end_users.statements import Statement
from memories.models import EndUser, ExtractionJob, PendingCandidate
from tests.cast import Person
from tests.memories import embedders
from tests.memories.broker import Broker
from tests.memories.end_users import chats, diary
from tests.memories.language_model_server import LanguageModelServer, saying
from tests.requirements import requirement

START = datetime(2026, 11, 5, 12, tzinfo=UTC)
SECRET_TEXT = "my grandmother's maiden name"


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message is a confidence and a statement: "0.5 User may like jazz." """

    def read(messages: Sequence[extract.Message], **_: Any) -> extract.Extraction:
        said = [message.content.split(" ", 1) for message in messages]
        return extract.Extraction([Statement(text, "fact", confidence=float(sure)) for sure, text in said], False)

    monkeypatch.setattr(extract, "extract", read)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception | None], None]:
    """Reading raises what it is given from now on, and nothing for None."""
    well = extract.extract

    def fail(error: Exception | None) -> None:
        def read(*given: Any, **named: Any) -> extract.Extraction:
            if error is not None:
                raise error
            return well(*given, **named)

        monkeypatch.setattr(extract, "extract", read)

    return fail


def took(who: Person) -> Claim:
    claim = claims.take(who.account.pk)
    assert claim is not None
    return claim


def said_in(claim: Claim) -> str:
    return claim.messages[0]["content"]


@requirement("end-users:jobs:order")
def test_of_one_end_user_jobs_are_read_one_at_a_time_in_the_order_they_came(alice: Person) -> None:
    first, second = "I live in Berlin.", "I live in Lisbon now."
    chats.added(alice, first)
    chats.added(alice, second)
    chats.added(alice, "I live in Oslo.", user="kim")

    berlin, oslo = took(alice), took(alice)
    assert [said_in(berlin), said_in(oslo)] == [first, "I live in Oslo."]
    assert claims.take(alice.account.pk) is None
    worker.read(berlin)
    assert said_in(took(alice)) == second


@requirement("end-users:jobs:order")
def test_what_waits_to_be_tried_again_is_not_overtaken(
    alice: Person, failing: Callable[[Exception | None], None], time_machine: Any
) -> None:
    time_machine.move_to(START, tick=False)
    chats.added(alice, "I live in Berlin.")
    chats.added(alice, "I live in Lisbon now.")
    failing(RuntimeError())
    chats.read_all(alice)
    failing(None)
    chats.read_all(alice)
    assert [job.status for job in chats.jobs(alice)] == ["queued", "queued"]

    time_machine.move_to(START + timedelta(seconds=11), tick=False)
    chats.read_all(alice)
    done = chats.jobs(alice)
    assert [job.status for job in done] == ["completed", "completed"]
    assert [job.attempts for job in done] == [2, 1]


@requirement("end-users:jobs:three-tries")
def test_a_job_that_fails_three_times_is_dead_with_a_reason_and_without_what_was_said(
    alice: Person,
    failing: Callable[[Exception | None], None],
    time_machine: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    time_machine.move_to(START, tick=False)
    job_id = chats.added(alice, f"I live in Lisbon, {SECRET_TEXT} is Rosa.")
    failing(RuntimeError(f"could not read: {SECRET_TEXT}"))
    tried = []
    for seconds in (0, 9, 10, 69, 70, 10_000):
        time_machine.move_to(START + timedelta(seconds=seconds), tick=False)
        with caplog.at_level(logging.INFO):
            chats.read_all(alice)
        tried.append(chats.row(alice, job_id).attempts)

    assert tried == [1, 1, 2, 2, 3, 3]
    job = chats.job(alice, job_id)
    assert (job["status"], job["attempts"], job["memories_created"]) == ("dead", 3, 0)
    assert "RuntimeError" in job["error_summary"]
    assert SECRET_TEXT not in job["error_summary"] + caplog.text
    # Kept for staff, who may have it tried again, until it is pruned.
    assert chats.row(alice, job_id).messages != []


@requirement("end-users:jobs:three-tries")
def test_a_failure_is_told_while_the_job_waits_and_forgotten_when_it_is_done(
    alice: Person, failing: Callable[[Exception | None], None], time_machine: Any
) -> None:
    time_machine.move_to(START, tick=False)
    job_id = chats.added(alice, chats.LISBON)
    failing(RuntimeError())
    chats.read_all(alice)
    waiting = chats.job(alice, job_id)
    assert (waiting["status"], waiting["attempts"]) == ("queued", 1)
    assert waiting["error_summary"]
    assert chats.add(alice, chats.said("I work as a nurse.", user="kim")).headers["X-MemoryOS-Circuit-Status"] == "open"

    failing(None)
    time_machine.move_to(START + timedelta(seconds=10), tick=False)
    chats.read_all(alice)
    assert (chats.job(alice, job_id)["status"], chats.job(alice, job_id)["error_summary"]) == ("completed", None)


@requirement("end-users:jobs:taken-over")
def test_a_worker_that_fell_silent_loses_its_job_and_what_it_still_does_is_thrown_away(
    alice: Person, time_machine: Any
) -> None:
    time_machine.move_to(START, tick=False)
    job_id = chats.added(alice, chats.LISBON)
    silent = took(alice)
    time_machine.move_to(START + claims.lease() - timedelta(seconds=1), tick=False)
    assert claims.take(alice.account.pk) is None

    time_machine.move_to(START + claims.lease(), tick=False)
    statements = worker.heard(silent)
    second = took(alice)
    assert worker.keep(silent, statements) is False
    assert diary.rows(alice, "pat") == []
    assert worker.keep(second, statements) is True
    assert worker.keep(second, statements) is False
    claims.put_back(silent, "late")
    assert [memory.seen_count for memory in diary.rows(alice, "pat")] == [1]
    assert (chats.job(alice, job_id)["status"], chats.job(alice, job_id)["attempts"]) == ("completed", 2)


@requirement("end-users:jobs:taken-over")
def test_a_job_that_stopped_its_worker_three_times_is_given_up(alice: Person, time_machine: Any) -> None:
    job_id = chats.added(alice, chats.LISBON)
    moment = datetime.now(UTC)
    for _ in range(3):
        took(alice)
        moment += claims.lease() + timedelta(seconds=1)
        time_machine.move_to(moment, tick=False)

    assert claims.take(alice.account.pk) is None
    job = chats.job(alice, job_id)
    assert (job["status"], job["attempts"]) == ("dead", 3)
    assert "stopped 3 times" in job["error_summary"]


@requirement("end-users:jobs:sure-enough")
@pytest.mark.parametrize(
    ("confidence", "remembered", "buffered"),
    [("0.65", 1, 0), ("1.0", 1, 0), ("0.6499", 0, 1), ("0.45", 0, 1), ("0.4499", 0, 0), ("0.0", 0, 0)],
)
def test_what_is_sure_is_remembered_and_what_is_likely_is_kept_aside(
    alice: Person, scripted: None, confidence: str, remembered: int, buffered: int
) -> None:
    job_id = chats.added(alice, f"{confidence} User may like jazz.")
    chats.read_all(alice)

    job = chats.job(alice, job_id)
    assert (job["memories_created"], job["pending_candidates_buffered"]) == (remembered, buffered)
    assert len(diary.rows(alice, "pat")) == remembered
    with isolation.account(alice.account.pk):
        assert PendingCandidate.objects.count() == buffered


@requirement("end-users:jobs:sure-enough")
def test_what_was_kept_aside_is_remembered_when_it_is_said_a_second_time(alice: Person, scripted: None) -> None:
    chats.added(alice, "0.5 User may like jazz.")
    chats.added(alice, "0.5 User may like jazz.", user="kim")
    chats.read_all(alice)
    again = chats.added(alice, "0.5 user MAY like jazz", source={"service": "desk"})
    chats.read_all(alice)

    job = chats.job(alice, again)
    assert job["memories_created"] == job["pending_candidates_promoted"] == 1
    assert job["pending_candidates_buffered"] == 0
    (memory,) = diary.rows(alice, "pat")
    assert memory.confidence_score == 0.65
    assert diary.rows(alice, "kim") == []
    with isolation.account(alice.account.pk):
        (waiting,) = PendingCandidate.objects.select_related("end_user")
    assert waiting.end_user.external_id == "kim"


@requirement("end-users:jobs:sure-enough")
def test_said_twice_in_one_request_is_said_once(alice: Person, scripted: None) -> None:
    job_id = chats.added(alice, "0.5 User may like jazz.", "0.5 User may like jazz!")
    chats.read_all(alice)

    assert chats.job(alice, job_id)["pending_candidates_promoted"] == 0
    assert diary.rows(alice, "pat") == []


@requirement("end-users:jobs:sure-enough")
def test_what_is_known_is_seen_again_though_it_is_only_likely_now(alice: Person, scripted: None) -> None:
    chats.added(alice, "0.9 User likes jazz.")
    job_id = chats.added(alice, "0.5 User likes jazz.")
    chats.read_all(alice)

    assert chats.job(alice, job_id)["pending_candidates_buffered"] == 0
    assert [(memory.seen_count, memory.confidence_score) for memory in diary.rows(alice, "pat")] == [(2, 0.9)]


@requirement("end-users:jobs:nothing-said")
def test_where_nothing_is_said_of_them_an_end_user_was_seen_and_what_is_told_of_them_stays_valid(
    alice: Person, time_machine: Any
) -> None:
    time_machine.move_to(START, tick=False)
    chats.added(alice, chats.LISBON)
    chats.read_all(alice)
    with isolation.account(alice.account.pk):
        before = people.known(alice.account, "pat")
    time_machine.move_to(START + timedelta(hours=1), tick=False)
    job_id = chats.added(alice, "How do I get to the airport?")
    chats.read_all(alice)

    with isolation.account(alice.account.pk):
        after = people.known(alice.account, "pat")
    assert (chats.job(alice, job_id)["status"], chats.job(alice, job_id)["memories_created"]) == ("completed", 0)
    assert after.last_seen_at == START + timedelta(hours=1)
    assert after.revision == before.revision


@requirement("end-users:jobs:erased")
def test_a_job_of_an_end_user_who_is_erased_while_it_is_read_writes_nothing(alice: Person) -> None:
    chats.added(alice, chats.LISBON)
    claim = took(alice)
    statements = worker.heard(claim)
    with isolation.account(alice.account.pk):
        ExtractionJob.objects.all().delete()
        EndUser.objects.all().delete()

    assert worker.keep(claim, statements) is False
    worker.read(claim)
    with isolation.account(alice.account.pk):
        assert not EndUser.objects.exists()
        with pytest.raises(EndUserNotFound):
            people.known(alice.account, "pat")


@requirement("end-users:add:blocked")
def test_a_job_of_an_end_user_who_is_blocked_while_it_is_read_writes_nothing(alice: Person) -> None:
    job_id = chats.added(alice, chats.LISBON)
    claim = took(alice)
    with isolation.account(alice.account.pk):
        EndUser.objects.update(blocked_at=START)
    worker.read(claim)

    assert diary.rows(alice, "pat") == []
    assert chats.row(alice, job_id).status == "dead"


@requirement("end-users:jobs:embedder-down")
def test_with_the_embedder_down_what_was_said_is_remembered_without_a_vector(alice: Person, settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.DOWN
    job_id = chats.added(alice, chats.LISBON)
    chats.read_all(alice)

    assert chats.job(alice, job_id)["status"] == "completed"
    assert [memory.vector for memory in diary.rows(alice, "pat")] == [None]


@requirement("end-users:jobs:language-model-down")
@pytest.mark.parametrize("answer", ["no JSON", {"statements": "none"}, {}], ids=str)
def test_a_language_model_that_answers_badly_is_done_without(
    alice: Person, language_model: LanguageModelServer, answer: Any
) -> None:
    language_model.answers = [saying(answer)]
    job_id = chats.added(alice, chats.LISBON)
    chats.read_all(alice)

    assert chats.job(alice, job_id)["status"] == "completed"
    assert any("Lisbon" in content for content in chats.contents(alice))


@requirement("end-users:jobs:language-model-down")
def test_a_language_model_that_is_not_there_is_done_without(alice: Person, settings: Any) -> None:
    settings.PAM_LLM_BASE_URL, settings.PAM_LLM_MODEL = "http://127.0.0.1:1/v1", "none"
    job_id = chats.added(alice, chats.LISBON)
    chats.read_all(alice)

    assert chats.job(alice, job_id)["status"] == "completed"
    assert any("Lisbon" in content for content in chats.contents(alice))


@requirement("end-users:jobs:ids-only")
@pytest.mark.django_db(transaction=True)
def test_a_message_to_workers_carries_ids_only_and_one_is_enough(alice: Person, broker: Broker) -> None:
    for age in range(2, 5):
        chats.added(alice, f"My cat is {age} years old.")

    assert broker.taken() == [(work.READ_MESSAGES, [alice.account.pk])]
    work.took_reading(alice.account.pk)
    chats.added(alice, chats.LISBON)
    assert broker.taken() == [(work.READ_MESSAGES, [alice.account.pk])]


@requirement("end-users:jobs:broker-down")
@pytest.mark.django_db(transaction=True)
def test_with_the_broker_down_what_was_said_is_taken_in_and_read_later(
    alice: Person, dead_broker: None, broker: Broker
) -> None:
    job_id = chats.added(alice, chats.LISBON)
    assert broker.taken() == []
    assert chats.job(alice, job_id)["status"] == "queued"


@requirement("end-users:jobs:swept")
def test_the_sweep_wakes_workers_for_what_may_be_read_and_for_nothing_else(
    alice: Person, charlie: Person, broker: Broker, time_machine: Any
) -> None:
    time_machine.move_to(START, tick=False)
    chats.added(alice, chats.LISBON)
    sweeping.sweep()
    assert broker.taken() == [(work.READ_MESSAGES, [alice.account.pk])]

    took(alice)
    chats.added(charlie, chats.LISBON)
    chats.read_all(charlie)
    sweeping.sweep()
    assert broker.taken() == []

    time_machine.move_to(START + claims.lease(), tick=False)
    sweeping.sweep()
    assert broker.taken() == [(work.READ_MESSAGES, [alice.account.pk])]


@requirement("end-users:jobs:turns")
def test_an_account_with_much_to_read_lets_others_come_in_between(
    alice: Person, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pat", "kim", "sam"):
        chats.added(alice, chats.LISBON, user=name)
    monkeypatch.setattr(worker, "TURN_SECONDS", 0.0)

    assert [worker.turn(alice.account.pk) for _ in range(4)] == [True, True, False, False]
    assert {job.status for job in chats.jobs(alice)} == {"completed"}
    assert broker.taken() == [(work.READ_MESSAGES, [alice.account.pk])]


@requirement("end-users:add:processing-told")
def test_an_account_with_a_webhook_is_told_once_that_reading_is_late_and_once_that_it_has_caught_up(
    alice: Person, charlie: Person, time_machine: Any
) -> None:
    with isolation.account(alice.account.pk):
        AlertSettings.objects.create(account=alice.account, webhook_url="https://hooks.example/pam")
    time_machine.move_to(START, tick=False)
    for who in (alice, charlie):
        chats.added(who, chats.LISBON)
    told = []
    for seconds in (120, 121, 200):
        time_machine.move_to(START + timedelta(seconds=seconds), tick=False)
        sweeping.tell_delays()
        told.append(deliveries(alice))
    chats.read_all(alice)
    sweeping.tell_delays()
    sweeping.tell_delays()

    late = ("processing.delayed", {"waiting": 1, "oldest_seconds": 121})
    assert told == [[], [late], [late]]
    assert deliveries(alice) == [late, ("processing.recovered", {"waiting": 0, "oldest_seconds": 0})]
    assert deliveries(charlie) == []


def deliveries(who: Person) -> list[tuple[str, dict[str, int]]]:
    with isolation.account(who.account.pk):
        return list(WebhookDelivery.objects.filter(account=who.account).order_by("id").values_list("event", "data"))


@requirement("end-users:jobs:many")
def test_a_job_is_found_at_once_however_many_wait_and_whatever_the_planner_knows_of_them(alice: Person) -> None:
    with isolation.account(alice.account.pk):
        users = [people.seen(alice.account, f"pat-{number}") for number in range(50)]
        ExtractionJob.objects.bulk_create(
            ExtractionJob(account=alice.account, end_user=users[number % 50], messages=[], due_at=START)
            for number in range(5_000)
        )
    took(alice)
    values = {"account": alice.account.pk, "now": START + timedelta(days=1), "due_at": START + timedelta(days=2)}
    with isolation.account(alice.account.pk), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {claims._TAKE}", values)
        (plan,) = cursor.fetchone()[0]

    assert plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"] < 300


@requirement("end-users:add:durable")
def test_what_was_answered_is_on_the_disk_before_it_is_answered(alice: Person) -> None:
    chats.added(alice, chats.LISBON)
    with CaptureQueriesContext(connection) as queries:
        chats.added(alice, "I work as a nurse.")

    said = [query["sql"] for query in queries.captured_queries]
    stored = next(at for at, sql in enumerate(said) if sql.startswith('INSERT INTO "memories_extractionjob"'))
    begun = max(at for at in range(stored) if "pam.account_id" in said[at])
    assert "synchronous_commit" not in "".join(said[begun:stored])


@requirement("bench:intake")
def test_the_benchmark_counts_what_was_said_and_what_became_of_it(alice: Person) -> None:
    account = str(alice.account.public_id)
    assert talked.say(account, "3", "12") > 0
    chats.read_all(alice)

    told = talked.watch(account)
    assert (told["jobs"], told["over"], told["dead"], told["tried"]) == (12, 12, 0, 12)
    assert told["memories"] == told["created"] > 0
