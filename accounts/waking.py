"""Waking workers: work is sent by task name, after the commit. Knows no task's code.

The row is the queue: a message only wakes a worker, so one that cannot be sent costs the time until the next sweep and
nothing else. A broker that is down must not fail or slow down what was already stored.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# Left to its defaults, Celery tries for six seconds to reach a broker that refuses, and for ever one that hangs.
_SECONDS_TO_CONNECT = 1
_IMPATIENT = {"socket_connect_timeout": _SECONDS_TO_CONNECT, "socket_timeout": 2, "max_retries": 0}

#: What a broker raises when it is away.
AWAY = (OperationalError, RedisError, OSError)
Message = tuple[str, tuple[int, ...]]


def after_commit(messages: Iterable[Message]) -> None:
    """Sends (task name, ids) once the transaction is in; at once where there is none. A broker keeps ids, no text."""
    waiting = list(messages)
    if waiting:
        transaction.on_commit(lambda: send(waiting), robust=True)


def send(messages: Iterable[Message]) -> bool:
    """Whether the broker took them all."""
    try:
        with connection() as broker:
            for name, ids in messages:
                current_app.send_task(name, args=ids, connection=broker, retry=False, ignore_result=True)
    except AWAY as error:
        logger.warning("The broker took no message (%s); the next sweep takes the work up.", type(error).__name__)
        return False
    return True


@contextmanager
def connection() -> Iterator[Any]:
    """A connection to the broker that gives up soon. Raises one of AWAY."""
    with current_app.connection_for_write(connect_timeout=_SECONDS_TO_CONNECT, transport_options=_IMPATIENT) as broker:
        yield broker
