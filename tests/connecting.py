"""A program connected by OAuth, as the consent page leaves it; for tests that are not about how it came to be."""

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from accounts import credentials, isolation
from accounts.models import Membership, OAuthAccessToken, OAuthClient, OAuthConnection
from accounts.oauth import resources, tokens
from tests.cast import Person


def connection(person: Person, name: str = "Web agent", **changes: Any) -> OAuthConnection:
    """A living connection of the person to a program that registered itself under this name."""
    client = OAuthClient.objects.create(
        name=name,
        client_type="public",
        authorization_grant_type="authorization-code",
        redirect_uris="https://agent.example/callback",
        registration_source=OAuthClient.RegistrationSource.DCR,
    )
    now = timezone.now()
    wanted = {
        "redirect_uri": "https://agent.example/callback",
        "scopes": ["memory:read"],
        "resource": resources.MEMORY.uri,
        "code_hash": secrets.token_hex(32),
        "redeemed_at": now,
        "expires_at": now + timedelta(days=30),
    }
    with isolation.account(person.account.pk):
        member = Membership.objects.get(account=person.account, user=person.user)
        return OAuthConnection.objects.create(
            account=person.account, membership=member, client=client, **{**wanted, **changes}
        )


def token(connected: OAuthConnection, *, resource: resources.Resource = resources.MEMORY, scope: str = "") -> str:
    """An access token of the connection, good for an hour."""
    secret = tokens.new_access_token(None)
    with isolation.account(connected.account_id):
        OAuthAccessToken.objects.create(
            account=connected.account,
            connection=connected,
            application=connected.client,
            user=connected.membership.user,
            token=secret,
            token_checksum=credentials.digest(secret),
            resource=[f"{settings.PUBLIC_URL}{resource.path}"],
            scope=scope or " ".join(connected.scopes),
            expires=timezone.now() + timedelta(hours=1),
        )
    return secret
