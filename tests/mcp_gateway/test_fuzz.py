"""Whatever an authenticated client sends, no answer is a server error, and every answer can be read."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.mcp_gateway.clients import Wire
from tests.requirements import requirement

METHODS = [
    "initialize",
    "initialized",
    "notifications/initialized",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "server/discover",
]
ANY_TEXT = st.text(st.characters(codec=None), max_size=12)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.fixed_dictionaries({}, optional={"prompt": ANYTHING, "session_id": ANYTHING}) | ANYTHING
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.just("retrieve_memory") | ANYTHING,
        "arguments": ARGUMENTS,
        "_meta": st.fixed_dictionaries({}, optional={"progressToken": ANYTHING}) | ANYTHING,
        "protocolVersion": ANYTHING,
        "clientInfo": st.fixed_dictionaries({}, optional={"name": ANYTHING, "version": ANYTHING}) | ANYTHING,
        "uri": ANYTHING,
        "cursor": ANYTHING,
    },
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | ANYTHING},
    optional={"id": ANYTHING, "method": st.sampled_from(METHODS) | ANYTHING, "params": PARAMS | ANYTHING},
)
FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def check(answer: Any) -> None:
    assert answer.status_code in (200, 202, 400)
    if answer.content:
        body = json.loads(answer.content)
        assert body["jsonrpc"] == "2.0"
        assert ("result" in body) != ("error" in body)
        assert type(body["id"]) in (int, str, type(None))


@requirement("mcp:fuzz")
@FUZZ
@given(message=MESSAGES)
def test_no_message_makes_a_server_error(agent: Wire, message: dict[str, Any]) -> None:
    check(agent.post(json.dumps(message)))


@requirement("mcp:fuzz")
@FUZZ
@given(params=PARAMS, method=st.sampled_from(METHODS))
def test_no_params_make_a_server_error(agent: Wire, method: str, params: dict[str, Any]) -> None:
    answer = agent.post(json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))

    check(answer)
    assert answer.status_code == 400 or answer.json()["id"] == 7


@requirement("mcp:fuzz")
@FUZZ
@given(body=st.binary(min_size=1, max_size=80))
def test_no_bytes_make_a_server_error(agent: Wire, body: bytes) -> None:
    check(agent.post(body))


@requirement("mcp:fuzz")
@FUZZ
@given(
    headers=st.dictionaries(
        st.sampled_from(["Accept", "Mcp-Session-Id", "Mcp-Protocol-Version", "User-Agent", "Last-Event-ID"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=40),
        max_size=4,
    )
)
def test_no_headers_make_a_server_error(agent: Wire, headers: dict[str, str]) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "retrieve_memory"}}

    answer = agent.client.generic(
        "POST",
        agent.path,
        json.dumps(message),
        content_type="application/json",
        headers={**headers, "Authorization": agent.secret},
    )

    assert answer.status_code in (200, 400)
