"""A real web server on a port of its own: for what Django's test client cannot show (threads, streams, real clients).

What such a test needs must be committed, because the server's threads have connections of their own. `committed` makes
people outside of any transaction and deletes their accounts afterwards.
"""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.conf import settings
from django.db import connection
from django.test import override_settings

from accounts import isolation
from accounts.models import OAuthClient
from pam.asgi import application
from tests.cast import Person, person
from tests.mcp_gateway.clients import PATH

READY_SECONDS = 60
LISTENS = "Uvicorn running on "
Making = Callable[[str], Person]


def until(condition: Callable[[], bool]) -> None:
    """Looks again and again, for what another process or thread is about to do."""
    ends_at = time.monotonic() + READY_SECONDS
    while not condition():
        assert time.monotonic() < ends_at
        threading.Event().wait(0.02)


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self) -> None:
        quiet = {"lifespan": "off", "log_level": "critical", "access_log": False}
        super().__init__(uvicorn.Config(application, timeout_graceful_shutdown=2, **quiet))  # type: ignore[arg-type]
        self.listens = threading.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.listens.set()


@contextmanager
def serving() -> Iterator[str]:
    """The address of PAM, served by this process: its public address, too, so that every link in an answer is true."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = _Server()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        oauth = {**settings.OAUTH2_PROVIDER, "OIDC_ISS_ENDPOINT": base}
        with override_settings(PUBLIC_URL=base, OAUTH2_PROVIDER=oauth):
            thread.start()
            assert server.listens.wait(READY_SECONDS)
            try:
                yield base
            finally:
                server.should_exit = True
                thread.join(READY_SECONDS)


@pytest.fixture(scope="module")
def committed(database: None, django_db_blocker: Any) -> Iterator[Making]:
    """Makes people whose accounts everybody sees, and deletes them after the module's tests."""
    made: list[Person] = []

    def make(name: str) -> Person:
        made.append(person(name))
        return made[-1]

    with django_db_blocker.unblock():
        yield make
        with isolation.every_account():
            for each in made:
                each.account.delete()
                each.user.delete()
            # What registered with the server meanwhile belongs to no account.
            OAuthClient.objects.all().delete()
        connection.close()


@pytest.fixture(scope="module")
def url(committed: Making) -> Iterator[str]:
    """The address of the endpoint."""
    with serving() as base:
        yield base + PATH


@contextmanager
def process(**environment: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The web server as a process of its own, on the test's database, and the address of its endpoint."""
    place = connection.settings_dict
    login = f"{place['USER']}:{place['PASSWORD']}"
    database = f"postgres://{login}@:{place['PORT']}/{place['NAME']}?host={place['HOST']}"
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "pam.asgi:application",
        "--host=127.0.0.1",
        "--port=0",
        "--lifespan=off",
    ]
    with tempfile.NamedTemporaryFile("r+") as log:
        child = subprocess.Popen(
            [*command, "--timeout-graceful-shutdown=3"],
            env={**os.environ, "DATABASE_URL": database, **environment},
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        try:
            until(lambda: LISTENS in Path(log.name).read_text())
            yield child, Path(log.name).read_text().split(LISTENS)[1].split()[0] + PATH
        finally:
            child.kill()
            child.wait()
