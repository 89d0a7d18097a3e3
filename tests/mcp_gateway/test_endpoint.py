"""The HTTP side of the endpoint: who gets in, in which order things are checked, in which form answers come."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import isolation, keys
from accounts.models import AgentKey
from tests.cast import Person
from tests.mcp_gateway.clients import PATH, Wire
from tests.requirements import requirement

INIT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1.0"}}
CHALLENGE = (
    'Bearer resource_metadata="http://127.0.0.1:8000/.well-known/oauth-protected-resource/v1/mcp/memory", '
    'scope="memory:read"'
)
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def limited(alice: Person, *scopes: str) -> Wire:
    return Wire(keys.issue(alice.account, name="limited", granted=list(scopes)).secret)


# Who gets in


@requirement("mcp:authentication:challenge")
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PUT", "HEAD"])
def test_without_a_credential_every_method_gets_the_challenge_and_no_error_in_it(anyone: Wire, method: str) -> None:
    answer = anyone.send(method)

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == CHALLENGE


def revoked(alice: Person) -> str:
    minted = keys.issue(alice.account, name="revoked")
    keys.revoke(alice.caller, minted.key.public_id)
    return minted.secret


def expired(alice: Person) -> str:
    minted = keys.issue(alice.account, name="expired")
    with isolation.account(alice.account.pk):
        AgentKey.objects.filter(pk=minted.key.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    return minted.secret


def rotated(alice: Person) -> str:
    minted = keys.issue(alice.account, name="rotated")
    keys.rotate(alice.caller, minted.key.public_id)
    return minted.secret


@requirement("mcp:authentication:bad-key", "mcp:bad-input:key")
@pytest.mark.parametrize(
    "credential",
    [
        lambda alice: "pam_mkey_" + "x" * 43,
        revoked,
        expired,
        rotated,
        lambda alice: "mem_" + "x" * 40,
        lambda alice: alice.secret + "x",
        lambda alice: alice.secret.upper(),
        lambda alice: "opaque-token",
    ],
    ids=["wrong", "revoked", "expired", "rotated", "of-another-surface", "longer", "upper-case", "token"],
)
def test_a_bad_credential_gets_401_and_is_told_that_it_is_invalid(alice: Person, credential: Any) -> None:
    answer = Wire(credential(alice)).request("tools/list")

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == f'{CHALLENGE}, error="invalid_token"'
    assert answer.json()["id"] is None
    assert "result" not in answer.json()


@requirement("mcp:authentication:forms")
@pytest.mark.parametrize("form", ["{}", "Bearer {}", "bearer {}", "BEARER {}", "Bearer   {}", "  {}  "])
def test_a_key_is_taken_bare_and_after_bearer_in_any_case(alice: Person, form: str) -> None:
    wire = Wire("", headers={"Authorization": form.format(alice.secret)})

    assert wire.request("ping").json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


@requirement("mcp:authentication:scope", "mcp:access:one-decision")
@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call", "ping", "no/such/method"])
def test_a_key_without_the_scope_is_refused_alike_by_every_method(alice: Person, method: str) -> None:
    answer = limited(alice, "memory:write").request(method, {"name": "retrieve_memory"})

    assert answer.status_code == 403
    assert answer["WWW-Authenticate"] == f'{CHALLENGE}, error="insufficient_scope"'


@requirement("mcp:access:one-decision")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("initialize", INIT),
        ("tools/list", None),
        ("tools/call", {"name": "retrieve_memory", "arguments": {"prompt": "Who owns billing?"}}),
    ],
)
def test_a_key_with_the_scope_is_let_in_alike_by_every_method(alice: Person, method: str, params: Any) -> None:
    assert limited(alice, "memory:read").request(method, params).status_code == 200


def test_a_console_session_does_not_open_the_endpoint(client: Client, alice: Person) -> None:
    client.force_login(alice.user)

    assert client.post(PATH, PING, content_type="application/json").status_code == 401


# The order of checks


@requirement("mcp:order")
@pytest.mark.parametrize(
    ("wire", "kind", "body", "status"),
    [
        ({"Origin": "https://evil.example"}, "text/plain", "{", 403),
        ({"Authorization": "wrong"}, "text/plain", "{", 401),
        ({}, "text/plain", "{" * 3_000_000, 415),
        ({}, "application/json", "{" * 3_000_000, 413),
        ({}, "application/json", "{", 400),
        ({}, "application/json", "[]", 400),
        ({"Mcp-Protocol-Version": "1999-01-01"}, "application/json", '{"jsonrpc":"2.0","method":"x"}', 202),
        ({"Mcp-Protocol-Version": "1999-01-01"}, "application/json", json.dumps(PING), 400),
    ],
    ids=["origin", "credential", "content-type", "size", "json", "shape", "notification", "version"],
)
def test_the_first_check_that_fails_answers(
    alice: Person, wire: dict[str, str], kind: str, body: str, status: int
) -> None:
    agent = Wire("", headers={"Authorization": alice.secret, **wire})

    assert agent.post(body, kind=kind).status_code == status


@requirement("mcp:order")
def test_a_missing_scope_is_told_before_the_method_is_looked_at(alice: Person) -> None:
    assert limited(alice, "mcp:read").send("DELETE").status_code == 403


@requirement("mcp:methods-of-http")
@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "HEAD"])
def test_other_methods_are_405_and_say_what_is_allowed(agent: Wire, method: str) -> None:
    answer = agent.send(method)

    assert (answer.status_code, answer["Allow"]) == (405, "GET, POST, OPTIONS")


@requirement("mcp:get:405")
@pytest.mark.parametrize(
    "headers",
    [
        {"Accept": "application/json"},
        {"Accept": "*/*"},
        {"Accept": "text/html"},
        {"Accept": "text/event-stream;q=0"},
        {"Mcp-Protocol-Version": "2026-07-28"},
    ],
    ids=repr,
)
def test_get_without_a_wish_for_events_is_405(agent: Wire, headers: dict[str, str]) -> None:
    assert agent.send("GET", **headers).status_code == 405


@pytest.mark.parametrize("path", ["/v1/mcp/memory/", "/v1/mcp/memory/x", "/v1/mcp/Memory"])
def test_the_path_is_exact(alice: Person, path: str) -> None:
    assert Wire(alice.secret, path=path).request("ping").status_code == 404


# What is sent


@requirement("mcp:bad-input:envelope")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (" ", -32700),
        ("{", -32700),
        ("[" * 100_000 + "]" * 100_000, -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":' + '{"a":' * 100_000, -32700),
        ("[]", -32600),
        (json.dumps([PING]), -32600),
        ('"ping"', -32600),
        (json.dumps({**PING, "id": None}), -32600),
        (json.dumps({**PING, "id": True}), -32600),
        (json.dumps({**PING, "id": 1.5}), -32600),
        (json.dumps({**PING, "id": {}}), -32600),
        (json.dumps({"jsonrpc": "2.0", "method": None}), -32600),
    ],
    ids=[
        "empty",
        "broken",
        "deep-array",
        "deep-object",
        "empty-array",
        "batch",
        "text",
        "null-id",
        "bool-id",
        "float-id",
        "object-id",
        "null-method",
    ],
)
def test_what_is_no_message_is_400_with_a_null_id(agent: Wire, body: str, code: int) -> None:
    answer = agent.post(body)

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code
    assert answer.json()["id"] is None


@requirement("mcp:bad-input:5-mb")
def test_a_body_of_5_mb_is_413(agent: Wire) -> None:
    answer = agent.request("tools/call", {"name": "retrieve_memory", "arguments": {"prompt": "x" * 5_000_000}})

    assert answer.status_code == 413
    assert "larger" in answer.json()["error"]["message"]


@requirement("mcp:content-type")
@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("", 415),
    ],
)
def test_only_json_is_taken(agent: Wire, kind: str, status: int) -> None:
    assert agent.post(PING, kind=kind).status_code == status


# In which form it comes back


@requirement("mcp:accept")
@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json", "application/json"),
        ("application/json, text/event-stream", "application/json"),
        ("text/event-stream, application/json", "application/json"),
        ("application/json; charset=utf-8", "application/json"),
        ("*/*", "application/json"),
        ("", "application/json"),
        ("text/event-stream", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("application/json;q=0, text/event-stream", "text/event-stream"),
    ],
)
@pytest.mark.parametrize("method", ["ping", "no/such/method"], ids=["result", "error"])
def test_an_answer_comes_in_a_type_that_was_accepted(agent: Wire, accept: str, kind: str, method: str) -> None:
    answer = agent.request(method, Accept=accept)

    assert answer.status_code == 200
    assert answer["Content-Type"] == kind
    assert message_in(answer)["id"] == 1


def message_in(answer: Any) -> Any:
    text = answer.content.decode()
    if answer["Content-Type"] == "application/json":
        return json.loads(text)
    assert text.endswith("\n\n")
    data = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    assert len(data) == 1
    return json.loads(data[0])


def test_a_client_that_names_no_type_gets_json(alice: Person) -> None:
    answer = Client().post(PATH, PING, content_type="application/json", headers={"Authorization": alice.secret})

    assert answer["Content-Type"] == "application/json"


@requirement("mcp:notifications")
@pytest.mark.parametrize(
    "message",
    [
        {"method": "notifications/initialized"},
        {"method": "notifications/cancelled", "params": {"requestId": 4}},
        {"method": "tools/call", "params": {"name": "retrieve_memory", "arguments": {"prompt": "x"}}},
        {"method": "no/such/method"},
        {"id": 3, "result": {}},
    ],
    ids=["initialized", "cancelled", "call", "unknown", "reply"],
)
def test_what_waits_for_nothing_gets_202_without_body_and_type(agent: Wire, message: dict[str, Any]) -> None:
    answer = agent.post({"jsonrpc": "2.0", **message})

    assert (answer.status_code, answer.content) == (202, b"")
    assert "Content-Type" not in answer.headers


@requirement("mcp:initialized")
def test_the_literal_initialized_is_acknowledged_by_an_empty_200(agent: Wire) -> None:
    answer = agent.post({"jsonrpc": "2.0", "method": "initialized"})

    assert (answer.status_code, answer.content) == (200, b"")


@requirement("mcp:initialized")
def test_the_literal_initialized_with_an_id_gets_an_empty_result(agent: Wire) -> None:
    assert agent.result("initialized") == {}


# Versions


@requirement("mcp:version-header")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_revision_with_a_handshake_is_served(agent: Wire, version: str) -> None:
    assert agent.request("tools/list", Mcp_Protocol_Version=version).status_code == 200


@requirement("mcp:version-header")
@pytest.mark.parametrize("version", ["1999-01-01", "2025-11-26", "", "latest"])
def test_an_unknown_version_is_400_and_is_told_what_is_served(agent: Wire, version: str) -> None:
    answer = agent.request("tools/list", id="v", Mcp_Protocol_Version=version)

    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["code"] == -32022
    assert error["data"]["requested"] == version
    assert "2025-11-25" in error["data"]["supported"]
    assert answer.json()["id"] == "v"


# Browsers


@requirement("mcp:cors:origin")
@pytest.mark.parametrize(
    ("origin", "is_allowed"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost:6274", True),
        ("http://[::1]:1234", True),
        ("https://app.example", True),
        ("HTTPS://APP.example", True),
        ("https://evil.example", False),
        ("https://app.example.evil.example", False),
        ("http://localhost.evil.example", False),
        ("null", False),
        ("", False),
        ("http://[", False),
        ("file://localhost", False),
        ("https://localhost", True),
        ("http://127.0.0.1:8345.evil.example", False),
        ("http://localhost:evil.example", False),
        ("http://127.0.0.1:8345@evil.example", False),
        ("http://evil.example@127.0.0.1", False),
        ("http://127.0.0.1:65536", False),
        ("http://127.0.0.1:", False),
        ("http://[::1].evil.example", False),
        ("http://127.0.0.1/page", False),
        ("http://127.0.0.1?x", False),
        ("http://127.0.0.1#x", False),
        ("https://app.example/", False),
    ],
)
def test_pages_of_strange_origins_are_refused(alice: Person, settings: Any, origin: str, is_allowed: bool) -> None:
    settings.PAM_MCP_ALLOWED_ORIGINS = ["https://app.example"]

    answer = Wire(alice.secret, headers={"Origin": origin}).request("ping")

    assert answer.status_code == (200 if is_allowed else 403)
    assert answer.get("Access-Control-Allow-Origin") == (origin if is_allowed else None)


@requirement("mcp:cors:preflight")
def test_a_preflight_needs_no_credential(anyone: Wire) -> None:
    answer = anyone.send("OPTIONS", **{"Origin": "http://localhost:6274", "Access-Control-Request-Method": "POST"})

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer["Access-Control-Allow-Origin"] == "http://localhost:6274"
    assert "POST" in answer["Access-Control-Allow-Methods"]
    for header in ("Authorization", "Content-Type", "Mcp-Session-Id", "Mcp-Protocol-Version"):
        assert header in answer["Access-Control-Allow-Headers"]


@requirement("mcp:cors:exposed")
@pytest.mark.parametrize("secret", ["", None], ids=["401", "200"])
def test_a_page_can_read_session_and_challenge_of_answers_and_refusals(alice: Person, secret: str | None) -> None:
    wire = Wire(alice.secret if secret is None else secret, headers={"Origin": "http://localhost:6274"})

    answer = wire.request("initialize", INIT)

    assert "Mcp-Session-Id" in answer["Access-Control-Expose-Headers"]
    assert "WWW-Authenticate" in answer["Access-Control-Expose-Headers"]
    assert answer["Access-Control-Allow-Origin"] == "http://localhost:6274"
    assert "Origin" in answer["Vary"]
