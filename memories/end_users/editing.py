"""One memory by its id: written explicitly, shown, changed, archived, deleted; and its history.

Every function takes the caller first, checks its permission, and runs a transaction of its own. Another account's id is
not found in the same words as one that never was.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.models import Membership
from memories import sameness, work
from memories.end_users import given, people, remember, versions
from memories.end_users.domains.profiles import keep
from memories.end_users.errors import MemoryNotFound, refused
from memories.end_users.statements import Origin, Statement
from memories.models import EndUser, Memory, MemoryVersion
from memories.models.searchable import WIDE

MOST_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Given:
    """A memory that a product writes itself, checked: see `checked`."""

    external_user_id: str
    content: str
    category: str
    importance_score: float = 5.0
    agent_id: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


def checked(raw: dict[str, Any], path: str = "") -> Given:
    """`raw` within its bounds and without secrets. Raises Refused, naming the field after `path`."""
    return Given(
        external_user_id=people.check_id(raw["external_user_id"]),
        content=given.content(raw["content"], f"{path}content"),
        category=given.category(raw["category"], f"{path}category"),
        importance_score=given.importance(raw.get("importance_score", 5.0), f"{path}importance_score"),
        agent_id=given.agent_id(raw.get("agent_id"), f"{path}agent_id"),
        metadata=given.metadata(raw.get("metadata") or {}, f"{path}metadata"),
    )


def write(caller: Caller, memories: Sequence[Given]) -> list[Memory]:
    """Keeps up to 500 memories, all or none; one each in the order given, where a known one is seen again.

    Raises Refused, EndUserBlocked.
    """
    caller.require_scope(scopes.WRITE)
    caller.require_role(Membership.Role.MEMBER)
    if not 1 <= len(memories) <= MOST_AT_ONCE:
        raise refused("memories", f"must hold 1 to {MOST_AT_ONCE} memories.")
    kept: dict[int, Memory] = {}
    with isolation.account(caller.account.pk):
        ids = sorted({each.external_user_id for each in memories})
        # In one order for everybody, so that two bulk writes never wait for each other.
        for end_user in sorted((people.open_to(caller.account, each) for each in ids), key=lambda each: each.pk):
            for at, each in enumerate(memories):
                if each.external_user_id == end_user.external_id:
                    kept[at] = _written(caller, end_user, each)
    return [kept[at] for at in range(len(memories))]


def _written(caller: Caller, end_user: EndUser, each: Given) -> Memory:
    statement = Statement(content=each.content, category=each.category, importance=each.importance_score)
    origin = Origin(agent_id=each.agent_id, metadata=each.metadata)
    (memory,) = remember.write(caller.account, end_user, [statement], origin).memories
    memory.end_user = end_user
    return memory


def get(caller: Caller, memory_id: str) -> Memory:
    """Raises MemoryNotFound."""
    caller.require_scope(scopes.READ)
    with isolation.account(caller.account.pk):
        return _found(caller, memory_id)


def _found(caller: Caller, memory_id: str) -> Memory:
    try:
        wanted = uuid.UUID(memory_id)
    except ValueError as error:
        raise MemoryNotFound from error
    rows = Memory.objects.filter(account=caller.account, public_id=wanted).defer(*WIDE)
    memory = rows.select_related("end_user", "previous_version").first()
    if memory is None:
        raise MemoryNotFound
    return memory


def change(caller: Caller, memory_id: str, changes: dict[str, Any]) -> Memory:
    """Changes what is named: content, category, importance_score, metadata, is_archived.

    Raises MemoryNotFound, and Refused for a value out of bounds or a text that another live memory has already.
    """
    caller.require_scope(scopes.WRITE)
    caller.require_role(Membership.Role.MEMBER)
    if not changes:
        raise refused("body", "names nothing to change.")
    wanted = {name: _CHECKS[name](value) for name, value in changes.items()}
    with isolation.account(caller.account.pk):
        memory = _taken(caller, memory_id)
        _apply(memory, wanted)
        versions.add(memory, _kind(wanted), f"Changed {_by(caller)}.")
    return memory


_CHECKS: dict[str, Any] = {
    "content": given.content,
    "category": given.category,
    "importance_score": given.importance,
    "metadata": given.metadata,
    "is_archived": bool,
}


def _kind(wanted: dict[str, Any]) -> MemoryVersion.Change:
    return versions.Change.ARCHIVED if wanted.get("is_archived") else versions.Change.MANUAL_EDIT


def _by(caller: Caller) -> str:
    return "by the product" if caller.user is None else "at the console"


def _taken(caller: Caller, memory_id: str) -> Memory:
    """The memory, read under its end user's turn."""
    people.take_turn(_found(caller, memory_id).end_user)
    return _found(caller, memory_id)


def _apply(memory: Memory, wanted: dict[str, Any]) -> None:
    now = timezone.now()
    if "content" in wanted and wanted["content"] != memory.content:
        _reword(memory, wanted["content"], wanted.get("category", memory.category))
    for name in ("category", "importance_score", "metadata"):
        if name in wanted:
            setattr(memory, name, wanted[name])
    if "is_archived" in wanted and wanted["is_archived"] != memory.is_archived:
        memory.is_archived = wanted["is_archived"]
        memory.archived_at = now if memory.is_archived else None
        memory.archived_as = versions.Change.MANUAL_EDIT if memory.is_archived else ""
    memory.updated_at = now
    _refuse_a_double(memory)
    memory.save()


def _reword(memory: Memory, content: str, category: str) -> None:
    for name, value in remember.stated(Statement(content=content, category=category)).items():
        setattr(memory, name, value)
    memory.vector, memory.vector_model = None, ""
    work.embed_after_commit(memory.account_id)


def _refuse_a_double(memory: Memory) -> None:
    if memory.is_archived:
        return
    others = Memory.objects.filter(account_id=memory.account_id, end_user_id=memory.end_user_id, is_archived=False)
    if others.filter(content_hash=sameness.text_hash(memory.content)).exclude(pk=memory.pk).exists():
        raise refused("content", "is what another live memory of this end user says already.")


def delete(caller: Caller, memory_id: str, *, hard: bool) -> None:
    """Archives a memory, or with `hard` deletes it with its history, for good. Raises MemoryNotFound."""
    caller.require_scope(scopes.DELETE)
    caller.require_role(Membership.Role.MEMBER)
    with isolation.account(caller.account.pk):
        memory = _taken(caller, memory_id)
        if hard:
            memory.delete()
            keep.forget(caller.account, memory.end_user)
        elif not memory.is_archived:
            _apply(memory, {"is_archived": True})
            versions.add(memory, versions.Change.ARCHIVED, f"Deleted {_by(caller)}.")


def history(caller: Caller, memory_id: str) -> list[MemoryVersion]:
    """Every state the memory was in, the first one first. Raises MemoryNotFound."""
    caller.require_scope(scopes.READ)
    with isolation.account(caller.account.pk):
        memory = _found(caller, memory_id)
        return list(MemoryVersion.objects.filter(account=caller.account, memory=memory).order_by("version"))
