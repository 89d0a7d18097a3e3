"""Servers of other kinds that memories may talk to."""

import pytest

from memories import providers
from tests.memories.broker import broker, dead_broker
from tests.memories.language_model_server import language_model
from tests.memories.real_workers import start_worker

__all__ = ["broker", "dead_broker", "language_model", "start_worker"]


@pytest.fixture(autouse=True)
def no_pause() -> None:
    """A language model that hung in one test is asked again in the next."""
    providers.pause.end()
