"""What a product may hand in about its users: bounds, names and types. Each check returns the value as it is kept.

All raise Refused, which names the field and says what to do.
"""

import json
from typing import Any

from memories import redaction, storable
from memories.end_users.errors import refused
from memories.end_users.statements import LONGEST, SHORTEST
from memories.models import Memory

LONGEST_AGENT_ID = 200
MOST_METADATA_BYTES = 8_000
CATEGORIES = tuple(Memory.Category.values)


def content(value: str, field: str = "content") -> str:
    """A memory's text: 10 to 500 characters after trimming, its secrets cut."""
    storable.check(field, value)
    text = " ".join(value.split())
    if not SHORTEST <= len(text) <= LONGEST:
        raise refused(field, f"must have {SHORTEST} to {LONGEST} characters; it has {len(text)}.")
    # A cut can make a text longer: the mark that stands for a short secret.
    return redaction.cut(text).text[:LONGEST]


def category(value: str, field: str = "category") -> str:
    if value not in CATEGORIES:
        raise refused(field, f"must be one of {', '.join(CATEGORIES)}.")
    return value


def importance(value: float, field: str = "importance_score") -> float:
    if not 1 <= value <= 10:
        raise refused(field, "must be a number from 1 to 10.")
    return float(value)


def agent_id(value: str | None, field: str = "agent_id") -> str:
    text = storable.check(field, value or "")
    if len(text) > LONGEST_AGENT_ID:
        raise refused(field, f"must have at most {LONGEST_AGENT_ID} characters.")
    return text


def metadata(value: dict[str, Any], field: str = "metadata") -> dict[str, Any]:
    """An object of at most 8,000 bytes as JSON, secrets cut at any depth and under any name."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        storable.check_deep(field, value)
    except (ValueError, RecursionError) as error:
        raise refused(field, "must be an object that JSON can write.") from error
    if len(text.encode()) > MOST_METADATA_BYTES:
        raise refused(field, f"must have at most {MOST_METADATA_BYTES:,} bytes as JSON.")
    kept: dict[str, Any] = redaction.cut_deep(value)
    return kept
