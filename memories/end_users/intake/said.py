"""One turn of a conversation. Pure."""

from dataclasses import dataclass

from memories import redaction

USER, ASSISTANT, SYSTEM = ROLES = ("user", "assistant", "system")


@dataclass(frozen=True, slots=True)
class Message:
    """Who speaks, and what they say."""

    role: str
    content: str

    def without_secrets(self) -> "Message":
        return Message(self.role, redaction.cut(self.content).text)
