"""The ASGI application: the MCP endpoint streams, so the web process must be able to wait without a thread."""

import ctypes
import importlib
import os
import sys
import threading
from contextlib import suppress
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")

# glibc gives threads heaps of their own, up to eight for each core, and what one of them frees another can't use: with
# the threads that answer agents that came to 45 MB. Two heaps are as fast here. (-8 is glibc's M_ARENA_MAX.)
if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallopt"):
    ctypes.CDLL(None).mallopt(-8, 2)

# pgvector asks whether a value is one of scipy's once scipy begins to be imported, which the model does in a thread
# of its own: half-imported, it has no such name, and what is recorded meanwhile would fail.
with suppress(ImportError):
    importlib.import_module("scipy.sparse")

django.setup(set_prefix=False)

# Its models can be imported only now that Django is set up. The routes with all that they import, the wire types of MCP
# among it, would otherwise cost the first request a second.
from mcp_gateway.shortcut import Handler  # noqa: E402
from memories import embedding  # noqa: E402
from memories.errors import EmbedderUnavailable  # noqa: E402
from pam import urls  # noqa: E402, F401

_django = Handler()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Django, and the server's own start and end ("lifespan"), which Django does not know."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    else:
        await _django(scope, receive, send)


def _warm_up() -> None:
    with suppress(EmbedderUnavailable):  # logged where it happened; questions are answered by words
        embedding.warm_up()


async def _live(receive: Any, send: Any) -> None:
    """Loading the model takes seconds: the server serves meanwhile, and `/readyz` tells when it is done."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
