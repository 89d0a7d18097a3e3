"""What every test may ask for: the cast. The servers are started by servers.py, before this file is read."""

import pytest
from pytest_django.fixtures import SettingsWrapper

from tests.cast import alice, bob, charlie

__all__ = ["alice", "bob", "charlie"]


@pytest.fixture(autouse=True)
def quick_passwords(settings: SettingsWrapper) -> None:
    """Hashing a password is slow on purpose; tests make hundreds of people."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
