"""A revoked credential's open streams end at once, in whichever web process they are; so do those of an expired one."""

import time
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import keys, revocations
from accounts.oauth import connections
from mcp_gateway import streams
from tests.cast import Person
from tests.connecting import connection, token
from tests.mcp_gateway.server import Making, process
from tests.mcp_gateway.test_streams import COMMENT, listening
from tests.requirements import requirement

#: What the contract calls at once, with room for a busy machine. A stream asks by itself only every 15 s.
AT_ONCE = 5.0


@pytest.fixture(scope="module")
def ruth(committed: Making) -> Person:
    return committed("ruth")


def ended_within(opened: list[Any]) -> float:
    """Reads the streams to their ends; returns the seconds it took."""
    begun = time.monotonic()
    for stream in opened:
        assert set(stream.received) <= {COMMENT}
    return time.monotonic() - begun


@requirement("mcp:get:revoked-everywhere")
def test_a_revoked_keys_streams_end_at_once_in_every_process_and_nobody_elses(ruth: Person) -> None:
    minted = keys.mint(ruth.caller, name="To be revoked")
    connected = connection(ruth)
    secret = token(connected)
    with process() as (_, one), process() as (_, other), ExitStack() as stack:
        doomed = [stack.enter_context(listening(url, minted.secret)) for url in (one, other)]
        by_token = stack.enter_context(listening(other, secret))
        spared = stack.enter_context(listening(one, ruth.secret))
        for stream in (*doomed, by_token, spared):
            assert next(stream.received) == COMMENT

        keys.revoke(ruth.caller, minted.key.public_id)
        assert ended_within(doomed) < AT_ONCE

        connections.revoke(ruth.caller, connected.public_id)
        assert ended_within([by_token]) < AT_ONCE
        with listening(one, minted.secret) as refused:
            assert refused.answer.status_code == 401
        assert not spared.answer.is_closed


@requirement("mcp:get:revoked-everywhere")
def test_a_stream_ends_when_its_key_expires(url: str, ruth: Person) -> None:
    minted = keys.mint(ruth.caller, name="Short", expires_at=timezone.now() + timedelta(seconds=2))

    with listening(url, minted.secret) as stream:
        assert ended_within([stream]) < AT_ONCE


@requirement("mcp:get:revoked-everywhere")
def test_without_valkey_a_stream_asks_by_itself(
    url: str, ruth: Person, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*_: object) -> None:
        raise ConnectionError("Valkey is away")

    monkeypatch.setattr(revocations, "get_redis_connection", silent)
    monkeypatch.setattr(streams, "EVERY_SECONDS", 0.3)
    minted = keys.mint(ruth.caller, name="To be revoked")

    with listening(url, minted.secret) as stream:
        assert next(stream.received) == COMMENT
        keys.revoke(ruth.caller, minted.key.public_id)
        assert ended_within([stream]) < AT_ONCE
