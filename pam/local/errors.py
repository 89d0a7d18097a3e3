"""What can go wrong on a bare machine, each said in one sentence a newcomer can act on.

LocalError
+-- AlreadyRunning    another `up` holds this folder
+-- PortTaken         the port of the pages belongs to another program
+-- StartFailed       a server or a process of PAM did not come up; carries the last lines of its log
+-- NoSystemUser      running as root, and the account that Postgres needs cannot be made
"""

from pathlib import Path

LOG_LINES = 15


class LocalError(Exception):
    """The local stack cannot go on; the text tells the person at the terminal what to do."""


class AlreadyRunning(LocalError):
    pass


class PortTaken(LocalError):
    pass


class NoSystemUser(LocalError):
    pass


class StartFailed(LocalError):
    """`log` is read at once: the folder may be gone when the error is shown."""

    def __init__(self, what: str, log: Path) -> None:
        super().__init__(f"{what} The end of {log}:\n{last_lines(log)}")


def last_lines(log: Path) -> str:
    if not log.exists():
        return "    (no log was written)"
    lines = log.read_text(errors="replace").splitlines()[-LOG_LINES:]
    return "\n".join(f"    {line}" for line in lines)
