"""Who works in an account: members and their roles, invitations, leaving.

Owners do everything; admins everything but what concerns owners. An account always has an owner. Whoever is out is out
at once: the next request of theirs finds no membership, and what they connected by OAuth ends with it. Keys belong to
the account and stay. Source: contract console, `/team`.
"""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import credentials, isolation
from accounts.caller import ROLE_ORDER, Caller
from accounts.errors import InvalidArguments, NotFound, PermissionMissing
from accounts.models import Account, Invitation, Membership, OAuthConnection, User
from accounts.oauth import connections

Role = Membership.Role
PREFIX = "pam_inv_"
#: Where a session keeps the invitation that somebody follows while they sign in or up.
FOLLOWED = "invitation"
LIFETIME = timedelta(days=7)
MOST_INVITATIONS = 100
LAST_OWNER = "An account needs an owner. Make somebody else an owner first."
STALE = "This invitation is no longer valid. Ask for a new one."


def members(caller: Caller) -> list[Membership]:
    """Everybody in the account with their role, owners first. One query."""
    with isolation.account(caller.account.pk):
        rows = list(Membership.objects.filter(account=caller.account).select_related("user"))
    return sorted(rows, key=lambda row: (-ROLE_ORDER.index(Role(row.role)), row.user.email))


def change_role(caller: Caller, member_id: int, role: str) -> Membership:
    """Raises NotFound, PermissionMissing, and InvalidArguments for an unknown role or the last owner."""
    wanted = _role(role)
    with isolation.account(caller.account.pk):
        member = _managed(caller, member_id, wanted)
        if member.role == Role.OWNER and wanted != Role.OWNER:
            _keep_an_owner(member)
        member.role = wanted
        member.save(update_fields=["role"])
    return member


def remove(caller: Caller, member_id: int) -> Membership:
    """Takes somebody out, or oneself: everybody may leave. Raises as `change_role`."""
    with isolation.account(caller.account.pk):
        _lock(caller.account)
        member = _found(caller.account, member_id)
        if member.user_id != (caller.user.pk if caller.user else None):
            member = _managed(caller, member_id, Role(member.role))
        if member.role == Role.OWNER:
            _keep_an_owner(member)
        for connection in OAuthConnection.objects.filter(account=caller.account, membership=member):
            connections.end(connection)
        Membership.objects.filter(pk=member.pk).delete()
    return member


def _managed(caller: Caller, member_id: int, wanted: Role) -> Membership:
    """The member, whom the caller may manage and make what is wanted; the account's members stay as they are till the
    end of the transaction."""
    caller.require_role(Role.ADMIN)
    _lock(caller.account)
    member = _found(caller.account, member_id)
    if caller.role != Role.OWNER and Role.OWNER in (member.role, wanted):
        raise PermissionMissing("Only an owner may change who is an owner.")
    return member


def _lock(account: Account) -> None:
    """Two owners who leave at the same moment would both see the other one stay."""
    Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def _found(account: Account, member_id: int) -> Membership:
    member = Membership.objects.filter(account=account, pk=member_id).select_related("user").first()
    if member is None:
        raise NotFound
    return member


def _keep_an_owner(member: Membership) -> None:
    owners = Membership.objects.filter(account_id=member.account_id, role=Role.OWNER, user__is_active=True)
    if not owners.exclude(pk=member.pk).exists():
        raise InvalidArguments(LAST_OWNER, argument="role")


def _role(name: str) -> Role:
    if name not in Role.values:
        raise InvalidArguments(f"A role is one of {', '.join(Role.values)}.", argument="role")
    return Role(name)


def invitations(caller: Caller) -> list[Invitation]:
    """Who was invited and has not joined yet, the newest first."""
    with isolation.account(caller.account.pk):
        rows = Invitation.objects.filter(account=caller.account).select_related("invited_by")
        return list(rows.order_by("-created_at", "-id"))


def invite(caller: Caller, *, email: str, role: str) -> tuple[Invitation, str]:
    """An invitation and what its link carries, which nobody can read again. Inviting anew makes the old link void.

    Raises PermissionMissing, and InvalidArguments for a bad address, a member, or too many invitations.
    """
    caller.require_role(Role.ADMIN)
    wanted, address = _role(role), _address(email)
    if wanted == Role.OWNER and caller.role != Role.OWNER:
        raise PermissionMissing("Only an owner may invite an owner.")
    secret = credentials.new(PREFIX)
    with isolation.account(caller.account.pk):
        _lock(caller.account)
        if Membership.objects.filter(account=caller.account, user__email__iexact=address).exists():
            raise InvalidArguments(f"{address} belongs to this account already.", argument="email")
        open_ones = Invitation.objects.filter(account=caller.account)
        open_ones.filter(email__iexact=address).delete()
        if open_ones.count() >= MOST_INVITATIONS:
            raise InvalidArguments(f"At most {MOST_INVITATIONS} invitations are open at a time. Take some back first.")
        made = Invitation.objects.create(
            account=caller.account,
            email=address,
            role=wanted,
            token_hash=credentials.digest(secret),
            invited_by=caller.user,
            expires_at=timezone.now() + LIFETIME,
        )
    return made, secret


def _address(email: str) -> str:
    address = email.strip()
    try:
        validate_email(address)
    except ValidationError as error:
        raise InvalidArguments(f"{address[:80]!r} is not an e-mail address.", argument="email") from error
    return address


def take_back(caller: Caller, invitation_id: str) -> Invitation:
    """The link opens nothing any more. Raises NotFound, PermissionMissing."""
    caller.require_role(Role.ADMIN)
    with isolation.account(caller.account.pk):
        found = Invitation.objects.filter(account=caller.account, public_id=invitation_id).first()
        if found is None:
            raise NotFound
        Invitation.objects.filter(pk=found.pk).delete()
    return found


def invitation(secret: str) -> Invitation | None:
    """The open invitation that a link carries, with its account; None for one that is none, used, or over."""
    if not secret.startswith(PREFIX):
        return None
    with isolation.every_account():
        rows = Invitation.objects.filter(token_hash=credentials.digest(secret)).select_related("account", "invited_by")
        found = rows.first()
    return None if found is None or found.is_expired else found


def is_for(found: Invitation, user: User) -> bool:
    """A link that was passed on lets nobody else in."""
    return found.email.casefold() == user.email.casefold()


def accept(secret: str, user: User) -> Membership:
    """Makes the person a member, once. Raises InvalidArguments for a stale invitation, or somebody else's."""
    found = invitation(secret)
    if found is None:
        raise InvalidArguments(STALE)
    if not is_for(found, user):
        raise InvalidArguments(f"This invitation is for {found.email}. Sign in with that address to accept it.")
    with isolation.account(found.account_id):
        if not Invitation.objects.filter(pk=found.pk).delete()[0]:
            raise InvalidArguments(STALE)
        return _joined(found, user)


def _joined(found: Invitation, user: User) -> Membership:
    try:
        with transaction.atomic():
            return Membership.objects.create(account=found.account, user=user, role=found.role)
    except IntegrityError:
        # They are in already, by another way: the role they have stays.
        return Membership.objects.get(account=found.account, user=user)
