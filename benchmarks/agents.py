"""How fast agent memory records, searches and briefs, over HTTP, in an account of 10,000 records; and among 200,000
records of others.

    python -m benchmarks agents
"""

import http.client
import itertools
import json
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any
from urllib.parse import quote, urlsplit

from benchmarks import running
from benchmarks.figures import Figure, percentile

RECORDS, FOREIGN = 10_000, 200_000
CALLS = 100
ITEMS = 50


class Client:
    """One client of the REST API with one connection that is kept open."""

    def __init__(self, url: str, key: str, *, scheme: str = "Bearer") -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._headers = {"Authorization": f"{scheme} {key}", "Content-Type": "application/json"}

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Raises ValueError for an answer that is an error."""
        self._connection.request(method, path, json.dumps(body) if body else None, self._headers)
        response = self._connection.getresponse()
        answer = json.loads(response.read())
        if response.status >= 400:
            raise ValueError(answer)
        return answer

    def close(self) -> None:
        """The next call connects anew: a server drops a connection that was idle for seconds."""
        self._connection.close()

    def search(self, query: str) -> None:
        self.call("GET", f"/v1/decisions/records/search?query={quote(query)}")

    def brief(self, about: str) -> None:
        self.call("GET", f"/v1/decisions/brief?about={quote(about)}")

    def record(self, name: str) -> None:
        texts = [f"Item {at} of {name}: the winch of depot {at} is greased" for at in range(ITEMS)]
        items = [{"kind": "fact", "text": text} for text in texts]
        self.call("POST", "/v1/decisions/summaries", {"session": name, "items": items})


def run() -> list[Figure]:
    with running.pam() as pam:
        made = pam.account("agents")
        client = Client(pam.url, made["agent_key"])
        pam.module("benchmarks.crowd", made["account"], str(RECORDS))
        names = queries()
        _seconds(client, client.search, itertools.islice(names, 20))
        alone = _seconds(client, client.search, itertools.islice(names, CALLS))
        crowd = pam.account("crowd")["account"]
        pam.module("benchmarks.crowd", crowd, str(FOREIGN), made["account"])
        _seconds(client, client.search, itertools.islice(names, 20))
        among = _seconds(client, client.search, itertools.islice(names, CALLS))
        briefs = _seconds(client, client.brief, itertools.islice(names, CALLS))
        files = _seconds(client, client.brief, (f"file:depot/part{number}.py" for number in range(CALLS)))
        recorded = _seconds(client, client.record, (f"session-{number}" for number in range(CALLS // 2)))
    return [
        *_figures(f"search among {RECORDS:,} records", alone, 30, 80),
        *_figures(f"search, {FOREIGN:,} foreign records beside them", among, 30, 80),
        Figure("with the foreign records, times as long (p50)", median(among) / median(alone), "", 1.2),
        *_figures("brief_me by words", briefs, None, 150),
        *_figures("brief_me by file", files, None, 150),
        *_figures(f"recording {ITEMS} items", recorded, None, 250),
    ]


def queries() -> Iterator[str]:
    """Queries no two of which are the same, so that no remembered vector helps."""
    things = ("winch", "lantern", "pontoon", "bell", "ladder", "valve", "rope", "ledger")
    places = ("harbour", "tower", "depot", "mill", "quay", "yard", "cellar", "bridge")
    for number in itertools.count():
        for thing, place in itertools.product(things, places):
            yield f"what was decided on the {thing} of the {place} number {number}"


def _seconds(client: Client, use: Callable[[str], None], names: Iterator[str]) -> list[float]:
    client.close()
    taken = []
    for name in names:
        started = time.perf_counter()
        use(name)
        taken.append(time.perf_counter() - started)
    return taken


def _figures(name: str, seconds: list[float], half: float | None, most: float) -> list[Figure]:
    return [
        Figure(f"{name}, p50", 1000 * median(seconds), "ms", half),
        Figure(f"{name}, p95", 1000 * percentile(seconds, 0.95), "ms", most),
    ]
