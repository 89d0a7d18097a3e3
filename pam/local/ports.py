"""TCP ports on the loopback address."""

import secrets
import socket

from pam.local.errors import LocalError

LOOPBACK = "127.0.0.1"
# Below the range from which the kernel gives outgoing connections their ports: while a server restarts, no client may
# sit on its port by chance.
LOWEST, HIGHEST = 15_000, 32_000
TRIES = 200


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As servers do: a port in TIME_WAIT after our own last run counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def free() -> int:
    for _ in range(TRIES):
        port = LOWEST + secrets.randbelow(HIGHEST - LOWEST)
        if is_free(port):
            return port
    raise LocalError(f"No free port was found between {LOWEST} and {HIGHEST}.")


def keep_or_find(port: int | None) -> int:
    """`port` when it is free, another free one when it is not: addresses stay the same from run to run if they can."""
    return port if port is not None and is_free(port) else free()
