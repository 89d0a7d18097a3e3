"""Who reads a job: taking it, showing signs of life, trying again, giving it up. The row is the queue.

Of one end user, jobs are taken one at a time and in the order in which they came, so that a correction is never
overtaken by what it corrects: one that waits to be tried again keeps the later ones waiting, too. Other people's go on.

`due_at` is when a job may be taken: at once, after its back-off, or, while a worker has it, once that has given no sign
of life for a lease. What a worker may still do that lost its job so is thrown away: its attempt is not the row's any
more.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts import isolation
from memories import leases, redaction
from memories.models import ExtractionJob

Status = ExtractionJob.Status
UNFINISHED = (Status.QUEUED, Status.PROCESSING)
ATTEMPTS = 3
STOPPED = f"Work on these messages stopped {ATTEMPTS} times before it was done. Send them in smaller parts."
BLOCKED = "The end user was blocked before these messages were read."
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Claim:
    """A job in one worker's hands: its `attempt` is what the worker knows it by. What it says is without secrets."""

    job_id: int
    account_id: int
    end_user_id: int
    attempt: int
    messages: list[dict[str, str]]
    agent_id: str
    metadata: dict[str, Any]
    source: dict[str, Any]
    event_id: str
    observed_at: datetime

    @property
    def said_at(self) -> datetime:
        """When it was said, with the offset that the product told: "tomorrow" is another day elsewhere."""
        told = self.source.get("observed_at")
        return datetime.fromisoformat(told) if told else self.observed_at


def take(account_id: int) -> Claim | None:
    """Claims the account's next job; None when none may be taken now. One that stopped too often is given up first."""
    with isolation.account(account_id, is_lasting=False):
        while (job := _next(account_id)) is not None:
            if job.end_user.blocked_at is not None:
                end(job, Status.DEAD, reason=BLOCKED)
            elif job.attempts >= ATTEMPTS:
                end(job, Status.DEAD, reason=STOPPED)
            else:
                return _claimed(job)
    return None


def free(account_id: int) -> "QuerySet[ExtractionJob]":
    """The account's jobs that may be taken now: of each end user the first that is not finished, once it is due."""
    unfinished = ExtractionJob.objects.filter(account_id=account_id, status__in=UNFINISHED)
    before = unfinished.filter(end_user_id=OuterRef("end_user_id"), id__lt=OuterRef("id"))
    return unfinished.filter(~Exists(before), due_at__lte=timezone.now()).order_by("due_at", "id")


def is_more(account_id: int) -> bool:
    with isolation.account(account_id, once=True):
        return free(account_id).exists()


def _next(account_id: int) -> ExtractionJob | None:
    return free(account_id).select_for_update(skip_locked=True, of=("self",)).select_related("end_user").first()


def _claimed(job: ExtractionJob) -> Claim:
    now = timezone.now()
    job.status, job.attempts, job.claimed_at, job.due_at = Status.PROCESSING, job.attempts + 1, now, now + lease()
    job.started_at = job.started_at or now
    job.save(update_fields=["status", "attempts", "claimed_at", "due_at", "started_at"])
    return Claim(
        job_id=job.pk,
        account_id=job.account_id,
        end_user_id=job.end_user_id,
        attempt=job.attempts,
        messages=job.messages,
        agent_id=job.agent_id,
        metadata=job.metadata,
        source=job.source,
        event_id=job.source_event_id,
        observed_at=job.observed_at,
    )


def lease() -> timedelta:
    return timedelta(seconds=settings.PAM_CLAIM_SECONDS)


@contextmanager
def kept_alive(claim: Claim) -> Iterator[None]:
    """Shows signs of life for as long as the block runs; a language model may take its time."""

    def show() -> None:
        with isolation.account(claim.account_id):
            now = timezone.now()
            held(claim).update(claimed_at=now, due_at=now + lease())

    with leases.kept_alive(show, f"job {claim.job_id}"):
        yield


def held(claim: Claim) -> "QuerySet[ExtractionJob]":
    """The job, as long as the claim holds: empty once it was erased with its end user, taken over or given up."""
    return ExtractionJob.objects.filter(
        account_id=claim.account_id, pk=claim.job_id, status=Status.PROCESSING, attempts=claim.attempt
    )


def put_back(claim: Claim, reason: str) -> None:
    """After a failure: for another attempt later, or given up after the last. `reason` is for people, without texts."""
    with isolation.account(claim.account_id):
        job = held(claim).select_for_update(of=("self",)).first()
        if job is None:
            return
        if job.attempts >= ATTEMPTS:
            end(job, Status.DEAD, reason=reason)
            return
        job.status, job.error_summary, job.claimed_at = Status.QUEUED, _told(reason), None
        job.due_at = timezone.now() + _back_off(job.attempts)
        job.save(update_fields=["status", "error_summary", "claimed_at", "due_at"])


def end(job: ExtractionJob, status: ExtractionJob.Status, *, reason: str = "") -> None:
    """The job is over, and its messages are kept no longer. Saves the figures that the job holds, too."""
    job.status, job.error_summary, job.messages = status, _told(reason), []
    job.claimed_at, job.completed_at = None, timezone.now()
    figures = ["memories_created", "candidates_buffered", "candidates_promoted"]
    job.save(update_fields=["status", "error_summary", "messages", "claimed_at", "completed_at", *figures])


def _told(reason: str) -> str:
    return redaction.cut(reason).text[:_LONGEST_REASON]


def _back_off(attempts: int) -> timedelta:
    """After the first attempt the first of the set pauses, and so on; the last one for all that follow."""
    pauses = settings.PAM_JOB_BACK_OFF_SECONDS
    return timedelta(seconds=pauses[min(attempts, len(pauses)) - 1])
