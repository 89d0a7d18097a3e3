"""The client in clients/python: against a running PAM, and against servers that fail on purpose."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pam_memory import ApiError, AsyncMemory, ConnectionFailed, Memory
from pam_memory.sending import Retries
from tests.cast import Person
from tests.mcp_gateway.clients import PATH
from tests.mcp_gateway.server import Making, committed, url
from tests.requirements import requirement

__all__ = ["committed", "url"]

QUICK = Retries(most=3, first_pause=0.001)
ADDED = {"job_id": "j", "status": "queued", "nothing_to_extract": False, "blocked_reason": None}


@pytest.fixture(scope="module")
def pat(committed: Making) -> Person:
    return committed("pat")


@pytest.fixture
def memory(url: str, pat: Person) -> Iterator[Memory]:
    with Memory(url.removesuffix(PATH), pat.product_secret, retries=QUICK) as client:
        yield client


@contextmanager
def answering(*answers: tuple[int, dict[str, str], Any]) -> Iterator[tuple[str, list[Any]]]:
    """A server that gives these answers in turn, the last one for ever; and the requests that it got."""
    seen: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers, told = answers[min(len(seen), len(answers) - 1)]
            seen.append((dict(self.headers), json.loads(body)))
            content = told if isinstance(told, bytes) else json.dumps(told).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def said(text: str) -> Sequence[Any]:
    return [{"role": "user", "content": text}]


@requirement("end-users:client")
def test_the_client_writes_lists_changes_and_deletes(memory: Memory) -> None:
    item = memory.remember("u/1 🦦", "User prefers short answers.", "preference", importance_score=8)
    (again,) = memory.remember_all([{"external_user_id": "u/1 🦦", "content": item.content, "category": "preference"}])
    assert again.id == item.id
    assert memory.memories("u/1 🦦").items == (memory.memory(item.id),)
    assert memory.change(item.id, importance_score=3).importance_score == 3.0
    memory.delete(item.id)
    assert memory.memory(item.id).is_archived
    assert [each.change_type for each in memory.history(item.id)] == ["created", "manual_edit", "archived"]


@requirement("end-users:client")
def test_a_refusal_tells_code_and_fields(memory: Memory) -> None:
    with pytest.raises(ApiError) as caught:
        memory.remember("u", "short", "preference")

    assert (caught.value.status, caught.value.code) == (422, "REQ_422")
    assert [detail.field for detail in caught.value.details] == ["content"]


@requirement("end-users:client")
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_passes_is_tried_again_with_the_same_idempotency_key(status: int) -> None:
    failing = (status, {"Retry-After": "0"}, {"code": "X"})
    answers = answering(failing, (status, {}, b"<html>"), (200, {}, ADDED))
    with answers as (url, seen), Memory(url, "mem_x", retries=QUICK) as client:
        assert client.add("u", said("I live in Lisbon.")).job_id == "j"

    keys = {headers["Idempotency-Key"] for headers, _ in seen}
    assert (len(seen), len(keys)) == (3, 1)


@requirement("end-users:client")
def test_two_calls_have_two_keys_and_a_key_of_ones_own_is_used() -> None:
    with answering((200, {}, ADDED)) as (url, seen), Memory(url, "mem_x") as client:
        client.add("u", said("I live in Lisbon."))
        client.add("u", said("I live in Lisbon."))
        client.add("u", said("I live in Lisbon."), idempotency_key="mine")

    keys = [headers["Idempotency-Key"] for headers, _ in seen]
    assert len(set(keys)) == 3
    assert keys[2] == "mine"


@requirement("end-users:client")
def test_what_will_not_pass_is_not_tried_again() -> None:
    refused = (422, {}, {"code": "REQ_422", "error": "invalid_request", "details": None})
    with answering(refused) as (url, seen), pytest.raises(ApiError):
        Memory(url, "mem_x", retries=QUICK).add("u", said(""))
    long_wait = (429, {"Retry-After": "3600"}, {"code": "RATE_429"})
    with answering(long_wait) as (url, waited), pytest.raises(ApiError) as caught:
        Memory(url, "mem_x", retries=QUICK).add("u", said("I live in Lisbon."))

    assert (len(seen), len(waited), caught.value.retry_after) == (1, 1, 3600.0)


@requirement("end-users:client")
def test_a_server_that_is_away_is_told_as_that() -> None:
    with answering((200, {}, ADDED)) as (url, _):
        pass
    with pytest.raises(ConnectionFailed):
        Memory(url, "mem_x", retries=QUICK).retrieve("u", "Where do I live?")


@pytest.mark.asyncio
@requirement("end-users:client")
async def test_the_client_with_an_event_loop_does_the_same() -> None:
    failing = (503, {}, {"code": "SRV_503"})
    with answering(failing, (200, {}, ADDED)) as (url, seen):
        async with AsyncMemory(url, "mem_x", retries=QUICK) as client:
            assert (await client.add("u", said("I live in Lisbon."))).status == "queued"

    assert len(seen) == 2
