"""Knowing in the event loop that the process was told to stop.

A server that stops waits for its open responses first, and an event stream would keep it waiting: so a stream asks
here.
The server's own handlers of SIGTERM and SIGINT stay in force; ours stand before them and pass the signal on.
"""

import asyncio
import os
import signal
import threading
from functools import partial
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

SIGNALS = (signal.SIGTERM, signal.SIGINT)

_events: "WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Event]" = WeakKeyDictionary()
_listening_in: list[int] = []


async def told_within(seconds: float) -> bool:
    """Waits that long, or until the process is told to stop; True in the second case."""
    event = _events.setdefault(asyncio.get_running_loop(), asyncio.Event())
    _listen()
    try:
        await asyncio.wait_for(event.wait(), timeout=max(0.0, seconds))
    except TimeoutError:
        return False
    return True


def _listen() -> None:
    """Once in a process, and not before the first stream: the server has put up its own handlers by then."""
    # Only the main thread may set handlers; a server in another thread is stopped by other means anyway.
    if os.getpid() in _listening_in or threading.current_thread() is not threading.main_thread():
        return
    _listening_in[:] = [os.getpid()]
    for number in SIGNALS:
        signal.signal(number, partial(_tell, signal.getsignal(number)))


def _tell(previous: Any, number: int, frame: FrameType | None) -> None:
    for loop, event in list(_events.items()):
        if not loop.is_closed():
            loop.call_soon_threadsafe(event.set)
    if callable(previous):
        previous(number, frame)
    elif previous == signal.SIG_DFL:
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(signal.Signals(number))
