"""Who reads a job: taking it, showing signs of life, trying again, giving it up. The row is the queue.

Of one end user, jobs are taken one at a time and in the order in which they came, so that a correction is never
overtaken by what it corrects: one that waits to be tried again keeps the later ones waiting, too. Other people's go on.

`due_at` is when a job may be taken: at once, after its back-off, or, while a worker has it, once that has given no sign
of life for a lease. What a worker may still do that lost its job so is thrown away: its attempt is not the row's any
more.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from accounts import isolation
from accounts.postgres import ahead
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
    while (claim := _next(account_id)) is not None and claim.attempt > ATTEMPTS:
        _give_up(claim)
    return claim


def is_more(account_id: int) -> bool:
    """Whether a job may be taken now."""
    with _pinned(account_id), connection.cursor() as cursor:
        cursor.execute(_ANY, {"account": account_id, "now": timezone.now()})
        return cursor.fetchone() is not None


def _next(account_id: int) -> Claim | None:
    now = timezone.now()
    with _pinned(account_id), connection.cursor() as cursor:
        cursor.execute(_TAKE, {"account": account_id, "now": now, "due_at": now + lease()})
        taken = cursor.fetchone()
    if taken is None:
        return None
    # JSON comes as text where no model reads it.
    fields = dict(zip(_TAKEN, taken, strict=True))
    return Claim(**{name: json.loads(value) if name in _JSON else value for name, value in fields.items()})


@contextmanager
def _pinned(account_id: int) -> Iterator[None]:
    """A transaction of one statement, in which the planner follows the order of the index `job_waiting` and looks each
    job's predecessor up in `job_in_turn`: it stops at the first job that may be taken, however many wait."""
    with isolation.account(account_id, is_lasting=False, once=True):
        ahead.send(*(f"SET LOCAL enable_{way} = off" for way in ("sort", "seqscan")))
        yield


# Of each end user the first that is not finished, once it is due. A sub-select of one row is asked for each job by
# itself; as NOT EXISTS it was joined, and everything that waits was read for one job.
_FREE = """
    SELECT job.id FROM memories_extractionjob job
    WHERE job.account_id = %(account)s AND job.status IN ('queued', 'processing') AND job.due_at <= %(now)s
      AND job.id = (
        SELECT first.id FROM memories_extractionjob first
        WHERE first.account_id = %(account)s AND first.end_user_id = job.end_user_id
          AND first.status IN ('queued', 'processing')
        ORDER BY first.id LIMIT 1
      )
"""
_ANY = f"{_FREE} LIMIT 1"
_TAKEN = (
    "job_id",
    "account_id",
    "end_user_id",
    "attempt",
    "messages",
    "agent_id",
    "metadata",
    "source",
    "event_id",
    "observed_at",
)
_JSON = ("messages", "metadata", "source")
_TAKE = f"""
    WITH next AS ({_FREE} ORDER BY job.due_at, job.id LIMIT 1 FOR UPDATE OF job SKIP LOCKED)
    UPDATE memories_extractionjob job
    SET status = 'processing', attempts = attempts + 1, claimed_at = %(now)s, due_at = %(due_at)s,
        started_at = coalesce(started_at, %(now)s)
    FROM next WHERE job.id = next.id
    RETURNING job.id, account_id, end_user_id, attempts, messages, agent_id, metadata, source, source_event_id,
        observed_at
"""  # noqa: S608 (no part of it comes from outside)


def _give_up(claim: Claim) -> None:
    with isolation.account(claim.account_id):
        held(claim).update(attempts=ATTEMPTS, **given_up(STOPPED))


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
        if claim.attempt >= ATTEMPTS:
            held(claim).update(**given_up(reason))
            return
        due_at = timezone.now() + _back_off(claim.attempt)
        held(claim).update(status=Status.QUEUED, error_summary=_told(reason), claimed_at=None, due_at=due_at)


def given_up(reason: str) -> dict[str, Any]:
    """The columns of a job that failed too often. Its messages stay, so that staff can have it tried again
    (retrying.py), until it is pruned."""
    return _ended(Status.DEAD, reason)


def over(status: ExtractionJob.Status, *, reason: str = "") -> dict[str, Any]:
    """The columns of a job that is over: its messages are kept no longer."""
    return {**_ended(status, reason), "messages": []}


def _ended(status: ExtractionJob.Status, reason: str) -> dict[str, Any]:
    return {"status": status, "error_summary": _told(reason), "claimed_at": None, "completed_at": timezone.now()}


def _told(reason: str) -> str:
    return redaction.cut(reason).text[:_LONGEST_REASON]


def _back_off(attempts: int) -> timedelta:
    """After the first attempt the first of the set pauses, and so on; the last one for all that follow."""
    pauses = settings.PAM_JOB_BACK_OFF_SECONDS or [0]
    return timedelta(seconds=pauses[min(attempts, len(pauses)) - 1])
