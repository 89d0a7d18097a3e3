"""`manage.py up` for real: the first start, a kill of everything, the second start, Ctrl-C."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from pam.local import ports
from tests.requirements import requirement

PATIENCE_SECONDS = 420


class Terminal:
    """One `up` and what it prints. A run that says nothing more in time is killed, so that no test waits for ever."""

    def __init__(self, folder: Path, port: int) -> None:
        given = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=settings.BASE_DIR,
            env=given | {"PAM_HOME": str(folder), "PAM_PORT": str(port)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []

    def read_until(self, words: str) -> None:
        """Read lines up to the one with `words` in it."""
        assert self.process.stdout is not None
        watchdog = threading.Timer(PATIENCE_SECONDS, self.process.kill)
        watchdog.start()
        try:
            for line in self.process.stdout:
                self.lines.append(line)
                if words in line:
                    return
        finally:
            watchdog.cancel()
        raise AssertionError(f"{words!r} was never said:\n{''.join(self.lines)}")

    def family(self) -> list[psutil.Process]:
        parent = psutil.Process(self.process.pid)
        return [parent, *parent.children(recursive=True)]

    def child(self, words: str) -> psutil.Process:
        """The one child of ours whose command line has `words` in it."""
        (found,) = [p for p in psutil.Process(self.process.pid).children() if words in " ".join(p.cmdline())]
        return found

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    started: list[Terminal] = []
    yield started
    for terminal in started:
        terminal.end()


def _found(demo: dict[str, str], prompt: str) -> int:
    """How many items a question brings, asked as an agent does."""
    call = {"name": "retrieve_memory", "arguments": {"prompt": prompt}}
    request = urllib.request.Request(
        f"{demo['url']}/v1/mcp/memory",
        data=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode(),
        headers={
            "Authorization": f"Bearer {demo['agent_key']}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=120) as response:
        result = json.load(response)["result"]["structuredContent"]
        items: int = result["retrieval"]["total_items"]
        return items


@requirement("local:up", "local:kill-9", "local:stops-in-time", "local:restarts-the-fallen", "local:demo-login")
def test_up_serves_and_survives_a_kill_of_everything_and_stops_in_time(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    port = ports.free()
    first = Terminal(tmp_path, port)
    terminals.append(first)
    first.read_until("Ctrl-C stops everything")
    demo = json.loads((tmp_path / "demo.json").read_text())
    said = "".join(first.lines)

    assert stat.S_IMODE((tmp_path / "demo.json").stat().st_mode) == 0o600
    assert f"claude mcp add --transport http pam {demo['url']}/v1/mcp/memory" in said
    assert demo["agent_key"] in said
    assert demo["api_key"] in said
    assert demo["password"] in said
    assert _found(demo, "Which customers do we have?") > 0

    first.child("celery --app=pam.celery worker").kill()
    first.read_until("The worker process ended (by signal SIGKILL); starting it again.")

    family = first.family()
    for process in family:
        process.send_signal(signal.SIGKILL)
    psutil.wait_procs(family, timeout=20)
    second = Terminal(tmp_path, port)
    terminals.append(second)
    second.read_until("Ctrl-C stops everything")

    assert json.loads((tmp_path / "demo.json").read_text()) == demo
    assert "Importing" not in "".join(second.lines)
    assert _found(demo, "Which customers do we have?") > 0

    family = second.family()
    started = time.monotonic()
    second.process.send_signal(signal.SIGINT)

    assert second.process.wait(timeout=30) == 0
    assert time.monotonic() - started < 10
    assert [process for process in family[1:] if process.is_running()] == []


@requirement("local:port-taken")
def test_a_taken_port_is_said_in_one_sentence(terminals: list[Terminal], tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind((ports.LOOPBACK, 0))
        other.listen()
        port = other.getsockname()[1]
        refused = Terminal(tmp_path, port)
        terminals.append(refused)

        refused.read_until(f"Port {port} is taken by another program.")

    assert refused.process.wait(timeout=30) == 1
