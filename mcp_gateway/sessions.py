"""Session ids, and the prompts that a session remembers.

An id is derived from the account, so it survives a restart and needs no table. It opens nothing: authentication goes by
the credential alone, an id that is not the caller's own is never an error, and prompts are kept by account, credential
and id together, so that an id guessed or copied leads to the guesser's own, empty, drawer (R17).

Valkey holds the prompts and nothing else does. Without it a session simply remembers nothing.
"""

import hashlib
import logging

from django.conf import settings
from django.utils.crypto import salted_hmac
from django_redis import get_redis_connection
from redis.exceptions import RedisError

from accounts.caller import Caller
from accounts.models import Account

logger = logging.getLogger(__name__)

KEPT = 5
SALT = "mcp_gateway.sessions"


def own_id(account: Account) -> str:
    """The `Mcp-Session-Id` of an account: 32 hex digits, the same in every process."""
    return salted_hmac(SALT, account.public_id, algorithm="sha256").hexdigest()[:32]


def in_force(caller: Caller, given: str | None) -> str:
    """The id that a call goes by: the one in its arguments, else the caller's own."""
    return given or own_id(caller.account)


def next_prompt(caller: Caller, session_id: str, prompt: str) -> list[str]:
    """Remembers `prompt` (secrets already cut) and returns those before it, oldest first, at most five.

    Never raises for a store that is away: then nothing came before.
    """
    drawer = _drawer(caller, session_id)
    try:
        with get_redis_connection("default").pipeline(transaction=True) as pipe:
            pipe.lrange(drawer, -KEPT, -1)
            pipe.rpush(drawer, prompt.encode())
            pipe.ltrim(drawer, -KEPT, -1)
            pipe.expire(drawer, settings.PAM_SESSION_TTL_SECONDS)
            before: list[bytes] = pipe.execute()[0]
    except (RedisError, OSError):
        logger.warning("The prompts of a session were not remembered: Valkey did not answer.")
        return []
    return [earlier.decode() for earlier in before]


def _drawer(caller: Caller, session_id: str) -> str:
    # The id is the client's own text, of any length and content: hashed, it can't reach outside its place in the key.
    hashed = hashlib.sha256(session_id.encode("utf-8", "replace")).hexdigest()[:32]
    return f"pam:session:{caller.account.pk}:{caller.identity}:{hashed}"
