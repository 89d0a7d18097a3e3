"""Readiness is true at every step, and costs one query to read."""

from typing import Any

import pytest

from accounts import isolation
from memories.company import readiness
from memories.company.intake import documents
from memories.models import Readiness
from tests.browsing import signed_in
from tests.cast import Person
from tests.documents import builders
from tests.memories import embedders, pipeline
from tests.requirements import requirement

READINESS = "/v1/dev/readiness"
PLAN = "# Plan\n\nInes Okafor owns billing. The new depot opens in May."


@pytest.fixture(autouse=True)
def quick_vectors(settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING


@requirement("company:readiness:states")
def test_an_account_goes_from_waiting_through_processing_to_ready(alice: Person) -> None:
    seen = [readiness.of(alice.account).state]
    pipeline.given(alice, {"plan.md": PLAN, "more.md": PLAN})
    seen.append(readiness.of(alice.account).state)
    pipeline.read_all(alice.account)
    seen.append(readiness.of(alice.account).state)
    pipeline.embed_all(alice.account)
    seen.append(readiness.of(alice.account).state)

    assert seen == ["waiting_for_sources", "processing", "ready_minimal", "ready_rich"]


@requirement("company:readiness:stays-available")
def test_an_import_into_a_ready_account_never_takes_it_back_to_processing(alice: Person) -> None:
    pipeline.imported(alice, {"plan.md": PLAN})

    pipeline.given(alice, {"more.md": PLAN, "plan.md": PLAN + " It closes in June."})

    report = readiness.of(alice.account)
    assert (report.ready, report.state, report.latest_pipeline_status) == (True, "ready_minimal", "running")
    assert (report.connected_sources_count, report.completed_sources_count) == (1, 0)
    assert "2 documents wait to be read" in report.estimated_wait_message


@requirement("company:readiness:states")
def test_documents_of_which_none_can_be_read_are_an_error_and_one_that_can_ends_it(alice: Person) -> None:
    pipeline.imported(alice, {"plan.docx": builders.fake_docx()})
    broken = readiness.of(alice.account)
    pipeline.imported(alice, {"plan.md": PLAN})
    mended = readiness.of(alice.account)

    assert (broken.ready, broken.state, broken.latest_pipeline_status) == (False, "error", "failed")
    assert (mended.ready, mended.state, mended.latest_pipeline_status) == (True, "ready_rich", "completed_with_errors")


@requirement("company:readiness:states")
def test_deleting_the_last_document_is_waiting_for_sources_again(alice: Person) -> None:
    document = pipeline.imported(alice, {"plan.md": PLAN})[0]

    documents.delete(alice.caller, document.document_id)

    assert readiness.of(alice.account).state == "waiting_for_sources"


@requirement("company:readiness:states")
def test_an_account_without_a_plan_is_not_provisioned(alice: Person) -> None:
    alice.account.plan = None

    assert readiness.of(alice.account).state == "not_provisioned"


@requirement("company:readiness:cost")
def test_reading_readiness_is_one_query(alice: Person, django_assert_num_queries: Any) -> None:
    pipeline.imported(alice, {"plan.md": PLAN})

    # Savepoint, the row, release.
    with django_assert_num_queries(3):
        readiness.of(alice.account)


@requirement("company:readiness:api")
def test_the_console_sees_readiness_and_an_agent_key_does_not(alice: Person) -> None:
    pipeline.imported(alice, {"plan.md": PLAN})
    client = signed_in(alice)

    answer = client.get(READINESS)

    assert answer.json() == {
        "ready": True,
        "state": "ready_rich",
        "connected_sources_count": 1,
        "completed_sources_count": 1,
        "latest_pipeline_status": "completed",
        "estimated_wait_message": "",
        "has_facts": True,
        "has_context_markdown": True,
        "has_tree_index": True,
    }
    client.logout()
    assert client.get(READINESS, headers={"Authorization": f"Bearer {alice.secret}"}).status_code == 401


@requirement("company:readiness:estimate")
@pytest.mark.parametrize(
    ("rate", "unembedded", "said"),
    [
        (100.0, 500, "Less than a minute. 500 passages, found by their words, still have no vector."),
        (10.0, 3000, "About 5 minutes. 3,000 passages, found by their words, still have no vector."),
        (1.0, 1, "Less than a minute. 1 passage, found by its words, still has no vector."),
        (0.5, 9000, "About 5 hours. 9,000 passages, found by their words, still have no vector."),
    ],
)
def test_the_wait_is_told_from_the_queue_and_the_measured_rate(
    alice: Person, rate: float, unembedded: int, said: str
) -> None:
    with isolation.account(alice.account.pk):
        Readiness.objects.create(
            account=alice.account,
            state="ready_minimal",
            documents=3,
            documents_ready=3,
            sections=900,
            facts=9000,
            unembedded=unembedded,
            embedding_rate=rate,
        )

    assert readiness.of(alice.account).estimated_wait_message == said


@requirement("company:readiness:per-account")
def test_one_account_does_not_move_anothers_readiness(alice: Person, charlie: Person) -> None:
    pipeline.imported(charlie, {"plan.md": PLAN})

    assert readiness.of(alice.account).state == "waiting_for_sources"
    assert readiness.of(charlie.account).state == "ready_rich"
