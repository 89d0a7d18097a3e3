"""Calls on a real server, in threads of their own: what they hold, and what happens when something breaks."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any

import httpx2
import psycopg
import pytest
from django.db import connection

from accounts import isolation, quotas
from mcp_gateway import endpoint, streams
from mcp_gateway.models import RequestLog
from tests.cast import Person
from tests.mcp_gateway.library import shelve
from tests.mcp_gateway.server import Making, until
from tests.requirements import requirement

QUESTION: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "retrieve_memory", "arguments": {"prompt": "Who owns billing?"}},
}


@pytest.fixture(scope="module")
def sam(committed: Making) -> Person:
    sam = committed("sam")
    shelve(sam.account)
    return sam


def ask(url: str, person: Person, message: dict[str, Any] = QUESTION, **headers: str) -> httpx2.Response:
    return httpx2.post(url, json=message, headers={"Authorization": person.secret, **headers}, timeout=60)


def result_of(answer: httpx2.Response) -> Any:
    return answer.json()["result"]["structuredContent"]


def outside() -> psycopg.Connection[Any]:
    """A connection that no pool knows."""
    settings = connection.settings_dict
    return psycopg.connect(
        host=settings["HOST"],
        port=settings["PORT"] or None,
        user=settings["USER"],
        password=settings["PASSWORD"] or None,
        dbname=settings["NAME"],
        autocommit=True,
    )


OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@contextmanager
def held_up() -> Iterator[psycopg.Connection[Any]]:
    """Nobody can read documents meanwhile."""
    with outside() as blocker, blocker.transaction():
        blocker.execute("LOCK TABLE memories_fact IN ACCESS EXCLUSIVE MODE")
        yield blocker


def wait_until_held_up(watcher: psycopg.Connection[Any]) -> None:
    until(lambda: watcher.execute(f"SELECT {OTHERS} AND wait_event_type = 'Lock'").fetchone() is not None)


def log_of(person: Person) -> list[RequestLog]:
    with isolation.account(person.account.pk):
        return list(RequestLog.objects.filter(account=person.account).order_by("-pk"))


@requirement("mcp:threads")
def test_more_callers_at_once_than_threads_are_all_answered(url: str, sam: Person) -> None:
    with ThreadPoolExecutor(20) as callers:
        answers = list(callers.map(lambda _: ask(url, sam), range(40)))

    assert {answer.status_code for answer in answers} == {200}
    assert all("Ines Okafor" in answer.text for answer in answers)


@requirement("mcp:threads")
def test_a_thread_gives_its_connection_back_after_each_call(url: str, sam: Person) -> None:
    with ThreadPoolExecutor(20) as callers:
        list(callers.map(lambda _: ask(url, sam), range(20)))

    pool = connection.pool  # type: ignore[attr-defined]
    connection.close()
    stats = pool.get_stats()
    assert stats["pool_available"] == stats["pool_size"]


@requirement("mcp:fault:postgres-restart")
def test_connections_that_died_reach_nobody(url: str, sam: Person) -> None:
    assert "Ines Okafor" in ask(url, sam).text
    connection.close()
    with outside() as watcher:
        ended = watcher.execute(f"SELECT count(pg_terminate_backend(pid)) {OTHERS}").fetchone()
    assert ended is not None
    assert ended[0] > 0

    assert "Ines Okafor" in ask(url, sam).text


@requirement("mcp:fault:postgres-restart")
def test_a_call_whose_connection_dies_is_told_so_logged_and_costs_nothing(url: str, sam: Person) -> None:
    before = quotas.spent(sam.account)
    with ThreadPoolExecutor(1) as caller, outside() as watcher, held_up():
        asked = caller.submit(ask, url, sam)
        wait_until_held_up(watcher)
        watcher.execute(f"SELECT pg_terminate_backend(pid) {OTHERS} AND wait_event_type = 'Lock'")
        answer = asked.result(timeout=60)

    assert answer.status_code == 200
    assert result_of(answer)["error_code"] == "memory_unavailable"
    assert (log_of(sam)[0].error_code, log_of(sam)[0].counted) == ("memory_unavailable", False)
    assert quotas.spent(sam.account) == before
    assert "Ines Okafor" in ask(url, sam).text


@requirement("mcp:disconnect")
def test_a_client_that_hangs_up_breaks_nothing_and_its_call_is_logged(url: str, sam: Person) -> None:
    before = len(log_of(sam))
    with outside() as watcher, held_up(), sent(url, sam):
        wait_until_held_up(watcher)
    # The client left first, and only then could the call go on.
    until(lambda: len(log_of(sam)) > before)

    assert (log_of(sam)[0].status, log_of(sam)[0].counted) == ("ok", True)
    assert "Ines Okafor" in ask(url, sam).text


def sent(url: str, person: Person) -> socket.socket:
    """The question, sent over a connection of its own that nobody reads from."""
    address = httpx2.URL(url)
    body = json.dumps(QUESTION).encode()
    head = f"POST {address.path} HTTP/1.1\r\nHost: {address.host}\r\nAuthorization: {person.secret}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    connected = socket.create_connection((address.host, address.port or 80))
    connected.sendall(head.encode() + body)
    return connected


@requirement("mcp:retrieve:deadline")
def test_a_deadline_stops_the_work_in_the_database_too(url: str, sam: Person, settings: Any) -> None:
    settings.PAM_RETRIEVAL_TIMEOUT_SECONDS = 1

    with held_up() as blocker:
        answer = ask(url, sam)
        still = blocker.execute(f"SELECT count(*) {OTHERS} AND wait_event_type = 'Lock'").fetchone()

    assert result_of(answer)["error_code"] == "retrieval_timeout"
    assert still == (0,)


# A retrieval that takes long


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "LATE_SECONDS", 0.2)
    monkeypatch.setattr(endpoint, "SIGN_OF_LIFE_SECONDS", 0.2)


def streamed(url: str, person: Person, accept: str, **params: Any) -> tuple[httpx2.Response, list[str]]:
    """The answer to a call that is held up until a few blocks of events have come, and all its blocks."""
    message = {**QUESTION, "params": {**QUESTION["params"], **params}}
    headers = {"Authorization": person.secret, "Accept": accept}
    with ExitStack() as held, httpx2.Client(timeout=60) as client:
        held.enter_context(held_up())
        with client.stream("POST", url, json=message, headers=headers) as answer:
            blocks = answer.iter_text()
            received = "".join(islice(blocks, 5))
            held.close()
            received += "".join(blocks)
    return answer, [block for block in received.split("\n\n") if block]


def data_of(block: str) -> Any:
    return json.loads(block.split("data: ")[1])


@requirement("mcp:late")
@pytest.mark.parametrize("accept", ["text/event-stream", "application/json, text/event-stream"])
def test_a_call_that_takes_long_goes_on_as_a_stream_with_the_result_last(
    url: str, sam: Person, impatience: None, accept: str
) -> None:
    answer, blocks = streamed(url, sam, accept)

    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert set(blocks[:-1]) == {": keep-alive"}
    assert data_of(blocks[-1])["id"] == 1
    assert "Ines Okafor" in data_of(blocks[-1])["result"]["content"][0]["text"]


@requirement("mcp:late", "mcp:get:revoked")
def test_a_late_call_whose_credential_is_revoked_ends_with_an_error(url: str, sam: Person, impatience: None) -> None:
    headers = {"Authorization": sam.secret, "Accept": "text/event-stream"}
    with held_up(), httpx2.stream("POST", url, json=QUESTION, headers=headers, timeout=60) as answer:
        blocks = answer.iter_text()
        next(blocks)
        streams.end(sam.account.pk, sam.agent.identity)
        last = [block for block in "".join(blocks).split("\n\n") if block][-1]

    assert (data_of(last)["id"], data_of(last)["error"]["code"]) == (1, -32603)


@requirement("mcp:late:progress")
@pytest.mark.parametrize("token", ["t-1", 0], ids=["text", "number"])
def test_progress_is_told_where_it_was_asked_for(url: str, sam: Person, impatience: None, token: Any) -> None:
    _, blocks = streamed(url, sam, "text/event-stream", _meta={"progressToken": token})

    told = [data_of(block) for block in blocks[:-1] if "data: " in block]
    assert {note["method"] for note in told} == {"notifications/progress"}
    assert {note["params"]["progressToken"] for note in told} == {token}
    steps = [note["params"]["progress"] for note in told]
    assert steps == sorted(set(steps)) != []
    assert told[0]["params"]["message"]


@requirement("mcp:late")
@pytest.mark.parametrize("accept", ["application/json", "*/*"])
def test_a_client_that_does_not_ask_for_events_waits_for_its_json(
    url: str, sam: Person, impatience: None, accept: str
) -> None:
    with ThreadPoolExecutor(1) as caller, outside() as watcher:
        with held_up():
            asked = caller.submit(ask, url, sam, Accept=accept)
            wait_until_held_up(watcher)
        answer = asked.result(timeout=60)

    assert answer.headers["Content-Type"] == "application/json"
    assert "Ines Okafor" in answer.text
