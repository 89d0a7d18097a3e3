"""What staff do to a memory of an end user: hide, restore, delete. Each with a reason, which the audit log keeps.

A hidden memory leaves the table that every read looks through, so no read can tell of it, an export as little as a
prompt; it is kept whole in a table of its own, as lines of an export, and comes back by the way that imports take.
Contradictions that it was part of go with it: they were about what is told. Source: contract console, "Staff admin".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import QuerySet

from accounts import audit, isolation
from accounts.errors import NotFound
from accounts.models import User
from memories import redaction, work
from memories.end_users import people
from memories.end_users.domains.profiles import keep
from memories.end_users.moving import export, restore
from memories.errors import FailedPrecondition
from memories.models import HiddenMemory, Memory

Thing = Memory | HiddenMemory


def hide(actor: User, memory: Memory, *, reason: str) -> None:
    """Raises NotFound for one that is gone meanwhile."""
    with _held(actor, "hide", memory, reason) as row:
        HiddenMemory.objects.create(
            account=row.account,
            end_user=row.end_user,
            public_id=row.public_id,
            content=row.content,
            lines=export.memory(row),
            successors=[str(each) for each in _next(row).values_list("public_id", flat=True)],
            hidden_by=actor.email,
        )
        _take_out(row)


def delete(actor: User, memory: Memory, *, reason: str) -> None:
    """For good, with its history. Raises NotFound."""
    with _held(actor, "delete", memory, reason) as row:
        _take_out(row)


def restore_hidden(actor: User, hidden: HiddenMemory, *, reason: str) -> None:
    """Raises FailedPrecondition where the same is known again by now, and NotFound for what is gone meanwhile."""
    with _held(actor, "restore", hidden, reason) as row:
        back = restore.memory(row.end_user, row.lines)
        if back is None:
            raise FailedPrecondition(f"The same as {row.public_id} is remembered again. Delete one of the two.")
        theirs = Memory.objects.filter(account=row.account, end_user=row.end_user, public_id__in=row.successors)
        theirs.filter(previous_version=None).update(previous_version=back)
        row.delete()
        work.embed_after_commit(row.account_id)


def delete_hidden(actor: User, hidden: HiddenMemory, *, reason: str) -> None:
    """For good. Raises NotFound."""
    with _held(actor, "delete", hidden, reason) as row:
        row.delete()


def _next(row: Memory) -> "QuerySet[Memory]":
    """What took its place."""
    return Memory.objects.filter(account=row.account, end_user=row.end_user, previous_version=row)


def _take_out(row: Memory) -> None:
    account, end_user = row.account, row.end_user
    row.delete()
    keep.forget(account, end_user)


@contextmanager
def _held(actor: User, did: str, thing: Thing, reason: str) -> Iterator[Any]:
    """The row, locked, in its person's turn: what was answered before is not answered again."""
    with isolation.account(thing.account_id):
        people.take_turn(thing.end_user, is_seen=False)
        rows = type(thing)._default_manager.filter(account=thing.account_id, pk=thing.pk)
        row = rows.select_related("account", "end_user").select_for_update(of=("self",)).first()
        if row is None:
            raise NotFound
        audit.write(actor, did, row, reason=redaction.cut(reason).text)
        yield row
