"""Every call of the API, apart from how it is sent: what goes out, and how the answer is read. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

from pam_memory.types import Added, Context, Found, Item, Job, Message, Page, Raw, User, Version

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request and the reader of its answer. All of them may be sent twice: what writes is known again."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def add(
    external_user_id: str,
    messages: Sequence[Message],
    *,
    agent_id: str | None,
    metadata: Raw | None,
    source: Raw | None,
    idempotency_key: str | None,
) -> Call[Added]:
    body = _given(
        external_user_id=external_user_id,
        messages=list(messages),
        agent_id=agent_id,
        metadata=metadata,
        source=source,
    )
    headers = {"Idempotency-Key": idempotency_key or str(uuid4())}
    return Call("POST", "/v1/memories/add", _added, body, headers=headers)


def job(job_id: str) -> Call[Job]:
    return Call("GET", f"/v1/memories/jobs/{quote(job_id, safe='')}", lambda answer: _job(_data(answer)))


def remember(
    external_user_id: str,
    content: str,
    category: str,
    *,
    importance_score: float | None,
    agent_id: str | None,
    metadata: Raw | None,
) -> Call[Item]:
    body = _given(
        external_user_id=external_user_id,
        content=content,
        category=category,
        importance_score=importance_score,
        agent_id=agent_id,
        metadata=metadata,
    )
    return Call("POST", "/v1/memories", _one, body)


def remember_all(memories: Sequence[Raw]) -> Call[list[Item]]:
    return Call(
        "POST",
        "/v1/memories/bulk",
        lambda answer: [_item(each) for each in answer["data"]],
        {"memories": list(memories)},
    )


def memories(
    external_user_id: str,
    *,
    categories: Sequence[str],
    agent_id: str | None,
    include_archived: bool,
    cursor: str | None,
    limit: int,
) -> Call[Page[Item]]:
    query = _given(
        external_user_id=external_user_id,
        categories=",".join(categories) or None,
        agent_id=agent_id,
        include_archived="true" if include_archived else None,
        cursor=cursor,
        limit=limit,
    )
    return Call("GET", "/v1/memories", lambda answer: _page(answer, _item), query=query)


def memory(memory_id: str) -> Call[Item]:
    return Call("GET", _of_memory(memory_id), _one)


def change(memory_id: str, **changes: Any) -> Call[Item]:
    return Call("PATCH", _of_memory(memory_id), _one, _given(**changes))


def delete(memory_id: str, *, hard: bool) -> Call[None]:
    query = {"hard_delete": "true"} if hard else {}
    return Call("DELETE", _of_memory(memory_id), lambda answer: None, query=query)


def history(memory_id: str) -> Call[list[Version]]:
    return Call("GET", f"{_of_memory(memory_id)}/history", lambda answer: [_version(each) for each in answer["data"]])


def retrieve(
    external_user_id: str,
    query: str,
    *,
    limit: int | None,
    categories: Sequence[str],
    agent_id: str | None,
    time_filter_days: int | None,
    format: str | None,
    context_max_tokens: int | None,
    as_of: datetime | None,
) -> Call[Context]:
    body = _given(
        external_user_id=external_user_id,
        query=query,
        limit=limit,
        categories=list(categories) or None,
        agent_id=agent_id,
        time_filter_days=time_filter_days,
        format=format,
        context_max_tokens=context_max_tokens,
        as_of=as_of.isoformat() if as_of else None,
    )
    return Call("POST", "/v1/memories/retrieve", _context, body)


def feedback(
    retrieval_id: str,
    outcome: str,
    *,
    used_memory_ids: Sequence[str],
    correction: str | None,
    agent_confidence: float | None,
) -> Call[None]:
    body = _given(
        retrieval_id=retrieval_id,
        outcome=outcome,
        used_memory_ids=list(used_memory_ids),
        correction=correction,
        agent_confidence=agent_confidence,
    )
    return Call("POST", "/v1/memories/retrieval-feedback", lambda answer: None, body)


def clarify(clarification_id: str, choice: str) -> Call[None]:
    path = f"/v1/memories/clarifications/{quote(clarification_id, safe='')}/answer"
    return Call("POST", path, lambda answer: None, {"choice": choice})


def users(*, search: str | None, cursor: str | None, limit: int) -> Call[Page[User]]:
    query = _given(search=search, cursor=cursor, limit=limit)
    return Call("GET", "/v1/tenant/users", lambda answer: _page(answer, _user), query=query)


def stats(external_user_id: str) -> Call[Raw]:
    return Call("GET", f"{_of_user(external_user_id)}/stats", _data)


def block(external_user_id: str) -> Call[None]:
    return Call("POST", f"{_of_user(external_user_id)}/block", lambda answer: None, {})


def unblock(external_user_id: str) -> Call[None]:
    return Call("POST", f"{_of_user(external_user_id)}/unblock", lambda answer: None, {})


def erase(external_user_id: str) -> Call[int]:
    return Call("DELETE", _of_user(external_user_id), lambda answer: int(_data(answer)["memories_removed"]))


def export_path(external_user_id: str) -> str:
    return f"{_of_user(external_user_id)}/export"


def _given(**values: Any) -> dict[str, Any]:
    """The values that were given: the server's defaults hold for the others."""
    return {name: value for name, value in values.items() if value is not None}


