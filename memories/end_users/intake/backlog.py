"""How much waits to be read for an account, and how long it will take: what an answer says of processing.

The pace is what workers last needed for one job, kept in Valkey for all of them; without it a guess stands in.
"""

import logging
import math
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django_redis.exceptions import ConnectionInterrupted
from redis.exceptions import RedisError

from accounts import isolation
from accounts.models import Account
from memories import providers

logger = logging.getLogger(__name__)

NORMAL, DELAYED = "normal", "delayed"
CLOSED, OPEN = "closed", "open"
# More are not counted: an answer should not be the slower, the more waits.
_MOST = 1_000
_PACE = "reading-pace"
_PACE_SECONDS = 24 * 3600
_GUESS = 0.2
_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits for an account: jobs (up to 1,000), seconds since the oldest came in, and how many come again after
    a failure. `pace` is seconds a job."""

    waiting: int
    oldest_seconds: float
    failing: int
    pace: float

    @property
    def eta_seconds(self) -> int:
        """When one more job would be done, if all went on as it does."""
        expected = math.ceil((self.waiting + 1) * self.pace)
        return max(expected, math.ceil(self.oldest_seconds)) if self.status == DELAYED else expected

    @property
    def status(self) -> str:
        return DELAYED if self.oldest_seconds > settings.PAM_PROCESSING_DELAYED_SECONDS else NORMAL

    def circuit(self, *, is_cache_away: bool) -> str:
        """Open while something that memory leans on fails: Valkey, the language model, or jobs that come again."""
        return OPEN if is_cache_away or providers.pause.is_on or self.failing else CLOSED


def of(account: Account, *, is_cache_away: bool) -> Backlog:
    """Runs a transaction of its own."""
    with isolation.account(account.pk, once=True), connection.cursor() as cursor:
        cursor.execute(_COUNT, {"account": account.pk, "most": _MOST})
        waiting, oldest, failing = cursor.fetchone()
    return Backlog(waiting, float(oldest or 0), failing, _GUESS if is_cache_away else pace())


def pace() -> float:
    """Seconds that a job takes; a guess where nobody measured it. Raises nothing."""
    try:
        measured = cache.get(_PACE)
    except (ConnectionInterrupted, RedisError, OSError):
        measured = None
    return _GUESS if measured is None else float(measured)


def measured(seconds: float) -> None:
    """Tells what one job took; the newest count most. Raises nothing."""
    try:
        before = cache.get(_PACE)
        now = seconds if before is None else (1 - _WEIGHT) * float(before) + _WEIGHT * seconds
        cache.set(_PACE, now, timeout=_PACE_SECONDS)
    except (ConnectionInterrupted, RedisError, OSError):
        logger.debug("The pace was not kept: Valkey did not answer.")


# The index `job_waiting` holds unfinished jobs only.
_COUNT = """
    SELECT count(*), extract(epoch FROM now() - min(queued_at)), count(*) FILTER (WHERE attempts > 0 AND is_queued)
    FROM (
        SELECT queued_at, attempts, status = 'queued' AS is_queued FROM memories_extractionjob
        WHERE account_id = %(account)s AND status IN ('queued', 'processing') ORDER BY due_at, id LIMIT %(most)s
    ) AS waiting
"""
