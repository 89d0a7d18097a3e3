"""Session ids, the prompts that a session remembers, and the names that clients give themselves at the handshake.

An id is derived from the account, so it survives a restart and needs no table. It opens nothing: authentication goes by
the credential alone, an id that is not the caller's own is never an error, and prompts are kept by account, credential
and id together, so that an id guessed or copied leads to the guesser's own, empty, drawer (R17).

Valkey holds all of it and nothing else does. Without it a session simply remembers nothing.
"""

import hashlib
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.utils.crypto import salted_hmac
from django_redis import get_redis_connection
from redis.exceptions import RedisError

from accounts.caller import Caller
from accounts.models import Account

logger = logging.getLogger(__name__)

KEPT = 5
#: A name is asked of Valkey this often at most; one that another process was told is known here after as many seconds.
NAME_SECONDS = 10.0
MOST_NAMES = 4096
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
    drawer = _drawer("session", caller, session_id)
    before: list[bytes] = []
    with _forgiving(), get_redis_connection("default").pipeline(transaction=True) as pipe:
        pipe.lrange(drawer, -KEPT, -1)
        pipe.rpush(drawer, prompt.encode())
        pipe.ltrim(drawer, -KEPT, -1)
        pipe.expire(drawer, settings.PAM_SESSION_TTL_SECONDS)
        before = pipe.execute()[0]
    return [earlier.decode() for earlier in before]


def introduce(caller: Caller, user_agent: str, name: str) -> None:
    """Notes what the program behind this credential and User-Agent calls itself; only the handshake says it."""
    drawer = _drawer("client", caller, user_agent)
    with _forgiving():
        get_redis_connection("default").set(
            drawer, name.encode("utf-8", "replace"), ex=settings.PAM_SESSION_TTL_SECONDS
        )
        _know(drawer, name)


def introduced(caller: Caller, user_agent: str) -> str:
    """What the program called itself; empty when it never said."""
    drawer = _drawer("client", caller, user_agent)
    name, until = _names.get(drawer, ("", 0.0))
    if time.monotonic() < until:
        return name
    with _forgiving():
        found: bytes | None = get_redis_connection("default").get(drawer)
        name = found.decode() if found else ""
        _know(drawer, name)
        return name
    return ""


def _know(drawer: str, name: str) -> None:
    if len(_names) >= MOST_NAMES:
        _names.clear()
    _names[drawer] = (name, time.monotonic() + NAME_SECONDS)


_names: dict[str, tuple[str, float]] = {}


@contextmanager
def _forgiving() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError):
        logger.warning("A session was not remembered: Valkey did not answer.")


def _drawer(kind: str, caller: Caller, name: str) -> str:
    # The name is the client's own text, of any length and content: hashed, it can't reach outside its place in the key.
    hashed = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32]
    return f"pam:{kind}:{caller.account.pk}:{caller.identity}:{hashed}"
