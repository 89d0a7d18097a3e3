"""Records in the queue of vectors: apart from documents, found again by the sweep, counted when idle."""

from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from accounts import isolation
from memories import embedding
from memories.agents import record, searching
from memories.company import readiness
from memories.company.processing import queue, vectors
from memories.models import Record, Section, WordCorpus, WordFrequency
from tests.cast import Person
from tests.memories import embedders, pipeline
from tests.memories.agents.notebook import item, noted, rows
from tests.memories.broker import Broker
from tests.requirements import requirement


@pytest.fixture(autouse=True)
def counting(settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING


@requirement("knowledge:vectors:apart")
def test_records_get_their_vectors_while_documents_wait_and_say_nothing_of_readiness(alice: Person) -> None:
    pipeline.given(alice, {"plan.md": "# Plan\n\nThe depot opens in May."})
    noted(alice.agent, "The bell rings at noon")
    before = readiness.of(alice.account)

    assert vectors.embed(alice.account.pk) is True

    assert [row.vector_model for row in rows(alice.agent)] == [embedding.model_name()]
    assert readiness.of(alice.account) == before
    with isolation.account(alice.account.pk):
        assert not Section.objects.filter(vector__isnull=False).exists()


@requirement("knowledge:vectors:window")
def test_a_windows_vector_is_the_weighted_mean_of_its_records(alice: Person) -> None:
    said = ["The bell rings", "The winch is dry", "The rope is new", "The mill stands"]
    record.summary(alice.agent, session="a", items=[item(text) for text in said])
    pipeline.embed_all(alice.account)

    own = embedding.documents(said)
    whole = 0.5 * own[0] + own[1] + 0.5 * own[2] + 0.25 * own[3]
    stored = np.array(rows(alice.agent)[1].near_vector)
    assert stored @ (whole / np.linalg.norm(whole)) == pytest.approx(1, abs=0.001)


@requirement("knowledge:vectors:sweep")
def test_records_whose_message_was_lost_are_swept_up(alice: Person, broker: Broker) -> None:
    readiness.of(alice.account)
    noted(alice.agent, "The bell rings at noon")
    broker.forget()

    queue.sweep()

    assert broker.taken() == [("memories.tasks.embed", [alice.account.pk])]


@requirement("knowledge:vectors:reembed")
def test_a_new_model_takes_records_over_too(alice: Person, settings: Any) -> None:
    record.summary(alice.agent, session="a", items=[item("The bell rings"), item("The winch is dry")])
    pipeline.embed_all(alice.account)
    settings.PAM_EMBEDDING_MODEL = "another-model"
    assert vectors.stale(alice.account.pk) == 2

    assert vectors.renew(alice.account.pk, limit=1) == 1
    halfway = searching.search(alice.agent, query="winch").records
    call_command("reembed")

    assert {hit.record.text for hit in halfway} >= {"The winch is dry"}
    assert {row.vector_model for row in rows(alice.agent)} == {"another-model"}
    assert all(row.near_vector is not None for row in rows(alice.agent))


@requirement("knowledge:vectors:statistics")
def test_the_words_of_records_are_counted_when_the_rush_is_over(alice: Person) -> None:
    record.summary(alice.agent, items=[item("The bell rings"), item("The bell is old"), item("The winch is dry")])
    pipeline.embed_all(alice.account)

    with isolation.account(alice.account.pk):
        assert WordCorpus.objects.get(account=alice.account, corpus="record").texts == 3
        held = WordFrequency.objects.filter(account=alice.account, corpus="record").values_list("texts", flat=True)
        assert max(held) == 3
        assert Record.objects.count() == 3
