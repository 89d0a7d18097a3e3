"""Looking at one end user as a person does: figures, and a page of memories with every state that each was in."""

from collections import defaultdict
from dataclasses import dataclass, field

from accounts import isolation
from accounts.caller import Caller
from memories.end_users import directory, lifecycle, listing
from memories.end_users.directory import Stats
from memories.models import LifecycleRun, Memory, MemoryVersion

PAGE = 50


@dataclass(frozen=True, slots=True)
class Told:
    """A memory with its states, the latest first."""

    memory: Memory
    versions: list[MemoryVersion] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class User:
    """`next_cursor` is empty on the last page; `total` counts the memories of all pages."""

    stats: Stats
    memories: list[Told]
    next_cursor: str
    total: int


def user(caller: Caller, external_id: str, *, include_archived: bool = False, cursor: str = "") -> User:
    """Raises EndUserNotFound, and BadSetting for a cursor of another list. Eleven queries."""
    stats = directory.stats(caller, external_id)
    page = listing.memories(
        caller, external_user_id=external_id, include_archived=include_archived, cursor=cursor, limit=PAGE
    )
    states = defaultdict(list)
    with isolation.account(caller.account.pk):
        rows = MemoryVersion.objects.filter(account=caller.account, memory__in=page.memories)
        for version in rows.order_by("memory_id", "-version"):
            states[version.memory_id].append(version)
    told = [Told(memory, states[memory.pk]) for memory in page.memories]
    return User(stats, told, page.next_cursor, page.total)


def stopped(caller: Caller) -> LifecycleRun | None:
    """The latest run of the lifecycle, if it was kept from doing anything."""
    latest = lifecycle.latest(caller)
    return latest if latest is not None and latest.state == LifecycleRun.State.STOPPED else None
