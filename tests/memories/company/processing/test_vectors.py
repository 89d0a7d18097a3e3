"""Vectors: filled in across documents, made again for a new model, waited for when the embedder is away."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
import time_machine
from django.core.management import call_command
from django.db.models import Count
from django.utils import timezone

from accounts import isolation
from accounts.models import Account
from memories import embedding, search, tasks, work
from memories.company import readiness
from memories.company.processing import claims, queue, vectors
from memories.models import Fact, Readiness, Section
from pam.checks import vectors_fit_their_columns
from tests.cast import Person
from tests.memories import embedders, pipeline
from tests.memories.broker import Broker
from tests.memories.embedders import CountingEmbedder
from tests.requirements import requirement

PLAN = "# Plan\n\nERR-4912 means that the gate is stuck. The new depot opens in May."


@pytest.fixture(autouse=True)
def counting(settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING
    CountingEmbedder.texts.clear()


def models(account: Account) -> dict[str, int]:
    """Model name -> rows, facts and sections; "" for those without a vector."""
    found: dict[str, int] = {}
    with isolation.account(account.pk):
        for kind in (Fact, Section):
            for name, count in kind.objects.filter(account=account).values_list("vector_model").annotate(Count("id")):
                found[name] = found.get(name, 0) + count
    return found


@requirement("company:vectors:batches")
def test_the_rows_of_many_documents_are_embedded_together(alice: Person) -> None:
    pipeline.given(alice, {f"{number}.md": f"# Depot {number}\n\nIt opens at {number}." for number in range(30)})
    pipeline.read_all(alice.account)

    assert vectors.embed(alice.account.pk) is True

    assert len(CountingEmbedder.texts) == 60
    assert models(alice.account) == {embedding.model_name(): 60}
    assert readiness.of(alice.account).state == "ready_rich"


@requirement("company:vectors:true")
def test_each_row_has_the_vector_of_its_own_text(alice: Person) -> None:
    pipeline.imported(alice, {"plan.md": PLAN})

    with isolation.account(alice.account.pk):
        stored = dict(Fact.objects.values_list("statement", "vector"))
    made = embedding.documents([f"Plan: {statement}" for statement in stored])
    for vector, expected in zip(stored.values(), made, strict=True):
        assert np.array(vector) @ expected == pytest.approx(1, abs=0.001)


@requirement("company:vectors:embedder-down")
def test_while_the_embedder_is_away_rows_are_kept_found_by_words_and_asked_for_ever_more_rarely(
    alice: Person, settings: Any, broker: Broker
) -> None:
    settings.PAM_EMBEDDER = embedders.DOWN
    pipeline.given(alice, {"plan.md": PLAN})
    pipeline.read_all(alice.account)
    pauses = []
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(7):
            assert vectors.embed(alice.account.pk) is False
            with isolation.account(alice.account.pk):
                again = Readiness.objects.get(account=alice.account).embed_again_at
            assert again is not None
            pauses.append((again - timezone.now()).total_seconds())
            queue.sweep()
            assert broker.taken() == []
            clock.move_to(again)

        with isolation.account(alice.account.pk):
            found = search.find(
                alice.account, search.prepare("What does ERR-4912 mean, and is it asked here for the first time?")
            )
        report = readiness.of(alice.account)
        queue.sweep()
        assert broker.taken() == [("memories.tasks.embed", [alice.account.pk])]
        settings.PAM_EMBEDDER = embedders.COUNTING
        pipeline.embed_all(alice.account)

    assert pauses == [30, 60, 120, 240, 480, 900, 900]
    assert found.degraded
    assert found.facts[0].statement == "ERR-4912 means that the gate is stuck."
    assert (report.state, report.latest_pipeline_status) == ("ready_minimal", "retrying")
    assert "does not answer" in report.estimated_wait_message
    assert models(alice.account) == {embedding.model_name(): 3}
    with isolation.account(alice.account.pk):
        row = Readiness.objects.get(account=alice.account)
    assert (row.state, row.embedder_failures, row.embed_again_at) == ("ready_rich", 0, None)


@requirement("company:vectors:wrong-dimension")
def test_rows_of_an_embedder_of_the_wrong_dimension_are_kept_without_a_vector(alice: Person, settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.WIDE
    pipeline.imported(alice, {"plan.md": PLAN})

    assert models(alice.account) == {"": 3}
    assert pipeline.documents(alice.account) == {"plan.md": "ready"}
    with isolation.account(alice.account.pk):
        assert search.find(alice.account, search.prepare("What does ERR-4912 mean?")).facts


@requirement("company:vectors:reembed")
def test_a_new_model_takes_over_row_by_row_and_may_be_stopped_in_between(
    alice: Person, settings: Any, capsys: Any
) -> None:
    pipeline.imported(alice, {"plan.md": PLAN, "codes.md": "# Codes\n\nERR-5 is a flat tyre. ERR-6 is a lost key."})
    old = embedding.model_name()
    settings.PAM_EMBEDDING_MODEL = "another-model"
    assert vectors.stale(alice.account.pk) == 6

    assert vectors.renew(alice.account.pk, limit=1) == 2  # a section and a fact; then somebody stops it
    with isolation.account(alice.account.pk):
        found = search.find(alice.account, search.prepare("What does ERR-4912 mean?"))
    halfway = models(alice.account)
    call_command("reembed")

    assert found.facts[0].statement == "ERR-4912 means that the gate is stuck."
    assert halfway == {old: 4, "another-model": 2}
    assert models(alice.account) == {"another-model": 6}
    assert "4 rows now have vectors of another-model." in capsys.readouterr().out


@requirement("company:vectors:shared")
def test_two_workers_at_one_account_take_different_rows(alice: Person, broker: Broker) -> None:
    pipeline.given(alice, {f"{n}.md": "".join(f"## {m}\n\nIt is {n} {m}.\n\n" for m in range(300)) for n in range(4)})
    pipeline.read_all(alice.account)

    with vectors._reserved(alice.account.pk) as mine, vectors._reserved(alice.account.pk) as theirs:
        first = {(kind, pk) for kind, ids in mine.items() for pk in ids}
        second = {(kind, pk) for kind, ids in theirs.items() for pk in ids}
    with vectors._reserved(alice.account.pk) as again:
        third = {(kind, pk) for kind, ids in again.items() for pk in ids}

    assert len(first) >= vectors.TURN
    assert len(second) > vectors.TURN // 2
    assert not first & second
    assert third == first


@requirement("company:vectors:shared")
def test_the_message_for_vectors_is_sent_once_until_a_worker_has_taken_it(alice: Person, broker: Broker) -> None:
    for _ in range(3):
        work.send_embed(alice.account.pk)
    assert broker.taken() == [("memories.tasks.embed", [alice.account.pk])]

    work.took_embed(alice.account.pk)
    work.send_embed(alice.account.pk)

    assert len(broker.taken()) == 1


@requirement("company:queue:sweep")
def test_what_waits_without_a_message_is_sent_for_again_and_what_is_worked_on_is_not(
    alice: Person, charlie: Person, broker: Broker
) -> None:
    pipeline.given(alice, {f"{number}.md": "A plan." for number in range(9)})
    pipeline.given(charlie, {"plan.md": "A plan."})
    queue.sweep()
    assert broker.taken() == []  # their own messages are still on the way

    with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
        queue.sweep()
        sent = broker.taken()
        claims_of = pipeline.document(charlie.account, "plan.md").pk
        assert (("memories.tasks.process_document", [claims_of, charlie.account.pk])) in sent
        assert [ids[1] for _, ids in sent].count(alice.account.pk) == 4

        claims.take(charlie.account.pk, claims_of)
        queue.sweep()
        assert [ids[1] for _, ids in broker.taken()].count(charlie.account.pk) == 0

    with time_machine.travel(timezone.now() + timedelta(minutes=3), tick=False):
        queue.sweep()
        assert [ids[1] for _, ids in broker.taken()].count(charlie.account.pk) == 1


@requirement("company:queue:ids-only")
def test_messages_carry_ids_and_no_text(alice: Person, broker: Broker, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        pipeline.given(alice, {f"secret-{number}.md": "The code is 4912." for number in range(9)})

    sent = broker.taken()

    assert len(sent) == 4
    assert {name for name, _ in sent} == {"memories.tasks.process_document"}
    assert all(isinstance(argument, int) for _, arguments in sent for argument in arguments)


@requirement("company:queue:broker-down")
def test_a_sweep_finds_what_was_stored_while_the_broker_was_down(alice: Person, broker: Broker) -> None:
    pipeline.given(alice, {"plan.md": "A plan."})

    with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
        queue.sweep()

    document = pipeline.document(alice.account, "plan.md")
    assert broker.taken() == [("memories.tasks.process_document", [document.pk, alice.account.pk])]


@requirement("company:queue:broker-down")
def test_a_dead_broker_fails_neither_reading_nor_embedding(alice: Person, dead_broker: None) -> None:
    pipeline.given(alice, {"plan.md": PLAN})
    document = pipeline.document(alice.account, "plan.md")

    tasks.process_document(document.pk, alice.account.pk)
    tasks.embed(alice.account.pk)

    assert readiness.of(alice.account).state == "ready_rich"


@requirement("company:vectors:wrong-dimension")
def test_start_up_tells_both_numbers_of_a_model_that_does_not_fit(settings: Any) -> None:
    assert vectors_fit_their_columns() == []

    settings.PAM_EMBEDDER = embedders.WIDE
    misfit = vectors_fit_their_columns()
    settings.PAM_EMBEDDER = "tests.memories.embedders.NoSuchEmbedder"
    absent = vectors_fit_their_columns()

    assert [message.id for message in misfit] == ["pam.E005"]
    assert "768" in misfit[0].msg
    assert "384" in misfit[0].msg
    assert [message.id for message in absent] == ["pam.W002"]
