"""One run of PAM on this machine, from the servers to the line that a newcomer pastes into a client.

It knows the order of things and the words said on the way; how each is done is told in the other rooms.
"""

import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from pam.local import crew, home, ports, processes
from pam.local.errors import LocalError, PortTaken, StartFailed
from pam.local.servers import Servers

READY_SECONDS = 120
WATCH_SECONDS = 0.5
STEP_SIGNALS = ((signal.SIGTERM, 1.0),)
DEMO_FILE = "demo.json"
EXAMPLES_FILE = "examples.json"


class Stop(BaseException):
    """Ctrl-C, or a signal that asks to end. Not an Exception, so that no handler on the way swallows it."""


@dataclass(frozen=True)
class Plan:
    """Where and how to run: `given` holds DATABASE_URL and REDIS_URL of one's own; `url` is what people type."""

    checkout: Path
    folder: Path
    port: int
    url: str
    given: Mapping[str, str]


class Run:
    """Start everything, watch over it, and stop it all within ten seconds of being asked."""

    def __init__(self, plan: Plan, *, say: Callable[[str], None]) -> None:
        self._plan = plan
        self._say = say
        self._folder = home.prepare(plan.folder.resolve())
        self._servers = Servers(self._folder, plan.given, say=say)
        self._crew = crew.Crew(self._folder, checkout=plan.checkout, say=say)

    def until_stopped(self) -> None:
        """Raises LocalError when PAM cannot start; what had been started is stopped then, too."""
        with home.held(self._folder), _stop_on_signal():
            try:
                self._start()
                self._watch()
            except Stop:
                self._say("Stopping ...")
            finally:
                _ignore_signals()
                self._crew.stop()
                self._servers.stop()
            self._say("Stopped. Everything is kept for the next start.")

    def _start(self) -> None:
        if not ports.is_free(self._plan.port):
            other = f"PAM_PORT={ports.free()} make up"
            raise PortTaken(f"Port {self._plan.port} is taken by another program. Take a free one: {other}")
        with self._step(f"Starting {' and '.join(self._servers.names) or 'no server, as yours are used'}"):
            self._servers.start()
        with self._step("Migrating the database"):
            self._manage("prepare", log="prepare")
        self._crew.start(crew.commands(self._folder, self._plan.port), self._environment)
        demo = home.recall(self._folder / DEMO_FILE)
        # The worker reads the documents while the web process loads its model.
        self._import_examples(demo["account"])
        with self._step("Waiting for web, worker and beat"):
            self._wait_until_ready()
        self._announce(demo)

    @contextmanager
    def _step(self, what: str) -> Iterator[None]:
        self._say(f"{what} ...")
        started = time.monotonic()
        yield
        self._say(f"    done in {time.monotonic() - started:.1f} s")

    @property
    def _environment(self) -> dict[str, str]:
        mine = {"PAM_HOME": str(self._folder), "PAM_PORT": str(self._plan.port), "PYTHONUNBUFFERED": "1"}
        return {**os.environ, **self._servers.addresses, **mine}

    def _manage(self, *arguments: str, log: str | None = None) -> None:
        """Run a management command to its end, its output in `log` or on the terminal. Raises LocalError."""
        command = [sys.executable, str(self._plan.checkout / "manage.py"), *arguments]
        file = home.log_file(self._folder, log) if log else None
        process = processes.spawn(
            command, log=file, at_parents_death=signal.SIGKILL, env=self._environment, cwd=self._plan.checkout
        )
        try:
            while (code := process.poll()) is None:
                self._look_after_starting()
        finally:
            processes.stop(process, STEP_SIGNALS)
        if code != 0 and file is not None:
            raise StartFailed(f"`manage.py {arguments[0]}` failed.", file)
        if code != 0:
            raise LocalError(f"`manage.py {arguments[0]}` failed.")

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while (unready := _unready(self._plan.port)) is not None:
            if time.monotonic() > deadline:
                raise LocalError(f"PAM did not become ready ({unready}). The logs are in {self._folder / 'logs'}.")
            self._look_after_starting()

    def _look_after_starting(self) -> None:
        """A process that fails now will fail again: raises StartFailed. One that was killed is started again."""
        if failed := self._crew.failed():
            raise StartFailed(f"The {failed} process failed.", home.log_file(self._folder, failed))
        self._crew.look_after()
        time.sleep(0.1)

    def _import_examples(self, account: str) -> None:
        """Once for an account: what a person deletes or edits afterwards stays deleted and edited."""
        done = self._folder / EXAMPLES_FILE
        if home.recall(done).get("account") == account:
            return
        with self._step("Importing the example documents"):
            self._manage("import_documents", account, str(self._plan.checkout / "examples"), "--wait")
        home.remember(done, {"account": account})

    def _announce(self, demo: Mapping[str, str]) -> None:
        bearer = f'--header "Authorization: Bearer {demo["agent_key"]}"'
        lines = [
            "",
            f"PAM is ready: {self._plan.url}",
            f"    login    {demo['email']}",
            f"    password {demo['password']}",
            f"    key      {demo['agent_key']}  (agents)",
            f"    api key  {demo['api_key']}  (your product, for end-user memory)",
            "",
            f"claude mcp add --transport http pam {self._plan.url}/v1/mcp/memory {bearer}",
            "",
            f"Logs are in {self._folder / 'logs'}. Ctrl-C stops everything.",
        ]
        self._say("\n".join(lines))

    def _watch(self) -> None:
        while True:
            for name in self._servers.restart_fallen():
                self._say(f"{name} had ended; it was started again.")
            self._crew.look_after()
            time.sleep(WATCH_SECONDS)


def _unready(port: int) -> str | None:
    """None once `/readyz` says yes; what is missing until then."""
    try:
        with urllib.request.urlopen(f"http://{ports.LOOPBACK}:{port}/readyz", timeout=15):
            return None
    except urllib.error.HTTPError as error:
        checks = json.loads(error.read()).get("checks", {}) if error.code == 503 else {"web": f"HTTP {error.code}"}
        return ", ".join(f"{name}: {state}" for name, state in checks.items() if state != "ok")
    except (OSError, ValueError):
        return "web: no answer yet"


@contextmanager
def _stop_on_signal() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Stop

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore_signals() -> None:
    """A second Ctrl-C must not cut the orderly end short."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
