"""Agents at the endpoint."""

import pytest

from tests.cast import Person
from tests.mcp_gateway.clients import ModernWire, Wire
from tests.mcp_gateway.server import committed, url

__all__ = ["committed", "url"]


@pytest.fixture
def agent(alice: Person) -> Wire:
    """Alice's agent, over Django's test client."""
    return Wire(alice.secret)


@pytest.fixture
def anyone(db: None) -> Wire:
    """Somebody without a credential."""
    return Wire("")


@pytest.fixture
def modern(alice: Person) -> ModernWire:
    """Alice's agent, in the revision without a handshake."""
    return ModernWire(alice.secret)
