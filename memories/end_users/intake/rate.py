"""How often one end user is added to: gate L1. Counted in Valkey, and in this process's memory while Valkey is away.

Nothing here raises: trouble of ours must not fail the caller's own work.
"""

import logging
import time
from dataclasses import dataclass

from django.core.cache import BaseCache, caches
from django_redis.exceptions import ConnectionInterrupted
from redis.exceptions import RedisError

from memories.end_users.traces import Trace, key
from memories.models import EndUser

logger = logging.getLogger(__name__)

MINUTE = 60
#: After a fault Valkey is left alone so many seconds, so that no call waits for one time-out after another.
PAUSE = 5.0
_AWAY = (ConnectionInterrupted, RedisError, OSError)


@dataclass(frozen=True, slots=True)
class Count:
    """The number of this call among those of its minute, which began with the first of them and ends in `resets_in`
    seconds. `is_shared` is false where only this process counted, because Valkey did not answer."""

    number: int
    resets_in: int
    is_shared: bool


class Counter:
    """Counts, and remembers that Valkey was away."""

    def __init__(self) -> None:
        self._away_until = 0.0

    @property
    def is_cache_away(self) -> bool:
        return time.monotonic() < self._away_until

    def count(self, end_user: EndUser) -> Count:
        name = key(end_user.account_id, end_user.pk, Trace.ADDS)
        if not self.is_cache_away:
            try:
                return Count(*_counted(caches["default"], name), is_shared=True)
            except _AWAY:
                self._away_until = time.monotonic() + PAUSE
                logger.warning("Valkey did not answer: this process alone counts how often end users are added to.")
        return Count(*_counted(caches["process"], name), is_shared=False)


def _counted(cache: BaseCache, name: str) -> tuple[int, int]:
    """The number, and seconds until counting begins anew."""
    cache.add(name, 0, timeout=MINUTE)
    try:
        number = cache.incr(name)
    except ValueError:  # its minute ended between the two
        cache.set(name, 1, timeout=MINUTE)
        number = 1
    left = cache.ttl(name) if hasattr(cache, "ttl") else None
    return number, MINUTE if not left else max(1, left)


counter = Counter()
