"""When one record takes the place of another. Both ends are linked, in the transaction of the call that says so.

A record is replaced once: who comes second is told which one is in force. Since only an active record can be replaced,
and one that is replaced is not active, no circle can form. Source: contract knowledge, "Supersedes"; R11.
"""

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import NotFound, PermissionMissing
from memories.agents import arguments, shown, spaces
from memories.agents.shown import RecordShown
from memories.agents.spaces import Reach
from memories.errors import FailedPrecondition
from memories.models import Record

Kind, Status = Record.Kind, Record.Status
_ENDED_BY_DONE = (Kind.HANDOFF, Kind.QUESTION)


def replace(caller: Caller, new: Record, old_id: str, within: Reach) -> None:
    """`new` takes the place of the record `old_id`, or answers it. Runs inside the transaction that records `new`.

    Raises NotFound for an id the caller does not read, PermissionMissing where it may not write, and FailedPrecondition
    for `new` itself and for a record that is not in force any more, naming the one that is.
    """
    old = found(caller, old_id, within, for_update=True)
    if old.superseded_by_id == new.pk:
        return
    if old.pk == new.pk:
        raise FailedPrecondition(f"{old_id} says the same already; a record cannot supersede itself.")
    if old.status != Status.ACTIVE:
        raise FailedPrecondition(_not_in_force(old))
    old.status = _ended_as(old.kind, new.kind)
    old.superseded_by, new.supersedes = new, old
    old.save(update_fields=["status", "superseded_by"])
    new.save(update_fields=["supersedes"])


def resolve(caller: Caller, record_id: str) -> RecordShown:
    """A question or hand-over that needs no answer any more. Raises FailedPrecondition for what is not in force."""
    caller.require_scope(scopes.DECISIONS_WRITE)
    with isolation.account(caller.account.pk):
        row = found(caller, record_id, spaces.reach(caller), for_update=True)
        if row.status != Status.ACTIVE:
            raise FailedPrecondition(_not_in_force(row))
        row.status = Status.RESOLVED
        row.save(update_fields=["status"])
        return shown.record(row)


def found(caller: Caller, record_id: str, within: Reach, *, for_update: bool = False) -> Record:
    """The record of that id that the caller reads, and with `for_update` may write: locked. Raises NotFound."""
    arguments.label(record_id, "record_id")
    rows = Record.objects.filter(within.readable(), account=caller.account, public_id=record_id, hidden_at=None)
    rows = rows.select_related(*shown.RECORD_RELATED)
    row = (rows.select_for_update(of=("self",)) if for_update else rows).first()
    if row is None:
        raise NotFound(f"There is no record {record_id[:60]!r}.")
    if for_update:
        _check_writable(row, within)
    return row


def _check_writable(row: Record, within: Reach) -> None:
    if not (within.writes(row.space) if row.space else within.writes_whole):
        raise PermissionMissing(f"You read {row.public_id} but may not change it.")


def _ended_as(old: str, new: str) -> Record.Status:
    """A question answered by another kind is resolved, and so is a hand-over that was done."""
    is_answered = old == Kind.QUESTION and new != Kind.QUESTION
    is_done = new == Kind.DONE and old in _ENDED_BY_DONE
    return Status.RESOLVED if is_answered or is_done else Status.SUPERSEDED


def _not_in_force(old: Record) -> str:
    said = f"{old.public_id} is {old.status} already"
    current = in_force(old)
    return f"{said}; the one in force is {current.public_id}." if current else f"{said}, and nothing took its place."


def in_force(row: Record) -> Record | None:
    """The end of the chain of records that replaced `row`; None where it was hidden or deleted."""
    last = next(reversed(chain(row, "superseded_by")), row)
    is_hidden = last.hidden_at is not None or (last.space is not None and last.space.hidden_at is not None)
    return last if not is_hidden and last.status == Status.ACTIVE else None


def chain(row: Record, link: str) -> list[Record]:
    """The records from `row` on along `supersedes` or `superseded_by`, without it, each with what shapes need."""
    found: list[Record] = []
    seen = {row.pk}
    key = getattr(row, f"{link}_id")
    while key is not None and key not in seen:
        seen.add(key)
        row = Record.objects.select_related(*shown.RECORD_RELATED).get(pk=key, account_id=row.account_id)
        found.append(row)
        key = getattr(row, f"{link}_id")
    return found
