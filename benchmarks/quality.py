"""How good the answers are: questions with known places of their answers, over documents that went through the import.

    python -m benchmarks.quality --documents DIR --questions FILE [--ablation]

A question is one JSON object a line: `question`, `kind` (fact, owner, procedure, paraphrase, multi, unanswerable),
`gold_paths` (documents below DIR; kind multi needs all of them among the sources, the others one), `gold_text` (spans
of the source, one of which must stand in the report; compared with white space folded). With --ablation the figures
are printed once more with each ingredient of the search switched off, one at a time.
"""

import argparse
import importlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import django

from benchmarks import running
from benchmarks.figures import Figure

BEST = 5
UNANSWERABLE = "unanswerable"
POOR = ("none", "limited")


@dataclass(frozen=True)
class Answer:
    """What came back for a question: the documents of the best facts, the report, its label and its size."""

    paths: frozenset[str]
    report: str
    coverage: str
    tokens: int


@dataclass(frozen=True)
class Score:
    """Shares, from 0 to 1, and the median size of a report in tokens."""

    documents: float
    texts: float
    tokens: float
    refused: float
    wrongly_refused: float

    def figures(self) -> list[Figure]:
        return [
            Figure(f"gold documents among the sources of the {BEST} best facts", 100 * self.documents, "%", 90, False),
            Figure("a gold text in the report", 100 * self.texts, "%", 90, False),
            Figure("report, median", self.tokens, "tokens", 3_000),
            Figure("unanswerable questions with coverage none or limited", 100 * self.refused, "%", 60, False),
            Figure("answerable questions with coverage none or limited", 100 * self.wrongly_refused, "%", 10),
        ]

    def __str__(self) -> str:
        return (
            f"documents {self.documents:.3f}  texts {self.texts:.3f}  tokens {self.tokens:5.0f}  "
            f"refused {self.refused:.2f}  wrongly {self.wrongly_refused:.2f}"
        )


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def score(questions: Sequence[dict[str, Any]], answers: Sequence[Answer]) -> Score:
    """How the answers fare; a share over no questions is 0."""
    pairs = list(zip(questions, answers, strict=True))
    open_ = [pair for pair in pairs if pair[0]["kind"] != UNANSWERABLE]
    closed = [pair for pair in pairs if pair[0]["kind"] == UNANSWERABLE]
    return Score(
        documents=_share([_has_documents(question, answer) for question, answer in open_]),
        texts=_share([_has_text(question, answer) for question, answer in open_]),
        tokens=median([answer.tokens for _, answer in pairs]) if pairs else 0,
        refused=_share([answer.coverage in POOR for _, answer in closed]),
        wrongly_refused=_share([answer.coverage in POOR for _, answer in open_]),
    )


def missed(questions: Sequence[dict[str, Any]], answers: Sequence[Answer]) -> list[str]:
    """A line for each question that did not come out as it should."""
    lines = []
    for question, answer in zip(questions, answers, strict=True):
        if question["kind"] == UNANSWERABLE:
            faults = [] if answer.coverage in POOR else [answer.coverage]
        else:
            faults = ["documents"] * (not _has_documents(question, answer))
            faults += ["text"] * (not _has_text(question, answer))
            faults += [answer.coverage] * (answer.coverage in POOR)
        if faults:
            lines.append(f"{question['id']:16} {question['kind']:12} {' '.join(faults):26} {question['question']}")
    return lines


def _has_documents(question: dict[str, Any], answer: Answer) -> bool:
    gold = set(question["gold_paths"])
    return gold <= answer.paths if question["kind"] == "multi" else bool(gold & answer.paths)


def _has_text(question: dict[str, Any], answer: Answer) -> bool:
    return any(_folded(text) in answer.report for text in question["gold_text"])


def _folded(text: str) -> str:
    return " ".join(text.split())


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 0.0


def run(documents: Path, questions: Path, *, ablation: bool = False, tell: bool = False) -> list[Figure]:
    """Imports `documents` into a PAM of its own, asks every question, and returns the figures."""
    with running.pam() as pam:
        account = pam.account("quality")["account"]
        pam.manage("import_documents", account, str(documents), "--wait")
        os.environ.update(pam.environment, DJANGO_SETTINGS_MODULE="pam.settings")
        django.setup()
        # Models can be imported only now that Django knows which database is meant.
        asking = importlib.import_module("benchmarks.asking")
        asked = read(questions)
        answers = asking.answers(account, asked)
        if tell:
            print("\n".join(missed(asked, answers)))
        for name in asking.ABLATIONS if ablation else ():
            print(f"{name:34} {score(asked, asking.answers(account, asked, without=name))}", flush=True)
        agreement = 100 * asking.agreement(account, asked)
        return [
            *score(asked, answers).figures(),
            Figure("places with the same fact as if every one was scored in full", agreement, "%", 99, False),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description="How good the answers are, against the targets.")
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--ablation", action="store_true", help="also without each ingredient of the search")
    parser.add_argument("--missed", action="store_true", help="also name the questions that came out wrong")
    options = parser.parse_args()
    for figure in run(options.documents, options.questions, ablation=options.ablation, tell=options.missed):
        print(figure)


if __name__ == "__main__":
    main()
