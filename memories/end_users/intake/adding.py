"""`POST /v1/memories/add`: what was said is taken in, or told why not. Reading it is the workers' part.

The gates, in this order: the end user is blocked (PRX_403), the same request came before (it gets the same answer), too
many in a minute (L1), nothing of substance (L2), said again (L3), the allowance used up (L4) or the account's mode. All
but the first are answers of success: memory trouble must not fail the caller's own work.

What one end user says is taken in one at a time, under a lock that nothing else takes: so ids tell the order in which
jobs came, and the same thing said twice at once is told.
"""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts import allowance, isolation, scopes
from accounts.allowance import Allowance
from accounts.caller import Caller
from accounts.models import Account
from memories import work
from memories.end_users import people, traces
from memories.end_users.errors import EventConflict
from memories.end_users.intake import answers, asked, backlog, gist, idempotency, rate, substance
from memories.end_users.intake.answers import Answer, Status
from memories.end_users.intake.asked import Asked
from memories.end_users.intake.idempotency import Once
from memories.models import EndUser, ExtractionJob

_LOCK = 0x5041_4D02
_ERASED = None
_MODES = {Account.MemoryMode.PASSTHROUGH: Status.PASSTHROUGH, Account.MemoryMode.BLOCKED: Status.BLOCKED}


@dataclass(frozen=True, slots=True)
class Request:
    """A checked request, and under which id it is traced."""

    account: Account
    asked: Asked
    once: Once
    request_id: str


def add(caller: Caller, raw: dict[str, Any], *, idempotency_key: str = "", request_id: str = "") -> Answer:
    """Takes in the messages of `raw` (the shape of the wire) for an end user, who is made at first sight.

    Raises Refused, EndUserBlocked, and EventConflict for an event or an Idempotency-Key that came with another payload.
    """
    caller.require_scope(scopes.WRITE)
    given = asked.checked(raw)
    once = Once(
        account=caller.account,
        key=asked.idempotency_key(idempotency_key),
        request_hash=hashlib.sha256(f"add {given.payload_hash}".encode()).hexdigest(),
    )
    request = Request(account=caller.account, asked=given, once=once, request_id=request_id)
    # An end user who is erased in the middle of it is met anew.
    while (answer := _answered(request)) is _ERASED:
        pass
    return answer


def _answered(request: Request) -> Answer | None:
    """None where the end user was erased meanwhile."""
    account = request.account
    with isolation.account(account.pk):
        end_user = people.open_to(account, request.asked.external_user_id)
        before = _before(request, end_user)
    if before is not None and not before.is_said_again:
        return _repeated(request, before)
    count = rate.counter.count(end_user)
    gate = _gate(request, count, is_said_again=before is not None)
    if gate is not None:
        return _turned_away(request, end_user, gate, count)
    spent = allowance.spend(account)
    status = Status.L4 if spent.reason == allowance.USED_UP else _MODES.get(spent.mode)
    if status is not None:
        return _made(request, status, spent, retry_after=_until_reset(spent) if status is Status.L4 else None)
    return _taken_in(request, end_user, spent)


@dataclass(frozen=True, slots=True)
class Before:
    """That it came before: what it was answered, the job that its event made, or that it is only said again."""

    answer: dict[str, Any] | None = None
    job: ExtractionJob | None = None
    is_said_again: bool = False


def _before(request: Request, end_user: EndUser) -> Before | None:
    """Raises EventConflict."""
    answer = idempotency.told(request.once)
    if answer is not None:
        return Before(answer=answer)
    job = _job_of_event(request, end_user)
    if job is not None:
        return Before(job=job)
    return Before(is_said_again=True) if _is_said_again(request, end_user) else None


def _job_of_event(request: Request, end_user: EndUser) -> ExtractionJob | None:
    source = request.asked.source
    if source is None or not source.event_id:
        return None
    jobs = ExtractionJob.objects.filter(account=request.account, end_user=end_user)
    job = jobs.filter(source_service=source.service, source_event_id=source.event_id).first()
    if job is not None and job.payload_hash != request.asked.payload_hash:
        raise EventConflict
    return job


