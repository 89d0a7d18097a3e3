"""What goes in and comes out, as the server names it. An answer may hold more than is listed: see `raw`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypedDict, TypeVar

T = TypeVar("T")

Role = Literal["user", "assistant", "system"]
Category = Literal["preference", "fact", "goal", "procedure", "relationship", "expertise"]
Format = Literal["bullets", "json", "xml"]
Outcome = Literal[
    "used_successfully", "used_partially", "ignored", "not_useful", "user_corrected", "clarification_needed"
]
Choice = Literal["a", "b", "both", "neither"]
Raw = Mapping[str, Any]


class Message(TypedDict):
    """One message of a chat."""

    role: Role
    content: str


@dataclass(frozen=True)
class Detail:
    """A field that was wrong, and why."""

    field: str
    reason: str


@dataclass(frozen=True)
class Added:
    """What became of messages: queued (then `job_id` names the job), or held back by a gate (`status` says which)."""

    job_id: str | None
    status: str
    nothing_to_extract: bool
    blocked_reason: str | None
    raw: Raw = field(repr=False)


@dataclass(frozen=True)
class Job:
    """How far the reading of messages is: queued, processing, completed or dead."""

    job_id: str
    status: str
    memories_created: int
    attempts: int
    error_summary: str | None
    raw: Raw = field(repr=False)

    @property
    def is_over(self) -> bool:
        return self.status in ("completed", "dead")


@dataclass(frozen=True)
class Item:
    """A memory. importance_score is 1 to 10, confidence_score 0 to 1."""

    id: str
    content: str
    category: str
    importance_score: float
    confidence_score: float
    is_archived: bool
    created_at: datetime
    updated_at: datetime
    previous_version_id: str | None
    metadata: Raw
    raw: Raw = field(repr=False)


@dataclass(frozen=True)
class Version:
    """A state that a memory was in."""

    version: int
    content: str
    change_type: str
    reason: str
    created_at: datetime


@dataclass(frozen=True)
class Found:
    """A memory as an answer to a question; relevance_score is 0 to 1."""

    id: str
    content: str
    category: str
    importance_score: float
    relevance_score: float
    context_snippet: str


@dataclass(frozen=True)
class Context:
    """What is known of an end user on a question: put `system_prompt_addition` into your model's system prompt."""

    memories: tuple[Found, ...]
    system_prompt_addition: str
    context_token_count: int | None
    cached: bool
    clarification_question: str | None
    clarification_id: str | None
    retrieval_id: str | None
    raw: Raw = field(repr=False)


@dataclass(frozen=True)
class User:
    """An end user, by your own id of them."""

    external_user_id: str
    raw: Raw = field(repr=False)


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list; `next_cursor` is None on the last one."""

    items: tuple[T, ...]
    next_cursor: str | None
    total: int
