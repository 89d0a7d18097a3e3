"""Where sign-in attempts are counted: in Valkey, and in this process's memory while Valkey is away.

allauth counts in Django's default cache and has no word for when that does not answer. Without this room nobody could
sign in while Valkey is down; with a cache that merely ignores faults, passwords could be guessed without a limit.
"""

import logging
import time
from typing import Any

from django.core.cache import BaseCache, caches
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
#: After a fault Valkey is left alone this many seconds, so that a page does not wait for one time-out after another.
PAUSE = 5.0


class AttemptCache:
    """The four cache operations that allauth's rate limits use."""

    def __init__(self) -> None:
        self._away_until = 0.0

    def add(self, key: str, value: Any, timeout: float | None = None) -> bool:
        added: bool = self._call("add", key, value, timeout=timeout)
        return added

    def get(self, key: str, default: Any = None) -> Any:
        return self._call("get", key, default)

    def set(self, key: str, value: Any, timeout: float | None = None) -> None:
        self._call("set", key, value, timeout=timeout)

    def delete(self, key: str) -> None:
        self._call("delete", key)

    def _call(self, operation: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self._away_until:
            try:
                return self._operation("default", operation)(*args, **kwargs)
            except (RedisError, OSError):
                self._away_until = time.monotonic() + PAUSE
                logger.warning("Sign-in attempts are counted in this process only: Valkey did not answer.")
        return self._operation("process", operation)(*args, **kwargs)

    @staticmethod
    def _operation(alias: str, operation: str) -> Any:
        cache: BaseCache = caches[alias]
        return getattr(cache, operation)
