"""Signs of life of a worker: given by a thread of its own while the work lasts, so that nobody takes the work over."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError, connection
from psycopg_pool import PoolTimeout

logger = logging.getLogger(__name__)

_SIGNS_A_LEASE = 4


@contextmanager
def kept_alive(show: Callable[[], None], what: str) -> Iterator[None]:
    """Calls `show` four times a lease (PAM_CLAIM_SECONDS) for as long as the block runs. `what` is for the log."""
    done = threading.Event()
    signs = threading.Thread(target=_show_life, args=(show, what, done), name="claim", daemon=True)
    signs.start()
    try:
        yield
    finally:
        done.set()
        signs.join()


def _show_life(show: Callable[[], None], what: str, done: threading.Event) -> None:
    try:
        while not done.wait(settings.PAM_CLAIM_SECONDS / _SIGNS_A_LEASE):
            try:
                show()
            except (DatabaseError, PoolTimeout):
                logger.warning("No sign of life could be given for %s; it is tried again.", what)
                connection.close()
    finally:
        connection.close()
