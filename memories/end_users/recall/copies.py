"""The way to and from Valkey: an end user's answers and hot tier, read in one trip and written in one."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from redis.client import Pipeline

from memories.end_users import keeping, traces
from memories.end_users.recall import hot_tier, result_cache
from memories.end_users.recall.hot_tier import HotTier
from memories.end_users.traces import Trace


@dataclass(frozen=True, slots=True)
class Copies:
    """What Valkey holds for one request: an answer to it, and the hot tier."""

    answer: dict[str, Any] | None
    hot: HotTier


def read(account_pk: int, end_user_pk: int, revision: int, field: str) -> Copies:
    def ask(pipeline: Pipeline) -> None:
        pipeline.hget(_key(account_pk, end_user_pk, Trace.ANSWERS), field)
        pipeline.get(_key(account_pk, end_user_pk, Trace.HOT))

    answer, hot = keeping.together(ask) or (None, None)
    return Copies(result_cache.read(answer), hot_tier.read(hot, revision))


def keep(account_pk: int, end_user_pk: int, field: str, told: dict[str, Any], hot: HotTier | None) -> None:
    """Inside a transaction that holds the end user (traces.hold). `hot` None: it is as it was."""
    answers = _key(account_pk, end_user_pk, Trace.ANSWERS)

    def ask(pipeline: Pipeline) -> None:
        pipeline.eval(_ADD, 1, answers, field, result_cache.written(told), result_cache.MOST, result_cache.SECONDS)
        if hot is not None:
            pipeline.set(_key(account_pk, end_user_pk, Trace.HOT), hot_tier.written(hot), ex=hot_tier.SECONDS)

    keeping.together(ask)


def drop(account_pk: int, end_user_pk: int) -> None:
    """What was told of an end user is not kept any longer."""
    names = [_key(account_pk, end_user_pk, kind) for kind in (Trace.ANSWERS, Trace.HOT)]
    keeping.together(lambda pipeline: pipeline.delete(*names))


def _key(account_pk: int, end_user_pk: int, kind: Trace) -> str:
    return str(cache.make_key(traces.key(account_pk, end_user_pk, kind)))


# A full hash begins anew: who asks that much of one person within a minute asks something else each time.
_ADD = """
    if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then redis.call('DEL', KEYS[1]) end
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
    redis.call('EXPIRE', KEYS[1], ARGV[4])
"""
