"""Access and refresh tokens: opaque, 256 random bits, kept as a SHA-256. What one opens, and for whom.

The prefixes let people, and the rules that cut secrets, tell a token when they see one.
"""

import secrets
from typing import Any

from django.utils import timezone

from accounts import credentials, isolation
from accounts.models import OAuthAccessToken

ACCESS_PREFIX = "pam_at_"
REFRESH_PREFIX = "pam_rt_"


def new_access_token(request: Any) -> str:
    return ACCESS_PREFIX + secrets.token_urlsafe(32)


def new_refresh_token(request: Any) -> str:
    return REFRESH_PREFIX + secrets.token_urlsafe(32)


def recognise(token: str) -> OAuthAccessToken | None:
    """The living access token, with connection, client, person, role, account and plan; None for any other.

    A person who is switched off, and a connection that has ended, open nothing; one who left the account has no
    connections to it any more.
    """
    if not token.startswith(ACCESS_PREFIX):
        return None
    with isolation.every_account(once=True):
        found: OAuthAccessToken | None = (
            OAuthAccessToken.objects.select_related(
                "connection__membership__user", "connection__client", "account__plan", "application"
            )
            .filter(token_checksum=credentials.digest(token), expires__gt=timezone.now())
            .filter(connection__revoked_at=None, connection__membership__user__is_active=True, account__closed_at=None)
            .first()
        )
    return found
