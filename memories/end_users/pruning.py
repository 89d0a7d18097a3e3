"""What is kept for a while only: retrievals, answers to repeated requests, statements that nobody said again, jobs that
are over, the days' runs of the lifecycle. Called by beat.

Account by account and in batches, each in a transaction of its own; what somebody holds is left for the next round.
"""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts import isolation
from accounts.models import Account
from memories.models import (
    Erasure,
    ExtractionJob,
    IdempotentAnswer,
    LifecycleRun,
    PendingCandidate,
    Retrieval,
)

BATCH = 1_000
_OVER = models.Q(status__in=[ExtractionJob.Status.COMPLETED, ExtractionJob.Status.DEAD])


def prune() -> int:
    """How many rows went."""
    accounts = Account.objects.order_by("pk").values_list("pk", flat=True)
    return sum(_prune(account_pk, rows) for account_pk in list(accounts) for rows in _expired())


def _expired() -> list["models.QuerySet[models.Model]"]:
    def before(days: int, column: str) -> models.Q:
        return models.Q(**{f"{column}__lt": timezone.now() - timedelta(days=days)})

    return [
        Retrieval.objects.filter(before(settings.PAM_KEEP_RETRIEVALS_DAYS, "created_at")),
        IdempotentAnswer.objects.filter(before(1, "created_at")),
        PendingCandidate.objects.filter(before(settings.PAM_KEEP_CANDIDATES_DAYS, "created_at")),
        ExtractionJob.objects.filter(_OVER, before(settings.PAM_KEEP_JOBS_DAYS, "completed_at")),
        LifecycleRun.objects.filter(before(settings.PAM_KEEP_RUNS_DAYS, "finished_at")),
        Erasure.objects.filter(before(settings.PAM_KEEP_RUNS_DAYS, "swept_at")),
    ]


def _prune(account_pk: int, rows: "models.QuerySet[models.Model]") -> int:
    deleted = 0
    while batch := _prune_batch(account_pk, rows):
        deleted += batch
    return deleted


def _prune_batch(account_pk: int, rows: "models.QuerySet[models.Model]") -> int:
    with isolation.account(account_pk):
        expired = rows.filter(account_id=account_pk).select_for_update(skip_locked=True)
        batch = list(expired.values_list("pk", flat=True)[:BATCH])
        return rows.model._default_manager.filter(account_id=account_pk, pk__in=batch).delete()[0] if batch else 0
