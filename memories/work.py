"""The messages that wake workers for what this floor has to do. Knows no task's code; see accounts/waking.py."""

import logging

from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django_redis.exceptions import ConnectionInterrupted
from redis.exceptions import RedisError

from accounts import waking
from accounts.waking import Message, after_commit, send

__all__ = ["Message", "after_commit", "send"]

logger = logging.getLogger(__name__)

PROCESS_DOCUMENT = "memories.tasks.process_document"
EMBED = "memories.tasks.embed"
READ_MESSAGES = "memories.tasks.read_messages"
GATHER_PROFILES = "memories.tasks.gather_profiles"
RESTATE = "memories.tasks.restate"
# Messages that an import sends. Each worker that answers one goes on with the account's next document, so a few
# suffice, and a large import does not stand in the way of the next account's small one.
WAKE_UPS = 4

_FLAG_SECONDS = 60


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


def read_after_commit(account_id: int) -> None:
    transaction.on_commit(lambda: send_reading(account_id), robust=True)


def send_reading(account_id: int) -> None:
    """Wakes a worker for what end users of the account said, unless a message to that end is under way.

    While Valkey is away nothing is tried: it is the broker, too, and a caller should not wait for two time-outs.
    """
    try:
        if cache.add(_reading_flag(account_id), 1, timeout=_FLAG_SECONDS) and not send(
            [(READ_MESSAGES, (account_id,))]
        ):
            took_reading(account_id)
    except (ConnectionInterrupted, RedisError, OSError):
        logger.warning("Valkey did not answer; the next sweep takes the work up.")


def took_reading(account_id: int) -> None:
    """The message has arrived, or never will: what comes in from now on needs another."""
    try:
        cache.delete(_reading_flag(account_id))
    except (ConnectionInterrupted, RedisError, OSError):
        logger.warning("Valkey did not answer; one message too few is made good by the next sweep.")


def _reading_flag(account_id: int) -> str:
    return f"reading-wanted:{account_id}"


def is_anyone_there() -> bool:
    """Whether a worker answers within a second. Raises nothing when the broker is away: then nobody is."""
    try:
        with waking.connection() as broker:
            return bool(current_app.control.ping(timeout=1, connection=broker))
    except waking.AWAY:
        return False
