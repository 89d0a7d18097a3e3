"""Processes that fall are started again; those that must end, end in time."""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from pam.local import crew, home, ports, processes
from pam.local.errors import AlreadyRunning
from tests.requirements import requirement

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time\n"
    "for number in (signal.SIGTERM, signal.SIGQUIT): signal.signal(number, signal.SIG_IGN)\n"
    "print('deaf', flush=True)\n"
    "time.sleep(600)",
]


@pytest.fixture
def a_crew(tmp_path: Path, said: list[str]) -> Iterator[crew.Crew]:
    members = crew.Crew(home.prepare(tmp_path), checkout=tmp_path, say=said.append)
    yield members
    members.stop()


def _eventually(holds: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        os.sched_yield()


@requirement("local:restarts-the-fallen")
def test_a_process_that_falls_is_started_again_and_it_is_said(a_crew: crew.Crew, said: list[str]) -> None:
    a_crew.start({"worker": SLEEPER}, os.environ)
    fallen = a_crew.pids["worker"]
    os.kill(fallen, signal.SIGKILL)

    def is_back() -> bool:
        a_crew.look_after()
        return a_crew.pids["worker"] != fallen

    _eventually(is_back)
    assert psutil.pid_exists(a_crew.pids["worker"])
    assert said == ["The worker process ended (by signal SIGKILL); starting it again."]


@requirement("local:restarts-the-fallen")
def test_the_end_of_the_log_of_a_process_that_failed_is_shown(a_crew: crew.Crew, said: list[str]) -> None:
    a_crew.start({"web": [sys.executable, "-c", "raise SystemExit('no module of that name')"]}, os.environ)

    def is_said() -> bool:
        a_crew.look_after()
        return len(said) == 2

    _eventually(is_said)
    assert "with code 1" in said[0]
    assert "no module of that name" in said[1]


@requirement("local:stops-in-time")
def test_a_process_that_is_deaf_to_requests_is_killed_in_time(a_crew: crew.Crew, tmp_path: Path) -> None:
    a_crew.start({"worker": STUBBORN}, os.environ)
    pid = a_crew.pids["worker"]
    _eventually(lambda: "deaf" in (tmp_path / "logs" / "worker.log").read_text())

    started = time.monotonic()
    a_crew.stop()

    assert time.monotonic() - started < 9
    assert not psutil.pid_exists(pid)


@requirement("local:kill-9")
def test_processes_that_a_killed_run_left_behind_are_ended_first(
    a_crew: crew.Crew, tmp_path: Path, said: list[str]
) -> None:
    a_crew.start({"web": SLEEPER}, os.environ)
    left_behind = a_crew.pids["web"]
    again = crew.Crew(tmp_path, checkout=tmp_path, say=said.append)

    again.start({"web": SLEEPER}, os.environ)

    assert not psutil.pid_exists(left_behind)
    again.stop()


@requirement("local:kill-9")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_children_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    parent = processes.spawn(
        [
            sys.executable,
            "-c",
            "import signal, sys, time; from pathlib import Path; from pam.local import processes\n"
            "child = processes.spawn(sys.argv[1:], log=None, at_parents_death=signal.SIGKILL)\n"
            "print(child.pid, flush=True); time.sleep(600)",
            *SLEEPER,
        ],
        log=tmp_path / "log",
        at_parents_death=signal.SIGKILL,
        cwd=Path(__file__).parents[3],
    )
    _eventually(lambda: (tmp_path / "log").read_text().endswith("\n"))
    child = int((tmp_path / "log").read_text())

    parent.kill()
    parent.wait()

    _eventually(lambda: not psutil.pid_exists(child))


@requirement("local:one-run-a-folder")
def test_a_folder_takes_one_run_at_a_time(tmp_path: Path) -> None:
    with home.held(tmp_path), pytest.raises(AlreadyRunning, match=str(os.getpid())), home.held(tmp_path):
        pass
    with home.held(tmp_path):
        pass


@requirement("local:side-by-side")
def test_a_remembered_port_is_kept_while_it_is_free() -> None:
    port = ports.free()
    assert ports.keep_or_find(port) == port
    with socket.socket() as other:
        other.bind((ports.LOOPBACK, port))
        other.listen()
        assert ports.keep_or_find(port) != port
