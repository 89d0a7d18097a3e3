"""Which of what a retrieval tells is wanted: a set of our own, and the arithmetic.

Five people with 40 statements each: 20 in force, 8 that were superseded or archived, and 12 of somebody else in much
the same words. 80 questions name the statements that a good answer would make use of. The weights were fitted on the
first 60; the other 20 were written after that and are counted apart.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent / "data"
LIVE = "live"


@dataclass(frozen=True)
class Question:
    """`relevant`: keys of the statements of `user` that answer it; none where nothing known does."""

    user: str
    question: str
    relevant: frozenset[str]


@dataclass(frozen=True)
class Score:
    """Shares from 0 to 1. Precision is of all that was told; recall is the mean of the questions that have answers."""

    precision: float
    recall: float
    told: int
    told_for_nothing: int


def statements() -> list[dict[str, Any]]:
    """Dicts of user, key, state (live, superseded, archived, foreign), category, importance, content."""
    return [json.loads(line) for line in (DATA / "recall_memories.jsonl").read_text().splitlines()]


def questions(name: str = "recall_questions.jsonl") -> list[Question]:
    rows = (json.loads(line) for line in (DATA / name).read_text().splitlines())
    return [Question(row["user"], row["question"], frozenset(row["relevant"])) for row in rows]


def later() -> list[Question]:
    """Those that were written when nothing was changed any more."""
    return questions("recall_questions_later.jsonl")


def score(asked: Sequence[Question], answers: Sequence[Sequence[str]]) -> Score:
    """`answers`: the keys that were told, for each question."""
    hits = [len(question.relevant & set(told)) for question, told in zip(asked, answers, strict=True)]
    told = sum(map(len, answers))
    recalls = [hit / len(question.relevant) for hit, question in zip(hits, asked, strict=True) if question.relevant]
    nothing = [len(keys) for question, keys in zip(asked, answers, strict=True) if not question.relevant]
    return Score(sum(hits) / max(told, 1), sum(recalls) / max(len(recalls), 1), told, sum(nothing))


def missed(
    asked: Sequence[Question], answers: Sequence[Sequence[str]], content: Callable[[str, str], str]
) -> list[str]:
    """A line for each question, and one for each statement that was told in vain or not told."""
    lines = []
    for question, keys in zip(asked, answers, strict=True):
        lines.append(f"  {question.user}: {question.question}")
        lines += [f"      told in vain: {content(question.user, key)}" for key in keys if key not in question.relevant]
        lines += [f"      not told: {content(question.user, key)}" for key in sorted(question.relevant - set(keys))]
    return lines
