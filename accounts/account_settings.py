"""What an account's managers set of it: its name, and how long its request log is kept."""

from accounts import isolation
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Account, Membership

LEAST_DAYS, MOST_DAYS = 1, 3650


def change(caller: Caller, *, name: str, log_retention_days: int) -> Account:
    """Raises PermissionMissing, and InvalidArguments for an empty name or a time out of bounds."""
    caller.require_role(Membership.Role.ADMIN)
    name = name.strip()
    if not 1 <= len(name) <= 120 or "\x00" in name:
        raise InvalidArguments("An account needs a name of 1 to 120 characters.", argument="name")
    if not LEAST_DAYS <= log_retention_days <= MOST_DAYS:
        raise InvalidArguments(
            f"The log is kept for {LEAST_DAYS} to {MOST_DAYS:,} days.", argument="log_retention_days"
        )
    with isolation.account(caller.account.pk):
        Account.objects.filter(pk=caller.account.pk).update(name=name, log_retention_days=log_retention_days)
    caller.account.name, caller.account.log_retention_days = name, log_retention_days
    return caller.account
