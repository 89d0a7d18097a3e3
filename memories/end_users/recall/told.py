"""The answer to a retrieval, as it is given and as it is kept for a minute: plain values only."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from memories.end_users.recall.context import Addition


@dataclass(frozen=True, slots=True)
class ToldMemory:
    """Source: seed 004, MemorySearchResult."""

    id: str
    content: str
    category: str
    importance_score: float
    last_accessed: str | None
    relevance_score: float
    context_snippet: str


@dataclass(frozen=True, slots=True)
class Told:
    """Source: seed 004, "Response".

    memories_left_out    how many of `data` found no room in `system_prompt_addition` (R33)
    is_passthrough       the account's mode gives no context
    is_degraded          found by words (and what is hot) alone
    """

    data: Sequence[ToldMemory] = field(default_factory=list)
    cached: bool = False
    system_prompt_addition: str = ""
    context_token_count: int = 0
    memories_left_out: int = 0
    memories_from_hot_tier: int = 0
    clarification_question: str | None = None
    clarification_id: str | None = None
    retrieval_id: str | None = None
    is_passthrough: bool = False
    is_degraded: bool = False

    def with_context(self, addition: Addition) -> "Told":
        return replace(
            self,
            system_prompt_addition=addition.text,
            context_token_count=addition.token_count,
            memories_left_out=addition.left_out,
        )

    @property
    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def kept(self) -> dict[str, Any]:
        """What is kept of it: a question is asked once, so not again within the minute either."""
        return asdict(replace(self, clarification_question=None, clarification_id=None))


def again(kept: dict[str, Any]) -> Told:
    """A kept answer as it is given again. Raises TypeError or KeyError for one that another release kept."""
    return Told(**{**kept, "data": [ToldMemory(**each) for each in kept["data"]], "cached": True})
