"""The audit log: who of the staff did what to whose thing, why and when. Append-only, in the database too.

A service that acts for staff writes its entry in its own transaction, so that neither is there without the other. What
is written down is public ids and words of staff; never a memory's text. Nothing here decides who may do what.
"""

from django.db import models

from accounts import isolation
from accounts.errors import InvalidArguments
from accounts.models import Account, AuditEntry, User

LONGEST_REASON = 500


def write(actor: User, did: str, thing: models.Model, *, reason: str) -> AuditEntry:
    """`did` is a verb; `thing` the row it was done to, which may be deleted in the same transaction, afterwards.

    Raises InvalidArguments without a reason.
    """
    account = thing if isinstance(thing, Account) else getattr(thing, "account", None)
    entry = AuditEntry(
        account=account,
        account_public_id=account.public_id if account else "",
        by=actor.email,
        did=did,
        thing=str(thing._meta.model_name),
        thing_id=str(getattr(thing, "public_id", "") or thing.pk),
        reason=because(reason),
    )
    with isolation.account(account.pk) if account else isolation.every_account():
        entry.save(force_insert=True)
    return entry


def because(reason: str) -> str:
    """A reason as it is kept. Raises InvalidArguments for an empty one and for one that is too long."""
    reason = " ".join(reason.replace("\x00", "").split())
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise InvalidArguments(f"Say why, in 1 to {LONGEST_REASON} characters: it is kept.", argument="reason")
    return reason
