"""How long one piece of work may take, all of it: in Python, in the database, and at a language model.

Knows no kind of memory. Source: contract company memory, "A deadline of 120 s covers it all and stops the work, also in
the database".
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection

from accounts.postgres import ahead
from memories.errors import RetrievalTimeout

# A statement may outlive what is left by this much before its bound is set anew.
_SLACK = 0.5


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of the monotonic clock, after which nothing goes on."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds, never below zero."""
        return max(0.0, self.at - time.monotonic())

    @property
    def is_over(self) -> bool:
        return self.left == 0.0

    def check(self) -> None:
        """Raises RetrievalTimeout once the time is up."""
        if self.is_over:
            raise RetrievalTimeout

    @contextmanager
    def in_database(self) -> Iterator[None]:
        """Inside a transaction: no statement starts after the deadline, and a running one is cancelled at it.

        A cancelled statement raises Django's OperationalError; `Deadline.is_over` tells it from other faults.
        """
        with connection.execute_wrapper(_Bound(self)):
            yield


class _Bound:
    """Django's hook around each statement: checks the time, and tells Postgres when what it was told is too long."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.told = float("inf")

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        self.deadline.check()
        left = self.deadline.left
        if self.told > left + _SLACK:
            self.told = left
            ahead.send(f"SET LOCAL statement_timeout = {max(1, round(left * 1000))}")
        return execute(sql, params, many, context)
