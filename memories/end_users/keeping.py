"""Valkey as end-user memory uses it: what it holds is a copy, so when it is away nothing is missing, only slower.

No fault of it is ever raised. After one it is left alone for a few seconds, so that requests do not wait for one
time-out after another.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from django_redis import get_redis_connection
from redis.client import Pipeline
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
PAUSE = 5.0
_away_until = 0.0


def together(commands: Callable[[Pipeline], object]) -> list[Any]:
    """The answers to all that `commands` puts into a pipeline, in one round trip; none where Valkey is away."""
    global _away_until
    if time.monotonic() < _away_until:
        return []
    try:
        with get_redis_connection("default").pipeline(transaction=False) as pipeline:
            commands(pipeline)
            return list(pipeline.execute())
    except (RedisError, OSError):
        _away_until = time.monotonic() + PAUSE
        logger.warning("Valkey did not answer; what it would have told is worked out anew.")
        return []
