"""Ends the open streams of a credential as soon as it is revoked, whichever process it was revoked in.

One thread of each web process listens, from its first stream on, and holds no database connection. While Valkey is
away, and for what was said meanwhile, streams ask by themselves (streams.KeepAlive). Source: contract console, revoke.
"""

import os
import threading

from redis.exceptions import RedisError

from accounts import revocations
from mcp_gateway import streams

AGAIN_SECONDS = 1.0

_starting = threading.Lock()
_listening_in: list[int] = []


def listen() -> None:
    """Starts to listen, once in a process. To be asked with every stream."""
    with _starting:
        if os.getpid() in _listening_in:
            return
        _listening_in[:] = [os.getpid()]
    threading.Thread(target=_listen_for_ever, name="revocations", daemon=True).start()


def _listen_for_ever() -> None:
    pause = threading.Event()
    while True:
        try:
            revocations.listen(streams.end, connected=streams.look_again)
        except (RedisError, OSError):
            pause.wait(AGAIN_SECONDS)
