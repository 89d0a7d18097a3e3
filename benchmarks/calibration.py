"""Fits the coefficients of memories/relevance.py and memories/coverage.py, and shows how they hold on others.

    PAM_HOME=… python -m benchmarks.calibration --account ACCOUNT --questions FILE [--account … --questions …]

Over accounts whose documents are imported already (PAM_HOME as for `make up`). A fact counts as answering when its
passage, or the statement itself, holds a gold text. Fit on companies that are unlike each other, with as many
unanswerable questions as others: the constants are for all. Coverage (is the question answered?) is fitted over
questions and tested on an account that was left out whole, at a floor chosen on the others.
"""

import argparse
import importlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import django
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from benchmarks import quality

FOLDS = 10
ROUNDS = 5
#: Weak regularisation: three signs, hundreds of rows.
STRENGTH = 30.0
#: The share of answerable questions that may fall below a floor.
LOSS = 0.08

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One fact found for one question: the three signs (cosines of fact and section, implied share), and the truth."""

    question: str
    is_answerable: bool
    answers: bool
    signs: tuple[float, float, float]


@dataclass(frozen=True)
class Asked:
    """One question: the signs of coverage, and whether the account's documents answer it."""

    account: str
    is_answerable: bool
    signs: tuple[float, float, float, float]


COVERAGE = ("meaning", "words", "named", "kind_missing")


def coverage_report(asked: Sequence[Asked]) -> str:
    """Everything that coverage.py's constants are taken from."""
    lines = []
    for name, signs in (("with vectors", (0, 1, 2, 3)), ("by words alone", (1, 2, 3))):
        model = _coverage_model(asked, signs)
        coefficients = {COVERAGE[sign]: round(float(c), 2) for sign, c in zip(signs, model.coef_[0], strict=True)}
        lines.append(f"coverage {name}: constant {model.intercept_[0]:.2f}, {coefficients}")
        said, true = model.predict_proba(_coverage_signs(asked, signs))[:, 1], _answerable(asked)
        lines += [f"    on all: {_parted(said, true, float(np.quantile(said[true], LOSS)))}"]
        lines += [
            f"    without {out}: {_left_out(asked, out, signs)}" for out in sorted({one.account for one in asked})
        ]
        quantiles = {share: round(float(np.quantile(said[true], share)), 2) for share in (0.02, LOSS, 0.5)}
        lines.append(f"    probabilities of answerable questions at {quantiles}")
    return "\n".join(lines)


def _left_out(asked: Sequence[Asked], out: str, signs: Sequence[int]) -> str:
    seen, unseen = ([one for one in asked if (one.account == out) == is_out] for is_out in (False, True))
    if not seen:
        return "nothing else to fit on"
    model = _coverage_model(seen, signs)
    seen_said = model.predict_proba(_coverage_signs(seen, signs))[:, 1]
    floor = float(np.quantile(seen_said[_answerable(seen)], LOSS))
    return _parted(model.predict_proba(_coverage_signs(unseen, signs))[:, 1], _answerable(unseen), floor)


def _parted(said: Floats, true: NDArray[np.bool_], floor: float) -> str:
    return (
        f"AUC {roc_auc_score(true, said):.3f}; a floor of {floor:.2f} refuses {(said[~true] < floor).mean():.2f} of "
        f"{(~true).sum()} unanswerable and {(said[true] < floor).mean():.2f} of {true.sum()} answerable ones"
    )


def _coverage_model(asked: Sequence[Asked], signs: Sequence[int]) -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=3000).fit(_coverage_signs(asked, signs), _answerable(asked))


def _coverage_signs(asked: Sequence[Asked], signs: Sequence[int]) -> Floats:
    return np.array([one.signs for one in asked], dtype=np.float64)[:, list(signs)]


def _answerable(asked: Sequence[Asked]) -> NDArray[np.bool_]:
    return np.array([one.is_answerable for one in asked], dtype=np.bool_)


