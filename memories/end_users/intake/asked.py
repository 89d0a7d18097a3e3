"""What a product hands in to be remembered: bounds, names and times. Pure but for the limits of the columns.

Source: contract end_users, "POST /v1/memories/add". Every check raises Refused, which names the field.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from memories import redaction, storable
from memories.end_users import given, people
from memories.end_users.errors import refused
from memories.end_users.intake.said import ROLES, Message

MOST_MESSAGES = 100
MOST_EVIDENCE = 20
LONGEST_SERVICE = 200
LONGEST_EVENT_ID = 255
LONGEST_KEY = 255
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Source:
    """Which event of which service the messages come from, and what that tells of them."""

    service: str = ""
    event_id: str = ""
    observed_at: datetime | None = None
    scope: dict[str, Any] = field(default_factory=dict)
    evidence: list[Any] = field(default_factory=list)

    @property
    def provenance(self) -> dict[str, Any]:
        """What a memory keeps of it, without what is missing. The time keeps the offset that its days are meant in."""
        observed = self.observed_at.isoformat() if self.observed_at else ""
        told = {"service": self.service, "observed_at": observed, "scope": self.scope, "evidence": self.evidence}
        return {name: value for name, value in told.items() if value}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request within its bounds, without secrets. `source` is None where none was named.

    payload_hash    of the request as it came: another body has another one
    """

    external_user_id: str
    messages: tuple[Message, ...]
    agent_id: str
    metadata: dict[str, Any]
    source: Source | None
    payload_hash: str


def checked(raw: Mapping[str, Any]) -> Asked:
    """`raw` has the types of the shape on the wire. Raises Refused."""
    return Asked(
        external_user_id=people.check_id(raw["external_user_id"]),
        messages=tuple(_messages(raw["messages"])),
        agent_id=redaction.cut(given.agent_id(raw.get("agent_id"))).text[: given.LONGEST_AGENT_ID],
        metadata=given.metadata(raw.get("metadata") or {}),
        source=_source(raw["source"]) if raw.get("source") is not None else None,
        payload_hash=_hash(raw),
    )


def idempotency_key(value: str) -> str:
    """Empty where none was sent. Raises Refused."""
    if len(value) > LONGEST_KEY:
        raise refused("Idempotency-Key", f"must have at most {LONGEST_KEY} characters; it has {len(value)}.")
    return storable.check("Idempotency-Key", value)


def _messages(raw: Sequence[Mapping[str, Any]]) -> list[Message]:
    if not 1 <= len(raw) <= MOST_MESSAGES:
        raise refused("messages", f"must hold 1 to {MOST_MESSAGES} messages; it holds {len(raw)}.")
    return [_message(each, f"messages[{at}]").without_secrets() for at, each in enumerate(raw)]


def _message(raw: Mapping[str, Any], name: str) -> Message:
    if raw["role"] not in ROLES:
        raise refused(f"{name}.role", f"must be one of {', '.join(ROLES)}.")
    if not raw["content"]:
        raise refused(f"{name}.content", "is empty.")
    return Message(raw["role"], storable.check(f"{name}.content", raw["content"]))


def _source(raw: Mapping[str, Any]) -> Source:
    evidence = raw.get("evidence") or []
    if len(evidence) > MOST_EVIDENCE:
        raise refused("source.evidence", f"must hold at most {MOST_EVIDENCE} items; it holds {len(evidence)}.")
    return Source(
        service=redaction.cut(_named(raw.get("service"), "source.service", LONGEST_SERVICE)).text[:LONGEST_SERVICE],
        event_id=_kept_whole(_named(raw.get("event_id"), "source.event_id", LONGEST_EVENT_ID)),
        observed_at=_moment(raw.get("observed_at")),
        scope=given.metadata(raw.get("scope") or {}, "source.scope"),
        evidence=given.metadata({"evidence": evidence}, "source.evidence")["evidence"],
    )


def _named(value: str | None, name: str, longest: int) -> str:
    """Text of at least one character, or nothing at all."""
    if value is None:
        return ""
    if not 1 <= len(value) <= longest:
        raise refused(name, f"must have 1 to {longest} characters; it has {len(value)}.")
    return storable.check(name, value)


def _kept_whole(event_id: str) -> str:
    """An event's id as it is; one with a secret in it by its hash, so that events stay apart and no secret is kept."""
    if redaction.cut(event_id).count == 0:
        return event_id
    return f"sha256:{hashlib.sha256(event_id.encode()).hexdigest()}"


def _moment(value: datetime | None) -> datetime | None:
    if value is None:
        return None
    if timezone.is_naive(value):
        raise refused("source.observed_at", "needs its time zone: end it with Z or an offset such as +02:00.")
    if value < _EARLIEST:
        raise refused("source.observed_at", f"must not be before {_EARLIEST:%Y-%m-%d}.")
    # A clock that runs ahead of ours says nothing of the future.
    return min(value, timezone.now())


def _hash(raw: Mapping[str, Any]) -> str:
    """64 hexadecimal digits; the order of names does not count."""
    return hashlib.sha256(json.dumps(raw, sort_keys=True, default=str).encode()).hexdigest()
