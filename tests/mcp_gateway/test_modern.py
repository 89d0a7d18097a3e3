"""The revision of MCP without a handshake: what a request must say, in which order it is checked, what comes back."""

import base64
from typing import Any

import pytest
from mcp_types import methods as wire

from accounts import isolation, keys
from mcp_gateway.models import RequestLog
from tests.cast import Person
from tests.mcp_gateway.clients import (
    CAPABILITIES_KEY,
    CLIENT_KEY,
    MODERN,
    OFF,
    VERSION_KEY,
    ModernWire,
    Wire,
    envelope,
)
from tests.mcp_gateway.library import shelve
from tests.requirements import requirement

LISTS = ["server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"]
CALL = {"name": "retrieve_memory", "arguments": {"prompt": "Who owns billing?"}}


# What comes back


@requirement("mcp:modern:discover")
def test_discover_names_the_one_modern_revision_and_says_how_to_use_the_server(modern: ModernWire) -> None:
    result = modern.result("server/discover")

    assert result["supportedVersions"] == [MODERN]
    assert result["capabilities"].keys() == {"tools", "resources", "prompts"}
    assert "retrieve_memory" in result["instructions"]


@requirement("mcp:modern:results")
@pytest.mark.parametrize("method", [*LISTS, "tools/call"])
def test_every_result_says_its_type_and_who_served_it(modern: ModernWire, method: str) -> None:
    result = modern.result(method, CALL if method == "tools/call" else None)

    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "pam_memory_mcp"
    # Nothing is dropped and nothing is changed by the official types.
    assert wire.serialize_server_result(method, MODERN, result) == result


@requirement("mcp:modern:cache")
@pytest.mark.parametrize("method", LISTS)
def test_lists_may_be_kept_for_a_while_by_their_reader_alone(modern: ModernWire, method: str) -> None:
    result = modern.result(method)

    assert result["ttlMs"] > 0
    assert result["cacheScope"] == "private"


@requirement("mcp:modern:cache")
def test_the_result_of_a_call_is_not_to_be_kept(modern: ModernWire) -> None:
    assert modern.result("tools/call", CALL).keys().isdisjoint({"ttlMs", "cacheScope"})


@requirement("mcp:modern:same-tools")
def test_both_eras_list_and_answer_the_same(alice: Person, agent: Wire, modern: ModernWire) -> None:
    shelve(alice.account)

    assert modern.result("tools/list")["tools"] == agent.result("tools/list")["tools"]
    old, new = agent.result("tools/call", CALL), modern.result("tools/call", CALL)
    assert "Ines Okafor" in new["content"][0]["text"]
    assert (new["isError"], new["structuredContent"].keys()) == (False, old["structuredContent"].keys())


@requirement("mcp:modern:same-tools")
def test_bad_arguments_are_a_result_that_the_model_can_read(modern: ModernWire) -> None:
    result = modern.result("tools/call", {"name": "retrieve_memory", "arguments": {"depth": 3}})

    assert (result["isError"], result["resultType"]) == (True, "complete")
    assert result["structuredContent"]["error_code"] == "invalid_arguments"


@requirement("mcp:envelope:ids")
@pytest.mark.parametrize("id", [0, "0", 2**60, -1, "a" * 300, ""], ids=ascii)
@pytest.mark.parametrize("method", ["server/discover", "no/such"])
def test_the_id_comes_back_as_it_was(modern: ModernWire, id: Any, method: str) -> None:
    found = modern.request(method, id=id).json()["id"]

    assert (found, type(found)) == (id, type(id))


@requirement("mcp:modern:no-sessions")
@pytest.mark.parametrize("session_id", ["stale", "x" * 5000])
def test_there_are_no_sessions(modern: ModernWire, session_id: str) -> None:
    answer = modern.request("tools/list", Mcp_Session_Id=session_id)

    assert answer.status_code == 200
    assert "Mcp-Session-Id" not in answer.headers


