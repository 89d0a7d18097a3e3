"""API keys of products (``mem_…``): minted, recognised, revoked. The key itself is shown once and never kept."""

from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from accounts import credentials, isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments, NotFound
from accounts.models import Account, ApiKey, Membership, User

PREFIX = "mem_"
SHOWN = len(PREFIX) + 6
MAX_ALIVE = 100
DEFAULT_RATE = 60
#: Of the key that comes with an account: a first look must not end at a limit that nobody chose.
FIRST_RATE = 60_000
MAX_RATE = 1_000_000


@dataclass(frozen=True, slots=True)
class Minted:
    """A fresh key: the row, the secret that nobody sees again, and when that was made."""

    key: ApiKey
    secret: str
    at: datetime = field(default_factory=timezone.now)


def issue(
    account: Account,
    *,
    name: str,
    created_by: User | None = None,
    permissions: list[str] | None = None,
    rate_limit_per_minute: int = DEFAULT_RATE,
    expires_at: datetime | None = None,
) -> Minted:
    """Mints a key with `permissions` (all of them unless told otherwise).

    Raises InvalidArguments for an empty name, an unknown permission, a rate out of bounds, an expiry in the past, or
    too many living keys.
    """
    _check(name=name, permissions=permissions, rate=rate_limit_per_minute, expires_at=expires_at)
    secret = credentials.new(PREFIX)
    with isolation.account(account.pk):
        if ApiKey.objects.of(account).alive().count() >= MAX_ALIVE:
            raise InvalidArguments(f"An account holds at most {MAX_ALIVE} active API keys. Revoke one first.")
        key = ApiKey.objects.create(
            account=account,
            name=name.strip(),
            created_by=created_by,
            prefix=secret[:SHOWN],
            key_hash=credentials.digest(secret),
            permissions=list(scopes.API_KEY) if permissions is None else sorted(set(permissions)),
            rate_limit_per_minute=rate_limit_per_minute,
            expires_at=expires_at,
        )
    return Minted(key, secret)


def _check(*, name: str, permissions: list[str] | None, rate: int, expires_at: datetime | None) -> None:
    if not name.strip() or len(name) > 80 or "\x00" in name:
        raise InvalidArguments("A key needs a name of 1 to 80 characters.", argument="name")
    unknown = sorted(set(permissions or []) - set(scopes.API_KEY))
    if unknown:
        raise InvalidArguments(f"There is no permission {unknown[0][:40]!r}.", argument="permissions")
    if permissions is not None and not permissions:
        raise InvalidArguments("A key needs at least one permission.", argument="permissions")
    if not 1 <= rate <= MAX_RATE:
        raise InvalidArguments(f"A key's rate is 1 to {MAX_RATE:,} a minute.", argument="rate_limit_per_minute")
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidArguments("The expiry lies in the past.", argument="expires_at")


def mint(
    caller: Caller,
    *,
    name: str,
    permissions: list[str] | None = None,
    rate_limit_per_minute: int = DEFAULT_RATE,
    expires_at: datetime | None = None,
) -> Minted:
    """As `issue`: for a key with the permission `admin`, which gives no permission that it lacks, or an admin person.

    Without `permissions` the new key has all that its maker may give. Raises ScopeMissing or PermissionMissing besides.
    """
    _require_admin(caller)
    if caller.surface == "api_key":
        permissions = sorted(caller.scopes) if permissions is None else permissions
        for permission in sorted(set(permissions) & set(scopes.API_KEY)):
            caller.require_scope(permission)
    return issue(
        caller.account,
        name=name,
        created_by=caller.user,
        permissions=permissions,
        rate_limit_per_minute=rate_limit_per_minute,
        expires_at=expires_at,
    )


def listed(caller: Caller) -> list[ApiKey]:
    """All API keys of the account, newest first, revoked ones too. A key needs the permission `admin`."""
    caller.require_scope(scopes.ADMIN)
    with isolation.account(caller.account.pk):
        return list(ApiKey.objects.of(caller.account).select_related("created_by").order_by("-created_at", "-id"))


def revoke(caller: Caller, public_id: str) -> ApiKey:
    """Stops a key at once and for good; revoking it again changes nothing.

    For whoever may mint one. A key does not revoke the last one that can mint others: people at the console can.
    Raises NotFound, ScopeMissing, PermissionMissing, InvalidArguments.
    """
    _require_admin(caller)
    with isolation.account(caller.account.pk):
        # All living ones in one order: of two last administrators that revoke each other, one stays.
        living = list(ApiKey.objects.of(caller.account).alive().select_for_update(of=("self",)).order_by("pk"))
        key = ApiKey.objects.of(caller.account).filter(public_id=public_id).first()
        if key is None:
            raise NotFound
        if caller.surface == "api_key" and _administrators(living) == [key]:
            raise InvalidArguments(
                "It is the last API key with the permission admin. Mint another, or revoke it on the Access page.",
                argument="id",
            )
        if key.revoked_at is None:
            key.revoked_at = timezone.now()
            key.save(update_fields=["revoked_at"])
    return key


def _administrators(living: list[ApiKey]) -> list[ApiKey]:
    return [key for key in living if scopes.ADMIN in key.permissions]


def _require_admin(caller: Caller) -> None:
    caller.require_scope(scopes.ADMIN)
    caller.require_role(Membership.Role.ADMIN)


def recognise(secret: str) -> ApiKey | None:
    """The living key whose secret this is, with its account; None for a wrong, revoked or expired one."""
    return credentials.recognise(ApiKey, secret)


def touch(key: ApiKey) -> None:
    """Notes that a key was used just now."""
    now = timezone.now()
    if key.last_used_at is not None and now - key.last_used_at < credentials.LAST_USED_RESOLUTION:
        return
    with isolation.account(key.account_id, once=True):
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
