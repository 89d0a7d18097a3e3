"""Whether a question is answered at all, judged from everything that was found: the label of a report.

Apart from the relevance of one fact, since an unanswerable question brings up passages of the right subject. Signs of
one logistic model with fixed coefficients, which benchmarks/calibration.py fits; change them there, not here.

    meaning      cosine of the nearest fact and of its section, above what is near by chance in an account of that size
    words        the share of the question's words, rare ones first, that the nearest section says or nearly says
    named        the share of its names and numbers (what has a capital or a digit) that a near section says, by rarity
    kind_missing how far what is nearest and holds the kind of thing asked for (a price, a day, a person) lies behind

Pure. Near misses (the subject is there, the detail asked for is not) look much like answers by such signs: the label
parts them only in part, which is what a language model is asked for where there is one.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memories import words

COMPREHENSIVE, PARTIAL, LIMITED, NONE = "comprehensive", "partial", "limited", "none"
# What the section adds to the nearness of a fact, as in the ranking.
SECTION_SHARE = 0.8
# A name may stand in what lies behind the nearest by so much: the answer often stands beside it.
NEAR = 0.2
# Further behind than this is as good as not there.
FARTHEST = 0.5
# Not where a sentence begins. Days and months are written with a capital and name nothing.
_CAPITAL = re.compile(r"(?<=[^\s.?!:;\"“(] )[^\W\d_a-z][\w'’-]*|\b[\w-]*\d[\w-]*")
_CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october"
    r"|november|december",
    re.I,
)


@dataclass(frozen=True)
class Signs:
    """`meaning` is None where a vector is missing."""

    meaning: float | None
    words: float
    named: float
    kind_missing: float


@dataclass(frozen=True)
class Candidate:
    """One fact beside one question. `nearness`: cosine of fact and section, or words alone; the rest as in Signs."""

    nearness: float
    words: float
    named: float
    holds_kind: bool


@dataclass(frozen=True)
class Coefficients:
    constant: float
    meaning: float
    words: float
    named: float
    kind_missing: float


# Fitted by benchmarks/calibration.py.
WITH_VECTORS = Coefficients(-3.25, 3.47, 1.93, 1.76, -4.97)
BY_WORDS_ALONE = Coefficients(-3.10, 0.0, 3.33, 1.78, -4.53)
# The probability from which on a label holds: about 2 and 9 of a hundred answerable questions fall below the lower two.
FLOORS = {COMPREHENSIVE: 0.7, PARTIAL: 0.42, LIMITED: 0.2}


def named_terms(question: str) -> frozenset[str]:
    """The terms of what a question names: words with a capital that do not begin it, and whatever has a digit."""
    names = (found for found in _CAPITAL.findall(question) if not _CALENDAR.fullmatch(found))
    return frozenset(term for name in names for term in words.content_terms(name))


def signs(candidates: Sequence[Candidate], by_chance: float | None) -> Signs | None:
    """What is found for one question, as signs; None where nothing was. `by_chance` is None without vectors."""
    if not candidates:
        return None
    nearest = max(candidates, key=lambda candidate: candidate.nearness)
    near = [candidate for candidate in candidates if nearest.nearness - candidate.nearness <= NEAR]
    of_kind = max((candidate.nearness for candidate in candidates if candidate.holds_kind), default=-math.inf)
    return Signs(
        None if by_chance is None else nearest.nearness - (1 + SECTION_SHARE) * by_chance,
        nearest.words,
        max(candidate.named for candidate in near),
        min(nearest.nearness - of_kind, FARTHEST),
    )


def probability(found: Signs | None) -> float:
    """0 to 1: how likely a question with these signs is answered by what was found."""
    if found is None or (found.meaning is None and not found.words):
        return 0.0
    c = BY_WORDS_ALONE if found.meaning is None else WITH_VECTORS
    logit = (
        c.constant
        + c.meaning * (found.meaning or 0.0)
        + c.words * found.words
        + c.named * found.named
        + c.kind_missing * found.kind_missing
    )
    return 1 / (1 + math.exp(-logit))


def lower(one: str, other: str) -> str:
    """The label of the two that promises less."""
    return max(one, other, key=(COMPREHENSIVE, PARTIAL, LIMITED, NONE).index)


def label(whole: float, parts: Iterable[float] = ()) -> str:
    """The label for a prompt, given its probability as a whole and those of its parts."""
    parts = list(parts)
    best = max([whole, *parts])
    if best < FLOORS[LIMITED]:
        return NONE
    if best < FLOORS[PARTIAL]:
        return LIMITED
    is_whole = best >= FLOORS[COMPREHENSIVE] and all(part >= FLOORS[PARTIAL] for part in parts)
    return COMPREHENSIVE if is_whole else PARTIAL
