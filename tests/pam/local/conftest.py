"""Real servers in a folder of the test's own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from pam.local.servers import Servers


class Kept:
    """A row and a key, written and read back: whether data outlived something."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers

    def write(self, value: str) -> None:
        with psycopg.connect(self._servers.addresses["DATABASE_URL"]) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS kept (value text)")
            connection.execute("INSERT INTO kept VALUES (%s)", [value])
        with redis.Redis.from_url(self._servers.addresses["REDIS_URL"], decode_responses=True) as valkey:
            valkey.set("kept", value)
            valkey.execute_command("WAITAOF", 1, 0, 5000)

    def read(self) -> tuple[list[str], str | None]:
        with psycopg.connect(self._servers.addresses["DATABASE_URL"]) as connection:
            rows = [value for (value,) in connection.execute("SELECT value FROM kept").fetchall()]
        with redis.Redis.from_url(self._servers.addresses["REDIS_URL"], decode_responses=True) as valkey:
            return rows, valkey.get("kept")


@pytest.fixture
def said() -> list[str]:
    """What was said at the terminal."""
    return []


@pytest.fixture
def servers_in(said: list[str]) -> Iterator[Callable[[Path], Servers]]:
    """Starts embedded servers in a folder; whatever is left of them ends with the test."""
    started: list[Servers] = []

    def start(folder: Path) -> Servers:
        servers = Servers(folder, {}, say=said.append)
        started.append(servers)
        servers.start()
        return servers

    yield start
    for servers in started:
        servers.stop()
