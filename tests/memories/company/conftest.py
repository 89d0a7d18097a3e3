"""What tests of company memory may ask for beside the cast."""

import pytest

from tests.cast import Person
from tests.memories.company.shelf import LUMEN_FERRY, shelve


@pytest.fixture
def ferry(alice: Person) -> Person:
    """Alice's account with the ferry line's documents."""
    shelve(alice.agent, LUMEN_FERRY)
    return alice
