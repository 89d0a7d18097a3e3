"""Agent keys: minted, recognised, rotated, revoked. The key itself is shown once and never kept."""

from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from accounts import credentials, isolation, revocations, scopes
from accounts.caller import Caller
from accounts.credentials import digest
from accounts.errors import InvalidArguments, NotFound
from accounts.models import Account, AgentKey, Membership, User

PREFIX = "pam_mkey_"
SHOWN = len(PREFIX) + 6
MAX_ALIVE = 100


@dataclass(frozen=True, slots=True)
class Minted:
    """A fresh key: the row, the secret that nobody sees again, and when that was made."""

    key: AgentKey
    secret: str
    at: datetime = field(default_factory=timezone.now)


def issue(
    account: Account,
    *,
    name: str,
    created_by: User | None = None,
    granted: list[str] | None = None,
    expires_at: datetime | None = None,
) -> Minted:
    """Mints a key with the scopes `granted` (all agent scopes unless told otherwise).

    Raises InvalidArguments for an empty name, an unknown scope, an expiry in the past, or too many living keys.
    """
    _check(name=name, granted=granted, expires_at=expires_at)
    secret = credentials.new(PREFIX)
    with isolation.account(account.pk):
        if AgentKey.objects.of(account).alive().count() >= MAX_ALIVE:
            raise InvalidArguments(f"An account holds at most {MAX_ALIVE} active keys. Revoke one first.")
        key = AgentKey.objects.create(
            account=account,
            name=name.strip(),
            created_by=created_by,
            prefix=secret[:SHOWN],
            key_hash=digest(secret),
            scopes=list(scopes.AGENT) if granted is None else sorted(set(granted)),
            expires_at=expires_at,
        )
    return Minted(key, secret)


def _check(*, name: str, granted: list[str] | None, expires_at: datetime | None) -> None:
    if not name.strip() or len(name) > 80 or "\x00" in name:
        raise InvalidArguments("A key needs a name of 1 to 80 characters.", argument="name")
    unknown = sorted(set(granted or []) - set(scopes.AGENT))
    if unknown:
        raise InvalidArguments(f"There is no scope {unknown[0][:40]!r}.", argument="scopes")
    if granted is not None and not granted:
        raise InvalidArguments("A key needs at least one scope.", argument="scopes")
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidArguments("The expiry lies in the past.", argument="expires_at")


def mint(caller: Caller, *, name: str, granted: list[str] | None = None, expires_at: datetime | None = None) -> Minted:
    """Mints a key for the caller's account; members and above may."""
    caller.require_role(Membership.Role.MEMBER)
    return issue(caller.account, name=name, created_by=caller.user, granted=granted, expires_at=expires_at)


def listed(caller: Caller) -> list[AgentKey]:
    """All keys of the account, newest first, revoked ones too."""
    with isolation.account(caller.account.pk):
        return list(AgentKey.objects.of(caller.account).select_related("created_by").order_by("-created_at", "-id"))


def get(caller: Caller, public_id: str) -> AgentKey:
    """Raises NotFound for an id that never was and for another account's alike."""
    with isolation.account(caller.account.pk):
        key = AgentKey.objects.of(caller.account).filter(public_id=public_id).first()
    if key is None:
        raise NotFound
    return key


def rotate(caller: Caller, public_id: str) -> Minted:
    """A new secret under the same id, name, scopes and expiry; the old secret stops at once."""
    caller.require_role(Membership.Role.MEMBER)
    secret = credentials.new(PREFIX)
    with isolation.account(caller.account.pk):
        key = AgentKey.objects.of(caller.account).select_for_update().filter(public_id=public_id).first()
        if key is None:
            raise NotFound
        if key.state != "active":
            raise InvalidArguments(f"This key is {key.state}. Mint a new one instead.", argument="key")
        key.key_hash, key.prefix = digest(secret), secret[:SHOWN]
        key.save(update_fields=["key_hash", "prefix"])
        revocations.announce(key.account_id, key.public_id)
    return Minted(key, secret)


def revoke(caller: Caller, public_id: str) -> AgentKey:
    """Stops a key at once and for good; revoking it again changes nothing."""
    caller.require_role(Membership.Role.MEMBER)
    with isolation.account(caller.account.pk):
        key = AgentKey.objects.of(caller.account).select_for_update().filter(public_id=public_id).first()
        if key is None:
            raise NotFound
        if key.revoked_at is None:
            key.revoked_at = timezone.now()
            key.save(update_fields=["revoked_at"])
            revocations.announce(key.account_id, key.public_id)
    return key


def rotate_sole(caller: Caller) -> Minted:
    """As `rotate`, for an account with one living key; with none yet, its first is minted.

    Raises InvalidArguments where several live: which one is meant has to be said.
    """
    key = _sole(caller)
    return rotate(caller, key.public_id) if key is not None else mint(caller, name="Agent key")


def revoke_sole(caller: Caller) -> AgentKey:
    """As `revoke`, for an account with one living key. Raises NotFound where none lives."""
    key = _sole(caller)
    if key is None:
        raise NotFound("This account has no active key.")
    return revoke(caller, key.public_id)


def _sole(caller: Caller) -> AgentKey | None:
    with isolation.account(caller.account.pk):
        living = list(AgentKey.objects.of(caller.account).alive()[:2])
    if len(living) > 1:
        raise InvalidArguments("This account has several active keys. Use /v1/dev/keys/{id}/rotate or /revoke.")
    return living[0] if living else None


def recognise(secret: str) -> AgentKey | None:
    """The living key whose secret this is, with its account; None for a wrong, revoked or expired one."""
    return credentials.recognise(AgentKey, secret)


def touch(key: AgentKey, *, client: str) -> None:
    """Notes that a key was used just now, and by which client."""
    now = timezone.now()
    client = client[:120]
    fresh = key.last_used_at is not None and now - key.last_used_at < credentials.LAST_USED_RESOLUTION
    if fresh and (not client or key.last_client == client):
        return
    with isolation.account(key.account_id, once=True):
        AgentKey.objects.filter(pk=key.pk).update(last_used_at=now, last_client=client or key.last_client)
