"""All of agent memory that a caller reads, as JSON Lines: spaces, summaries, records, tombstones, in that order.

Read in pages, each in a transaction of its own, so that a slow reader holds nothing. What is hidden is left out, unless
an operator asks for it (the command `export_memories`). `restore.py` takes the lines back. Source: contract knowledge,
"Export"; R2, R6.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.db import models

from accounts import isolation, scopes
from accounts.caller import Caller
from memories.agents import shown, spaces
from memories.models import Record, Space, Summary, Tombstone

_PAGE = 500


def lines(caller: Caller, *, with_hidden: bool = False) -> Iterator[str]:
    """One JSON object a line, each with its `type`. Raises ScopeMissing before the first one."""
    caller.require_scope(scopes.DECISIONS_READ)
    return _lines(caller, with_hidden)


def _lines(caller: Caller, with_hidden: bool) -> Iterator[str]:
    for model, written in _WRITTEN:
        after = 0
        while page := _page(caller, model, after, with_hidden):
            after = page[-1].pk
            for row in page:
                yield json.dumps(written(row), ensure_ascii=False, default=datetime.isoformat) + "\n"


def _page(caller: Caller, model: type[models.Model], after: int, with_hidden: bool) -> list[Any]:
    with isolation.account(caller.account.pk):
        within = spaces.reach(caller)
        rows = model._default_manager.filter(account=caller.account, pk__gt=after).order_by("pk")
        if model is Tombstone:
            return list(rows[:_PAGE])
        if not with_hidden:
            rows = rows.filter(hidden_at=None)
        if model is Space:
            return _spaces_read(rows, within, with_hidden)
        reach = models.Q() if with_hidden else within.readable()
        related = shown.RECORD_RELATED if model is Record else shown.SUMMARY_RELATED
        return list(rows.filter(reach).select_related(*related)[:_PAGE])


def _spaces_read(rows: "models.QuerySet[Any]", within: spaces.Reach, with_hidden: bool) -> list[Space]:
    page = list(rows.prefetch_related("members__user")[:_PAGE])
    seen = [space for space in page if with_hidden or within.reads(space)]
    return seen if seen or not page else _spaces_read(rows.filter(pk__gt=page[-1].pk), within, with_hidden)


def _space(row: Space) -> dict[str, Any]:
    people = [{"email": member.user.email, "can_write": member.can_write} for member in row.members.all()]
    return {
        "type": "space",
        "id": row.public_id,
        "name": row.name,
        "access": row.access,
        "members": sorted(people, key=lambda person: str(person["email"])),
        "created_at": row.created_at,
        **_hidden(row),
    }


def _summary(row: Summary) -> dict[str, Any]:
    return {"type": "summary", **shown.summary(row).structured(), **_hidden(row)}


def _record(row: Record) -> dict[str, Any]:
    links = {name: linked.public_id if (linked := getattr(row, name)) else "" for name in _LINKS}
    return {"type": "record", **shown.record(row).structured(), **links, **_hidden(row)}


def _tombstone(row: Tombstone) -> dict[str, Any]:
    return {
        "type": "tombstone",
        "thing": row.thing,
        "id": row.thing_id,
        "deleted_by": row.deleted_by,
        "deleted_at": row.deleted_at,
    }


def _hidden(row: Any) -> dict[str, Any]:
    return {"hidden_at": row.hidden_at} if row.hidden_at else {}


# A link to a hidden record is kept: what was replaced must not look as if it had been given up.
_LINKS = ("supersedes", "superseded_by")
_WRITTEN: list[tuple[type[models.Model], Callable[[Any], dict[str, Any]]]] = [
    (Space, _space),
    (Summary, _summary),
    (Record, _record),
    (Tombstone, _tombstone),
]
