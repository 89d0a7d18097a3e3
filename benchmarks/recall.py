"""How well and how fast end-user memory is told, over HTTP.

python -m benchmarks recall [--foreign N]     N memories of others (1,000,000) beside the 500 of the one asked about
"""

import itertools
import json
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from benchmarks import offering, recall_set, running
from benchmarks.agents import Client as AgentClient
from benchmarks.figures import Figure, percentile
from benchmarks.recall_set import LIVE, Question
from benchmarks.running import Running

MEMORIES, FOREIGN = 500, 1_000_000
CALLS = 200
RATE, SECONDS = 500, 30
PATH = "/v1/memories/retrieve"


class Client(AgentClient):
    """A product's back end with one connection that is kept open."""

    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self._headers["Authorization"] = f"ApiKey {key}"

    def retrieve(self, user: str, query: str, **more: Any) -> Any:
        return self.call("POST", PATH, {"external_user_id": user, "query": query, **more})


def run(*, foreign: int, tell: bool) -> Iterator[Figure]:
    with running.pam() as pam:
        yield from _quality(pam, tell=tell)
        yield from _speed(pam, foreign)


def _quality(pam: Running, *, tell: bool) -> Iterator[Figure]:
    client = Client(pam.url, pam.account("quality")["api_key"])
    keys = _remembered(client)
    client.close()
    pam.module("benchmarks.recall_rows", "wait")
    contents = {(each["user"], each["key"]): each["content"] for each in recall_set.statements()}
    first, later = recall_set.questions(), recall_set.later()
    for name, asked in (("60 questions", first), ("20 questions written after the weights", later)):
        answers = [_told(client, keys, question) for question in asked]
        found = recall_set.score(asked, answers)
        yield Figure(f"{name}: precision of what is told", found.precision, "", 0.6, at_most=False)
        yield Figure(f"{name}: recall", found.recall, "", 0.9, at_most=False)
        gone = sum(not key.startswith("m") for told in answers for key in told)
        yield Figure(f"{name}: superseded, archived or another's", gone, "", 0)
        yield Figure(f"{name}: told where nothing is known", found.told_for_nothing)
        if tell:
            print("\n".join(recall_set.missed(asked, answers, lambda user, key: contents[user, key])))


def _remembered(client: Client) -> dict[str, str]:
    """Writes the set over the API, archives what is not in force, and returns key by id.

    What is in force comes last, as it does in life: what is said later takes the place of what it contradicts.
    """
    keys: dict[str, str] = {}
    for each in sorted(recall_set.statements(), key=lambda each: each["state"] == LIVE):
        user = each["user"] if each["state"] != "foreign" else f"{each['user']} (another)"
        told = {name: each[name] for name in ("content", "category")}
        answer = client.call(
            "POST", "/v1/memories", {**told, "external_user_id": user, "importance_score": each["importance"]}
        )
        keys[answer["data"]["id"]] = each["key"]
        if each["state"] not in (LIVE, "foreign"):
            client.call("DELETE", f"/v1/memories/{answer['data']['id']}")
    return keys


def _told(client: Client, keys: dict[str, str], question: Question) -> list[str]:
    return [keys[each["id"]] for each in client.retrieve(question.user, question.question)["data"]]


def _speed(pam: Running, foreign: int) -> Iterator[Figure]:
    made = pam.account("speed")
    pam.module("benchmarks.recall_rows", "fill", made["account"], "somebody", str(MEMORIES), str(foreign))
    client = Client(pam.url, made["api_key"])
    asked = queries()
    _seconds(client, itertools.islice(asked, 30))
    alone = _seconds(client, itertools.islice(asked, CALLS))
    name = f"retrieve, {MEMORIES} memories among {foreign:,} of others"
    yield Figure(f"{name}, p50", 1000 * median(alone), "ms", 25)
    yield Figure(f"{name}, p95", 1000 * percentile(alone, 0.95), "ms", 70)
    again = _seconds(client, itertools.repeat("how should I respond to this user?", CALLS))
    yield Figure("the same request again, p50", 1000 * median(again), "ms", 8)
    yield Figure("the same request again, p95", 1000 * percentile(again, 0.95), "ms")
    yield from _offered(pam.url, made["api_key"])


def _offered(url: str, key: str) -> Iterator[Figure]:
    headers = {"Authorization": f"ApiKey {key}", "Content-Type": "application/json"}
    body = json.dumps({"external_user_id": "somebody", "query": "how should I respond to this user?"}).encode()
    started = time.perf_counter()
    found = offering.offer(url, PATH, headers, body, rate=RATE, seconds=SECONDS)
    took = time.perf_counter() - started
    yield Figure(f"{RATE}/s offered for {SECONDS} s to the cached path: 5xx or none", found.failed, "", 0)
    yield Figure("answered a second", len(found.seconds) / took, "/s")
    yield Figure("of these 200", found.statuses.get(200, 0))
    yield Figure("from when it was due, p50", 1000 * median(found.seconds), "ms")


def queries() -> Iterator[str]:
    """Questions no two of which are the same, so that no remembered vector helps."""
    things = ("dinner", "laptop", "manager", "holiday", "invoice", "exam", "dog", "garden")
    places = ("Lisbon", "the office", "the tower", "school", "the mill", "the harbour", "Oslo", "the depot")
    for number in itertools.count():
        for thing, place in itertools.product(things, places):
            yield f"what does the user think of the {thing} at {place}, part {number}?"


def _seconds(client: Client, names: Iterator[str]) -> list[float]:
    client.close()
    taken = []
    for name in names:
        started = time.perf_counter()
        client.retrieve("somebody", name)
        taken.append(time.perf_counter() - started)
    return taken
