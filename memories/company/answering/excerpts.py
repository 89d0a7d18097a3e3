"""Passages of documents to quote, as their Markdown stands there. Pure; takes sections in the order search gave."""

from collections.abc import Sequence
from functools import lru_cache

from memories import tokens
from memories.company.answering.findings import Excerpt, Origin
from memories.passages import FoundFact, FoundSection

MOST = 5
#: All excerpts together. With a dozen facts the report then stays near 2,000 tokens.
MOST_TOKENS = 1_500
#: One of them: the usual section has 250; a long code block or table is cut.
LONGEST = 600
#: A section that is less relevant than the best one by more than this is quoted only for a fact in it.
FAR = 0.25


# The same sections answer again and again, and counting one takes as long as a query.
_size = lru_cache(maxsize=2_000)(tokens.count)


def of(sections: Sequence[FoundSection], facts: Sequence[FoundFact]) -> tuple[Excerpt, ...]:
    """The best sections that fit, at most MOST, the first one always. Text of two documents is told once."""
    told: dict[str, Excerpt] = {}
    holding = {origin.section_id for fact in facts for origin in fact.sources}
    best = max((section.relevance for section in sections), default=0.0)
    room = MOST_TOKENS
    for section in sections:
        is_near = section.relevance >= best * FAR or section.id in holding
        if len(told) == MOST or section.text in told or not is_near:
            continue
        text, size = section.text, _size(section.text)
        if size > LONGEST:
            text, size = tokens.truncate_to(text, LONGEST), LONGEST
        if told and size > room:
            continue
        room -= size
        told[section.text] = Excerpt(
            text=text,
            relevance=section.relevance,
            origin=Origin(section.title, section.path, section.tree_path),
            truncated=text != section.text,
            observed_at=section.observed_at,
            superseded=section.superseded,
        )
    return tuple(told.values())
