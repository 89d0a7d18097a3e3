"""Everything that is kept of one end user, as JSON Lines: themselves, their memories with every state they were in,
archived ones too, and what else there is. Nothing is left out because it is blocked or archived.

Read in pages, each in a transaction of its own, so that a slow reader holds nothing; what comes in meanwhile is not
told. `restore.py` takes the lines back. R6.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import models

from accounts import isolation, scopes
from accounts.caller import Caller
from memories.end_users import people
from memories.end_users.moving import kinds
from memories.end_users.moving.columns import plain
from memories.end_users.moving.kinds import Kind
from memories.models import Conflict, EndUser, Memory, MemoryVersion, Retrieval
from memories.models.searchable import WIDE

_PAGE = 200


def lines(caller: Caller, external_id: str) -> Iterator[str]:
    """One JSON object a line, each with its `type` and `external_user_id`. Raises EndUserNotFound before the first."""
    caller.require_scope(scopes.READ)
    with isolation.account(caller.account.pk):
        row = people.known(caller.account, external_id)
        last = Memory.objects.filter(account=caller.account, end_user=row).aggregate(last=models.Max("pk"))["last"] or 0
    return _lines(caller, row, last)


def memory(row: Memory) -> list[str]:
    """The line of a memory's person and its own. Runs inside `isolation.account`."""
    (more,) = _of_memories([row])
    return [_line(kinds.END_USER, row.end_user, row.end_user), _line(kinds.MEMORY, row.end_user, row, **more)]


def _lines(caller: Caller, end_user: EndUser, last: int) -> Iterator[str]:
    yield _line(kinds.END_USER, end_user, end_user)
    for kind in kinds.ALL[1:]:
        after = 0
        while page := _page(caller, kind, end_user, after, last):
            after = page[-1][0].pk
            for row, more in page:
                yield _line(kind, end_user, row, **more)


def _line(kind: Kind, end_user: EndUser, row: models.Model, **more: Any) -> str:
    columns = {column.name: plain(getattr(row, column.name)) for column in kind.columns}
    made = {"type": kind.name, "external_user_id": end_user.external_id, **more, **columns}
    return json.dumps(made, ensure_ascii=False) + "\n"


def _page(
    caller: Caller, kind: Kind, end_user: EndUser, after: int, last: int
) -> list[tuple[models.Model, dict[str, Any]]]:
    """Rows in their order, each with what it refers to by public id."""
    with isolation.account(caller.account.pk):
        rows = kind.model._default_manager.filter(account=caller.account, end_user=end_user, pk__gt=after)
        if kind is kinds.MEMORY:
            rows = rows.filter(pk__lte=last).select_related("previous_version").defer(*WIDE)
        elif kind is kinds.CONFLICT:
            rows = rows.filter(old__lte=last).select_related("old", "new")
        page = list(rows.order_by("pk")[:_PAGE])
        return list(zip(page, _LINKED.get(kind.model, _by_id)(page), strict=True)) if page else []


def _by_id(page: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"id": str(row.public_id)} if hasattr(row, "public_id") else {} for row in page]


def _of_memories(page: Sequence[Memory]) -> list[dict[str, Any]]:
    states: dict[int, list[dict[str, Any]]] = {row.pk: [] for row in page}
    rows = MemoryVersion.objects.filter(account_id=page[0].account_id, memory__in=states)
    for version in sorted(rows, key=lambda each: (each.memory_id, each.version)):
        told = {column.name: plain(getattr(version, column.name)) for column in kinds.VERSION.columns}
        states[version.memory_id].append(told)
    return [
        {"id": str(row.public_id), "previous_version_id": _id(row.previous_version), "versions": states[row.pk]}
        for row in page
    ]


def _of_conflicts(page: Sequence[Conflict]) -> list[dict[str, Any]]:
    return [{"id": str(row.public_id), "old_id": _id(row.old), "new_id": _id(row.new)} for row in page]


def _of_retrievals(page: Sequence[Retrieval]) -> list[dict[str, Any]]:
    told = {pk for row in page for pk in row.memory_ids}
    rows = Memory.objects.filter(account_id=page[0].account_id, pk__in=told)
    by_pk = dict(rows.values_list("pk", "public_id"))
    return [
        {"id": str(row.public_id), "memory_ids": [str(by_pk[pk]) for pk in row.memory_ids if pk in by_pk]}
        for row in page
    ]


def _id(memory: Memory | None) -> str | None:
    return str(memory.public_id) if memory else None


_LINKED: dict[type[models.Model], Any] = {
    Memory: _of_memories,
    Conflict: _of_conflicts,
    Retrieval: _of_retrievals,
}
