"""The folder of the local stack ($PAM_HOME): one run at a time, and what is remembered between runs.

It may not know what the remembered values are for.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pam.local.errors import AlreadyRunning, LocalError

LOG_BYTES_KEPT = 10 * 1024 * 1024


def prepare(folder: Path) -> Path:
    """Make `folder` and its `logs`. Other users may pass through it (Postgres runs as one under root), not list it.

    Raises LocalError when it belongs to another user: what we write there, its owner could not use any more.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if folder.stat().st_uid != os.geteuid():
        raise LocalError(
            f"{folder} belongs to another user. Run as its owner, or set PAM_HOME to a folder of your own."
        )
    (folder / "logs").mkdir(exist_ok=True)
    folder.chmod(0o711)
    (folder / "logs").chmod(0o700)
    return folder


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold `folder` for this process. The kernel drops the lock however the process ends, `kill -9` included.

    Raises AlreadyRunning, with the other process's id, when another run holds it.
    """
    with (folder / "up.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise AlreadyRunning(f"PAM already runs in {folder} (process {lock.read().strip()}).") from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def write_private(path: Path, text: str) -> None:
    """Replace `path` in one step by a file only its owner may read."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def remember(path: Path, values: dict[str, Any]) -> None:
    write_private(path, json.dumps(values, indent=2) + "\n")


def recall(path: Path) -> dict[str, Any]:
    """The values remembered in `path`; an empty dict when there are none."""
    if not path.exists():
        return {}
    values: dict[str, Any] = json.loads(path.read_text())
    return values


def log_file(folder: Path, name: str) -> Path:
    """The log of `name`, moved aside to `.old` when it has grown past its bound."""
    log = folder / "logs" / f"{name}.log"
    if log.exists() and log.stat().st_size > LOG_BYTES_KEPT:
        log.replace(log.with_suffix(".old"))
    return log
