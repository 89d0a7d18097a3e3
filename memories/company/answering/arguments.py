"""What may be asked: the bounds of `prompt` and `session_id`, in characters. Pure.

Source: contract company memory, "Arguments"; seed `retrieve_memory`, "Parameters"; cases R25.
"""

import unicodedata

from accounts.errors import InvalidArguments
from memories import storable

LONGEST_PROMPT = 8_000
LONGEST_SESSION_ID = 200


def prompt(value: str) -> str:
    """The prompt without the white space around it. Raises InvalidArguments naming `prompt`."""
    storable.check("prompt", value)
    trimmed = value.strip()
    if all(unicodedata.category(character) in ("Cf", "Cc", "Zs") for character in trimmed):
        raise InvalidArguments("prompt is empty: say in a sentence what you need to know.", argument="prompt")
    if len(trimmed) > LONGEST_PROMPT:
        raise InvalidArguments(
            f"prompt has {len(trimmed):,} characters; at most {LONGEST_PROMPT:,} are allowed.", argument="prompt"
        )
    return trimmed


def session_id(value: str) -> str:
    """Raises InvalidArguments naming `session_id`."""
    storable.check("session_id", value)
    trimmed = value.strip()
    if not 1 <= len(trimmed) <= LONGEST_SESSION_ID:
        raise InvalidArguments(
            f"session_id must have 1 to {LONGEST_SESSION_ID} characters; this one has {len(trimmed):,}. "
            "It can be left out.",
            argument="session_id",
        )
    return trimmed
