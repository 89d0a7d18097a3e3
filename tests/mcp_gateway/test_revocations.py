"""A revoked credential's open streams end at once, in whichever web process they are; so do those of an expired one."""

import time
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import closing, isolation, keys, revocations, stewardship
from accounts.models import Membership, User
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


def staff_client() -> Client:
    staff = Client()
    staff.force_login(User.objects.get_or_create(email="staff@pam.example", is_staff=True, is_superuser=True)[0])
    return staff


def suspend(doomed: Person) -> None:
    stewardship.suspend(doomed.user, doomed.account, reason="Unpaid.")


def close(doomed: Person) -> None:
    closing.close(doomed.caller, name=doomed.account.name)


def switch_off(doomed: Person) -> None:
    form = {"email": doomed.user.email, "name": ""}  # Without is_active: the box is not ticked.
    answer = staff_client().post(reverse("admin:accounts_user_change", args=[doomed.user.pk]), form)
    assert answer.status_code == 302


def take_out(doomed: Person) -> None:
    with isolation.account(doomed.account.pk):
        member = Membership.objects.get(account=doomed.account)
    prefix = "memberships"
    form = {
        "name": doomed.account.name,
        "plan": doomed.account.plan_id or "",
        "log_retention_days": doomed.account.log_retention_days,
        f"{prefix}-TOTAL_FORMS": 1,
        f"{prefix}-INITIAL_FORMS": 1,
        f"{prefix}-0-id": member.pk,
        f"{prefix}-0-account": doomed.account.pk,
        f"{prefix}-0-user": doomed.user.pk,
        f"{prefix}-0-role": member.role,
        f"{prefix}-0-DELETE": "on",
    }
    answer = staff_client().post(reverse("admin:accounts_account_change", args=[doomed.account.pk]), form)
    assert answer.status_code == 302, answer.context["errors"]


@requirement("mcp:get:out-at-once")
@pytest.mark.parametrize("deed", [suspend, close, switch_off, take_out], ids=lambda deed: deed.__name__)
def test_who_is_out_has_no_stream_left(deed: Any, url: str, committed: Making) -> None:
    doomed = committed(deed.__name__.replace("_", "-"))
    by_token = token(connection(doomed))
    with ExitStack() as stack:
        opened = [stack.enter_context(listening(url, by_token))]
        if deed in (suspend, close):
            opened.append(stack.enter_context(listening(url, doomed.secret)))
        for stream in opened:
            assert next(stream.received) == COMMENT

        deed(doomed)
        assert ended_within(opened) < AT_ONCE
    with listening(url, by_token) as refused:
        assert refused.answer.status_code == (405 if deed is suspend else 401)
