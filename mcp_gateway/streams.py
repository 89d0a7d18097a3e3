"""Event streams: lines to clients that are held open, either without events or until a late answer is there.

Lives in the event loop of one web process and touches neither database nor Valkey. A stream ends by itself after a
while, when its client goes, when its credential is revoked (`end`), and at once when the process is told to stop.
Source: contract gateway, GET and tools/call.
"""

import asyncio
import math
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from weakref import WeakSet

from django.conf import settings
from django.utils import timezone

from mcp_gateway import stopping

CONTENT_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
COMMENT = b": keep-alive\n\n"
EVERY_SECONDS = 15.0


class Line:
    """An open stream of an account, by one of its credentials. It is known until it is closed or thrown away."""

    def __init__(self, account_pk: int, identity: str = "") -> None:
        self.account_pk = account_pk
        self.identity = identity
        self._over = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        with _changing:
            _open.add(self)
        stopping.when_told(end_all)

    async def is_over_within(self, seconds: float) -> bool:
        """Waits that long, or until somebody ends the line; True in the second case."""
        self._loop = asyncio.get_running_loop()
        try:
            await asyncio.wait_for(self._over.wait(), timeout=max(0.0, seconds))
        except TimeoutError:
            return False
        return True

    def end(self) -> None:
        """From any thread."""
        if self._loop is None:
            self._over.set()  # Nobody waits yet.
        else:
            with suppress(RuntimeError):  # Its event loop has ended before it.
                self._loop.call_soon_threadsafe(self._over.set)

    def close(self) -> None:
        with _changing:
            _open.discard(self)


class KeepAlive(Line):
    """A line without events: a comment now and then, so that proxies keep it. It counts against its account's streams.

    `is_admitted` is asked with every comment whether the credential still opens the endpoint; it expires at `until`.
    """

    def __init__(
        self,
        account_pk: int,
        identity: str = "",
        is_admitted: Callable[[], Awaitable[bool]] | None = None,
        until: datetime | None = None,
    ) -> None:
        super().__init__(account_pk, identity)
        self._is_admitted = is_admitted
        left = (until - timezone.now()).total_seconds() if until is not None else math.inf
        self._seconds = min(left, settings.PAM_MCP_STREAM_SECONDS)
        self._look: asyncio.Task[None] | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        ends_at = time.monotonic() + self._seconds
        try:
            yield COMMENT
            while not await self.is_over_within(min(EVERY_SECONDS, ends_at - time.monotonic())):
                if time.monotonic() >= ends_at:
                    return
                yield COMMENT
                self._look_again()
        finally:
            self.close()

    def look_again(self) -> None:
        """From any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # Its event loop has ended before it.
                self._loop.call_soon_threadsafe(self._look_again)

    def _look_again(self) -> None:
        """Not waited for: the threads that look may be busy for longer than a proxy has patience."""
        if self._is_admitted is not None and (self._look is None or self._look.done()):
            self._look = asyncio.create_task(self._end_unless(self._is_admitted()))

    async def _end_unless(self, is_admitted: Awaitable[bool]) -> None:
        if not await is_admitted:
            self._over.set()


# Weak, so that a stream whose client left before its first byte frees its place without anybody's doing.
_open: "WeakSet[Line]" = WeakSet()
# A process may run more than one event loop, and a set that grows while it is counted is an error. Re-entrant, because
# the signal to stop may come while the main thread holds it.
_changing = threading.RLock()


def has_room(account_pk: int) -> bool:
    """Whether the account may open one more stream in this process. To be asked in the event loop, as is the making."""
    with _changing:
        taken = sum(isinstance(line, KeepAlive) and line.account_pk == account_pk for line in _open)
    return taken < settings.PAM_MCP_STREAMS_PER_ACCOUNT


def end(account_pk: int, identity: str | None = None) -> None:
    """Ends the account's streams in this process: of one credential (`Caller.identity`), or all. From any thread."""
    for line in _lines():
        if line.account_pk == account_pk and identity in (None, line.identity):
            line.end()


def look_again() -> None:
    """Has every stream of this process ask whether its credential still opens: news may have been missed."""
    for line in _lines():
        if isinstance(line, KeepAlive):
            line.look_again()


def end_all() -> None:
    """Ends every stream of this process. From any thread."""
    for line in _lines():
        line.end()


def _lines() -> list[Line]:
    with _changing:
        return list(_open)


def event(data: bytes) -> bytes:
    """One server-sent event that carries a JSON text of one line."""
    return b"event: message\ndata: " + data + b"\n\n"
