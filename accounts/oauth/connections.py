"""The connections that people see and end. A connection is one consent: one person, client, account and endpoint.

Whoever may manage an account (owner, admin) sees all of its connections, everybody else their own.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from accounts import isolation, revocations, scopes
from accounts.caller import Caller
from accounts.errors import NotFound
from accounts.models import (
    Membership,
    OAuthAccessToken,
    OAuthConnection,
    OAuthConnectionQuerySet,
    OAuthGrant,
    OAuthRefreshToken,
)
from accounts.oauth import redirect_uris

MOST_SHOWN = 200
#: `last_used_at` is written at most this often, so that a busy connection is not a busy row.
LAST_USED_RESOLUTION = timedelta(minutes=1)
MANAGERS = {Membership.Role.OWNER, Membership.Role.ADMIN}


@dataclass(frozen=True, slots=True)
class Connection:
    """What may be told of a connection. `status` is active, expired or revoked; `resource` the endpoint's address."""

    id: str
    client_name: str
    redirect_host: str
    scopes: tuple[str, ...]
    resource: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime
    status: str
    person: str
    is_verified: bool

    @property
    def powers(self) -> list[tuple[str, str]]:
        """Each scope with what it lets the program do, in the words of the consent page."""
        return [(scope, scopes.GRANTABLE.get(scope, scope)) for scope in self.scopes]


def of(caller: Caller) -> list[Connection]:
    """The connections that the caller may see, newest first, ended ones too. One query."""
    with isolation.account(caller.account.pk):
        rows = _visible(caller).select_related("client", "membership__user").order_by("-created_at", "-id")
        return [_told(row) for row in rows[:MOST_SHOWN]]


def revoke(caller: Caller, connection_id: str) -> Connection:
    """Ends a connection at once and for good, with all of its tokens; ending it again changes nothing.

    Raises NotFound for an id that never was, another account's, and one that the caller may not see alike.
    """
    with isolation.account(caller.account.pk):
        row = _visible(caller).select_related("client", "membership__user").filter(public_id=connection_id).first()
        if row is None:
            raise NotFound
        end(row)
    return _told(row)


def end(connection: OAuthConnection) -> None:
    """Ends a connection, whoever asks: a person, staff, its client, or a token that was used twice.

    To be called inside `isolation.account` (or `every_account`). The row is locked first, as it is by every token
    request, so that no refresh that is on its way gets past.
    """
    locked = OAuthConnection.objects.select_for_update(no_key=True).get(pk=connection.pk)
    OAuthGrant.objects.filter(account_id=locked.account_id, connection=locked).delete()
    OAuthRefreshToken.objects.filter(account_id=locked.account_id, connection=locked, revoked=None).update(
        revoked=timezone.now()
    )
    OAuthAccessToken.objects.filter(account_id=locked.account_id, connection=locked).delete()
    if locked.revoked_at is None:
        locked.revoked_at = timezone.now()
        locked.save(update_fields=["revoked_at"])
        revocations.announce(locked.account_id, locked.public_id)
    connection.revoked_at = locked.revoked_at


def end_streams(**whose: object) -> None:
    """Ends what is open for connections that open nothing any more: of a person who was switched off
    (`membership__user`), or of one who is taken out (`membership`). To be called before they are gone."""
    with isolation.every_account():
        for connection in OAuthConnection.objects.living().filter(**whose):
            revocations.announce(connection.account_id, connection.public_id)


def touch(connection: OAuthConnection, *, client: str) -> None:
    """Notes that a connection was used just now, and by which program."""
    now = timezone.now()
    client = client[:120]
    fresh = connection.last_used_at is not None and now - connection.last_used_at < LAST_USED_RESOLUTION
    if fresh and (not client or connection.last_client == client):
        return
    with isolation.account(connection.account_id, once=True):
        OAuthConnection.objects.filter(pk=connection.pk).update(
            last_used_at=now, last_client=client or connection.last_client
        )


def _visible(caller: Caller) -> OAuthConnectionQuerySet:
    rows = OAuthConnection.objects.of(caller.account).made()
    return rows if caller.role in MANAGERS else rows.filter(membership__user=caller.user)


def _told(row: OAuthConnection) -> Connection:
    return Connection(
        id=row.public_id,
        client_name=str(row.client),
        redirect_host=redirect_uris.shown(row.redirect_uri),
        scopes=tuple(row.scopes),
        resource=row.resource,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        expires_at=row.expires_at,
        status=row.state,
        person=row.membership.user.email,
        is_verified=row.client.is_verified,
    )
