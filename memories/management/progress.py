"""How far a long command is: a bar on a terminal, a plain line every few seconds in a log."""

import time
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

_SECONDS_BETWEEN_LINES = 5.0
# Nothing has moved: said again, but not so often.
_SECONDS_BETWEEN_SAME_LINES = 20.0


class Progress:
    """Stages, one after the other, each with a total. `out` is a command's stdout."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self._bars: Bars | None = None
        if out.isatty():
            columns = [TextColumn("{task.description:10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
            self._bars = Bars(*columns, console=Console(file=out._out))
        self._task: TaskID | None = None
        self._name, self._total, self._done = "", 0, 0
        self._said_at = 0.0
        self._said = ""

    def __enter__(self) -> "Progress":
        if self._bars:
            self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bars:
            self._bars.stop()

    def stage(self, name: str, *, total: int) -> None:
        self._name, self._total, self._done = name, total, 0
        self._said_at = time.monotonic()
        if self._bars:
            self._task = self._bars.add_task(name, total=total)

    def advance(self, count: int) -> None:
        self.reach(self._done + count)

    def reach(self, done: int, *, total: int | None = None) -> None:
        """So much is done; the total may have grown meanwhile."""
        self._done, self._total = done, self._total if total is None else total
        if self._bars and self._task is not None:
            self._bars.update(self._task, completed=done, total=self._total)
        else:
            self._line(f"{self._name}: {self._done:,} of {self._total:,}")

    def _line(self, line: str) -> None:
        least = _SECONDS_BETWEEN_SAME_LINES if line == self._said else _SECONDS_BETWEEN_LINES
        if time.monotonic() - self._said_at >= least:
            self._said_at, self._said = time.monotonic(), line
            self.say(line)

    def say(self, line: str) -> None:
        self._out.write(line)
        self._out.flush()