@requirement("mcp:last-used")
def test_a_client_is_known_by_what_it_says_with_the_call(modern: ModernWire, alice: Person) -> None:
    modern.request("tools/call", CALL, User_Agent="node")

    key = keys.recognise(alice.secret)
    assert key is not None
    assert key.last_client == "probe 1.0"


# The ladder


@requirement("mcp:modern:unknown-method")
@pytest.mark.parametrize(
    "method", ["ping", "initialize", "initialized", "logging/setLevel", "resources/subscribe", "no/such", "__class__"]
)
def test_what_is_no_method_of_this_revision_is_404(modern: ModernWire, method: str) -> None:
    answer = modern.request(method, id="m")

    assert answer.status_code == 404
    assert (answer.json()["error"]["code"], answer.json()["id"]) == (-32601, "m")


WRONG: dict[str, tuple[dict[str, Any], dict[str, str], int]] = {
    "no _meta": ({"_meta": None}, {}, -32602),
    "_meta of a wrong type": ({"_meta": "x"}, {}, -32602),
    "no version in it": ({"_meta": {CAPABILITIES_KEY: {}}}, {}, -32602),
    "no capabilities in it": ({"_meta": {VERSION_KEY: MODERN}}, {}, -32602),
    "no version header": ({}, {"Mcp_Protocol_Version": OFF}, -32020),
    "another version header": ({}, {"Mcp_Protocol_Version": "2027-01-01"}, -32020),
    "a legacy version header": ({}, {"Mcp_Protocol_Version": "2025-11-25"}, -32020),
    "another version in _meta": ({"_meta": envelope(**{VERSION_KEY: "2025-11-25"})}, {}, -32020),
    "a version of a wrong type": ({"_meta": envelope(**{VERSION_KEY: 7})}, {}, -32020),
    "no method header": ({}, {"Mcp_Method": OFF}, -32020),
    "another method header": ({}, {"Mcp_Method": "tools/list"}, -32020),
    "a method header in another case": ({}, {"Mcp_Method": "Tools/Call"}, -32020),
    "no name header": ({}, {"Mcp_Name": OFF}, -32020),
    "another name header": ({}, {"Mcp_Name": "forget_everything"}, -32020),
    "a name header of broken base64": ({}, {"Mcp_Name": "=?base64?%%?="}, -32020),
    "a name header for no name": ({"name": None}, {"Mcp_Name": "retrieve_memory"}, -32020),
    "no name at all": ({"name": None}, {}, -32602),
    "an unknown tool": ({"name": "forget_everything"}, {}, -32602),
    "capabilities of a wrong type": ({"_meta": envelope(**{CAPABILITIES_KEY: 7})}, {}, -32602),
    "a client of a wrong type": ({"_meta": envelope(**{CLIENT_KEY: "x"})}, {}, -32602),
}


@requirement("mcp:modern:ladder")
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_request_is_400_and_named(modern: ModernWire, wrong: str) -> None:
    params, headers, code = WRONG[wrong]

    answer = modern.request("tools/call", {**CALL, **params}, id="w", **headers)

    assert answer.status_code == 400
    assert (answer.json()["error"]["code"], answer.json()["id"]) == (code, "w")


UNSERVED = envelope(**{VERSION_KEY: "2027-01-01"})


@requirement("mcp:modern:ladder")
@pytest.mark.parametrize(
    ("method", "params", "headers", "code"),
    [
        ("no/such", {"_meta": {VERSION_KEY: "2027-01-01"}}, {"Mcp_Method": "x"}, -32602),
        ("no/such", {"_meta": UNSERVED}, {"Mcp_Method": "x"}, -32020),
        (
            "tools/call",
            {"_meta": UNSERVED, "name": "x"},
            {"Mcp_Protocol_Version": "2027-01-01", "Mcp_Name": "y"},
            -32020,
        ),
        ("no/such", {"_meta": UNSERVED}, {"Mcp_Protocol_Version": "2027-01-01"}, -32022),
        ("no/such", {"cursor": 7}, {}, -32601),
        ("tools/list", {"cursor": 7}, {}, -32602),
    ],
    ids=["_meta", "headers", "name", "version", "method", "params"],
)
def test_the_first_rung_that_breaks_answers(
    modern: ModernWire, method: str, params: dict[str, Any], headers: dict[str, str], code: int
) -> None:
    assert modern.request(method, params, **headers).json()["error"]["code"] == code


