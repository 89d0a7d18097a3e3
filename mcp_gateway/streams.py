"""Event streams without events: who wants to listen gets a comment now and then, so that proxies keep the line.

Lives in the event loop of one web process and touches neither database nor Valkey. A stream ends by itself after a
while, when its client goes, and at once when the process is told to stop. Source: contract gateway, GET.
"""

import threading
import time
from collections.abc import AsyncIterator
from weakref import WeakSet

from django.conf import settings

from mcp_gateway import stopping

CONTENT_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
COMMENT = b": keep-alive\n\n"
EVERY_SECONDS = 15.0


class KeepAlive:
    """One stream of an account. It counts against the account from its making until it ends or is thrown away."""

    def __init__(self, account_pk: int) -> None:
        self.account_pk = account_pk
        with _changing:
            _open.add(self)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        ends_at = time.monotonic() + settings.PAM_MCP_STREAM_SECONDS
        try:
            yield COMMENT
            while not await stopping.told_within(min(EVERY_SECONDS, ends_at - time.monotonic())):
                if time.monotonic() >= ends_at:
                    return
                yield COMMENT
        finally:
            self.close()

    def close(self) -> None:
        with _changing:
            _open.discard(self)


# Weak, so that a stream whose client left before its first byte frees its place without anybody's doing.
_open: WeakSet[KeepAlive] = WeakSet()
# A process may run more than one event loop, and a set that grows while it is counted is an error.
_changing = threading.Lock()


def has_room(account_pk: int) -> bool:
    """Whether the account may open one more stream in this process. To be asked in the event loop, as is the making."""
    with _changing:
        taken = sum(stream.account_pk == account_pk for stream in _open)
    return taken < settings.PAM_MCP_STREAMS_PER_ACCOUNT


def event(data: bytes) -> bytes:
    """One server-sent event that carries a JSON text of one line."""
    return b"event: message\ndata: " + data + b"\n\n"
