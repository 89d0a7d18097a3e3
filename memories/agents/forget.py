"""Deleting for good: text, vector and words go, a tombstone without content stays, and the chain is mended.

Of A -> B -> C without B, A was replaced by C. What a deleted record had replaced does not come back into force: that
it was replaced is still true. Source: contract knowledge, "HTTP"; R1, R2.
"""

from accounts import isolation, scopes
from accounts.caller import Caller
from memories.agents import spaces, supersession, windows
from memories.models import Record, Tombstone


def record(caller: Caller, record_id: str) -> None:
    """Raises NotFound for what the caller does not read, PermissionMissing for what it may not write."""
    caller.require_scope(scopes.DECISIONS_WRITE)
    with isolation.account(caller.account.pk):
        windows.take_turn(caller.account.pk)
        row = supersession.found(caller, record_id, spaces.reach(caller), for_update=True)
        Tombstone.objects.create(
            account=caller.account,
            thing=Tombstone.Thing.RECORD,
            thing_id=row.public_id,
            deleted_by=spaces.actor(caller),
        )
        take_out(row)


def take_out(row: Record) -> None:
    """Removes the row; its neighbours in the chain are linked to each other, or to nothing.

    The caller has taken the account's turn (`windows.take_turn`)."""
    rows = Record.objects.filter(account_id=row.account_id)
    rows.filter(superseded_by=row).update(superseded_by=row.superseded_by_id)
    rows.filter(supersedes=row).update(supersedes=row.supersedes_id)
    beside = windows.neighbours(row)
    row.delete()
    windows.renew(row.account_id, beside)
