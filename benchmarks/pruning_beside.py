"""Prunes a filled request log while two others write and read it and a third watches (benchmarks/pruning.py).

python -m benchmarks.pruning_beside ACCOUNT ROWS
"""

import importlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import django
from django.db import connection

BEFORE_SECONDS = 10
FRESH = 2000
PAUSE = 0.005
#: What a call of the gateway waits for at most before it goes on without a log row; here a wait becomes an error.
LOCK_TIMEOUT_MS = 1000

EXPIRED = """
    INSERT INTO mcp_gateway_requestlog (
        account_id, request_id, tool_name, status, error_code, counted, client, session_id, prompt,
        response_content_text, response_json, duration_ms, estimated_tokens, created_at
    )
    SELECT %(account)s, gen_random_uuid(), 'retrieve_memory', 'ok', '', true, 'probe 1.0', '', 'Who answers for dock?',
        'Dock ' || n || ' is answered for by the harbour office.', '{"status": "ok"}', 30, 900,
        now() - %(days)s * interval '1 day' - n * interval '1 second'
    FROM generate_series(1, %(rows)s) AS n
"""
# In a process of its own, as a worker prunes; its connections are told by the name that libpq takes from PGAPPNAME.
PRUNE = """
import time
from mcp_gateway import request_log
started = time.monotonic()
print(request_log.prune(), time.monotonic() - started)
"""
WATCH = """
    SELECT 1000 * extract(epoch FROM clock_timestamp() - xact_start) AS held, wait_event, left(query, 60),
           (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pruning'
    ORDER BY held DESC NULLS LAST LIMIT 1
"""
Deed = Callable[[], None]


def main(account_id: str, rows: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    # What uses models can be imported only now that Django is set up.
    account = importlib.import_module("accounts.membership").account_named(account_id)
    _fill(account, rows)
    deeds = {"write": _write(account), "read": _read(account)}
    with _going_on(deeds) as before:
        time.sleep(BEFORE_SECONDS)
    watched: dict[str, Any] = {"held_ms": 0.0, "waits": 0, "at": ""}
    with _going_on({**deeds, "watch": lambda: _watch(watched)}) as during:
        pruned, seconds = _prune()
    lost = FRESH + len(before["write"]) + len(during["write"]) - _left(account)
    told = {"pruned": pruned, "seconds": seconds, "lost": lost, "before": before, "during": during, **watched}
    print(json.dumps(told))


def _fill(account: Any, rows: int) -> None:
    isolation = importlib.import_module("accounts.isolation")
    with isolation.account(account.pk), connection.cursor() as cursor:
        for count, days in ((rows, account.log_retention_days + 1), (FRESH, 0)):
            cursor.execute(EXPIRED, {"account": account.pk, "rows": count, "days": days})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) mcp_gateway_requestlog")


def _prune() -> tuple[int, float]:
    """How many rows went, in how many seconds."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", PRUNE]
    given = {**os.environ, "PGAPPNAME": "pruning"}
    done = subprocess.run(command, env=given, check=True, capture_output=True, text=True)
    pruned, seconds = done.stdout.split()
    return int(pruned), float(seconds)


@contextmanager
def _going_on(deeds: dict[str, Deed]) -> Any:
    """Each deed again and again in a thread of its own while the block runs; how many milliseconds each took."""
    done = threading.Event()
    times: dict[str, list[float]] = {name: [] for name in deeds}

    def repeat(name: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {LOCK_TIMEOUT_MS}")
        while not done.wait(PAUSE):
            started = time.perf_counter()
            deeds[name]()
            times[name].append(1000 * (time.perf_counter() - started))
        connection.close()

    with ThreadPoolExecutor(len(deeds)) as pool:
        running = [pool.submit(repeat, name) for name in deeds]
        try:
            yield times
        finally:
            done.set()
    for each in running:
        each.result()


def _write(account: Any) -> Deed:
    def write() -> None:
        with importlib.import_module("accounts.isolation").account(account.pk), connection.cursor() as cursor:
            cursor.execute(EXPIRED, {"account": account.pk, "rows": 1, "days": 0})

    return write


def _read(account: Any) -> Deed:
    """The newest calls, as the page of the request log and the usage page read them."""
    logs = importlib.import_module("mcp_gateway.models").RequestLog
    isolation = importlib.import_module("accounts.isolation")

    def read() -> None:
        with isolation.account(account.pk):
            list(logs.objects.filter(account=account).order_by("-created_at", "-id")[:10])

    return read


def _watch(watched: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(WATCH)
        found = cursor.fetchone()
    if found is None:
        return
    held, event, query, waits = found
    watched["waits"] += waits
    if (held or 0) > watched["held_ms"]:
        watched.update(held_ms=float(held), at=f"{' '.join(query.split())} ({event or 'at work'})")


def _left(account: Any) -> int:
    with importlib.import_module("accounts.isolation").account(account.pk):
        left: int = importlib.import_module("mcp_gateway.models").RequestLog.objects.filter(account=account).count()
    return left


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
