"""Telling every web process at once that a credential has ended, so that what is open for it can be closed.

By publish and subscribe in Valkey: whoever ends a credential announces it here, whoever keeps something open listens.
A message that is lost costs no safety beyond the time until streams ask again by themselves; what a credential opens
anew is decided by the database alone.
"""

import json
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import transaction
from django_redis import get_redis_connection
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

#: A listener that hears nothing looks this often whether it is still connected.
PATIENCE_SECONDS = 1.0
Heard = Callable[[int, str | None], None]


def announce(account_pk: int, identity: str) -> None:
    """Tells, once the transaction is committed, that the credential `identity` (`Caller.identity`) has ended."""
    transaction.on_commit(partial(_publish, account_pk, identity))


def announce_all(account_pk: int) -> None:
    """The same of everything that the account has open, whoever opened it."""
    transaction.on_commit(partial(_publish, account_pk, None))


def _publish(account_pk: int, identity: str | None) -> None:
    try:
        valkey = get_redis_connection("default")
        valkey.publish(_channel(valkey), json.dumps([account_pk, identity]))
    except (RedisError, OSError):
        logger.warning("Open streams of a revoked credential end a little later: Valkey did not answer.")


def listen(heard: Heard, *, connected: Callable[[], None]) -> None:
    """Calls `heard(account_pk, identity)` for each announcement, and `connected()` before the first of a connection.

    No identity stands for every credential of the account. Announcements made before are missed, which is what
    `connected` is for. Returns never; raises RedisError or OSError when Valkey goes away.
    """
    valkey = get_redis_connection("default")
    with valkey.pubsub(ignore_subscribe_messages=False) as subscription:
        subscription.subscribe(_channel(valkey))
        while True:
            message = subscription.get_message(timeout=PATIENCE_SECONDS)
            if message is not None and message["type"] == "subscribe":
                connected()
            elif message is not None:
                heard(*json.loads(message["data"]))


def _channel(valkey: Any) -> str:
    """Channels are common to all databases of a Valkey; the name keeps two installs apart."""
    return f"pam:{valkey.connection_pool.connection_kwargs.get('db') or 0}:revocations"
