"""Whether agent memory keeps what many writers record at once: 100 accounts, 16 writers each, for a minute, over HTTP.

    python -m benchmarks writers

Every writer records one item after the other, and one of each ten a second time, as a client does that got no answer.
Afterwards each account is exported: whatever was answered must be there once, and nothing else. A call that got no
answer may or may not have been kept, but not twice.
"""

import asyncio
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

import httpx2

from benchmarks import running
from benchmarks.figures import Figure, percentile

ACCOUNTS, WRITERS, SECONDS = 100, 16, 60
AGAIN = 10


@dataclass
class Written:
    """What an account's writers were answered: texts that are kept, and those of which nothing is known."""

    kept: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    refused: Counter[int] = field(default_factory=Counter)


def run(accounts: int = ACCOUNTS, seconds: int = SECONDS) -> list[Figure]:
    with running.pam() as pam:
        keys = json.loads(pam.module("benchmarks.many_accounts", str(accounts)))
        written = asyncio.run(_write(pam.url, keys, seconds))
        lost, doubled = _compared(pam.url, keys, written)
    answered = sum(len(each.kept) for each in written)
    taken = [second for each in written for second in each.seconds]
    refused = sum((each.refused for each in written), Counter[int]())
    if refused:
        print(f"    answered otherwise, by status (0: no answer): {dict(refused)}")
    return [
        Figure(f"{accounts} accounts x {WRITERS} writers, items answered", answered),
        Figure("of these a second", answered / seconds, "/s"),
        Figure("recorded and not there", lost, "", 0),
        Figure("there twice", doubled, "", 0),
        Figure("one call among them, p50", 1000 * median(taken), "ms"),
        Figure("one call among them, p95", 1000 * percentile(taken, 0.95), "ms"),
    ]


async def _write(url: str, keys: list[str], seconds: int) -> list[Written]:
    ends_at = time.monotonic() + seconds
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=url, timeout=120, limits=limits) as http:
        written = [Written() for _ in keys]
        pairs = list(zip(keys, written, strict=True))
        writers = [
            _writer(http, key, f"{at}-{writer}", each, ends_at)
            for at, (key, each) in enumerate(pairs)
            for writer in range(WRITERS)
        ]
        await asyncio.gather(*writers)
    return written


async def _writer(http: httpx2.AsyncClient, key: str, name: str, into: Written, ends_at: float) -> None:
    number = 0
    while time.monotonic() < ends_at:
        number += 1
        text = f"Writer {name} notes that valve {number} of its own is open"
        for _ in range(2 if number % AGAIN == 0 else 1):
            status = await _record(http, key, f"{name}-{number}", text, into)
        if status == 201:
            into.kept.append(text)
        else:
            into.unknown.append(text)


async def _record(http: httpx2.AsyncClient, key: str, session: str, text: str, into: Written) -> int:
    body = {"session": session, "items": [{"kind": "fact", "text": text}]}
    started = time.perf_counter()
    try:
        headers = {"Authorization": f"Bearer {key}"}
        answer = await http.post("/v1/decisions/summaries", json=body, headers=headers)
    except httpx2.TransportError:
        into.refused[0] += 1
        return 0
    into.seconds.append(time.perf_counter() - started)
    if answer.status_code != 201:
        into.refused[answer.status_code] += 1
    return answer.status_code


def _compared(url: str, keys: list[str], written: list[Written]) -> tuple[int, int]:
    """How many answered items are not there, and how many items are there more than once."""
    lost = doubled = 0
    with httpx2.Client(base_url=url, timeout=300) as http:
        for key, each in zip(keys, written, strict=True):
            answer = http.get("/v1/decisions/export", headers={"Authorization": f"Bearer {key}"})
            lines = [json.loads(line) for line in answer.text.splitlines()]
            there = Counter(line["text"] for line in lines if line.get("kind") == "fact")
            lost += sum(text not in there for text in each.kept)
            doubled += sum(count > 1 for count in there.values())
            strange = set(there) - set(each.kept) - set(each.unknown)
            assert not strange, f"an account holds what none of its writers wrote: {sorted(strange)[:3]}"
    return lost, doubled
