"""Short ways to have a chat read in tests."""

from datetime import UTC, datetime

from memories import providers
from memories.end_users.reading import extract
from memories.end_users.reading.extract import Message
from memories.end_users.statements import Statement

#: A Monday.
SAID_AT = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)


def turns(*said: str) -> list[Message]:
    """A turn that begins with "A: " is the assistant's, one with "S: " the system's, every other the user's."""
    roles = {"A: ": "assistant", "S: ": "system"}
    return [Message(roles.get(one[:3], "user"), one[3:] if one[:3] in roles else one) for one in said]


def statements(*said: str, model: providers.Session | None = None) -> list[Statement]:
    return extract.extract(turns(*said), observed_at=SAID_AT, model=model).statements


def texts(*said: str) -> list[str]:
    """What is worth keeping of a chat."""
    return [one.content for one in statements(*said) if one.confidence >= 0.65]


def only(*said: str) -> Statement:
    """The one statement of a chat."""
    (found,) = statements(*said)
    return found
