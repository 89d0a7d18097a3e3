"""What each method answers, checked against the protocol's own wire types."""

from typing import Any

import pytest
from mcp_types import methods as wire

from accounts import isolation, keys
from accounts.models import AgentKey
from mcp_gateway import sessions
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.requirements import requirement

CLIENT = {"name": "probe", "version": "1.0"}


def hello(agent: Wire, version: Any = "2025-11-25", **headers: str) -> Any:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    return agent.request("initialize", params, **headers)


@requirement("mcp:initialize:version")
@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1.0", "2025-11-25"),
        (7, "2025-11-25"),
        (["2025-06-18"], "2025-11-25"),
        (None, "2025-11-25"),
    ],
)
def test_initialize_echoes_a_version_it_knows_and_else_names_the_latest(agent: Wire, asked: Any, answered: str) -> None:
    assert hello(agent, asked).json()["result"]["protocolVersion"] == answered


@requirement("mcp:initialize:server")
def test_initialize_says_who_serves_and_how_to_use_it(agent: Wire) -> None:
    result = hello(agent).json()["result"]

    assert result["serverInfo"]["name"] == "pam_memory_mcp"
    assert "retrieve_memory" in result["instructions"]
    assert "tools" in result["capabilities"]


@requirement("mcp:session:own-id")
def test_initialize_gives_the_accounts_own_session_id_and_nothing_else_does(agent: Wire, alice: Person) -> None:
    first, second = hello(agent), hello(agent, Mcp_Session_Id="stale")

    assert first["Mcp-Session-Id"] == second["Mcp-Session-Id"] == sessions.own_id(alice.account)
    assert "Mcp-Session-Id" not in agent.request("tools/list").headers


@requirement("mcp:session:own-id")
def test_two_accounts_have_two_session_ids_which_say_nothing_of_them(alice: Person, charlie: Person) -> None:
    ids = {sessions.own_id(alice.account), sessions.own_id(charlie.account)}

    assert len(ids) == 2
    assert all(alice.account.public_id not in each for each in ids)


@requirement("mcp:session:stale")
@pytest.mark.parametrize("session_id", ["stale", "", "x" * 5000, "\x7f", "id of charlie"])
@pytest.mark.parametrize("method", ["tools/list", "ping", "tools/call"])
def test_a_session_id_that_is_not_ones_own_is_served_all_the_same(
    agent: Wire, charlie: Person, session_id: str, method: str
) -> None:
    given = sessions.own_id(charlie.account) if session_id == "id of charlie" else session_id

    answer = agent.request(method, {"name": "retrieve_memory", "arguments": {}}, Mcp_Session_Id=given)

    assert answer.status_code == 200
    assert "result" in answer.json()


@requirement("mcp:session:no-access")
def test_a_session_id_opens_nothing_without_a_credential(anyone: Wire, alice: Person) -> None:
    given = sessions.own_id(alice.account)

    assert anyone.request("tools/list", Mcp_Session_Id=given).status_code == 401


@requirement("mcp:tools-list")
def test_tools_list_has_the_one_tool_as_the_seed_gives_it(agent: Wire) -> None:
    tools = agent.result("tools/list")["tools"]

    assert [tool["name"] for tool in tools] == ["retrieve_memory"]
    assert tools[0]["title"] == "Retrieve company memory"
    assert tools[0]["inputSchema"] == {
        "type": "object",
        "properties": {"prompt": {"type": "string"}, "session_id": {"type": "string"}},
        "required": ["prompt"],
    }
    assert tools[0]["annotations"] == {
        "title": "Retrieve company memory",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    assert "outputSchema" not in tools[0]


@requirement("mcp:empty-lists")
@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("ping", {}),
        ("resources/list", {"resources": []}),
        ("resources/templates/list", {"resourceTemplates": []}),
        ("prompts/list", {"prompts": []}),
    ],
)
def test_what_there_is_none_of_is_an_empty_answer(agent: Wire, method: str, result: dict[str, Any]) -> None:
    assert agent.result(method) == result


@requirement("mcp:wire-types")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
@pytest.mark.parametrize(
    "method",
    ["initialize", "ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list", "tools/call"],
)
def test_every_result_is_what_the_revisions_wire_types_want(agent: Wire, method: str, version: str) -> None:
    params = {
        "initialize": {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT},
        "tools/call": {"name": "retrieve_memory", "arguments": {}},
    }.get(method)

    result = agent.request(method, params, Mcp_Protocol_Version=version).json()["result"]

    # Nothing is dropped and nothing is changed by the official types.
    assert wire.serialize_server_result(method, version, result) == result


@requirement("mcp:unknown-method")
@pytest.mark.parametrize("method", ["no/such", "", "tools/Call", "server/discover", "completion/complete", "__class__"])
def test_an_unknown_method_is_a_protocol_error(agent: Wire, method: str) -> None:
    answer = agent.request(method, id="m")

    assert answer.status_code == 200
    assert answer.json()["error"]["code"] == -32601
    assert answer.json()["id"] == "m"


def test_a_resource_and_a_prompt_that_are_not_there_are_named_as_such(agent: Wire) -> None:
    assert agent.error("resources/read", {"uri": "memory://x"})["code"] == -32002
    assert agent.error("prompts/get", {"name": "x"})["code"] == -32602


@requirement("mcp:unknown-tool")
@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"name": "forget_everything", "arguments": {"prompt": "x"}},
        {"name": "Retrieve_Memory"},
        {"name": 7},
        {"name": None},
        {"name": ["retrieve_memory"]},
        {"name": "retrieve_memory", "_meta": "x"},
    ],
    ids=repr,
)
def test_an_unknown_tool_is_a_protocol_error(agent: Wire, params: dict[str, Any] | None) -> None:
    assert agent.error("tools/call", params)["code"] == -32602


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "prompts/list"])
def test_params_of_a_wrong_type_are_a_protocol_error(agent: Wire, method: str) -> None:
    assert agent.error(method, {"cursor": 7})["code"] == -32602


@requirement("mcp:last-used")
def test_a_key_remembers_when_and_by_which_client_it_was_used_last(agent: Wire, alice: Person) -> None:
    agent.request("ping", User_Agent="curl/8")
    assert used_by(alice) == ""

    agent.request("tools/call", {"name": "retrieve_memory"}, User_Agent="curl/8")
    assert used_by(alice) == "curl/8"

    hello(agent, User_Agent="node")
    agent.request("tools/call", {"name": "retrieve_memory"}, User_Agent="node")
    assert used_by(alice) == "probe 1.0"


def used_by(alice: Person) -> str:
    key = keys.recognise(alice.secret)
    assert key is not None
    assert key.last_used_at is not None
    return key.last_client


@pytest.mark.parametrize("info", [None, "x", {}, {"name": 7}, {"name": "a\x00b\ud800c", "version": []}], ids=ascii)
def test_a_client_that_introduces_itself_oddly_is_served(agent: Wire, alice: Person, info: Any) -> None:
    assert agent.request("initialize", {"protocolVersion": "2025-11-25", "clientInfo": info}).status_code == 200

    with isolation.account(alice.account.pk):
        assert AgentKey.objects.get(account=alice.account).last_client.isprintable()
