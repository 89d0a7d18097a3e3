"""What every test may ask for: the cast. The servers are started by servers.py, before this file is read."""

from typing import Any

import pytest

from tests.cast import alice, bob, charlie

__all__ = ["alice", "bob", "charlie"]


@pytest.fixture(autouse=True)
def no_warm_copies(settings: Any) -> None:
    """They are made in another thread, which does not see what a test has not committed."""
    settings.PAM_WARM_MB = 0


@pytest.fixture(autouse=True)
def quick_passwords(settings: Any) -> None:
    """Hashing a password is slow on purpose; tests make hundreds of people. A module's come before it."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
