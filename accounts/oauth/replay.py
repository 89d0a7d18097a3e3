"""The same refresh twice within a moment: answered again with what the first one got, for those who want it.

People who run several clients of one login (three windows of an editor) have one refresh token used by all of them at
once. By default that ends the connection, as the seed says. With OAUTH_REFRESH_REPLAY_WINDOW_SECONDS=10 whoever comes
second gets the very same pair, so that at most one pair is ever alive. The answer waits in Valkey, encrypted with the
spent token itself: only who has that can read it. Without Valkey there is a clean invalid_grant.
"""

import base64
import hashlib
import logging
from datetime import datetime, timedelta

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from redis.exceptions import RedisError

from accounts import credentials

logger = logging.getLogger(__name__)


class Again(Exception):
    """`body` is the JSON that was answered before. Raised through oauthlib, once it has authenticated the client."""

    def __init__(self, body: str) -> None:
        self.body = body
        super().__init__("This refresh was answered a moment ago.")


def is_within(spent_at: datetime) -> bool:
    return timezone.now() - spent_at < timedelta(seconds=settings.OAUTH_REFRESH_REPLAY_WINDOW_SECONDS)


def again(refresh_token: str) -> None:
    """Raises Again if the answer is still there."""
    try:
        kept = cache.get(_name(refresh_token))
        if kept:
            raise Again(_cipher(refresh_token).decrypt(kept).decode())
    except (RedisError, OSError, InvalidToken):
        logger.warning("A refresh could not be answered again.")


def keep(refresh_token: str, body: str) -> None:
    """Keeps the answer for the window, if there is one."""
    seconds = settings.OAUTH_REFRESH_REPLAY_WINDOW_SECONDS
    if not seconds:
        return
    try:
        cache.set(_name(refresh_token), _cipher(refresh_token).encrypt(body.encode()), timeout=seconds)
    except (RedisError, OSError):
        logger.warning("The answer to a refresh could not be kept for a second one.")


def _name(refresh_token: str) -> str:
    return f"oauth-refresh:{credentials.digest(refresh_token)}"


def _cipher(refresh_token: str) -> Fernet:
    # Another hash than the one that is kept in the database.
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"answered again " + refresh_token.encode()).digest()))
