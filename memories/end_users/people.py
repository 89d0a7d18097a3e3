"""The end users of an account: seen for the first time, looked up, and whose turn it is to be written about.

Everything here runs inside `isolation.account`.
"""

from django.db.models import F
from django.utils import timezone

from accounts.errors import InvalidArguments
from accounts.models import Account
from memories import storable
from memories.end_users import traces
from memories.end_users.errors import EndUserBlocked, EndUserNotFound, refused
from memories.models import EndUser

LONGEST_ID = 255


def check_id(external_id: str) -> str:
    """The id as it is: compared byte by byte, so neither trimmed nor folded. Raises Refused."""
    if not 1 <= len(external_id) <= LONGEST_ID:
        raise refused("external_user_id", f"must have 1 to {LONGEST_ID} characters.")
    return storable.check("external_user_id", external_id)


def seen(account: Account, external_id: str) -> EndUser:
    """The end user of that id, made at first sight. Raises Refused for an id that is none."""
    check_id(external_id)
    rows = EndUser.objects.filter(account=account, external_id=external_id)
    # Twice only where they were erased just between.
    while (found := rows.first()) is None:
        EndUser.objects.bulk_create([EndUser(account=account, external_id=external_id)], ignore_conflicts=True)
    return found


def known(account: Account, external_id: str) -> EndUser:
    """Raises EndUserNotFound for one that was never seen, is another account's, or cannot be an id at all."""
    try:
        check_id(external_id)
    except InvalidArguments as error:
        raise EndUserNotFound from error
    found = EndUser.objects.filter(account=account, external_id=external_id).first()
    if found is None:
        raise EndUserNotFound
    return found


def open_to(account: Account, external_id: str) -> EndUser:
    """As `seen`, for what must not be done for somebody who is blocked. Raises EndUserBlocked."""
    end_user = seen(account, external_id)
    if end_user.blocked_at is not None:
        raise EndUserBlocked
    return end_user


def take_turn(end_user: EndUser, *, is_seen: bool = True) -> None:
    """Makes this transaction the only one that writes about this person, until it ends.

    Raises their revision, so that no answer from before is given again; EndUserNotFound where they were erased
    meanwhile. Taken before any of their rows is locked. `is_seen`: the person, or their product, gave the occasion.
    """
    rows = EndUser.objects.filter(account_id=end_user.account_id, pk=end_user.pk)
    seen = {"last_seen_at": timezone.now()} if is_seen else {}
    if not rows.update(revision=F("revision") + 1, **seen):
        raise EndUserNotFound
    end_user.refresh_from_db(fields=["revision", "blocked_at"])
    traces.tell_no_more(end_user.account_id, end_user.pk)
