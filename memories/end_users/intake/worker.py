"""What a worker does with jobs: read what was said, keep what it says of the end user, and end the job with it.

Nothing is stored before the last step, which is one transaction; a worker may die at any moment, and what it was about
to do is done by the next one, once.
"""

import logging
import time
import traceback

from django.conf import settings
from django.utils import timezone

from accounts import isolation
from accounts.errors import PamError
from memories import providers, work
from memories.deadline import Deadline
from memories.end_users import remember
from memories.end_users.intake import backlog, claims, pending
from memories.end_users.intake.claims import Claim
from memories.end_users.reading import extract
from memories.end_users.statements import Origin, Statement
from memories.models import EndUser, ExtractionJob

logger = logging.getLogger(__name__)
Status = ExtractionJob.Status

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
    try:
        with isolation.account(claim.account_id, is_lasting=False):
            end_user = _locked(claim)
            if end_user.blocked_at is None:
                ended = {**_remembered(claim, end_user, statements), **claims.over(Status.COMPLETED)}
            else:
                ended = claims.over(Status.DEAD, reason=claims.BLOCKED)
            if not claims.held(claim).update(**ended):
                raise _Lost
    except _Lost:
        return False
    return True


class _Lost(Exception):
    """The end user was erased, or another worker has the job now: whatever was written is taken back."""


def _locked(claim: Claim) -> EndUser:
    """The end user, whom nobody else writes about from here on. Raises _Lost."""
    rows = EndUser.objects.filter(account_id=claim.account_id, pk=claim.end_user_id).select_related("account")
    end_user = rows.select_for_update(no_key=True, of=("self",)).first()
    if end_user is None:
        raise _Lost
    return end_user


def _remembered(claim: Claim, end_user: EndUser, statements: list[Statement]) -> dict[str, int]:
    """Writes, and returns the figures of the job. Where nothing is said of them they were seen, and no more changes."""
    found = pending.sort(end_user, statements)
    if not found.kept:
        EndUser.objects.filter(account_id=claim.account_id, pk=end_user.pk).update(last_seen_at=timezone.now())
    origin = Origin(
        agent_id=claim.agent_id,
        metadata=claim.metadata,
        provenance=claim.source,
        event_id=claim.event_id,
        observed_at=claim.observed_at,
    )
    written = remember.write(end_user.account, end_user, found.kept, origin)
    return {
        "memories_created": len(written.created),
        "candidates_buffered": len(found.buffered),
        "candidates_promoted": found.promoted,
    }
