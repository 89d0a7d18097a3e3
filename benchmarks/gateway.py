"""What the gateway costs around a tool: authentication, envelope, quota, session, log; and what idle streams cost.

A call that triage turns away at once is nearly all gateway; its own stages are taken off. The bare view beside it is
what Django, its middleware and the server cost by themselves on this machine at this moment.
"""

import http.client
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from benchmarks import running
from benchmarks.figures import Figure, percentile
from benchmarks.speed import Client, ask_all, prompts_over

SMALL_TALK = "Thanks!"
CALLS = 200
ROUNDS = 4
STREAMS = 200
#: Turns without and with the streams, and questions in each.
TURNS = 4
QUESTIONS = 55


def run(documents: Path) -> Iterator[Figure]:
    """Starts a PAM, calls, and yields every figure. Asks the demo account, which the start has filled already."""
    with running.pam(PAM_MCP_STREAMS_PER_ACCOUNT=str(STREAMS)) as pam:
        key = pam.demo["agent_key"]
        yield from _overhead(pam, key)
        yield from _beside_streams(pam, key, documents)


def _overhead(pam: running.Running, key: str) -> list[Figure]:
    """In turns with the bare view, so that both meet the same machine; the best round is the one least disturbed."""
    client, bare = Client(pam.url, key), http.client.HTTPConnection(urlsplit(pam.url).netloc)
    _round(client, bare)
    rounds = [_round(client, bare) for _ in range(ROUNDS)]
    gateway, view = (min(figures) for figures in zip(*rounds, strict=True))
    before = pam.processor_seconds()
    ask_all(pam.url, key, [SMALL_TALK] * CALLS)
    return [
        Figure("gateway without the tool's own stages, p50", gateway, "ms", 8),
        Figure("a bare Django view, p50", view, "ms"),
        Figure("gateway in bare views", gateway / view),
        Figure("processor time of a call, stages and all", 1000 * (pam.processor_seconds() - before) / CALLS, "ms"),
    ]


def _round(client: Client, bare: http.client.HTTPConnection) -> tuple[float, float]:
    """Medians in milliseconds: of a call without the tool's own stages, and of the bare view."""
    calls, views = [], []
    for _ in range(CALLS // ROUNDS):
        started = time.perf_counter()
        stages = client.ask(SMALL_TALK)["result"]["structuredContent"]["diagnostics"]["stages"]
        calls.append(1000 * (time.perf_counter() - started) - sum(stages.values()))
        started = time.perf_counter()
        _bare(bare)
        views.append(1000 * (time.perf_counter() - started))
    return median(calls), median(views)


def _bare(connection: http.client.HTTPConnection) -> None:
    connection.request("GET", "/healthz")
    connection.getresponse().read()


def _beside_streams(pam: running.Running, key: str, documents: Path) -> list[Figure]:
    """In turns without and with the streams, each over questions of its own; the middle of the rounds' ratios is what
    streams cost, whatever else the machine does in a minute."""
    prompts = prompts_over(documents, 2 * TURNS * QUESTIONS + 20)
    ask_all(pam.url, key, prompts[:20])
    turns = [prompts[20 + turn * QUESTIONS :][:QUESTIONS] for turn in range(2 * TURNS)]
    alone, beside, connections = [], [], 0
    for without, with_streams in zip(turns[::2], turns[1::2], strict=True):
        alone.append(_p95(pam.url, key, without))
        with _idle_streams(pam.url, key):
            beside.append(_p95(pam.url, key, with_streams))
            connections = max(connections, pam.connections())
    ratio = median(many / none for none, many in zip(alone, beside, strict=True))
    return [
        Figure("retrieval alone, p95", median(alone), "ms"),
        Figure(f"retrieval beside {STREAMS} idle streams, p95", median(beside), "ms"),
        Figure("growth", 100 * (ratio - 1), "%", 20),
        Figure("connections to Postgres meanwhile", connections, "", 16),
    ]


def _p95(url: str, key: str, prompts: list[str]) -> float:
    return percentile([1000 * second for second in ask_all(url, key, prompts).seconds], 0.95)


@contextmanager
def _idle_streams(url: str, key: str) -> Iterator[None]:
    headers = {"Authorization": f"Bearer {key}", "Accept": "text/event-stream"}
    with ExitStack() as opened:
        for _ in range(STREAMS):
            connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
            opened.callback(connection.close)
            connection.request("GET", "/v1/mcp/memory", headers=headers)
            connection.getresponse().read(1)
        yield