@requirement("mcp:modern:version")
def test_a_modern_version_that_is_not_served_is_told_which_one_is(modern: ModernWire) -> None:
    answer = modern.request("server/discover", {"_meta": UNSERVED}, Mcp_Protocol_Version="2027-01-01")

    assert answer.status_code == 400
    assert answer.json()["error"]["data"] == {"supported": [MODERN], "requested": "2027-01-01"}


@requirement("mcp:modern:ladder")
def test_a_name_may_come_wrapped_in_base64(modern: ModernWire) -> None:
    wrapped = f"=?base64?{base64.b64encode(b'retrieve_memory').decode()}?="

    assert modern.request("tools/call", CALL, Mcp_Name=wrapped).status_code == 200


@requirement("mcp:modern:ladder")
def test_blanks_around_a_headers_value_do_not_count(modern: ModernWire) -> None:
    blanks = {"Mcp_Name": " retrieve_memory\t", "Mcp_Method": " tools/call ", "Mcp_Protocol_Version": f"{MODERN} "}

    assert modern.request("tools/call", CALL, **blanks).status_code == 200


@requirement("mcp:modern:ladder")
def test_a_resource_and_a_prompt_that_are_not_there_are_bad_params(modern: ModernWire) -> None:
    for method, params in (("resources/read", {"uri": "memory://x"}), ("prompts/get", {"name": "x"})):
        answer = modern.request(method, params)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)


@requirement("mcp:modern:ladder")
def test_a_refused_envelope_is_no_call_and_costs_nothing(modern: ModernWire, alice: Person) -> None:
    modern.request("tools/call", CALL, Mcp_Name="another")

    with isolation.account(alice.account.pk):
        assert not RequestLog.objects.exists()


# Beside the legacy revisions


@requirement("mcp:modern:beside-legacy")
def test_an_envelope_without_a_header_is_modern_and_told_what_it_lacks(agent: Wire) -> None:
    assert agent.request("server/discover", {"_meta": envelope()}).json()["error"]["code"] == -32020


@requirement("mcp:modern:beside-legacy")
def test_a_header_without_an_envelope_is_modern_and_told_what_it_lacks(agent: Wire) -> None:
    answer = agent.request("tools/list", Mcp_Protocol_Version=MODERN)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)


@requirement("mcp:modern:beside-legacy")
def test_a_legacy_client_may_have_a_meta_of_its_own(agent: Wire) -> None:
    params = {"_meta": {"progressToken": 7, "com.example/trace": "x"}}

    assert agent.request("tools/list", params, Mcp_Protocol_Version="2025-11-25").status_code == 200


@requirement("mcp:notifications")
@pytest.mark.parametrize("method", ["notifications/cancelled", "no/such"])
def test_a_modern_notification_gets_202(modern: ModernWire, method: str) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": {"_meta": envelope()}}

    answer = modern.post(message, Mcp_Protocol_Version=MODERN)

    assert (answer.status_code, answer.content) == (202, b"")


@requirement("mcp:access:one-decision")
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "tools/call", "ping"])
def test_a_key_without_the_scope_is_refused_alike_by_every_modern_method(alice: Person, method: str) -> None:
    secret = keys.issue(alice.account, name="limited", granted=["memory:write"]).secret

    assert ModernWire(secret).request(method, CALL).status_code == 403
