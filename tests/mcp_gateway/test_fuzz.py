"""Whatever an authenticated client sends, no answer is a server error, and every answer can be read."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.mcp_gateway.clients import CAPABILITIES_KEY, CLIENT_KEY, MODERN, VERSION_KEY, Wire
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
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
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


ENVELOPES = st.fixed_dictionaries(
    {},
    optional={
        VERSION_KEY: st.just(MODERN) | ANYTHING,
        CAPABILITIES_KEY: st.just({}) | ANYTHING,
        CLIENT_KEY: st.just({"name": "probe", "version": "1"}) | ANYTHING,
        "progressToken": ANYTHING,
    },
)
HEADER = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=40)


@requirement("mcp:fuzz")
@FUZZ
@given(
    params=PARAMS,
    meta=ENVELOPES | ANYTHING,
    method=st.sampled_from(METHODS),
    headers=st.fixed_dictionaries(
        {},
        optional={
            "Mcp-Protocol-Version": st.just(MODERN) | HEADER,
            "Mcp-Method": st.sampled_from(METHODS) | HEADER,
            "Mcp-Name": st.sampled_from(["retrieve_memory", "=?base64?cmV0cmlldmVfbWVtb3J5?=", "=?base64?/?="])
            | HEADER,
        },
    ),
)
def test_no_envelope_makes_a_server_error(
    agent: Wire, params: dict[str, Any], meta: Any, method: str, headers: dict[str, str]
) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": meta}}

    answer = agent.client.generic(
        "POST",
        agent.path,
        json.dumps(message),
        content_type="application/json",
        headers={**headers, "Authorization": agent.secret},
    )

    assert answer.status_code in (200, 400, 404)
    body = json.loads(answer.content)
    assert body["id"] == 7
    assert ("result" in body) != ("error" in body)


@requirement("mcp:fuzz")
@FUZZ
@given(params=PARAMS, method=st.sampled_from(METHODS))
def test_no_params_behind_a_right_envelope_make_a_server_error(
    agent: Wire, params: dict[str, Any], method: str
) -> None:
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}
    name = params.get("uri" if method == "resources/read" else "name")
    stated = {"Mcp_Name": name} if isinstance(name, str) and name.isascii() and name.isprintable() else {}

    answer = agent.post(
        json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": meta}}),
        Mcp_Protocol_Version=MODERN,
        Mcp_Method=method,
        **stated,
    )

    assert answer.status_code in (200, 400, 404)
    assert answer.json()["id"] == 7
