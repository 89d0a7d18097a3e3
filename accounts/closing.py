"""The end of an account: closed by its owner, kept for a while, then erased with everything in it.

While it is closed nothing of it answers, and an owner can take it back. After PAM_CLOSING_DAYS a sweep erases it: every
row that names the account, by the database's own rules. Source: contract console, `/team`; issue: closing the account.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from accounts import isolation, revocations
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Account, Membership

logger = logging.getLogger(__name__)


def close(caller: Caller, *, name: str) -> Account:
    """Closes the caller's account. `name` is its name, typed by hand. Raises PermissionMissing, InvalidArguments."""
    caller.require_role(Membership.Role.OWNER)
    if name.strip() != caller.account.name:
        raise InvalidArguments("That is not the name of this account, so nothing was done.", argument="name")
    with isolation.account(caller.account.pk):
        account = Account.objects.select_for_update(no_key=True).get(pk=caller.account.pk)
        if account.closed_at is None:
            account.closed_at = timezone.now()
            account.save(update_fields=["closed_at"])
            revocations.announce_all(account.pk)
    return account


def reopen(caller: Caller) -> Account:
    """Takes a closed account back. Raises PermissionMissing."""
    caller.require_role(Membership.Role.OWNER)
    with isolation.account(caller.account.pk):
        Account.objects.filter(pk=caller.account.pk).update(closed_at=None)
    caller.account.closed_at = None
    return caller.account


def erased_on(account: Account) -> datetime | None:
    """When a closed account is erased; None for an open one."""
    return None if account.closed_at is None else account.closed_at + grace()


def grace() -> timedelta:
    return timedelta(days=settings.PAM_CLOSING_DAYS)


def erase_due() -> int:
    """Erases the accounts whose time is over; how many. Called by beat; one that fails is tried again."""
    with isolation.every_account():
        due = Account.objects.filter(closed_at__lt=timezone.now() - grace()).values_list("pk", flat=True)
        found = list(due)
    return sum(map(_erase, found))


def _erase(account_id: int) -> bool:
    """Once more under a lock, so that one that was taken back at the last moment stays."""
    with isolation.account(account_id):
        rows = Account.objects.select_for_update().filter(pk=account_id, closed_at__lt=timezone.now() - grace())
        account = rows.first()
        if account is None:
            return False
        account.delete()
    logger.info("Account %d was erased: its time after closing was over.", account_id)
    return True
