"""How well contradictions are told from what can both hold, on pairs of statements of our own.

`contradictions.jsonl` was there while the rules were made; `contradictions_later.jsonl` was written after they were
frozen. Found is what is settled as a contradiction or asked about; sure is what is settled without asking.
"""

import importlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import django
import numpy as np

from benchmarks.figures import Figure

DATA = Path(__file__).resolve().parent / "data"
SETS = {"known pairs": DATA / "contradictions.jsonl", "later pairs": DATA / "contradictions_later.jsonl"}
CONTRADICTS, DOUBTFUL = "contradicts", "doubtful"


@dataclass(frozen=True)
class Pair:
    """Two statements of one person, what they are to each other, and what was made of them."""

    old: str
    new: str
    truth: str
    told: str

    @property
    def is_found(self) -> bool:
        return self.told in (CONTRADICTS, DOUBTFUL)

    @property
    def is_sure(self) -> bool:
        return self.told == CONTRADICTS


def run(*, tell: bool = False) -> Iterator[Figure]:
    """Precision and recall on both sets; with `tell` the pairs that came out wrong are named."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    for name, path in SETS.items():
        pairs = judged(path)
        yield Figure(f"contradiction, {name}", len(pairs), "pairs")
        yield from _figures(name, pairs)
        for pair in pairs if tell else ():
            if pair.is_found != (pair.truth == CONTRADICTS):
                print(f"  {pair.truth:12} told as {pair.told:12} {pair.old} / {pair.new}")


def judged(path: Path) -> list[Pair]:
    """Every pair of a file with its cosine held against each other, as when both have their vectors."""
    # Models can be imported only now that Django is set up.
    embedding = importlib.import_module("memories.embedding")
    contradiction = importlib.import_module("memories.end_users.conflicts.contradiction")
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    olds = embedding.documents([row["old"] for row in rows])
    news = embedding.documents([row["new"] for row in rows])
    return [
        Pair(row["old"], row["new"], row["is"], contradiction.judge(row["new"], row["old"], float(old @ new)).relation)
        for row, old, new in zip(rows, np.asarray(olds), np.asarray(news), strict=True)
    ]


def _figures(name: str, pairs: Sequence[Pair]) -> Iterator[Figure]:
    true = [pair for pair in pairs if pair.truth == CONTRADICTS]
    found = [pair for pair in pairs if pair.is_found]
    sure = [pair for pair in pairs if pair.is_sure]
    yield Figure(f"{name}: precision of what is found", _share(found), target=0.9, at_most=False)
    yield Figure(
        f"{name}: recall of what is found", sum(p.is_found for p in true) / len(true), target=0.8, at_most=False
    )
    yield Figure(f"{name}: precision of what is settled", _share(sure), target=0.95, at_most=False)
    yield Figure(f"{name}: recall of what is settled", sum(p.is_sure for p in true) / len(true))


def _share(pairs: Sequence[Pair]) -> float:
    """Of these pairs, how many truly contradict each other."""
    return sum(pair.truth == CONTRADICTS for pair in pairs) / len(pairs) if pairs else 1.0
