"""Support access: whether staff may read the texts of an account. Its owner decides, for good or up to a day.

What it hides from staff is in `staff_texts.py`. Source: contract console, "Staff admin".
"""

from datetime import UTC, date, datetime

from django.db.models import Q

from accounts import audit, isolation
from accounts.caller import Caller
from accounts.errors import InvalidArguments, PermissionMissing
from accounts.models import Account, Membership


def allows(prefix: str = "") -> Q:
    """The condition on rows whose account, found by `prefix` ("account__"), lets staff read now."""
    lasting, started = f"{prefix}support_until__isnull", f"{prefix}support_until__gte"
    return Q(**{f"{prefix}support_access": True}) & (Q(**{lasting: True}) | Q(**{started: _today()}))


def is_on(account: Account) -> bool:
    return account.support_access and (account.support_until is None or account.support_until >= _today())


def switch(caller: Caller, *, on: bool, until: date | None = None) -> Account:
    """Lets staff read up to and with the day `until` (UTC), or for good; or no longer. The audit log keeps who did it.

    Raises PermissionMissing for anybody but an owner, InvalidArguments for a day that has passed.
    """
    caller.require_role(Membership.Role.OWNER)
    if caller.user is None:
        raise PermissionMissing
    if on and until is not None and until < _today():
        raise InvalidArguments("Choose today or a later day.", argument="until")
    account, until = caller.account, until if on else None
    with isolation.account(account.pk):
        Account.objects.filter(pk=account.pk).update(support_access=on, support_until=until)
        reason = "By an owner, " + (f"up to {until}." if until else "for good." if on else "from now on.")
        audit.write(caller.user, "allow_support" if on else "end_support", account, reason=reason)
    account.support_access, account.support_until = on, until
    return account


def _today() -> date:
    return datetime.now(UTC).date()
