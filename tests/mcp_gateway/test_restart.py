"""Postgres killed and started again under a running web server: no answer but a clear one, and no repair by hand."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from django.conf import settings

from pam.local.servers import Servers
from tests.mcp_gateway.server import process
from tests.requirements import requirement

CALL = {"name": "retrieve_memory", "arguments": {"prompt": "Who owns billing?"}}
QUESTION = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}
#: What an account without documents is told while all is well.
WELL = "no_sources_connected"


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """A Postgres and a Valkey that no other test uses."""
    own = Servers(tmp_path, {}, say=lambda line: None)
    own.start()
    yield own
    own.stop()


def manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, settings.BASE_DIR / "manage.py", *arguments]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return done.stdout


def ask(url: str, key: str) -> str:
    answer = httpx2.post(url, json=QUESTION, headers={"Authorization": key}, timeout=120)
    assert answer.status_code == 200
    code: str = answer.json()["result"]["structuredContent"]["error_code"]
    return code


def logged(servers: Servers) -> int:
    with psycopg.connect(servers.addresses["DATABASE_URL"]) as connection:
        connection.execute("SELECT set_config('pam.account_id', '*', true)")
        row: Any = connection.execute("SELECT count(*) FROM mcp_gateway_requestlog").fetchone()
        return int(row[0])


@requirement("mcp:fault:postgres-restart")
def test_after_a_kill_of_postgres_calls_go_on_and_no_answered_one_is_lost(servers: Servers, tmp_path: Path) -> None:
    environment = {**servers.addresses, "PAM_HOME": str(tmp_path)}
    manage(environment, "migrate")
    key = json.loads(manage(environment, "create_account", "Lumen Ferry", "ines@lumen.example", "--json"))["agent_key"]

    with process(**environment) as (_, url), ThreadPoolExecutor(8) as callers:
        before = list(callers.map(lambda _: ask(url, key), range(16)))
        postgres = servers._embedded["DATABASE_URL"]
        assert postgres.process is not None
        postgres.process.kill()
        postgres.process.wait()
        meanwhile = [callers.submit(ask, url, key) for _ in range(8)]
        servers.restart_fallen()
        answered = [each.result(timeout=120) for each in meanwhile]
        after = list(callers.map(lambda _: ask(url, key), range(16)))

    assert set(before) | set(after) == {WELL}
    assert set(answered) <= {WELL, "memory_unavailable"}
    assert logged(servers) >= len(before) + len(after) + answered.count(WELL)
