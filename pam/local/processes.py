"""Starting, finding and stopping operating-system processes. It may not know what they serve."""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TypedDict

import psutil

PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


class Identity(TypedDict):
    user: int | None
    group: int | None
    extra_groups: list[str | int] | None


def die_with_parent(signal_number: int) -> Callable[[], None] | None:
    """A `preexec_fn` that has the kernel send `signal_number` to the child when its parent dies; None where it cannot.

    Without it a `kill -9` of the parent would leave the children behind. Must be used from the main thread: the
    kernel watches the thread that forked.
    """
    if _prctl is None:
        return None
    prctl = _prctl
    return lambda: prctl(PR_SET_PDEATHSIG, signal_number)


def spawn(
    command: Sequence[str | Path],
    *,
    log: Path | None,
    at_parents_death: int,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    user: pwd.struct_passwd | None = None,
) -> subprocess.Popen[bytes]:
    """Start `command` in its own session, so that Ctrl-C reaches the parent alone.

    Its output goes to the end of `log`, or where ours goes when there is none.
    """
    with log.open("ab") if log else nullcontext() as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=cwd,
            env=None if env is None else dict(env),
            start_new_session=True,
            preexec_fn=die_with_parent(at_parents_death),
            **as_user(user),
        )


def as_user(user: pwd.struct_passwd | None) -> Identity:
    """The arguments with which `subprocess` runs a child as `user` and with none of our groups; None: as ourselves."""
    if user is None:
        return {"user": None, "group": None, "extra_groups": None}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def living_in(folder: Path, *, name: str, title: str | None = None) -> list[psutil.Process]:
    """Processes called `name` that work in `folder`, or carry `title` in their command line.

    The title is for a server of another user: without CAP_SYS_PTRACE even root may not ask for its folder.
    """
    return [process for process in psutil.process_iter(["name"]) if _lives(process, folder, name, title)]


def _lives(process: psutil.Process, folder: Path, name: str, title: str | None) -> bool:
    try:
        if process.name() != name or process.status() == psutil.STATUS_ZOMBIE:
            return False
        if title is not None and title in " ".join(process.cmdline()):
            return True
        return Path(process.cwd()) == folder
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False


def end(pids: Iterable[int], signals: Sequence[tuple[int, float]]) -> None:
    """Send each signal to the processes still there, waiting up to its number of seconds; whoever is left is killed."""
    remaining = list(_existing(pids))
    for number, seconds in signals:
        for process in remaining:
            _send(process, number)
        _, remaining = psutil.wait_procs(remaining, timeout=seconds)
    for process in remaining:
        _send(process, signal.SIGKILL)
    psutil.wait_procs(remaining, timeout=5)


def stop(process: subprocess.Popen[bytes], signals: Sequence[tuple[int, float]]) -> None:
    """As `end`, for a child of ours."""
    end([process.pid], signals)
    process.wait()


def birth(pid: int) -> float | None:
    """When the process began; with its id, this names it beyond doubt. None when there is no such process."""
    try:
        return float(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None


def _existing(pids: Iterable[int]) -> Iterable[psutil.Process]:
    for pid in pids:
        try:
            yield psutil.Process(pid)
        except psutil.NoSuchProcess:
            continue


def _send(process: psutil.Process, number: int) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], *, seconds: float) -> bool:
    """Ask `ready` until it says yes; False when `process` ends or `seconds` pass first."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            return False
        if ready():
            return True
        time.sleep(0.05)
    return False


def is_root() -> bool:
    return os.geteuid() == 0
