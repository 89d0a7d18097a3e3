"""A warm copy answers as the scan in Postgres does, and never for what changed since it was read."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from accounts import isolation
from memories import candidates, search
from memories.candidates import Candidate
from memories.company.intake import documents
from memories.models import Fact, SearchChange, Section
from memories.warm import copies
from tests.cast import Person
from tests.memories.company.shelf import LUMEN_FERRY, shelve
from tests.requirements import requirement

PROMPTS = [
    "How many days does it take until passengers get their money back?",
    "what is PAY-4417?",
    "Who owns the timetable, and when does the Saltmarsh contract end?",
    "Xylophones of Zanzibar",
]


@pytest.fixture
def ferry(alice: Person, settings: Any) -> Iterator[Person]:
    """Her account holds a library, and a copy of it is warm."""
    settings.PAM_WARM_MB = 64
    shelve(alice.agent, LUMEN_FERRY)
    copies.load(alice.account.pk)
    yield alice
    copies.forget()


def scans(person: Person, prompt: str) -> tuple[list[list[Candidate]] | None, list[list[Candidate]]]:
    """By the copy, and by Postgres."""
    prepared = search.prepare(prompt)
    with isolation.account(person.account.pk):
        queries, known = search.queries(person.account, prepared)
        warm = copies.scored(person.account, queries, search.COMPANY, known.facts)
        return warm, candidates.scored(person.account, queries, search.COMPANY, known)


@requirement("search:warm:same")
@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_copy_gives_the_same_facts_with_the_same_scores(ferry: Person, prompt: str) -> None:
    warm, cold = scans(ferry, prompt)

    assert warm is not None
    for by_copy, by_postgres in zip(warm, cold, strict=True):
        expected = {candidate.fact_id: candidate for candidate in by_postgres}
        assert [each.fact_id for each in by_copy][:12] == [each.fact_id for each in by_postgres][:12]
        for candidate in by_copy:
            same = expected[candidate.fact_id]
            assert candidate.score == pytest.approx(same.score, abs=0.002)
            assert (candidate.section_id, candidate.document_id) == (same.section_id, same.document_id)
            assert candidate.statement_hash == same.statement_hash


@requirement("search:warm:same")
def test_rows_without_a_vector_and_questions_without_one_are_scored_alike(ferry: Person) -> None:
    with isolation.account(ferry.account.pk):
        some = list(Fact.objects.order_by("id").values_list("pk", flat=True)[::2])
        Fact.objects.filter(pk__in=some).update(vector=None)
        Section.objects.filter(pk=Section.objects.order_by("id")[0].pk).update(vector=None)
    copies.load(ferry.account.pk)

    warm, cold = scans(ferry, PROMPTS[0])
    assert warm is not None
    assert [each.fact_id for each in warm[0]][:12] == [each.fact_id for each in cold[0]][:12]
    with isolation.account(ferry.account.pk):
        queries, known = search.queries(ferry.account, search.Prepared([PROMPTS[0]], [None], ""))
        by_words = copies.scored(ferry.account, queries, search.COMPANY, known.facts)
        by_postgres = candidates.scored(ferry.account, queries, search.COMPANY, known)
    assert by_words is not None
    scores = [[candidate.score for candidate in found[:12]] for found in (by_words[0], by_postgres[0])]
    np.testing.assert_allclose(scores[0], scores[1], atol=0.002)


@requirement("search:warm:fresh")
@pytest.mark.parametrize("change", ["insert", "update", "delete"])
def test_after_any_change_the_copy_is_not_used(ferry: Person, change: str) -> None:
    assert scans(ferry, PROMPTS[0])[0] is not None

    with isolation.account(ferry.account.pk):
        fact = Fact.objects.order_by("id").first()
        assert fact is not None
        if change == "delete":
            fact.delete()
        elif change == "update":
            Fact.objects.filter(pk=fact.pk).update(statement_hash="0" * 64)
        else:
            fact.pk = None
            fact.save(force_insert=True)

    assert scans(ferry, PROMPTS[0])[0] is None
    copies.load(ferry.account.pk)
    assert scans(ferry, PROMPTS[0])[0] is not None


@requirement("search:warm:fresh")
def test_a_deleted_document_is_found_by_nothing_the_moment_it_is_gone(ferry: Person) -> None:
    page = documents.listed(ferry.agent)
    refunds = next(document for document in page.items if "refund" in document.path)

    documents.delete(ferry.agent, refunds.public_id)

    with isolation.account(ferry.account.pk):
        found = search.find(ferry.account, search.prepare(PROMPTS[0]))
    assert all(origin.path != refunds.path for fact in found.facts for origin in fact.sources)


@requirement("search:warm:own")
def test_another_accounts_change_leaves_a_copy_in_use(ferry: Person, charlie: Person) -> None:
    shelve(charlie.agent, LUMEN_FERRY)

    assert scans(ferry, PROMPTS[0])[0] is not None
    assert scans(charlie, PROMPTS[0])[0] is None


@requirement("search:warm:bounded")
def test_copies_beyond_their_room_give_way(ferry: Person, charlie: Person, settings: Any) -> None:
    settings.PAM_WARM_MB = 0.5
    shelve(charlie.agent, LUMEN_FERRY)
    copies.load(ferry.account.pk)
    used = [scans(ferry, PROMPTS[0])[0] is not None]
    settings.PAM_WARM_MB = 0.00001
    copies.load(charlie.account.pk)
    used.append(scans(charlie, PROMPTS[0])[0] is not None)

    assert used == [True, False]


@requirement("search:warm:pruned")
def test_old_marks_of_change_go_but_for_the_newest(ferry: Person) -> None:
    with isolation.account(ferry.account.pk):
        newest = SearchChange.objects.latest("id").pk
        SearchChange.objects.update(changed_at="2026-01-01T00:00:00Z")

    copies.prune()

    with isolation.account(ferry.account.pk):
        assert list(SearchChange.objects.values_list("pk", flat=True)) == [newest]
