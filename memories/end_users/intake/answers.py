"""What a request to add is answered. Source: contract end_users, "POST /v1/memories/add"."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from accounts.allowance import Allowance
from memories.end_users.intake.backlog import Backlog


class Status(StrEnum):
    """What became of a request; all but the first came to nothing, and all are answered with 200.

    L1 to L4 are the gates: too many for this end user in a minute, nothing of substance, said again, allowance used up.
    """

    QUEUED = "queued"
    PASSTHROUGH = "passthrough"
    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"
    BLOCKED = "blocked"


REASONS = {
    Status.PASSTHROUGH: "Memory is switched off for this account: nothing is kept.",
    Status.L1: "Too many messages were added for this end user within a minute.",
    Status.L2: "The user says nothing in these messages that could be remembered.",
    Status.L3: "One of the latest requests for this end user said the same.",
    Status.L4: "This month's allowance of the account is used up.",
    Status.BLOCKED: "This account is blocked: nothing is kept.",
}
#: The same request may well be taken in later, so it is not the last word on an Idempotency-Key.
PASSING = frozenset({Status.PASSTHROUGH, Status.L1, Status.L4, Status.BLOCKED})


@dataclass(frozen=True, slots=True)
class Answer:
    """The body, field by field, and the headers beside it. As it was given first, it is given to who repeats it."""

    job_id: str | None
    status: str
    blocked_reason: str | None
    nothing_to_extract: bool
    retry_after_seconds: int | None
    budget_remaining_pct: float
    processing_eta_seconds: int | None
    processing_status: str
    request_id: str
    timestamp: str
    headers: dict[str, str]

    @property
    def body(self) -> dict[str, Any]:
        fields = asdict(self)
        del fields["headers"]
        return fields


def made(
    status: Status,
    *,
    allowance: Allowance,
    backlog: Backlog,
    is_cache_away: bool,
    request_id: str,
    timestamp: str,
    job_id: str | None = None,
    retry_after: int | None = None,
) -> Answer:
    return Answer(
        job_id=job_id,
        status=str(status),
        blocked_reason=REASONS.get(status),
        nothing_to_extract=status is Status.L2,
        retry_after_seconds=retry_after,
        budget_remaining_pct=allowance.remaining_pct,
        processing_eta_seconds=backlog.eta_seconds if job_id else None,
        processing_status=backlog.status,
        request_id=request_id,
        timestamp=timestamp,
        headers={
            **allowance.headers,
            "X-MemoryOS-Circuit-Status": backlog.circuit(is_cache_away=is_cache_away),
            "X-MemoryOS-Processing": backlog.status,
        },
    )
