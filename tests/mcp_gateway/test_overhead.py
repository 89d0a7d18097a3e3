"""What a call costs before and after the retrieval itself: every statement, by name."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import scopes
from accounts.caller import Caller
from mcp_gateway import schema, tools
from memories.deadline import Deadline
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.requirements import requirement

# In tests a savepoint stands for the transaction; what is sent along with a statement belongs to it.
AUTHENTICATION = ["SAVEPOINT", "SELECT accounts_agentkey", "RELEASE"]
RESERVATION = ["SAVEPOINT", "UPDATE accounts_monthlyusage", "RELEASE"]
LOG = ["SAVEPOINT", "INSERT mcp_gateway_requestlog", "RELEASE"]


class Shape(schema.Arguments):
    prompt = schema.Text(str.strip)


def _at_once(caller: Caller, given: Mapping[str, Any], session_id: str, context: tools.Context) -> tools.Answer:
    return tools.Answer({"status": "ok"}, "done")


INSTANT = tools.Tool("instant", "Instant", "Answers at once.", Shape, (scopes.MEMORY_READ,), {}, _at_once)


def verb(sql: str) -> str:
    statement = next(part for part in sql.split("; ") if not part.startswith("SET LOCAL"))
    words = statement.replace('"', "").replace("INTO ", "").split()
    table = next((words[at + 1] for at, word in enumerate(words) if word == "FROM"), words[1])
    return {"SAVEPOINT": "SAVEPOINT", "RELEASE": "RELEASE"}.get(words[0], f"{words[0]} {table.split('(')[0]}")


@pytest.fixture
def used(alice: Person) -> Person:
    """Alice, after the month's first call and within a minute of the key's last use."""
    Wire(alice.secret).request("ping")
    call(alice)
    return alice


def call(person: Person, **arguments: Any) -> tools.Outcome:
    context = tools.Context(client="test", deadline=Deadline.after(120))
    return tools.call(person.agent, INSTANT, arguments or {"prompt": "x"}, context)


@requirement("mcp:overhead")
def test_a_request_costs_one_query_to_authenticate(used: Person) -> None:
    with CaptureQueriesContext(connection) as statements:
        Wire(used.secret).request("ping")

    assert [verb(each["sql"]) for each in statements] == AUTHENTICATION


@requirement("mcp:overhead")
def test_an_answered_call_costs_a_reservation_and_a_row_of_the_log(used: Person) -> None:
    agent, context = used.agent, tools.Context(client="test", deadline=Deadline.after(120))

    with CaptureQueriesContext(connection) as statements:
        outcome = tools.call(agent, INSTANT, {"prompt": "x"}, context)

    assert outcome.counted
    assert [verb(each["sql"]) for each in statements] == [*RESERVATION, *LOG]


@requirement("mcp:overhead")
def test_a_refused_call_gives_its_reservation_back(used: Person) -> None:
    agent, context = used.agent, tools.Context(client="test", deadline=Deadline.after(120))

    with CaptureQueriesContext(connection) as statements:
        outcome = tools.call(agent, INSTANT, {}, context)

    assert outcome.is_error
    assert [verb(each["sql"]) for each in statements] == [*RESERVATION, *RESERVATION, *LOG]
