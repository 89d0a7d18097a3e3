"""What each type of line holds: the columns of its row that are carried, and why the others are not. Pure.

A column that is neither carried nor left out with a reason fails a test, so that a new one cannot be forgotten.
"""

from dataclasses import dataclass
from typing import Any

from django.db import models

from memories.end_users.moving.columns import (
    Column,
    choice,
    digest,
    moment,
    nested,
    number,
    optional_moment,
    truth,
    whole,
    words,
)
from memories.lines import Line
from memories.models import (
    Conflict,
    DomainProfile,
    EndUser,
    ExtractionJob,
    HiddenMemory,
    IdempotentAnswer,
    Memory,
    MemoryVersion,
    PendingCandidate,
    Retrieval,
)

LONGEST_TEXT = 500
_TEXT = words("content", least=1, most=LONGEST_TEXT)
_CATEGORY = choice("category", Memory.Category.values)
_IMPORTANCE = number("importance_score", 1, 10)
_CONFIDENCE = number("confidence_score", 0, 1)
_CREATED = moment("created_at")


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of line, the model of its row, and the columns that stand on it as they are.

    linked      columns that name other rows, which are told by public id
    left_out    columns that are not carried: they follow from the others, or mean something here only
    """

    name: str
    model: type[models.Model]
    columns: tuple[Column, ...]
    linked: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()

    def read(self, line: Line) -> dict[str, Any]:
        """The values of a line by column. Raises InvalidArguments naming the first one that is wrong."""
        return {column.name: column.of(line) for column in self.columns}


_OWNERS = frozenset({"id", "account", "end_user"})

END_USER = Kind(
    "end_user",
    EndUser,
    (_CREATED, moment("last_seen_at"), optional_moment("blocked_at")),
    linked=frozenset({"external_id"}),
    # How often they were written about tells caches of this installation what is stale.
    left_out=frozenset({"id", "account", "revision"}),
)
VERSION = Kind(
    "version",
    MemoryVersion,
    (
        whole("version", least=1),
        choice("change_type", MemoryVersion.Change.values),
        words("reason", most=500),
        _TEXT,
        _CATEGORY,
        _IMPORTANCE,
        truth("is_archived"),
        _CREATED,
    ),
    linked=frozenset({"memory"}),
    left_out=_OWNERS,
)
MEMORY = Kind(
    "memory",
    Memory,
    (
        _TEXT,
        _CATEGORY,
        words("slot", most=60),
        words("slot_value", most=200),
        truth("is_negated"),
        _IMPORTANCE,
        _CONFIDENCE,
        words("agent_id", most=200),
        nested("metadata", dict),
        nested("provenance", dict),
        words("source_event_id", most=255),
        whole("seen_count", least=1),
        whole("access_count"),
        optional_moment("last_accessed_at"),
        truth("is_archived"),
        optional_moment("archived_at"),
        choice("archived_as", MemoryVersion.Change.values, or_none=True),
        optional_moment("decayed_at"),
        moment("observed_at"),
        _CREATED,
        moment("updated_at"),
    ),
    linked=frozenset({"public_id", "previous_version"}),
    # They follow from the text; the vector is made by a worker.
    left_out=_OWNERS | {"content_hash", "vector", "vector_model", "words", "terms", "is_indexed"},
)
CANDIDATE = Kind(
    "pending_candidate",
    PendingCandidate,
    (_TEXT, _CATEGORY, _IMPORTANCE, _CONFIDENCE, _CREATED),
    left_out=_OWNERS | {"content_hash"},
)
CONFLICT = Kind(
    "conflict",
    Conflict,
    (
        words("statement", most=LONGEST_TEXT),
        words("reason", most=500),
        words("question", most=1200),
        choice("outcome", Conflict.Outcome.values, or_none=True),
        choice("keep", Conflict.Keep.values, or_none=True),
        words("resolved_by", most=300),
        optional_moment("asked_at"),
        optional_moment("resolved_at"),
        _CREATED,
    ),
    linked=frozenset({"public_id", "old", "new"}),
    left_out=_OWNERS,
)
PROFILE = Kind(
    "domain_profile",
    DomainProfile,
    (
        words("domain", least=1, most=20),
        nested("data", dict),
        nested("restated", dict),
        whole("schema_version", most=2**15 - 1),
        moment("last_extraction_at"),
    ),
    # Without its revision it is gathered anew out of the memories that came with it.
    left_out=_OWNERS | {"revision"},
)
JOB = Kind(
    "job",
    ExtractionJob,
    (
        choice("status", ExtractionJob.Status.values),
        nested("messages", list, most=2_000_000),
        words("agent_id", most=200),
        nested("metadata", dict),
        nested("source", dict),
        words("source_service", most=200),
        words("source_event_id", most=255),
        moment("observed_at"),
        digest("gist_hash"),
        digest("payload_hash"),
        whole("attempts", most=2**15 - 1),
        whole("memories_created"),
        whole("candidates_buffered"),
        whole("candidates_promoted"),
        words("error_summary", most=500),
        moment("queued_at"),
        optional_moment("started_at"),
        optional_moment("completed_at"),
    ),
    linked=frozenset({"public_id"}),
    # Who works on it, and when it is tried again, is this installation's affair.
    left_out=_OWNERS | {"due_at", "claimed_at"},
)
RETRIEVAL = Kind(
    "retrieval",
    Retrieval,
    (words("outcome", most=24), _CREATED),
    linked=frozenset({"public_id", "memory_ids"}),
    left_out=_OWNERS,
)

#: In the order in which they are written; a line refers to earlier ones only.
ALL = (END_USER, MEMORY, CANDIDATE, CONFLICT, PROFILE, JOB, RETRIEVAL)
#: Tables of end users that are not carried. Answers to repeated requests are of this installation and end with the day;
#: what staff hid is told to nobody.
NOT_CARRIED: tuple[type[models.Model], ...] = (IdempotentAnswer, HiddenMemory)
