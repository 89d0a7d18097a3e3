"""One Postgres and one Valkey for the whole run, however many xdist workers share it.

Named by `-p` in pyproject.toml, because pytest-django reads the settings before any conftest.py is loaded. The first
process starts the servers in a folder of its own and removes it afterwards; workers inherit the addresses through the
environment. Each worker has its own test database (pytest-django sees to it) and its own Valkey database. With
DATABASE_URL or REDIS_URL set, that server is used.
"""

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pam.local.servers import Servers

WORKER = os.environ.get("PYTEST_XDIST_WORKER")
IS_VALKEY_OURS = "PAM_TEST_VALKEY"


def _start() -> None:
    folder = Path(tempfile.mkdtemp(prefix="pam-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if not os.environ.get("REDIS_URL"):
        os.environ[IS_VALKEY_OURS] = "1"
    servers = Servers(folder, os.environ, say=lambda line: None, durable=False)
    atexit.register(servers.stop)
    servers.start()
    # A developer's own .pam must not be touched, nor may the workers race to make its secret.
    os.environ.update(servers.addresses, PAM_HOME=str(folder), PAM_SECRET_KEY=secrets.token_urlsafe(50))


def _take_own_valkey_database(worker: str) -> None:
    number = int(worker.removeprefix("gw")) + 1
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{number}").geturl()


if WORKER is None:
    _start()
else:
    _take_own_valkey_database(WORKER)


@pytest.fixture(scope="session")
def valkey_is_ours() -> bool:
    """Whether the tests may empty it: one that REDIS_URL named may hold other things."""
    return IS_VALKEY_OURS in os.environ
