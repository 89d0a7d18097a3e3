"""Positions that leave gaps, so that one thing more at the top does not move all others. Pure."""

from bisect import bisect_left
from collections.abc import Sequence

STEP = 1024


def positions(present: Sequence[int | None]) -> list[int]:
    """Rising positions for things in their new order, given each one's present position (None for a new one).

    As many as can keep theirs; the others go into the gaps between. Where a gap is too small, all are numbered anew.
    """
    kept = _longest_rising(present)
    result: list[int] = []
    before, gap = 0, list[int]()
    for at, position in enumerate([*present, None]):
        if at < len(present) and at not in kept:
            gap.append(at)
            continue
        after = position if position is not None else before + STEP * (len(gap) + 1)
        if after - before <= len(gap):
            return [STEP * (number + 1) for number in range(len(present))]
        step = (after - before) // (len(gap) + 1)
        result += [before + step * (number + 1) for number in range(len(gap))]
        if at < len(present):
            result.append(after)
        before, gap = after, []
    return result


def _longest_rising(present: Sequence[int | None]) -> set[int]:
    """Where the longest run of rising positions stands (patience sorting)."""
    tops: list[int] = []
    top_at: list[int] = []
    before: dict[int, int | None] = {}
    for at, position in enumerate(present):
        if position is None or position <= 0:
            continue
        pile = bisect_left(tops, position)
        before[at] = top_at[pile - 1] if pile else None
        tops[pile : pile + 1] = [position]
        top_at[pile : pile + 1] = [at]
    kept: set[int] = set()
    at_last = top_at[-1] if top_at else None
    while at_last is not None:
        kept.add(at_last)
        at_last = before[at_last]
    return kept
