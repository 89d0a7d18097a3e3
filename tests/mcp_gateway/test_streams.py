"""The event stream of GET, on a real server: what it sends, what it holds, how it ends."""

import asyncio
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from django.db import connection

from accounts import keys
from mcp_gateway import streams
from tests.cast import Person
from tests.mcp_gateway.server import Making, process
from tests.requirements import requirement

COMMENT = ": keep-alive\n\n"


@pytest.fixture(scope="module")
def sam(committed: Making) -> Person:
    return committed("sam")


@dataclass
class Listening:
    """An open stream. Whoever throws `received` away closes the connection."""

    answer: httpx2.Response
    received: Iterator[str]


@contextmanager
def listening(url: str, secret: str, *, accept: str = "text/event-stream") -> Iterator[Listening]:
    headers = {"Authorization": secret, "Accept": accept}
    with httpx2.Client(timeout=30) as client, client.stream("GET", url, headers=headers) as answer:
        stream = Listening(answer, answer.iter_text())
        yield stream


def backends_in_use() -> int:
    """The connections of this database, but for the asking one, that are inside a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND state <> 'idle'"
        )
        return int(cursor.fetchone()[0])


@requirement("mcp:get:stream")
def test_a_client_that_wants_events_gets_a_comment_at_once(url: str, sam: Person) -> None:
    with listening(url, sam.secret) as stream:
        first = next(stream.received)

    answer = stream.answer
    assert (answer.status_code, first) == (200, COMMENT)
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-cache, no-transform"
    assert answer.headers["X-Accel-Buffering"] == "no"


@requirement("mcp:get:stream")
def test_both_types_in_accept_are_a_wish_for_events(url: str, sam: Person) -> None:
    with listening(url, sam.secret, accept="application/json, text/event-stream") as stream:
        assert next(stream.received) == COMMENT


@requirement("mcp:authentication:challenge")
def test_a_stream_needs_a_credential(url: str) -> None:
    with listening(url, "") as stream:
        assert stream.answer.status_code == 401
        assert stream.answer.headers["WWW-Authenticate"].startswith("Bearer resource_metadata=")


@requirement("mcp:get:duration")
def test_a_stream_comments_at_intervals_and_ends_by_itself(
    url: str, sam: Person, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PAM_MCP_STREAM_SECONDS = 1
    monkeypatch.setattr(streams, "EVERY_SECONDS", 0.3)

    with listening(url, sam.secret) as stream:
        received = "".join(stream.received)

    # Of three intervals a busy machine may miss one or two, and it may come late to the end.
    assert received in [COMMENT * count for count in range(2, 7)]


@requirement("mcp:get:cap")
def test_an_account_may_open_so_many_streams_and_another_its_own(
    url: str, sam: Person, committed: Making, settings: Any
) -> None:
    settings.PAM_MCP_STREAMS_PER_ACCOUNT = 3
    other = committed("kim")

    with ExitStack() as stack:
        for _ in range(3):
            next(stack.enter_context(listening(url, sam.secret)).received)
        refused = stack.enter_context(listening(url, sam.secret)).answer
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
        assert stack.enter_context(listening(url, other.secret)).answer.status_code == 200

    # Their places are free again as soon as the server has seen them go.
    deadline = time.monotonic() + 10
    while not streams.has_room(sam.account.pk):
        assert time.monotonic() < deadline
    with listening(url, sam.secret) as stream:
        assert stream.answer.status_code == 200


@requirement("mcp:get:no-connection")
def test_more_streams_than_the_pool_has_connections_leave_the_endpoint_free(url: str, sam: Person) -> None:
    size = connection.settings_dict["OPTIONS"]["pool"]["max_size"]

    with ExitStack() as stack:
        for _ in range(size + 4):
            next(stack.enter_context(listening(url, sam.secret)).received)
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        answer = httpx2.post(url, json=ping, headers={"Authorization": sam.secret}, timeout=5)
        assert answer.json()["result"] == {}
        assert backends_in_use() == 0


def test_a_stream_that_is_thrown_away_unread_frees_its_place(settings: Any) -> None:
    settings.PAM_MCP_STREAMS_PER_ACCOUNT = 1
    stream = streams.KeepAlive(-1)
    assert not streams.has_room(-1)

    del stream

    assert streams.has_room(-1)


def test_a_stream_that_was_read_to_its_end_frees_its_place(settings: Any) -> None:
    settings.PAM_MCP_STREAMS_PER_ACCOUNT, settings.PAM_MCP_STREAM_SECONDS = 1, 0

    async def read(stream: streams.KeepAlive) -> list[bytes]:
        return [comment async for comment in stream]

    stream = streams.KeepAlive(-2)
    assert asyncio.run(read(stream)) == [streams.COMMENT]
    assert streams.has_room(-2)


@requirement("mcp:get:revoked")
def test_ending_the_streams_of_a_credential_leaves_the_others_open(url: str, sam: Person) -> None:
    other = keys.issue(sam.account, name="other")
    assert sam.agent.key is not None
    with listening(url, sam.secret) as ended, listening(url, other.secret) as open_still:
        assert (next(ended.received), next(open_still.received)) == (COMMENT, COMMENT)

        streams.end(sam.account.pk, sam.agent.identity)
        assert list(ended.received) == []

        streams.end(sam.account.pk)
        assert list(open_still.received) == []


@requirement("mcp:get:revoked")
def test_a_stream_ends_at_its_next_comment_when_its_key_was_revoked(
    url: str, sam: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "EVERY_SECONDS", 0.2)
    minted = keys.issue(sam.account, name="short-lived")

    with listening(url, minted.secret) as stream:
        assert [next(stream.received) for _ in range(3)] == [COMMENT] * 3
        keys.revoke(sam.caller, minted.key.public_id)
        # Its end is not waited for by another comment or two.
        assert set(stream.received) <= {COMMENT}


@requirement("mcp:get:shutdown")
def test_a_server_with_open_streams_stops_within_three_seconds(sam: Person) -> None:
    with process() as (child, url), ExitStack() as stack:
        opened = [stack.enter_context(listening(url, sam.secret)) for _ in range(3)]
        for stream in opened:
            assert next(stream.received) == COMMENT

        told = time.monotonic()
        child.send_signal(signal.SIGTERM)
        child.wait(timeout=10)

        assert time.monotonic() - told < 3
        # They ended as a stream ends, and were not cut off.
        assert [list(stream.received) for stream in opened] == [[], [], []]


@requirement("mcp:get:shutdown")
def test_ctrl_c_ends_an_open_stream_at_once(sam: Person) -> None:
    with process() as (child, url), listening(url, sam.secret) as stream:
        assert next(stream.received) == COMMENT

        told = time.monotonic()
        child.send_signal(signal.SIGINT)

        assert list(stream.received) == []
        assert time.monotonic() - told < 3
