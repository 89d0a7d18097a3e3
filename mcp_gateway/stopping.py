"""Knowing at once that the process was told to stop.

A server that stops waits for its open responses first, and an event stream would keep it waiting: so streams ask to be
told. The server's own handlers of SIGTERM and SIGINT stay in force; ours stand before them and pass the signal on.
"""

import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGINT)

_acts: list[Callable[[], None]] = []
_listening_in: list[int] = []


def when_told(act: Callable[[], None]) -> None:
    """Has `act` called when the process is told to stop: in the main thread, between any two steps of what it does.

    To be asked with the first stream, not before: the server has put up its own handlers by then.
    """
    if act not in _acts:
        _acts.append(act)
    # Only the main thread may set handlers; a server in another thread is stopped by other means anyway.
    if os.getpid() in _listening_in or threading.current_thread() is not threading.main_thread():
        return
    _listening_in[:] = [os.getpid()]
    for number in SIGNALS:
        signal.signal(number, partial(_tell, signal.getsignal(number)))


def _tell(previous: Any, number: int, frame: FrameType | None) -> None:
    for act in _acts:
        act()
    if callable(previous):
        previous(number, frame)
    elif previous == signal.SIG_DFL:
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(signal.Signals(number))
