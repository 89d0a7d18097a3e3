"""A figure beside its target, on one line."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What was measured, in which unit, and what it should reach (`at_most` or at least `target`)."""

    name: str
    value: float
    unit: str = ""
    target: float | None = None
    at_most: bool = True

    @property
    def reached(self) -> bool:
        if self.target is None:
            return True
        return self.value <= self.target if self.at_most else self.value >= self.target

    def __str__(self) -> str:
        line = f"{self.name:58} {self.value:9.2f} {self.unit:8}"
        if self.target is None:
            return line.rstrip()
        sign = "<=" if self.at_most else ">="
        return f"{line} target {sign} {self.target:g}   {'reached' if self.reached else 'MISSED'}"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie; nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
