"""What is told again and again of somebody, kept in Valkey for a day: important, told five times, last within a week.

Whose text lies here need not be read where the rows are. The copy is of one revision of its end user: every write to
what is remembered of them makes another, and drops it. Source: contract end_users, "Hot tier".
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memories.memory_candidates import HOT_COUNT, HOT_IMPORTANCE, Candidate

SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class HotTier:
    """The texts of hot memories by key, at a revision of their end user."""

    revision: int
    texts: Mapping[int, str] = field(default_factory=dict)

    def with_told(self, told: Iterable[Candidate]) -> "HotTier":
        """With those of `told` that are hot once this telling counts."""
        return HotTier(
            self.revision, {**self.texts, **{each.memory_id: each.content for each in told if _is_hot(each)}}
        )


def _is_hot(memory: Candidate) -> bool:
    # Told now is told within seven days.
    return memory.importance >= HOT_IMPORTANCE and memory.access_count + 1 >= HOT_COUNT


def read(stored: bytes | None, revision: int) -> HotTier:
    """What Valkey gave; empty where it holds nothing, or something of another revision."""
    try:
        kept = json.loads(stored or "{}")
        if kept.get("revision") == revision:
            return HotTier(revision, {int(key): str(text) for key, text in kept["texts"].items()})
    except (ValueError, KeyError, AttributeError):
        pass
    return HotTier(revision)


def written(tier: HotTier) -> str:
    return json.dumps({"revision": tier.revision, "texts": {str(key): text for key, text in tier.texts.items()}})
