"""Figures as shapes: what the usage page draws. Pure; knows no request and no database.

Everything is measured in the units of a chart's own view box, which the page stretches to its width.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10

WIDTH, HEIGHT = 720, 180
#: Room for the numbers at the left, and for the days below.
LEFT, BELOW, ABOVE = 46, 22, 8


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale: where it is drawn and what it says."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One day of calls: what went well, and upon it what did not."""

    x: float
    width: float
    y: float
    height: float
    errors_y: float
    errors_height: float


@dataclass(frozen=True, slots=True)
class Line:
    """Runs of points as SVG paths read them; a day without calls breaks the line. A run of one day is a dot."""

    runs: list[str]
    dots: list[tuple[float, float]]


def highest(values: Sequence[int]) -> int:
    """A round number at or above all values, at least 4: where the scale ends."""
    most = max([4, *values])
    step = int(10 ** int(log10(most)))
    return next(factor * step for factor in (1, 2, 4, 5, 10) if factor * step >= most)


def ticks(top: int) -> list[Tick]:
    return [Tick(_y(value, top), value) for value in sorted({0, ceil(top / 2), top})]


def bars(days: Sequence[tuple[int, int]], top: int) -> list[Bar]:
    """`days`: successes and errors of each."""
    slot = (WIDTH - LEFT) / max(1, len(days))
    width = max(1.5, slot * 0.72)
    drawn = []
    for at, (successes, errors) in enumerate(days):
        y, both = _y(successes, top), _y(successes + errors, top)
        drawn.append(Bar(_x(at, len(days)) - width / 2, width, y, _y(0, top) - y, both, y - both))
    return drawn


def line(values: Sequence[int | None], top: int) -> Line:
    runs: list[list[tuple[float, float]]] = [[]]
    for at, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((round(_x(at, len(values)), 1), _y(value, top)))
    paths = ["M" + " L".join(f"{x} {y}" for x, y in run) for run in runs if len(run) > 1]
    return Line(paths, [run[0] for run in runs if len(run) == 1])


def labelled(count: int, most: int = 8) -> list[int]:
    """Which of `count` days are named below: at most about `most`, evenly, the last one among them."""
    step = max(1, ceil(count / most))
    return [at for at in range(count) if (count - 1 - at) % step == 0]


def shade(calls: int, most: int) -> int:
    """How dark an hour of the heat map is: 0 for none, 1 to 5."""
    return 0 if not calls else max(1, ceil(5 * calls / most))


def x_of(at: int, count: int) -> float:
    return round(_x(at, count), 1)


def _x(at: int, count: int) -> float:
    return LEFT + (at + 0.5) * (WIDTH - LEFT) / max(1, count)


def _y(value: float, top: int) -> float:
    return round(ABOVE + (HEIGHT - ABOVE - BELOW) * (1 - value / top), 1)
