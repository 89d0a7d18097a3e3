"""The message broker as tests see it: what was sent, and one that does not answer."""

import base64
import json
from collections.abc import Iterator

import pytest
from celery import current_app
from django.conf import settings
from redis import Redis

QUEUE = "celery"
Sent = list[tuple[str, list[object]]]


class Broker:
    """The test run's own Valkey database."""

    def __init__(self) -> None:
        self._redis = Redis.from_url(settings.REDIS_URL)

    def taken(self) -> Sent:
        """(task name, arguments) of every message that waits; the queue is empty afterwards."""
        messages = [json.loads(message) for message in self._redis.lrange(QUEUE, 0, -1)]
        self._redis.delete(QUEUE)
        return [(one["headers"]["task"], json.loads(base64.b64decode(one["body"]))[0]) for one in reversed(messages)]

    def forget(self) -> None:
        for key in [QUEUE, *self._redis.keys("*embedding*")]:
            self._redis.delete(key)

    def close(self) -> None:
        self._redis.close()


@pytest.fixture
def broker() -> Iterator[Broker]:
    """Empty at the beginning and at the end."""
    broker = Broker()
    broker.forget()
    yield broker
    broker.forget()
    broker.close()


@pytest.fixture
def dead_broker() -> Iterator[None]:
    """Nothing listens at the broker's address."""
    before = current_app.conf.broker_url
    current_app.conf.broker_url = "redis://127.0.0.1:1/0"
    yield
    current_app.conf.broker_url = before
