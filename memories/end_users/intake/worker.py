"""What a worker does with jobs: read what was said, keep what it says of the end user, and end the job with it.

Nothing is stored before the last step, which is one transaction; a worker may die at any moment, and what it was about
to do is done by the next one, once.
"""

import logging
import time
import traceback

from django.conf import settings

from accounts import isolation
from accounts.errors import PamError
from accounts.models import Account
from memories import providers, work
from memories.deadline import Deadline
from memories.end_users import people, remember
from memories.end_users.errors import EndUserNotFound
from memories.end_users.intake import backlog, claims, pending
from memories.end_users.intake.claims import Claim
from memories.end_users.reading import extract
from memories.end_users.statements import Origin, Statement
from memories.models import EndUser, ExtractionJob

logger = logging.getLogger(__name__)

#: How long an account is read for before others come in between.
TURN_SECONDS = 2.0
_TIMES_OF_THE_MODEL = 2
_REASON = "Reading the messages failed ({name}). Nothing was remembered of them."


def turn(account_id: int) -> bool:
    """Reads jobs of the account, one after the other, for a turn. Returns whether more wait.

    Wakes one more worker where more than one job can be read at once.
    """
    until = time.monotonic() + TURN_SECONDS
    claim = claims.take(account_id)
    if claim is not None and claims.is_more(account_id):
        work.send_reading(account_id)
    while claim is not None:
        read(claim)
        if time.monotonic() >= until:
            return claims.is_more(account_id)
        claim = claims.take(account_id)
    return False


def read(claim: Claim) -> None:
    """One job. Whatever goes wrong in it is told on the job, which comes again or is given up."""
    started = time.monotonic()
    try:
        with claims.kept_alive(claim):
            keep(claim, heard(claim))
    except Exception as error:  # noqa: BLE001 (the outermost handler of a job)
        # Without the error's own words and its traceback: they may quote what the end user said.
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.filename}:{last.lineno}"
        logger.error("Job %d failed in attempt %d: %s at %s", claim.job_id, claim.attempt, type(error).__name__, where)
        claims.put_back(
            claim, error.message if isinstance(error, PamError) else _REASON.format(name=type(error).__name__)
        )
    else:
        backlog.measured(time.monotonic() - started)


def heard(claim: Claim) -> list[Statement]:
    """What the messages say of the end user, read outside of any transaction: a language model may be asked."""
    messages = [extract.Message(role=each["role"], content=each["content"]) for each in claim.messages]
    model = providers.Session(Deadline.after(_TIMES_OF_THE_MODEL * settings.PAM_LLM_TIMEOUT_SECONDS))
    return extract.extract(messages, observed_at=claim.said_at, model=model).statements


def keep(claim: Claim, statements: list[Statement]) -> bool:
    """Remembers them and ends the job, both or neither. False where the job is not the worker's any more.

    Not waited for on its way to the disk: until it is there, the job is still unread, with its messages.
    """
    with isolation.account(claim.account_id, is_lasting=False):
        end_user = EndUser.objects.filter(account_id=claim.account_id, pk=claim.end_user_id).first()
        if end_user is None or not _took_turn(end_user, statements):
            return False
        job = claims.held(claim).select_for_update(of=("self",)).first()
        if job is None:
            return False
        if end_user.blocked_at is not None:
            claims.end(job, ExtractionJob.Status.DEAD, reason=claims.BLOCKED)
        else:
            _remember(claim, job, end_user, statements)
    return True


def _took_turn(end_user: EndUser, statements: list[Statement]) -> bool:
    """Where nothing is said of them, nothing of them changes. False for one who was erased."""
    if statements:
        try:
            people.take_turn(end_user)
        except EndUserNotFound:
            return False
    return True


def _remember(claim: Claim, job: ExtractionJob, end_user: EndUser, statements: list[Statement]) -> None:
    found = pending.sort(end_user, statements)
    origin = Origin(
        agent_id=claim.agent_id,
        metadata=claim.metadata,
        provenance=claim.source,
        event_id=claim.event_id,
        observed_at=claim.observed_at,
    )
    written = remember.write(Account.objects.get(pk=claim.account_id), end_user, found.kept, origin)
    job.memories_created = len(written.created)
    job.candidates_buffered, job.candidates_promoted = len(found.buffered), found.promoted
    claims.end(job, ExtractionJob.Status.COMPLETED)
