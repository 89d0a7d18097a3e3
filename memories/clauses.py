"""A prompt of several questions, taken apart: each part finds its own facts. Pure."""

import re

from memories import words

MOST = 4
_ASKING = (
    "who|whom|whose|what|when|where|which|why|how|can|could|may|do|does|did|is|are|am|will|would|should|must|shall"
    "|has|have"
)
_BEFORE_ASKING = "by|to|from|in|on|at|for|with|within|until|of"
# "…, and who pays?", "… or can I …", "…: how …", a sentence's end, a line's end.
_BORDER = re.compile(
    rf"(?:[,;:]\s*|\s+)(?:and|or|but|plus|also|then)\s+(?:also\s+)?(?=(?:(?:{_BEFORE_ASKING})\s+)?(?:{_ASKING})\b)"
    rf"|(?<=[?!.])\s+(?=\S)|(?<=[?!。？！])(?=[^\s?!。？！\"')])|;\s+|:\s+(?=(?:{_BEFORE_ASKING}\s+)?(?:{_ASKING})\b)|\n+",
    re.IGNORECASE,
)
_QUESTION = re.compile(rf"(?:(?:{_BEFORE_ASKING})\s+)?(?:{_ASKING})\b|.*[?？]$", re.IGNORECASE | re.DOTALL)


def split(prompt: str) -> list[str]:
    """The parts of a prompt that asks or tells several things, at most MOST, in order; none if it is of one piece."""
    parts = [part.strip(" ,;:-") for part in _BORDER.split(prompt)]
    parts = list(dict.fromkeys(part for part in parts if _says_enough(part)))
    if len(parts) < 2:
        return []
    return [part.rstrip("?!. ") for part in _weightiest(parts)]


def _says_enough(part: str) -> bool:
    return bool(words.content_terms(part)) and (len(part.split()) >= 3 or not part.isascii())


def _weightiest(parts: list[str]) -> list[str]:
    """Of a long prompt the questions, then the longest statements."""
    order = sorted(parts, key=lambda part: (not _QUESTION.match(part), -len(part)))[:MOST]
    return [part for part in parts if part in order]
