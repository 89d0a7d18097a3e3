"""What is handed in to be read: the turns of a chat. Pure."""

from dataclasses import dataclass

USER, ASSISTANT, SYSTEM = "user", "assistant", "system"


@dataclass(frozen=True)
class Message:
    """role: user, assistant or system; only the user is believed, and the assistant heard for what it asks."""

    role: str
    content: str
