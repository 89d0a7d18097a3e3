"""How fast PAM imports and answers, over HTTP, with web, worker and servers on this machine.

Everything is measured in one run against one running PAM. Import speed is a ratio to the bare embedder over the very
texts that the import embedded, so that it means the same on a slow machine.
"""

import http.client
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from benchmarks import running
from benchmarks.figures import Figure, percentile

CLIENTS = 16
CALLS_ALONE = 200
CALLS_TOGETHER = 400
MEGABYTE = 1024 * 1024


@dataclass
class Answers:
    """What a run of calls gave: seconds of each, milliseconds by stage, and how many went wrong."""

    seconds: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: int = 0


class Client:
    """One MCP client with one connection that is kept open."""

    def __init__(self, url: str, key: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=130)
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }

    def ask(self, prompt: str) -> dict[str, Any]:
        call = {"name": "retrieve_memory", "arguments": {"prompt": prompt}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
        self._connection.request("POST", "/v1/mcp/memory", body, self._headers)
        answer: dict[str, Any] = json.loads(self._connection.getresponse().read())
        return answer


def ask_all(url: str, key: str, prompts: Sequence[str]) -> Answers:
    """Asks one after the other on one connection."""
    client, answers = Client(url, key), Answers()
    for prompt in prompts:
        started = time.perf_counter()
        result = client.ask(prompt).get("result", {"isError": True})
        answers.seconds.append(time.perf_counter() - started)
        answers.errors += bool(result["isError"])
        stages = result.get("structuredContent", {}).get("diagnostics", {}).get("stages", {})
        for stage, milliseconds in stages.items():
            answers.stages[stage].append(milliseconds)
    return answers


def ask_together(url: str, key: str, prompts: Sequence[str]) -> Answers:
    """Asks with CLIENTS connections at once, the prompts dealt out among them."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        shares = pool.map(lambda turn: ask_all(url, key, prompts[turn::CLIENTS]), range(CLIENTS))
        together = Answers()
        for share in shares:
            together.seconds += share.seconds
            together.errors += share.errors
    return together


def prompts_over(documents: Path, count: int) -> list[str]:
    """`count` different questions that lean on the documents: no two embed alike, so no cached vector helps."""
    headings = sorted(
        {
            line.lstrip("# ").strip()
            for path in documents.rglob("*.md")
            for line in path.read_text(errors="replace").splitlines()
            if line.startswith("#") and len(line) < 80
        }
    )
    forms = ("Who is responsible for {}?", "What do we know about {}?", "How does {} work here, step by step?")
    every = [form.format(heading) for form in forms for heading in headings]
    return every[:: max(1, len(every) // count)][:count]


def run(documents: Path) -> list[Figure]:
    """Starts a PAM, imports `documents` twice, asks, and returns every figure."""
    with running.pam() as pam:
        account = pam.account("bench")
        first, again = _import_twice(pam, account["account"], documents)
        key = account["agent_key"]
        prompts = prompts_over(documents, CALLS_ALONE + CALLS_TOGETHER + 20)
        ask_all(pam.url, key, prompts[:20])
        alone = ask_all(pam.url, key, prompts[20 : 20 + CALLS_ALONE])
        together = ask_together(pam.url, key, prompts[20 + CALLS_ALONE :])
        memory = pam.memory()
        counted, bare = pam.module("benchmarks.bare_embedder", account["account"]).split()[-2:]
    return [
        Figure("start of an empty folder, to the ready line", pam.started_in, "s", 180),
        *_answering(alone, together),
        *_importing(first, again, int(counted), float(bare)),
        Figure("web process, resident", memory["web"] / MEGABYTE, "MB", 900),
        Figure("worker with its child, resident", memory["worker"] / MEGABYTE, "MB", 1228.8),
    ]


def _import_twice(pam: running.Running, account: str, documents: Path) -> tuple[float, float]:
    """Seconds of the first import until all is embedded, and of the second."""
    seconds = []
    for _ in range(2):
        started = time.perf_counter()
        pam.manage("import_documents", account, str(documents), "--wait")
        seconds.append(time.perf_counter() - started)
    return seconds[0], seconds[1]


def _answering(alone: Answers, together: Answers) -> list[Figure]:
    milliseconds = [1000 * second for second in alone.seconds]
    crowded = [1000 * second for second in together.seconds]
    stages = sorted(alone.stages.items(), key=lambda stage: -median(stage[1]))
    return [
        Figure("one client, p50", median(milliseconds), "ms", 40),
        Figure("one client, p95", percentile(milliseconds, 0.95), "ms", 100),
        *[Figure(f"    stage {name}, p50", median(values), "ms") for name, values in stages],
        Figure(f"{CLIENTS} clients at once, p50", median(crowded), "ms"),
        Figure(f"{CLIENTS} clients at once, p95", percentile(crowded, 0.95), "ms", 800),
        Figure("errors", alone.errors + together.errors, "", 0),
    ]


def _importing(first: float, again: float, texts: int, bare: float) -> list[Figure]:
    return [
        Figure("first import", first, "s"),
        Figure("texts embedded", texts),
        Figure("bare embedder over the same texts", bare, "texts/s"),
        Figure("import throughput, share of the bare embedder's", 100 * texts / first / bare, "%", 70, at_most=False),
        Figure("import again, unchanged, share of the first", 100 * again / first, "%", 3),
    ]
