"""How much of a topic is likely still there after so many days. Pure.

The curve is the power law of the FSRS scheduler (version 4.5: decay -0.5, factor 19/81):

    R(t, S) = (1 + 19/81 * t / S) ** -0.5

t is the number of days since the topic was last told of, S the topic's stability: the days after which R is 0.9. The
first stabilities are FSRS's default ones for hard, good and easy, to a tenth of a day; each further day on which the
topic went well multiplies S by 2.5, the ease that SM-2 begins with, and one on which it went badly sets S back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

FACTOR = 19 / 81
DECAY = -0.5
WEAK, STUDIED, STRONG = "weak", "studied", "strong"
FIRST_STABILITY = {WEAK: 1.4, STUDIED: 3.7, STRONG: 13.8}
GROWTH = 2.5
# Beyond three years nothing is planned.
MOST_DAYS = 1_095.0
# A review is due below the first; the names say how much is left.
STAGES = ((0.9, "fresh"), (0.8, "fading"), (0.6, "at_risk"), (0.0, "forgotten"))


@dataclass(frozen=True)
class Stage:
    """Where a topic stands on the curve on a day."""

    stage: str
    days_since: int
    review_due: bool
    retention: float


def retention(days: float, stability: float) -> float:
    """The share that is likely still there, 1 to 0."""
    return float((1 + FACTOR * max(days, 0.0) / stability) ** DECAY)


def stability(told: Sequence[tuple[date, str]]) -> float:
    """Days until nine tenths are left, after a topic was told of on these days (oldest first), each time as weak,
    studied or strong. Several on one day count once, the last of them."""
    by_day = dict(told)
    current = 0.0
    for how in by_day.values():
        first = FIRST_STABILITY[how]
        current = first if how == WEAK else min(max(first, current * GROWTH), MOST_DAYS)
    return current


def stage(told: Sequence[tuple[date, str]], now: datetime) -> Stage:
    """The stage of a topic at `now` (days are counted in whole days of UTC)."""
    days = max((now.date() - told[-1][0]).days, 0)
    left = retention(days, stability(told))
    name = next(name for least, name in STAGES if left >= least)
    return Stage(name, days, left < STAGES[0][0], left)
