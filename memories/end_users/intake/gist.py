"""What a request says, as a hash: the same said again has the same one. Gate L3 compares it. Pure."""

import hashlib
import json
from collections.abc import Sequence

from memories.end_users.intake.said import SYSTEM, Message
from memories.sameness import normalised


def of(messages: Sequence[Message], agent_id: str) -> str:
    """64 hexadecimal digits. Case, white space, Unicode form and closing punctuation do not count, nor do instructions
    to the assistant; the agent does, since what one agent is told another one was not."""
    said = [[message.role, normalised(message.content)] for message in messages if message.role != SYSTEM]
    return hashlib.sha256(json.dumps([agent_id, said]).encode()).hexdigest()
