"""How well chats are read: precision and recall of what is remembered of them, without a language model.

    python -m benchmarks extraction [--missed]

Three sets: `examples/chats` (the rules were made with them in sight), `fresh_chats.yaml` in benchmarks/data,
written after the rules were finished, and `later_chats.yaml`, written after what the fresh ones showed was mended.
Each was measured once before anything was mended by it; docs/benchmarks.md has those figures, which are the honest
ones. A chat names what is to be remembered of it; what is hedged is not (confidence below 0.65 waits to be said
again).

One found statement answers one expected one, the likest first, if they are about the same subject (the user, or the
same person of theirs), have the same numbers, names and dates, the same negation, and share half of their words' stems
(Dice).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from benchmarks.figures import Figure
from memories import words
from memories.end_users import polarity
from memories.end_users.reading import confidence, extract, others
from memories.end_users.reading.extract import Message
from memories.end_users.statements import Statement

LIKE = 0.5
UNSEEN = ("fresh chats", "later chats")
TARGET = 90.0
_SUBJECT = re.compile(rf"^User(?:'s (?:[\w-]+ ){{0,2}}?({others.RELATION})\b)?", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-ZÀ-ÖØ-Þ][\w'-]*")
_NO_NAMES = frozenset({"User", "User's", "I"})


@dataclass(frozen=True)
class Outcome:
    """right: pairs (expected, found); the others have no partner."""

    right: list[tuple[dict[str, str], Statement]]
    missed: list[dict[str, str]]
    wrong: list[Statement]


def run(chats: Path, data: Path, *, tell: bool = False) -> Iterator[Figure]:
    sets = {"example chats": chats.glob("*.yaml")} | {
        name: [data / f"{name.replace(' ', '_')}.yaml"] for name in UNSEEN
    }
    for name, files in sets.items():
        outcomes = [outcome(chat) for file in sorted(files) for chat in yaml.safe_load(file.read_text())]
        yield from figures(name, outcomes)
        if tell:
            print("\n".join(faults(outcomes)))


def outcome(chat: dict[str, Any]) -> Outcome:
    """What is kept of a chat, held against what should be."""
    messages = [Message(role, said) for turn in chat["messages"] for role, said in turn.items()]
    observed_at = chat["said_at"]
    if not isinstance(observed_at, datetime):
        observed_at = datetime.fromisoformat(observed_at)
    found = extract.extract(messages, observed_at=observed_at).statements
    return matched(chat["remembered"], [one for one in found if one.confidence >= confidence.KEPT])


def matched(expected: Sequence[dict[str, str]], found: Sequence[Statement]) -> Outcome:
    likeness = sorted(
        ((alike(e["content"], f.content), i, j) for i, e in enumerate(expected) for j, f in enumerate(found)),
        reverse=True,
    )
    pairs = dict[int, int]()
    for like, i, j in likeness:
        if like >= LIKE and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return Outcome(
        [(expected[i], found[j]) for i, j in sorted(pairs.items())],
        [one for i, one in enumerate(expected) if i not in pairs],
        [one for j, one in enumerate(found) if j not in pairs.values()],
    )


def alike(expected: str, found: str) -> float:
    """0 to 1: the share of words in common; 0 where subject, numbers, names, dates or negation differ."""
    if any(told(expected) != told(found) for told in (_subject, _numbers, _names, _negation)):
        return 0.0
    one, other = (set(words.content_terms(text)) - {"user"} for text in (expected, found))
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def _subject(text: str) -> str:
    found = _SUBJECT.match(text)
    return (found[1] or "user").casefold() if found else "user"


def _numbers(text: str) -> list[str]:
    return sorted(_NUMBER.findall(text))


def _names(text: str) -> set[str]:
    return {re.sub(r"'s?$", "", name) for name in _NAME.findall(text) if name not in _NO_NAMES}


def _negation(text: str) -> bool:
    return polarity.of(text).is_negated


def figures(name: str, outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    right, missed, wrong = (sum(len(getattr(one, kind)) for one in outcomes) for kind in ("right", "missed", "wrong"))
    sorted_right = sum(e.get("category") == f.category for one in outcomes for e, f in one.right)
    yield Figure(f"{name}: {len(outcomes)} read, memories expected", right + missed)
    yield Figure(f"{name}: precision of what is remembered", 100 * right / max(1, right + wrong), "%", TARGET, False)
    yield Figure(f"{name}: recall of what should be", 100 * right / max(1, right + missed), "%", TARGET, False)
    yield Figure(f"{name}: category as expected", 100 * sorted_right / max(1, right), "%", TARGET, False)


def faults(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Each expected statement that was not found, each found one that was not expected, each other category."""
    for one in outcomes:
        yield from (f"    missed  {each['content']}" for each in one.missed)
        yield from (f"    wrong   {each.content} ({each.confidence})" for each in one.wrong)
        yield from (
            f"    {f.category} for {e['category']}  {f.content}" for e, f in one.right if e["category"] != f.category
        )
