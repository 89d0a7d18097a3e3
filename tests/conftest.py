"""What every test may ask for: the cast. The servers are started by servers.py, before this file is read."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import setup_databases, teardown_databases

from tests.cast import alice, bob, charlie

__all__ = ["alice", "bob", "charlie"]


@pytest.fixture(autouse=True)
def no_warm_copies(settings: Any) -> None:
    """They are made in another thread, which does not see what a test has not committed."""
    settings.PAM_WARM_MB = 0


@pytest.fixture(autouse=True)
def static_files_when_asked_for(settings: Any) -> None:
    """Each test client has the middleware made anew, which would read the list of all static files each time."""
    settings.SERVESTATIC_AUTOREFRESH = True


@pytest.fixture(autouse=True)
def quick_passwords(settings: Any) -> None:
    """Hashing a password is slow on purpose; tests make hundreds of people. A module's come before it."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]


@pytest.fixture(scope="session")
def database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The test database, for fixtures that outlive a test.

    pytest-django makes one only for a run with a test that has its mark or its fixture, so not for such a module alone.
    """
    with django_db_blocker.unblock():
        is_made = connection.settings_dict["NAME"].startswith("test_")
        made = [] if is_made else setup_databases(verbosity=0, interactive=False)
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)
