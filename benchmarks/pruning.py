"""Whether pruning the request log gets in anybody's way: 1,000,000 expired calls go while others write and read.

    python -m benchmarks pruning

Watched from outside: how old the pruning transaction gets (it holds its locks no longer than it lives), who waits for a
lock, and how long the calls beside it take, with the same calls before it began for comparison.
"""

import json
from collections.abc import Iterator
from typing import Any

from benchmarks import running
from benchmarks.figures import Figure, percentile

ROWS = 1_000_000
MOST_MS = 100


def run(rows: int) -> Iterator[Figure]:
    """Starts a PAM of its own, fills its request log and has it pruned."""
    with running.pam() as pam:
        told = json.loads(pam.module("benchmarks.pruning_beside", pam.demo["account"], str(rows)))
    print(f"    longest at: {told['at']}")
    yield Figure("expired calls pruned", told["pruned"], "", rows, at_most=False)
    yield Figure("calls that had to stay and went", told["lost"], "", 0)
    yield Figure("of these a second", told["pruned"] / told["seconds"], "/s")
    yield Figure("longest time that pruning held its locks", told["held_ms"], "ms", MOST_MS)
    yield Figure("times that somebody was seen waiting for a lock", told["waits"])
    for deed in ("write", "read"):
        yield from _beside(deed, told["before"][deed], told["during"][deed])


def _beside(deed: str, before: list[float], during: list[float]) -> Iterator[Figure]:
    """Milliseconds of the calls of one kind, without and with the pruning beside them."""
    named: dict[str, Any] = {"before": before, "beside the pruning": during}
    for when, times in named.items():
        yield Figure(f"a {deed} {when}, p50", percentile(times, 0.5), "ms")
        yield Figure(f"a {deed} {when}, p99", percentile(times, 0.99), "ms")
        yield Figure(f"a {deed} {when}, longest of {len(times)}", max(times), "ms")
