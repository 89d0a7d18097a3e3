"""What staff do to a conflict in doubt: settle it, with a reason, which the audit log keeps."""

from accounts import audit, isolation
from accounts.models import User
from memories import redaction
from memories.end_users.conflicts import resolving
from memories.end_users.conflicts.rows import Keep
from memories.models import Conflict


def keep_older(actor: User, row: Conflict, *, reason: str) -> None:
    """Raises Refused for one that is settled otherwise, ConflictNotFound for one that is gone."""
    _settle(actor, row, Keep.A, reason)


def keep_newer(actor: User, row: Conflict, *, reason: str) -> None:
    """As keep_older."""
    _settle(actor, row, Keep.B, reason)


def keep_both(actor: User, row: Conflict, *, reason: str) -> None:
    """As keep_older."""
    _settle(actor, row, Keep.BOTH, reason)


def _settle(actor: User, row: Conflict, keep: Keep, reason: str) -> None:
    why = redaction.cut(audit.because(reason)).text
    with isolation.account(row.account_id):
        resolving.settle_as_staff(row, keep, reason=why)
        audit.write(actor, f"settle as {keep}", row, reason=why)
