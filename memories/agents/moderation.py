"""What staff do to agent memory: hide, restore, delete. Each with a reason, which the audit log keeps.

What is hidden is gone from every read at once, and stays whole: restoring brings it back as it was. A hidden space
hides all that is in it. A hidden summary hides its prose; its records stand for themselves. Source: contract console,
"Staff admin".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone

from accounts import audit, isolation
from accounts.errors import NotFound
from accounts.models import User
from memories import redaction
from memories.agents import forget, windows
from memories.errors import FailedPrecondition
from memories.models import Record, Space, Summary, Tombstone

Thing = Record | Summary | Space
_NAMES: dict[type[Any], Tombstone.Thing] = {
    Record: Tombstone.Thing.RECORD,
    Summary: Tombstone.Thing.SUMMARY,
    Space: Tombstone.Thing.SPACE,
}


def hide(actor: User, thing: Thing, *, reason: str) -> None:
    """Raises FailedPrecondition for what is hidden, NotFound for what is gone."""
    with _held(actor, "hide", thing, reason) as row:
        if row.hidden_at is not None:
            raise FailedPrecondition(f"{row.public_id} is hidden already.")
        row.hidden_at = timezone.now()
        _keep(row)


def restore(actor: User, thing: Thing, *, reason: str) -> None:
    """Raises FailedPrecondition for what is not hidden, and for a record that another active one repeats by now."""
    with _held(actor, "restore", thing, reason) as row:
        if row.hidden_at is None:
            raise FailedPrecondition(f"{row.public_id} is not hidden.")
        _check_said_once(row)
        row.hidden_at = None
        _keep(row)


def delete(actor: User, thing: Thing, *, reason: str) -> None:
    """For good; a tombstone without content stays. A space takes all that is in it along."""
    with _held(actor, "delete", thing, reason) as row:
        Tombstone.objects.create(
            account=row.account, thing=_NAMES[type(row)], thing_id=row.public_id, deleted_by=actor.email
        )
        if isinstance(row, Record):
            forget.take_out(row)
        else:
            row.delete()


@contextmanager
def _held(actor: User, did: str, thing: Thing, reason: str) -> Iterator[Any]:
    """The row, locked, in the account's turn, so that nobody records the same or links to it meanwhile."""
    with isolation.account(thing.account_id):
        windows.take_turn(thing.account_id)
        rows = type(thing)._default_manager.filter(account=thing.account_id, pk=thing.pk)
        row = rows.select_related("account").select_for_update(of=("self",)).first()
        if row is None:
            raise NotFound
        audit.write(actor, did, row, reason=redaction.cut(reason).text)
        yield row


def _keep(row: Any) -> None:
    row.save(update_fields=["hidden_at"])
    if isinstance(row, Record):
        windows.renew(row.account_id, [row.pk])


def _check_said_once(row: Thing) -> None:
    if not isinstance(row, Record) or row.status != Record.Status.ACTIVE:
        return
    same = Record.objects.filter(account=row.account_id, space=row.space_id, kind=row.kind, text_hash=row.text_hash)
    twin = same.filter(status=Record.Status.ACTIVE, hidden_at=None).first()
    if twin is not None:
        said = f"{twin.public_id} says the same meanwhile, and is active"
        raise FailedPrecondition(f"{said}. Hide or delete that one first, or leave {row.public_id} hidden.")
