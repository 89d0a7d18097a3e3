"""How often a minute: each API key has a rate of its own, and all keys of an account together that of its plan.

A minute begins with its first request and is counted in Valkey, by one script: exact side by side, whatever the clocks
of the web processes say. What is refused counts, too. Without Valkey everything is let through: a product is not locked
out by our own trouble.
"""

import logging

from django.core.cache import cache
from django_redis import get_redis_connection
from redis.exceptions import RedisError

from accounts import meters
from accounts.errors import RateExceeded
from accounts.models import ApiKey, Plan

logger = logging.getLogger(__name__)
MINUTE_MS = 60_000

# For each key its count and what is left of its minute in milliseconds.
_COUNT = """
    local told = {}
    for index, key in ipairs(KEYS) do
        local count = redis.call('INCR', key)
        local left = redis.call('PTTL', key)
        if left < 0 then
            redis.call('PEXPIRE', key, ARGV[1])
            left = tonumber(ARGV[1])
        end
        told[#told + 1] = count
        told[#told + 1] = left
    end
    return told
"""


def check(key: ApiKey) -> None:
    """Counts one request of `key`, which comes with its account and plan. Raises RateExceeded."""
    limits = {f"rate:{key.public_id}": key.rate_limit_per_minute}
    plan = key.account.plan
    if plan is not None and plan.minutely_operations != Plan.UNLIMITED:
        limits[f"rate:{key.account.public_id}"] = plan.minutely_operations
    try:
        told = _count(list(limits))
    except (RedisError, OSError):
        meters.UNCHECKED.labels("api_key_rate").inc()
        logger.warning("The rate of an API key was not checked: Valkey did not answer.")
        return
    over = [(left, most) for (count, left), most in zip(told, limits.values(), strict=True) if count > most]
    if over:
        left, most = max(over)
        whose = "this API key" if most == key.rate_limit_per_minute else "all API keys of this account together"
        raise RateExceeded(f"{most} requests a minute are open to {whose}.", retry_after=max(1, -(-left // 1000)))


def _count(names: list[str]) -> list[tuple[int, int]]:
    """Of each name its count in this minute, this request included, and the milliseconds until its minute ends."""
    valkey = get_redis_connection("default")
    script = valkey.register_script(_COUNT)
    told = script(keys=[cache.make_key(name) for name in names], args=[MINUTE_MS])
    return list(zip(told[::2], told[1::2], strict=True))