def _of_memory(memory_id: str) -> str:
    return f"/v1/memories/{quote(memory_id, safe='')}"


def _of_user(external_user_id: str) -> str:
    return f"/v1/tenant/users/{quote(external_user_id, safe='')}"


def _data(answer: Any) -> Any:
    """What an answer holds, wrapped or flat."""
    return answer.get("data", answer)


def _one(answer: Any) -> Item:
    return _item(answer["data"])


def _added(answer: Any) -> Added:
    return Added(
        job_id=answer.get("job_id"),
        status=answer["status"],
        nothing_to_extract=bool(answer.get("nothing_to_extract")),
        blocked_reason=answer.get("blocked_reason"),
        raw=answer,
    )


def _job(row: Raw) -> Job:
    return Job(
        job_id=row["job_id"],
        status=row["status"],
        memories_created=row["memories_created"],
        attempts=row["attempts"],
        error_summary=row.get("error_summary"),
        raw=row,
    )


def _item(row: Raw) -> Item:
    return Item(
        id=row["id"],
        content=row["content"],
        category=row["category"],
        importance_score=row["importance_score"],
        confidence_score=row["confidence_score"],
        is_archived=row["is_archived"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        previous_version_id=row.get("previous_version_id"),
        metadata=row.get("metadata") or {},
        raw=row,
    )


def _version(row: Raw) -> Version:
    return Version(row["version"], row["content"], row["change_type"], row["reason"], moment(row["created_at"]))


def _user(row: Raw) -> User:
    return User(row["external_user_id"], row)


def _context(answer: Any) -> Context:
    return Context(
        memories=tuple(_found(row) for row in answer["data"]),
        system_prompt_addition=answer["system_prompt_addition"],
        context_token_count=answer.get("context_token_count"),
        cached=bool(answer.get("cached")),
        clarification_question=answer.get("clarification_question"),
        clarification_id=answer.get("clarification_id"),
        retrieval_id=answer.get("retrieval_id"),
        raw=answer,
    )


def _found(row: Raw) -> Found:
    return Found(
        id=row["id"],
        content=row["content"],
        category=row["category"],
        importance_score=row["importance_score"],
        relevance_score=row["relevance_score"],
        context_snippet=row["context_snippet"],
    )


def _page(answer: Any, read: Callable[[Raw], T]) -> Page[T]:
    pagination = answer["pagination"]
    return Page(tuple(read(row) for row in answer["data"]), pagination["next_cursor"], pagination["total"])


def moment(text: str) -> datetime:
    """Python 3.10 reads no Z."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
