"""A whole PAM of its own for one measurement: servers, web, worker and beat in a temporary folder, ended afterwards."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from pam.local import ports

CHECKOUT = Path(__file__).resolve().parent.parent
START_SECONDS = 300
COUNT_CONNECTIONS = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    print(cursor.fetchone()[0])
"""


@dataclass(frozen=True)
class Running:
    """A started PAM: where it is, and the settings that it and what is run against it have in their environment."""

    folder: Path
    url: str
    process: subprocess.Popen[bytes]
    started_in: float
    settings: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **self.settings, "PAM_HOME": str(self.folder)}

    def manage(self, *arguments: str) -> str:
        """Runs a management command against this PAM; returns what it printed."""
        command = [sys.executable, str(CHECKOUT / "manage.py"), *arguments]
        done = subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout

    def module(self, name: str, *arguments: str) -> str:
        """Runs a module of ours against this PAM; returns what it printed."""
        command = [sys.executable, "-m", name, *arguments]
        done = subprocess.run(command, env=self.environment, cwd=CHECKOUT, check=True, capture_output=True, text=True)
        return done.stdout

    def account(self, name: str) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.manage("create_account", name, f"{name}@example.com", "--json"))
        return made

    @property
    def demo(self) -> dict[str, str]:
        """The account that holds the examples, with its key."""
        made: dict[str, str] = json.loads((self.folder / "demo.json").read_text())
        return made

    def processor_seconds(self) -> float:
        """What the web process has taken of the processor so far."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        times = next(each for each in children if "uvicorn" in " ".join(each.cmdline())).cpu_times()
        return float(times.user + times.system)

    def connections(self) -> int:
        """How many connections to Postgres are open, the asking one not counted."""
        return int(self.manage("shell", "--no-imports", "-c", COUNT_CONNECTIONS))

    def memory(self) -> dict[str, int]:
        """Resident bytes of web, worker (with its child) and beat, by what their command lines say."""
        sizes = dict.fromkeys(("web", "worker", "beat"), 0)
        for process in psutil.Process(self.process.pid).children(recursive=True):
            line = " ".join(process.cmdline())
            name = "web" if "uvicorn" in line else "beat" if " beat" in line else "worker" if " worker" in line else ""
            if name:
                sizes[name] += process.memory_info().rss
        return sizes


@contextmanager
def pam(**settings: str) -> Iterator[Running]:
    """Starts PAM with `settings` in its environment, in a fresh folder on a free port, and ends it.

    Raises TimeoutError if it does not get ready.
    """
    with tempfile.TemporaryDirectory(prefix="pam-bench-") as folder:
        port = ports.free()
        environment = {**os.environ, **settings, "PAM_HOME": folder, "PAM_PORT": str(port)}
        log = (Path(folder) / "up.log").open("wb")
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, str(CHECKOUT / "manage.py"), "up"], env=environment, stdout=log, stderr=log
        )
        try:
            _wait_until_ready(Path(log.name), process)
            yield Running(
                Path(folder), f"http://{ports.LOOPBACK}:{port}", process, time.monotonic() - started, settings
            )
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)
            log.close()


def _wait_until_ready(log: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while "PAM is ready" not in log.read_text(errors="replace"):
        if process.poll() is not None or time.monotonic() > deadline:
            raise TimeoutError(f"PAM did not start:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.2)
