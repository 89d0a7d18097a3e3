"""Real workers, killed in the middle: what was answered is there, nothing is half there, another one takes over."""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts import isolation
from memories.company import readiness
from memories.company.intake import documents
from memories.company.processing import queue
from memories.models import Document, Entity, Fact, Mention, Section, Upload
from tests.cast import Person
from tests.memories import embedders, pipeline
from tests.memories.real_workers import Worker, until
from tests.requirements import requirement

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "".join(
    f"## Depot {number}\n\nInes Okafor opens depot {number}. It has {number} bicycles. Its gate is number {number}.\n\n"
    for number in range(1500)
)


def at_once(work: Callable[[int], Any], numbers: Sequence[int]) -> list[Any]:
    """Calls `work` with each number, each in a thread and on a connection of its own."""

    def alone(number: int) -> Any:
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(numbers)) as threads:
        return list(threads.map(alone, numbers))


def made_of(who: Person) -> dict[str, int]:
    with isolation.account(who.account.pk):
        return {kind.__name__: kind.objects.count() for kind in (Section, Fact, Entity, Mention)}


@requirement("company:workers:killed")
def test_a_worker_killed_in_mid_document_leaves_nothing_half_done_and_the_next_one_takes_over(
    alice: Person, start_worker: Callable[[], Worker]
) -> None:
    first = start_worker()
    pipeline.given(alice, {"long.md": LONG, "plan.md": "# Plan\n\nThe new depot opens in May."})
    until(lambda: pipeline.documents(alice.account)["long.md"] == Document.State.PROCESSING, seconds=60)
    first.kill()

    states = pipeline.documents(alice.account)
    assert states["long.md"] == Document.State.PROCESSING
    assert readiness.of(alice.account).state == "processing"
    assert made_of(alice) == {"Section": 0, "Fact": 0, "Entity": 0, "Mention": 0}
    with isolation.account(alice.account.pk):
        assert Upload.objects.count() == 2

    start_worker()

    def is_done() -> bool:
        queue.sweep()  # as beat would, every half minute
        return readiness.of(alice.account).state == "ready_rich"

    until(is_done, seconds=180)
    assert set(pipeline.documents(alice.account).values()) == {Document.State.READY}
    assert made_of(alice)["Fact"] > 4_500
    with isolation.account(alice.account.pk):
        assert Document.objects.get(path="long.md").fact_count == Fact.objects.filter(document__path="long.md").count()
        assert not Upload.objects.exists()


@requirement("company:import:at-once")
def test_two_imports_of_one_path_at_the_same_time_make_one_document_with_the_content_of_the_last(alice: Person) -> None:
    def store(number: int) -> list[Any]:
        names = "abcdefgh" if number % 2 else "hgfedcba"
        files: dict[str, bytes | str] = {f"{name}.md": f"# Plan\n\nVersion {number} of {name}." for name in names}
        return pipeline.given(alice, files)

    answers = [answer for some in at_once(store, range(8)) for answer in some]

    assert len(answers) == 64
    assert len({answer.document_id for answer in answers}) == 8
    with isolation.account(alice.account.pk):
        uploads = {upload.document_id: bytes(upload.content) for upload in Upload.objects.all()}
        hashes = {document.pk: document.content_hash for document in Document.objects.all()}
    pipeline.read_all(alice.account)
    assert len(uploads) == len(hashes) == 8
    assert len(pipeline.statements(alice.account)) == 8
    assert {hashlib.sha256(content).hexdigest() for content in uploads.values()} == set(hashes.values())


@requirement("company:import:at-once")
def test_documents_that_name_the_same_people_are_stored_and_deleted_at_the_same_time_without_loss(
    alice: Person, settings: Any
) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING
    text = "| Area | Owner |\n| --- | --- |\n| Billing | Ines Okafor |\n| Support | Priya Raman |\n"
    pipeline.imported(alice, {f"{number}.md": f"# Owners {number}\n\n{text}" for number in range(12)})

    def change(number: int) -> None:
        if number % 2:
            documents.delete(alice.caller, pipeline.document(alice.account, f"{number}.md").public_id)
        else:
            pipeline.imported(alice, {f"{number}.md": f"# Owners {number}\n\n{text}| Desk | Ingrid Vale |\n"})

    at_once(change, range(12))
    pipeline.read_all(alice.account)

    assert pipeline.documents(alice.account) == {f"{number}.md": "ready" for number in range(0, 12, 2)}
    with isolation.account(alice.account.pk):
        labels = set(Entity.objects.values_list("label", flat=True))
        assert {"Ines Okafor", "Priya Raman", "Ingrid Vale"} <= labels
        assert Mention.objects.filter(entity__label="Ines Okafor").count() == 6


@requirement("company:workers:database-gone")
def test_a_worker_whose_database_connections_die_in_mid_document_finishes_it_in_another_attempt(
    alice: Person, start_worker: Callable[[], Worker]
) -> None:
    worker = start_worker()
    pipeline.given(alice, {"long.md": LONG})
    until(lambda: pipeline.documents(alice.account)["long.md"] == Document.State.PROCESSING, seconds=60)

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    def is_done() -> bool:
        queue.sweep()
        return readiness.of(alice.account).state == "ready_rich"

    until(is_done, seconds=180)
    assert worker.process.poll() is None
    with isolation.account(alice.account.pk):
        document = Document.objects.get()
        assert document.fact_count == Fact.objects.count() == 4_500
        assert document.section_count == Section.objects.count()
