"""The processes that make up PAM on one machine: web, worker, beat. Whoever falls is started again, and it is said.

It may not know what they do, only their command lines.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pam.local import home, ports, processes
from pam.local.errors import last_lines

# A worker ends after the task in hand. One that takes longer is told to give it back (QUIT); it is late-acknowledged.
STOP_SIGNALS = ((signal.SIGTERM, 2.5), (signal.SIGQUIT, 1.0))
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_SECONDS = 60.0


def commands(folder: Path, port: int) -> dict[str, list[str]]:
    """Name -> command line. One pool child: the model is loaded once, and the parent never loads it."""
    python = [sys.executable, "-m"]
    uvicorn = ["uvicorn", "pam.asgi:application", "--host", ports.LOOPBACK, "--port", str(port)]
    celery = ["celery", "--app=pam.celery"]
    return {
        "web": [*python, *uvicorn, "--lifespan=on", "--no-access-log", "--timeout-graceful-shutdown=3"],
        "worker": [*python, *celery, "worker", "--pool=prefork", "--concurrency=1", "--loglevel=INFO"],
        "beat": [*python, *celery, "beat", f"--schedule={folder / 'beat-schedule'}", "--pidfile=", "--loglevel=INFO"],
    }


@dataclass
class Member:
    name: str
    command: list[str]
    process: subprocess.Popen[bytes]
    started: float = field(default_factory=time.monotonic)
    pause: float = FIRST_PAUSE
    due: float | None = None


class Crew:
    """Starts the processes and watches them. Single-threaded: call `look_after` about every second."""

    def __init__(self, folder: Path, *, checkout: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._checkout = checkout
        self._say = say
        self._environment: Mapping[str, str] = {}
        self._members: list[Member] = []
        self._state = folder / "crew.json"

    def start(self, commands: Mapping[str, list[str]], environment: Mapping[str, str]) -> None:
        """Start each of `commands`, after stopping what a killed run may have left behind."""
        self._stop_leftovers()
        self._environment = environment
        for name, command in commands.items():
            self._members.append(Member(name, command, self._spawn(name, command)))
        self._remember()

    def failed(self) -> str | None:
        """The name of a process that has ended with an error of its own, before it was started again."""
        codes = ((member.name, member.process.poll()) for member in self._members)
        return next((name for name, code in codes if code is not None and code > 0), None)

    def look_after(self) -> None:
        """Start again whoever has ended: after a second, then after twice as long each time, at most 30 s."""
        for member in self._members:
            if member.process.poll() is None:
                continue
            if member.due is None:
                self._mourn(member)
            elif time.monotonic() >= member.due:
                member.process = self._spawn(member.name, member.command)
                member.started, member.due = time.monotonic(), None
                self._remember()

    def stop(self) -> None:
        processes.end(self.pids.values(), STOP_SIGNALS)
        for member in self._members:
            member.process.wait()
        self._members = []
        self._remember()

    @property
    def pids(self) -> dict[str, int]:
        return {member.name: member.process.pid for member in self._members}

    def _remember(self) -> None:
        home.remember(self._state, {str(pid): processes.birth(pid) for pid in self.pids.values()})

    def _stop_leftovers(self) -> None:
        """Where the kernel cannot end the children of a killed parent, they are still there: same id, same birth."""
        left = home.recall(self._state).items()
        processes.end([int(pid) for pid, birth in left if birth and processes.birth(int(pid)) == birth], STOP_SIGNALS)

    def _mourn(self, member: Member) -> None:
        if time.monotonic() - member.started > STEADY_SECONDS:
            member.pause = FIRST_PAUSE
        pause = member.pause
        member.due, member.pause = time.monotonic() + pause, min(pause * 2, LONGEST_PAUSE)
        log = home.log_file(self._folder, member.name)
        self._say(f"The {member.name} process ended ({_how(member.process.returncode)}); starting it again.")
        if member.process.returncode > 0 and pause == FIRST_PAUSE:
            self._say(f"The end of {log}:\n{last_lines(log)}")

    def _spawn(self, name: str, command: list[str]) -> subprocess.Popen[bytes]:
        log = home.log_file(self._folder, name)
        return processes.spawn(
            command, log=log, at_parents_death=signal.SIGKILL, env=self._environment, cwd=self._checkout
        )


def _how(code: int) -> str:
    return f"by signal {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
