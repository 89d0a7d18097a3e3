"""The index of nearest neighbours, as an account grows over the size that is scanned whole, and back."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts import isolation
from memories import search
from memories.company.processing import neighbours, queue, vectors
from memories.models import Document, Fact, Readiness, Section
from tests.cast import Person
from tests.memories import pipeline
from tests.memories.broker import Broker
from tests.memories.company.shelf import LUMEN_FERRY, shelve
from tests.requirements import requirement

PROMPTS = ["Who owns billing?", "PAY-4417", "How long do passengers wait for their money?"]


@pytest.fixture
def ferry(alice: Person) -> Person:
    shelve(alice.agent, LUMEN_FERRY)
    return alice


def size(person: Person) -> int:
    with isolation.account(person.account.pk):
        return Readiness.objects.get(account=person.account).facts


def indexed(person: Person) -> list[bool]:
    """Of every fact and section with a vector, whether it stands in the index."""
    with isolation.account(person.account.pk):
        kinds = [kind.objects.filter(vector__isnull=False) for kind in (Fact, Section)]
        return [is_indexed for kind in kinds for is_indexed in kind.values_list("is_indexed", flat=True)]


def found(person: Person) -> list[list[int]]:
    with isolation.account(person.account.pk):
        return [[fact.id for fact in search.find(person.account, search.prepare(prompt)).facts] for prompt in PROMPTS]


def growing(person: Person) -> Iterator[list[list[int]]]:
    """What is found before the first row is put into the index, and after every few."""
    yield found(person)
    while neighbours.settle(person.account.pk, limit=3):
        yield found(person)
    yield found(person)


@requirement("search:indexes:growth")
def test_an_account_that_grows_over_the_border_finds_everything_while_its_rows_go_into_the_index(
    ferry: Person, settings: Any
) -> None:
    whole = found(ferry)
    assert not any(indexed(ferry))
    settings.PAM_EXACT_SCAN_FACTS = size(ferry) - 1

    steps = list(growing(ferry))

    assert len(steps) > 3
    assert all(step == whole for step in steps)
    assert all(indexed(ferry))


@requirement("search:indexes:growth")
def test_an_account_that_shrank_to_half_the_border_leaves_the_index_and_finds_everything(
    ferry: Person, settings: Any
) -> None:
    whole = found(ferry)
    settings.PAM_EXACT_SCAN_FACTS = size(ferry) - 1
    pipeline.embed_all(ferry.account)
    settings.PAM_EXACT_SCAN_FACTS = 2 * size(ferry) - 1
    pipeline.embed_all(ferry.account)
    assert all(indexed(ferry))
    settings.PAM_EXACT_SCAN_FACTS = 2 * size(ferry)

    assert neighbours.settle(ferry.account.pk, limit=3) is False

    assert not any(indexed(ferry))
    assert found(ferry) == whole
    settings.PAM_EXACT_SCAN_FACTS = 0
    assert found(ferry) == whole


@requirement("search:indexes:growth")
def test_what_a_large_account_imports_goes_into_the_index_with_its_vector(ferry: Person, settings: Any) -> None:
    settings.PAM_EXACT_SCAN_FACTS = 1
    pipeline.embed_all(ferry.account)
    before = len(indexed(ferry))

    pipeline.given(ferry, {"tides.md": "# Tides\n\nThe spring tide closes the Harwick ramp for two hours."})
    pipeline.read_all(ferry.account)
    vectors.embed(ferry.account.pk)

    assert len(indexed(ferry)) == before + 2
    assert all(indexed(ferry))


@requirement("search:indexes:growth")
def test_a_sweep_wakes_a_worker_for_a_large_account_outside_the_index_and_for_no_other(
    ferry: Person, settings: Any, broker: Broker
) -> None:
    queue.sweep()
    assert broker.taken() == []
    settings.PAM_EXACT_SCAN_FACTS = 1

    queue.sweep()

    assert broker.taken() == [("memories.tasks.embed", [ferry.account.pk])]
    pipeline.embed_all(ferry.account)
    queue.sweep()
    assert broker.taken() == []


@requirement("search:indexes:growth")
def test_a_document_deleted_from_a_large_account_is_found_no_more(ferry: Person, settings: Any) -> None:
    settings.PAM_EXACT_SCAN_FACTS = 1
    pipeline.embed_all(ferry.account)
    with isolation.account(ferry.account.pk):
        Document.objects.get(path="people/owners.md").delete()
        left = search.find(ferry.account, search.prepare("Who owns billing?"))

    assert all("Billing" not in fact.statement for fact in left.facts)
