"""The rows that a decision leaves behind: archived memories, their versions, Conflicts and the event that tells of it.

Inside `isolation.account`, under the end user's turn.
"""

from collections.abc import Sequence

from django.db.models import Q
from django.utils import timezone

from accounts import webhooks
from accounts.models import Account
from memories.end_users import versions
from memories.end_users.conflicts import wording
from memories.models import Conflict, Memory

CONFLICT_EVENT = "memory.conflict"
BY_STATEMENT = "a later statement"
Outcome = Conflict.Outcome
Keep = Conflict.Keep


def archive(memories: Sequence[Memory], change: versions.Change, reason: str) -> None:
    """Takes memories out of what is told. Questions about them that were open have their answer."""
    going = [memory for memory in memories if not memory.is_archived]
    if not going:
        return
    now = timezone.now()
    for memory in going:
        memory.is_archived, memory.archived_at, memory.archived_as, memory.updated_at = True, now, change, now
    Memory.objects.bulk_update(going, ["is_archived", "archived_at", "archived_as", "updated_at"])
    versions.add_all(going, change, reason)
    _close_open(going)


def _close_open(gone: Sequence[Memory]) -> None:
    """Pending conflicts one side of which is told no more, settled by the statement that took its place."""
    ids = [memory.pk for memory in gone]
    pending = Conflict.objects.filter(account_id=gone[0].account_id, end_user_id=gone[0].end_user_id, resolved_at=None)
    closing = {"outcome": Outcome.UPDATE, "resolved_by": BY_STATEMENT, "resolved_at": timezone.now()}
    pending.filter(old__in=ids).update(**closing, keep=Keep.B)
    pending.filter(new__in=ids).update(**closing, keep=Keep.A)


def log(old: Memory, new: Memory | None, statement: str, outcome: Outcome, reason: str) -> Conflict | None:
    """Keeps how a conflict was settled by itself. What was turned away or known already is kept once."""
    rows = Conflict.objects.filter(account_id=old.account_id, end_user_id=old.end_user_id, old=old)
    if new is None and rows.filter(statement=statement, outcome=outcome).exists():
        return None
    now = timezone.now()
    row = Conflict.objects.create(
        account_id=old.account_id,
        end_user_id=old.end_user_id,
        old=old,
        new=new,
        statement=statement,
        outcome=outcome,
        reason=reason[:500],
        resolved_by="rules",
        resolved_at=now,
        created_at=now,
    )
    if outcome in (Outcome.UPDATE, Outcome.REJECT):
        _tell(row)
    return row


def ask(old: Memory, new: Memory, reason: str) -> Conflict | None:
    """Keeps a pending question about two memories, both of which stay; None where it was asked before."""
    rows = Conflict.objects.filter(account_id=old.account_id, end_user_id=old.end_user_id)
    if rows.filter(Q(old=old, new=new) | Q(old=new, new=old)).exists():
        return None
    row = Conflict.objects.create(
        account_id=old.account_id,
        end_user_id=old.end_user_id,
        old=old,
        new=new,
        statement=new.content,
        reason=reason[:500],
        question=wording.question(old.content, new.content)[:1200],
    )
    _tell(row)
    return row


def _tell(row: Conflict) -> None:
    data = {
        "conflict_id": str(row.public_id),
        "external_user_id": row.end_user.external_id,
        "outcome": row.outcome or None,
        "old_memory_id": str(row.old.public_id),
        "new_memory_id": str(row.new.public_id) if row.new else None,
    }
    webhooks.emit(Account(pk=row.account_id), CONFLICT_EVENT, data)
