"""How fast what end users say is taken in over HTTP and read by workers, and whether any of it is lost when workers are
killed: two workers with one process each, of which one is killed every ten seconds.

    python -m benchmarks intake [--messages 10000]
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from benchmarks import conversations, running
from benchmarks.agents import Client
from benchmarks.figures import Figure, percentile

USERS = 200
CALLS = 200
KILL_SECONDS = 10.0
_SETTINGS = {
    "PAM_ADDS_PER_END_USER_MINUTE": "0",
    "PAM_SAID_AGAIN_OF_LAST": "0",
    # The work of a killed worker is taken over after so many seconds.
    "PAM_CLAIM_SECONDS": "10",
}


def run(messages: int) -> Iterator[Figure]:
    with running.pam(**_SETTINGS) as pam:
        account = pam.account("talk")["account"]
        yield from _over_http(pam, account)
        with another_worker(pam):
            quiet = _read(pam, account, messages // 2)
        yield Figure("jobs read by two workers", quiet["read"] / quiet["seconds"], "jobs/s")
        with killed_workers(pam) as kills:
            crossed = _read(pam, account, messages // 2)
        yield Figure("jobs read while one worker is killed every 10 s", crossed["read"] / crossed["seconds"], "jobs/s")
        yield Figure("workers killed", kills[0])
        yield Figure("jobs that were taken up again", crossed["tried"] - crossed["jobs"])
        counted, bare = pam.module("benchmarks.bare_embedder", account).split()[-2:]
        yield Figure("memories embedded", int(counted))
        yield Figure("bare embedder over the same texts", float(bare), "texts/s")
        lost = messages + CALLS - (crossed["over"] - crossed["dead"])
        yield Figure("jobs lost", lost, "", 0)
        yield Figure("memories there are beyond those that jobs made", crossed["memories"] - crossed["created"], "", 0)


def _over_http(pam: running.Running, account: str) -> list[Figure]:
    client = Client(pam.url, json.loads(pam.module("benchmarks.talking", "key", account)), scheme="ApiKey")
    seconds = []
    for name, text in conversations.said(USERS, CALLS):
        started = time.perf_counter()
        body = {"external_user_id": name, "messages": [{"role": "user", "content": text}]}
        client.call("POST", "/v1/memories/add", body)
        seconds.append(time.perf_counter() - started)
    return [
        Figure("add over HTTP, p50", 1000 * median(seconds), "ms"),
        Figure("add over HTTP, p95", 1000 * percentile(seconds, 0.95), "ms"),
    ]


def _read(pam: running.Running, account: str, count: int) -> dict[str, float]:
    """Hands so many messages in and waits until they are read; only the time after the last one came in counts."""
    pam.module("benchmarks.talking", "say", account, str(USERS), str(count))
    figures: dict[str, float] = json.loads(pam.module("benchmarks.talking", "watch", account))
    return figures


@contextmanager
def another_worker(pam: running.Running) -> Iterator[None]:
    worker = _start_worker(pam)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait()


@contextmanager
def killed_workers(pam: running.Running) -> Iterator[list[int]]:
    """A second worker beside PAM's own, killed without warning and started anew again and again. Counts the kills."""
    kills, is_over = [0], threading.Event()

    def keep_killing() -> None:
        while not is_over.is_set():
            worker = _start_worker(pam)
            is_over.wait(KILL_SECONDS)
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
            kills[0] += 1

    killer = threading.Thread(target=keep_killing)
    killer.start()
    try:
        yield kills
    finally:
        is_over.set()
        killer.join()


def _start_worker(pam: running.Running) -> "subprocess.Popen[bytes]":
    options = ["--pool=prefork", "--concurrency=1", "--without-gossip", "--without-mingle"]
    return subprocess.Popen(
        [sys.executable, "-m", "celery", "--app=pam.celery", "worker", *options],
        env=pam.environment,
        cwd=running.CHECKOUT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
