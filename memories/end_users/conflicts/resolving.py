"""A conflict in doubt, settled by somebody: the end user who was asked, the product, a person at the console, staff.

The first answer counts. The same one again changes nothing and is answered alike; another one is refused.
"""

import uuid

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.models import Account, Membership
from memories import redaction, storable
from memories.end_users import people, versions
from memories.end_users.conflicts import rows
from memories.end_users.conflicts.rows import Keep, Outcome
from memories.end_users.errors import ConflictNotFound, EndUserBlocked, refused
from memories.models import Conflict, EndUser, Memory
from memories.models.searchable import WIDE

LONGEST_REASON = 500
BY_END_USER = "the end user"
BY_STAFF = "the operator"

#: Open, and both sides are still told: what was archived since has answered the question.
PENDING = Q(resolved_at=None, old__is_archived=False, new__is_archived=False)


def answer(caller: Caller, clarification_id: str, choice: str) -> Conflict:
    """What the end user said to the question they were asked: a, the older one; b, the newer one; both; neither.

    Raises ConflictNotFound, EndUserBlocked, Refused for another choice than one of these, or than the one before.
    """
    caller.require_scope(scopes.WRITE)
    keep = _choice(choice, "choice")
    with isolation.account(caller.account.pk):
        row = _found(caller.account, clarification_id)
        if not row.question:
            raise ConflictNotFound
        if row.end_user.blocked_at is not None:
            raise EndUserBlocked
        return _settle(row, keep, by=BY_END_USER, reason="", field="choice")


def resolve(caller: Caller, conflict_id: str, keep: str, *, reason: str = "") -> Conflict:
    """What the account decides: an API key that may write, or a person who is a member at least.

    Raises ConflictNotFound, PermissionMissing, Refused.
    """
    caller.require_scope(scopes.WRITE)
    caller.require_role(Membership.Role.MEMBER)
    wanted = _choice(keep, "keep")
    with isolation.account(caller.account.pk):
        row = _found(caller.account, conflict_id)
        return _settle(row, wanted, by=_name(caller), reason=_reason(reason), field="keep")


def settle_as_staff(row: Conflict, keep: Keep, *, reason: str) -> Conflict:
    """By the operator of the installation, inside `isolation.account`. Raises ConflictNotFound, Refused."""
    return _settle(_found(row.account, str(row.public_id)), keep, by=BY_STAFF, reason=reason, field="keep")


def _choice(value: str, field: str) -> Keep:
    if value not in Keep.values:
        raise refused(field, f"must be one of {', '.join(Keep.values)}.")
    return Keep(value)


def _reason(text: str) -> str:
    said = " ".join(storable.check("reason", text).split())
    if len(said) > LONGEST_REASON:
        raise refused("reason", f"must have at most {LONGEST_REASON} characters.")
    return redaction.cut(said).text[:LONGEST_REASON]


def _name(caller: Caller) -> str:
    if caller.user is not None:
        return caller.user.email
    return f"API key {caller.api_key.name}"[:300] if caller.api_key is not None else caller.surface


def _found(account: Account, conflict_id: str) -> Conflict:
    try:
        wanted = uuid.UUID(conflict_id)
    except ValueError as error:
        raise ConflictNotFound from error
    row = with_sides(Conflict.objects.filter(account=account, public_id=wanted)).first()
    if row is None:
        raise ConflictNotFound
    return row


def with_sides(queryset: "QuerySet[Conflict]") -> "QuerySet[Conflict]":
    """With both memories and the person, without the columns that only search reads."""
    wide = [f"{side}__{column}" for side in ("old", "new") for column in WIDE]
    return queryset.select_related("end_user", "old", "new").defer(*wide)


def _settle(row: Conflict, keep: Keep, *, by: str, reason: str, field: str) -> Conflict:
    people.take_turn(row.end_user)
    row = _found(Account(pk=row.account_id), str(row.public_id))
    if row.resolved_at is not None:
        if row.keep == keep:
            return row
        settled = f"as {row.keep} " if row.keep else ""
        raise refused(field, f"comes too late: this was settled {settled}by {row.resolved_by}.")
    carry_out(row, keep, by=by, reason=reason)
    return row


_OUTCOMES = {Keep.A: Outcome.REJECT, Keep.B: Outcome.UPDATE, Keep.BOTH: Outcome.KEEP_BOTH, Keep.NEITHER: Outcome.NEW}


def carry_out(row: Conflict, keep: Keep, *, by: str, reason: str = "") -> None:
    """Keeps what was chosen and archives the rest. Under the end user's turn.

    What was archived or deleted meanwhile stays so, also where it was chosen.
    """
    row.keep, row.outcome, row.resolved_by, row.resolved_at = keep, _OUTCOMES[keep], by, timezone.now()
    row.reason = reason or row.reason
    row.save(update_fields=["keep", "outcome", "resolved_by", "resolved_at", "reason"])
    if keep is Keep.B and row.new and row.new.previous_version_id is None and not row.new.is_archived:
        row.new.previous_version = row.old
        row.new.save(update_fields=["previous_version"])
    why = f"Settled by {by}. {reason}".strip()
    rows.archive(_going(row, keep), versions.Change.CONFLICT_RESOLVED, why)


def _going(row: Conflict, keep: Keep) -> list[Memory]:
    going = {Keep.A: (row.new,), Keep.B: (row.old,), Keep.BOTH: (), Keep.NEITHER: (row.old, row.new)}[keep]
    return [memory for memory in going if memory is not None]


def confirmed(account: Account, end_user: EndUser, memory: Memory) -> None:
    """Somebody said a memory again of which they had been asked: that is their answer. Under the end user's turn."""
    asked = Conflict.objects.filter(PENDING, account=account, end_user=end_user, asked_at__isnull=False)
    for row in with_sides(asked.filter(Q(old=memory) | Q(new=memory))):
        carry_out(row, Keep.A if row.old_id == memory.pk else Keep.B, by=rows.BY_STATEMENT)