def fit(rows: Sequence[Row], *, signs: Sequence[int] = (0, 1, 2)) -> tuple[Floats, float]:
    """Coefficients and constant."""
    model = LogisticRegression(C=STRENGTH, max_iter=3000).fit(_signs(rows)[:, list(signs)], _truth(rows))
    return model.coef_[0], float(model.intercept_[0])


def held_out(rows: Sequence[Row], *, signs: Sequence[int] = (0, 1, 2)) -> Floats:
    """Each row's probability by a model that saw no row of its question; the mean of several divisions."""
    names = np.array([row.question for row in rows])
    questions = np.unique(names)
    total = np.zeros(len(rows))
    for turn in range(ROUNDS):
        shuffled = np.random.RandomState(turn).permutation(questions)
        for part in np.array_split(shuffled, FOLDS):
            is_out = np.isin(names, part)
            seen = [row for row, out in zip(rows, is_out, strict=True) if not out]
            coefficients, constant = fit(seen, signs=signs)
            logits = _signs(rows)[is_out][:, list(signs)] @ coefficients + constant
            total[is_out] += 1 / (1 + np.exp(-logits))
    return total / ROUNDS


def report(rows: Sequence[Row]) -> str:
    """Everything that relevance.py's constants are taken from."""
    lines = []
    for name, signs in (("with vectors", (0, 1, 2)), ("by words alone", (2,))):
        coefficients, constant = fit(rows, signs=signs)
        lines.append(f"{name}: constant {constant:.2f}, coefficients {np.round(coefficients, 2)}")
        lines += _holding(rows, held_out(rows, signs=signs))
    return "\n".join(lines)


def _holding(rows: Sequence[Row], probabilities: Floats) -> list[str]:
    best: dict[str, float] = {}
    for row, probability in zip(rows, probabilities, strict=True):
        best[row.question] = max(best.get(row.question, 0.0), probability)
    is_answerable = {row.question: row.is_answerable for row in rows}
    open_ = np.array([value for question, value in best.items() if is_answerable[question]])
    closed = np.array([value for question, value in best.items() if not is_answerable[question]])
    truth = _truth(rows)
    every, kinds = np.r_[open_, closed], np.r_[np.ones(len(open_)), np.zeros(len(closed))]
    floor = float(np.quantile(open_, LOSS))
    lines = [
        f"    AUC of facts {roc_auc_score(truth, probabilities):.3f}, of questions {roc_auc_score(kinds, every):.3f}",
        f"    a floor of {floor:.3f} refuses {(closed < floor).mean():.2f} of {len(closed)} unanswerable questions "
        f"and {(open_ < floor).mean():.2f} of {len(open_)} answerable ones",
    ]
    for low, high in ((0.0, 0.1), (0.1, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)):
        inside = (probabilities >= low) & (probabilities < high)
        if inside.any():
            said, true = probabilities[inside].mean(), truth[inside].mean()
            lines.append(f"    {low:.2f} to {high:.2f}: said {said:.2f}, true {true:.2f} of {inside.sum()} facts")
    return lines


def _signs(rows: Sequence[Row]) -> Floats:
    return np.array([row.signs for row in rows], dtype=np.float64)


def _truth(rows: Sequence[Row]) -> Floats:
    return np.array([row.answers for row in rows], dtype=np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the relevance of facts and the coverage of questions.")
    parser.add_argument("--account", action="append", required=True)
    parser.add_argument("--questions", action="append", type=Path, required=True)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    signs = importlib.import_module("benchmarks.signs")
    rows: list[Row] = []
    asked: list[Asked] = []
    for account, path in zip(options.account, options.questions, strict=True):
        questions = quality.read(path)
        rows += signs.rows(account, questions)
        asked += signs.asked(account, questions)
    print(report(rows))
    print(coverage_report(asked))


if __name__ == "__main__":
    main()
