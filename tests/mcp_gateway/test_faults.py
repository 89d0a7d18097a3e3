"""When something below breaks: an answer that an agent can read, a line in the log, and service again by itself."""

import logging
import uuid
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import DatabaseError, connection

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import NotFound
from mcp_gateway import schema, tools
from mcp_gateway.models import RequestLog
from memories.deadline import Deadline
from memories.errors import EmbedderUnavailable, MemoryNotReady, MemoryUnavailable, ProviderFailed, RetrievalTimeout
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.mcp_gateway.library import shelve
from tests.requirements import requirement

NOBODY_LISTENS = "redis://127.0.0.1:1/0"


class Shape(schema.Arguments):
    prompt = schema.Text(str.strip, required=False)


def tool(raising: BaseException) -> tools.Tool:
    """A tool that always fails in the same way."""

    def handler(caller: Caller, given: Mapping[str, Any], session_id: str, context: tools.Context) -> tools.Answer:
        raise raising

    return tools.Tool("broken", "Broken", "Fails.", Shape, (scopes.MEMORY_READ,), {}, handler)


def called(alice: Person, raising: BaseException, *, seconds: float = 120) -> tools.Outcome:
    context = tools.Context(client="test", deadline=Deadline.after(seconds))
    return tools.call(alice.agent, tool(raising), {"prompt": "x"}, context)


@pytest.fixture
def no_valkey(settings: Any) -> None:
    settings.CACHES = {**settings.CACHES, "default": {**settings.CACHES["default"], "LOCATION": NOBODY_LISTENS}}


def break_database() -> None:
    """Every further statement of this transaction fails, as after a lost connection."""
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT 1/0")


@requirement("mcp:fault:codes")
@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (MemoryUnavailable(), "memory_unavailable"),
        (ProviderFailed(), "memory_unavailable"),
        (EmbedderUnavailable(), "memory_unavailable"),
        (DatabaseError("gone"), "memory_unavailable"),
        (NotFound(), "memory_unavailable"),
        (ZeroDivisionError(), "memory_unavailable"),
        (RecursionError(), "memory_unavailable"),
        (MemoryNotReady(), "memory_not_ready"),
        (RetrievalTimeout(), "retrieval_timeout"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_whatever_goes_wrong_is_told_by_a_code_of_the_contract(alice: Person, raised: Exception, code: str) -> None:
    outcome = called(alice, raised)

    assert (outcome.is_error, outcome.counted) == (True, False)
    assert outcome.answer.structured["error_code"] == code
    assert outcome.answer.structured["error_message"] == outcome.answer.text != ""
    with isolation.account(alice.account.pk):
        assert RequestLog.objects.get(request_id=outcome.request_id).error_code == code


@requirement("mcp:fault:codes")
def test_a_fault_after_the_deadline_is_a_timeout(alice: Person) -> None:
    assert called(alice, DatabaseError("cancelled"), seconds=0).answer.structured["error_code"] == "retrieval_timeout"


@requirement("mcp:fault:logged")
def test_a_fault_is_logged_with_its_traceback_and_told_without_it(
    alice: Person, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = called(alice, ZeroDivisionError("in the engine room"))

    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None
    assert outcome.request_id in record.getMessage()
    assert "engine room" not in outcome.answer.text


@requirement("mcp:fault:valkey-down")
def test_without_valkey_questions_are_answered_and_prompts_not_remembered(alice: Person, no_valkey: None) -> None:
    shelve(alice.account)
    agent = Wire(alice.secret)

    first = agent.call(prompt="Who owns billing?", session_id="thread")
    second = agent.call(prompt="and who is the deputy?", session_id="thread")

    assert "Ines Okafor" in first["content"][0]["text"]
    assert second["isError"] is False
    assert second["structuredContent"]["triage"]["rewritten_query"] == "and who is the deputy?"


@requirement("mcp:fault:postgres-down")
def test_without_postgres_a_call_is_told_that_memory_is_unavailable(agent: Wire) -> None:
    break_database()

    result = agent.call(prompt="Who owns billing?")

    assert result["isError"] is True
    assert result["structuredContent"]["error_code"] == "memory_unavailable"


@requirement("mcp:fault:postgres-down")
def test_without_postgres_anything_else_is_503_under_its_id_and_says_when_to_try_again(agent: Wire) -> None:
    break_database()

    answer = agent.request("tools/list", id="again")

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert (answer.json()["id"], answer.json()["error"]["code"]) == ("again", -32603)


@requirement("mcp:fault:postgres-down")
def test_without_postgres_no_credential_is_still_401(anyone: Wire) -> None:
    break_database()

    assert anyone.request("tools/call", {"name": "retrieve_memory"}).status_code == 401


def test_a_request_id_is_new_for_every_call(alice: Person) -> None:
    ids = {called(alice, MemoryUnavailable()).request_id for _ in range(3)}

    assert len({uuid.UUID(request_id) for request_id in ids}) == 3
