"""Waking workers: work is sent by task name, after the commit. Knows no task's code.

The row is the queue: a message only wakes a worker, so one that cannot be sent costs the time until the next sweep and
nothing else. A broker that is down must not fail or slow down what was already stored.
"""

import logging
from collections.abc import Iterable

from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django_redis.exceptions import ConnectionInterrupted
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PROCESS_DOCUMENT = "memories.tasks.process_document"
EMBED = "memories.tasks.embed"
# Messages that an import sends. Each worker that answers one goes on with the account's next document, so a few
# suffice, and a large import does not stand in the way of the next account's small one.
WAKE_UPS = 4

# Left to its defaults, Celery tries for six seconds to reach a broker that refuses, and for ever one that hangs.
_SECONDS_TO_CONNECT = 1
_FLAG_SECONDS = 60
_IMPATIENT = {"socket_connect_timeout": _SECONDS_TO_CONNECT, "socket_timeout": 2, "max_retries": 0}

Message = tuple[str, tuple[int, ...]]


def after_commit(messages: Iterable[Message]) -> None:
    """Sends (task name, ids) once the transaction is in; at once where there is none. A broker keeps ids, no text."""
    waiting = list(messages)
    if waiting:
        transaction.on_commit(lambda: send(waiting), robust=True)


def send(messages: Iterable[Message]) -> bool:
    """Whether the broker took them all."""
    try:
        with current_app.connection_for_write(
            connect_timeout=_SECONDS_TO_CONNECT, transport_options=_IMPATIENT
        ) as broker:
            for name, ids in messages:
                current_app.send_task(name, args=ids, connection=broker, retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("The broker took no message (%s); the next sweep takes the work up.", type(error).__name__)
        return False
    return True


def embed_after_commit(account_id: int) -> None:
    transaction.on_commit(lambda: send_embed(account_id), robust=True)


def send_embed(account_id: int) -> None:
    """Wakes a worker for the account's vectors, unless a message to that end is under way."""
    try:
        is_first = cache.add(_flag(account_id), 1, timeout=_FLAG_SECONDS)
    except (ConnectionInterrupted, RedisError, OSError):
        is_first = True
    if is_first:
        send([(EMBED, (account_id,))])


def took_embed(account_id: int) -> None:
    """The message has arrived: what comes in from now on needs another."""
    try:
        cache.delete(_flag(account_id))
    except (ConnectionInterrupted, RedisError, OSError):
        logger.warning("Valkey did not answer; one message too few is made good by the next sweep.")


def _flag(account_id: int) -> str:
    return f"embedding-wanted:{account_id}"


def is_anyone_there() -> bool:
    """Whether a worker answers within a second. Raises nothing when the broker is away: then nobody is."""
    try:
        with current_app.connection_for_write(
            connect_timeout=_SECONDS_TO_CONNECT, transport_options=_IMPATIENT
        ) as broker:
            return bool(current_app.control.ping(timeout=1, connection=broker))
    except (OperationalError, RedisError, OSError):
        return False
