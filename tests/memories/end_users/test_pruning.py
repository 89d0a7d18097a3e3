"""What is kept for a while only goes when its time is over, and nothing else does."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import isolation
from memories.end_users import pruning
from memories.models import (
    EndUser,
    Erasure,
    ExtractionJob,
    IdempotentAnswer,
    LifecycleRun,
    Memory,
    PendingCandidate,
    Retrieval,
)
from tests.cast import Person
from tests.memories.end_users.diary import told
from tests.requirements import requirement


def aged(who: Person, model: type[Any], days: float, number: int) -> int:
    """A row of `model` that is so many days old; its key."""
    at = timezone.now() - timedelta(days=days)
    row = EndUser.objects.get(account=who.account)
    own: dict[str, Any] = {"account": who.account, "end_user": row}
    hashes = {"gist_hash": "0" * 64, "payload_hash": "0" * 64}
    made = {
        Retrieval: lambda: Retrieval(**own, created_at=at),
        IdempotentAnswer: lambda: IdempotentAnswer(**own, key=str(number), request_hash="0" * 64, created_at=at),
        PendingCandidate: lambda: PendingCandidate(
            **own, content="x", content_hash=str(number), category="fact", importance_score=5, confidence_score=0.5,
            created_at=at,
        ),
        ExtractionJob: lambda: ExtractionJob(**own, **hashes, status="completed", queued_at=at, completed_at=at),
        LifecycleRun: lambda: LifecycleRun(
            account=who.account, day=at.date(), state="done", live=1, due=0, finished_at=at
        ),
        Erasure: lambda: Erasure(
            account=who.account, end_user_pk=number, erased_by="x", memories_removed=1, erased_at=at, swept_at=at
        ),
    }[model]()  # fmt: skip
    made.save()
    return int(made.pk)


@requirement("end-users:pruning")
@pytest.mark.parametrize(
    ("model", "days"),
    [
        (Retrieval, 30),
        (IdempotentAnswer, 1),
        (PendingCandidate, 30),
        (ExtractionJob, 30),
        (LifecycleRun, 90),
        (Erasure, 90),
    ],
)
def test_what_is_older_than_its_time_goes_in_batches(
    alice: Person, monkeypatch: pytest.MonkeyPatch, model: type[Any], days: int
) -> None:
    monkeypatch.setattr(pruning, "BATCH", 2)
    told(alice, "kim", "User likes quiet birds.")
    with isolation.account(alice.account.pk):
        kept = {aged(alice, model, age, number) for number, age in enumerate((0, days - 0.9))}
        for number, age in enumerate((1.3, 3, 5, 7, 900), start=2):
            aged(alice, model, days - 1 + age, number)

    assert pruning.prune() == 5

    with isolation.account(alice.account.pk):
        assert set(model.objects.values_list("pk", flat=True)) == kept
        assert Memory.objects.count() == 1


@requirement("end-users:pruning")
@pytest.mark.parametrize("status", ["queued", "processing"])
def test_a_job_that_is_not_over_stays_however_old(alice: Person, status: str) -> None:
    told(alice, "kim", "User likes quiet birds.")
    with isolation.account(alice.account.pk):
        job = aged(alice, ExtractionJob, 900, 1)
        ExtractionJob.objects.filter(pk=job).update(status=status, completed_at=None)

    assert pruning.prune() == 0
