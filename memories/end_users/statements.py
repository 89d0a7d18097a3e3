"""What is said of an end user, before it is a memory. Pure."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

SHORTEST, LONGEST = 10, 500


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement in the third person ("User lives in Berlin.").

    importance is 1 to 10, confidence 0 to 1. slot, slot_value: what it is about, where only one can hold (slots.py);
    empty otherwise.
    """

    content: str
    category: str
    importance: float = 5.0
    confidence: float = 1.0
    slot: str = ""
    slot_value: str = ""
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where statements come from: the agent, the product's event and what it told of it, and when they were said.

    observed_at None: now.
    """

    agent_id: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    event_id: str = ""
    observed_at: datetime | None = None
    reason: str = ""