def _is_said_again(request: Request, end_user: EndUser) -> bool:
    """Whether one of the last few said the same; one that was never read does not count."""
    most = settings.PAM_SAID_AGAIN_OF_LAST
    if request.asked.source is not None or most <= 0:
        return False
    jobs = ExtractionJob.objects.filter(account=request.account, end_user=end_user)
    last = jobs.exclude(status=ExtractionJob.Status.DEAD).order_by("-queued_at", "-id").values_list("gist_hash")[:most]
    return (_gist(request),) in list(last)


def _gist(request: Request) -> str:
    return gist.of(request.asked.messages, request.asked.agent_id)


def _repeated(request: Request, before: Before) -> Answer:
    if before.answer is not None:
        return Answer(**before.answer)
    assert before.job is not None
    return _made(request, Status.QUEUED, allowance.look(request.account), job_id=str(before.job.public_id))


def _gate(request: Request, count: rate.Count, *, is_said_again: bool) -> Status | None:
    most = settings.PAM_ADDS_PER_END_USER_MINUTE
    if most > 0 and count.number > most:
        return Status.L1
    if settings.PAM_HOLD_BACK_SMALL_TALK and not substance.is_there(request.asked.messages):
        return Status.L2
    return Status.L3 if is_said_again else None


def _turned_away(request: Request, end_user: EndUser, gate: Status, count: rate.Count) -> Answer | None:
    later = count.resets_in if gate is Status.L1 else None
    answer = _made(request, gate, allowance.look(request.account), retry_after=later)
    if gate in answers.PASSING or not request.once.key:
        return answer
    with isolation.account(request.account.pk):
        if not traces.hold(end_user):
            return _ERASED
        first = idempotency.keep(request.once, end_user, asdict(answer))
    return answer if first is None else Answer(**first)


def _taken_in(request: Request, end_user: EndUser, spent: Allowance) -> Answer | None:
    """Stores the job with its answer, unless the same came in meanwhile; what was not stored is not counted either."""
    job = _job(request, end_user)
    answer = _made(request, Status.QUEUED, spent, job_id=str(job.public_id))
    is_stored = False
    try:
        with isolation.account(request.account.pk):
            if not traces.hold(end_user):
                return _ERASED
            _take_turn(end_user)
            before = _before(request, end_user)
            if before is None:
                first = idempotency.keep(request.once, end_user, asdict(answer))
                before = None if first is None else Before(answer=first)
            if before is None:
                job.save(force_insert=True)
                if not rate.counter.is_cache_away:  # it is the broker, too: the sweep takes the job up
                    work.read_after_commit(request.account.pk)
        is_stored = before is None
    finally:
        if not is_stored:
            allowance.give_back(request.account, spent)
    if before is None:
        return answer
    if before.is_said_again:
        return _turned_away(request, end_user, Status.L3, rate.Count(0, 0, is_shared=True))
    return _repeated(request, before)


def _take_turn(end_user: EndUser) -> None:
    """Until the transaction ends nobody else adds for this end user. Whoever writes about them is not waited for."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, end_user.pk % 2**31])


def _job(request: Request, end_user: EndUser) -> ExtractionJob:
    given, now = request.asked, timezone.now()
    source = given.source or asked.Source()
    return ExtractionJob(
        account=request.account,
        end_user=end_user,
        messages=[asdict(message) for message in given.messages],
        agent_id=given.agent_id,
        metadata=given.metadata,
        source=source.provenance,
        source_service=source.service,
        source_event_id=source.event_id,
        observed_at=source.observed_at or now,
        gist_hash=_gist(request),
        payload_hash=given.payload_hash,
        queued_at=now,
        due_at=now,
    )


def _made(
    request: Request,
    status: Status,
    left: Allowance,
    *,
    job_id: str | None = None,
    retry_after: int | None = None,
) -> Answer:
    is_cache_away = rate.counter.is_cache_away
    return answers.made(
        status,
        allowance=left,
        backlog=backlog.of(request.account, is_cache_away=is_cache_away),
        is_cache_away=is_cache_away,
        request_id=request.request_id,
        timestamp=timezone.now().isoformat().replace("+00:00", "Z"),
        job_id=job_id,
        retry_after=retry_after,
    )


def _until_reset(spent: Allowance) -> int:
    return max(1, int((spent.reset_at - timezone.now()).total_seconds()))
