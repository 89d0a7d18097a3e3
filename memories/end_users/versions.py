"""The states that a memory was in, so that its history, and what was known on a day, can be told."""

from collections.abc import Iterable

from django.db.models import Max
from django.utils import timezone

from memories.models import Memory, MemoryVersion

Change = MemoryVersion.Change


def add(memory: Memory, change: MemoryVersion.Change, reason: str = "") -> MemoryVersion:
    """Keeps the state that `memory` is in now. Under its end user's turn."""
    return add_all([memory], change, reason)[0]


def add_all(memories: Iterable[Memory], change: MemoryVersion.Change, reason: str = "") -> list[MemoryVersion]:
    """The same for several memories that changed in one way: two statements, however many there are."""
    changed = list(memories)
    latest = {} if change == Change.CREATED else _latest(changed)
    now = timezone.now()
    made = [
        MemoryVersion(
            account_id=memory.account_id,
            end_user_id=memory.end_user_id,
            memory=memory,
            version=latest.get(memory.pk, 0) + 1,
            change_type=change,
            reason=reason[:500],
            content=memory.content,
            category=memory.category,
            importance_score=memory.importance_score,
            is_archived=memory.is_archived,
            created_at=now,
        )
        for memory in changed
    ]
    return MemoryVersion.objects.bulk_create(made)


def _latest(memories: list[Memory]) -> dict[int, int]:
    if not memories:
        return {}
    rows = MemoryVersion.objects.filter(account_id=memories[0].account_id, memory__in=[each.pk for each in memories])
    return dict(rows.values("memory_id").annotate(last=Max("version")).values_list("memory_id", "last"))
