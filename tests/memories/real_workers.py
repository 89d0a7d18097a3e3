"""Celery workers as they run for real, on the test's database and broker, to be killed in the middle."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection

from tests.memories import embedders
from tests.memories.broker import Broker

LEASE = 2


class Worker:
    """A Celery worker with one pool process, on the test's database and broker."""

    def __init__(self, log: Path) -> None:
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
        environment = os.environ | {
            "DATABASE_URL": database.geturl(),
            "REDIS_URL": settings.REDIS_URL,
            "PAM_EMBEDDER": embedders.COUNTING,
            "PAM_CLAIM_SECONDS": str(LEASE),
        }
        options = ["--pool=prefork", "--concurrency=1", "--without-gossip", "--without-mingle", "--loglevel=INFO"]
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "celery", "--app=pam.celery", "worker", *options],
                env=environment,
                stdout=out,
                stderr=out,
                cwd=settings.BASE_DIR,
                start_new_session=True,
            )

    def kill(self) -> None:
        """All of it, without a word of warning."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def start_worker(tmp_path: Path, broker: Broker, settings: Any) -> Iterator[Callable[[], Worker]]:
    settings.PAM_CLAIM_SECONDS = LEASE
    settings.PAM_EMBEDDER = embedders.COUNTING
    started: list[Worker] = []

    def start() -> Worker:
        started.append(Worker(tmp_path / "worker.log"))
        return started[-1]

    yield start
    for worker in started:
        if worker.process.poll() is None:
            worker.kill()


def until(holds: Callable[[], bool], *, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "It never came to be."
        threading.Event().wait(0.05)
