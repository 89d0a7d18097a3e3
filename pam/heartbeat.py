"""A worker's sign of life: a key in Valkey that fades a minute after the last worker wrote it."""

import time

from django.core.cache import BaseCache

KEY = "worker:seen"
FADES_AFTER_SECONDS = 60


def beat(cache: BaseCache) -> None:
    cache.set(KEY, time.time(), timeout=FADES_AFTER_SECONDS)


def last_seen(cache: BaseCache) -> float | None:
    """When a worker last wrote it (Unix time); None when none did within a minute."""
    seen: float | None = cache.get(KEY)
    return seen
