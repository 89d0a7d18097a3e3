"""From the second person to the first: what an assistant says to a user, in the user's mouth. Pure."""

import re


def own(text: str) -> str:
    """From "you" to "I"."""
    text = re.sub(r"\b[Yy]ou are\b", "I am", text)
    text = re.sub(r"\b[Yy]ou were\b", "I was", text)
    text = re.sub(r"\b[Aa]re you\b", "I am", text)
    text = re.sub(r"\b[Yy]ourself\b", "myself", text)
    text = re.sub(r"\b[Yy]ours\b", "mine", text)
    text = re.sub(r"\b[Yy]our\b", "my", text)
    return re.sub(r"\b[Yy]ou\b", "I", text)
