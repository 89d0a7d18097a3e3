"""An endpoint beside company memory's: its own tools, scopes for each call, and its own words of refusal."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts import isolation, keys, quotas, scopes
from mcp_gateway.models import RequestLog
from tests.cast import Person
from tests.mcp_gateway import notebook
from tests.mcp_gateway.clients import ModernWire, Wire
from tests.requirements import requirement

pytestmark = pytest.mark.urls("tests.mcp_gateway.notebook")
READER = [scopes.MCP_READ, scopes.DECISIONS_READ]
WRITER = [scopes.MCP_WRITE, scopes.DECISIONS_WRITE]
INIT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}}


@pytest.fixture(autouse=True)
def empty_notebook() -> Iterator[None]:
    yield
    notebook.PAGES.clear()


def wire(alice: Person, *granted: str, kind: type[Wire] = Wire) -> Wire:
    return kind(keys.issue(alice.account, name="limited", granted=list(granted)).secret, path="/v1/mcp/notebook")


def call(agent: Wire, name: str, **arguments: Any) -> dict[str, Any]:
    return agent.result("tools/call", {"name": name, "arguments": arguments})


@requirement("mcp:surfaces:own")
@pytest.mark.parametrize("kind", [Wire, ModernWire], ids=["legacy", "modern"])
def test_a_surface_is_served_in_every_era_under_its_own_name(alice: Person, kind: type[Wire]) -> None:
    agent = wire(alice, *READER, *WRITER, kind=kind)

    if kind is Wire:
        assert agent.result("initialize", INIT)["serverInfo"]["name"] == "notebook"
    else:
        assert agent.result("server/discover")["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "notebook"
    assert [tool["name"] for tool in agent.result("tools/list")["tools"]] == ["write_page", "read_page"]
    assert call(agent, "write_page", text="x")["structuredContent"] == {"pages": 1}


@requirement("mcp:surfaces:own")
def test_a_tool_that_writes_says_so(alice: Person) -> None:
    written = wire(alice, *WRITER).result("tools/list")["tools"][0]["annotations"]

    assert (written["readOnlyHint"], written["idempotentHint"]) == (False, False)


@requirement("mcp:surfaces:own")
def test_a_tool_of_another_surface_is_unknown_here(alice: Person) -> None:
    error = wire(alice, *READER).error("tools/call", {"name": "retrieve_memory", "arguments": {"prompt": "x"}})

    assert error["code"] == -32602


@requirement("mcp:access:one-decision")
@pytest.mark.parametrize(
    ("granted", "listed"),
    [(READER, ["read_page"]), (WRITER, ["write_page"]), ([*READER, scopes.MCP_WRITE], ["read_page"])],
)
def test_listed_is_what_a_call_lets_in(alice: Person, granted: list[str], listed: list[str]) -> None:
    agent = wire(alice, *granted)
    notebook.PAGES.append("kept")

    assert [tool["name"] for tool in agent.result("tools/list")["tools"]] == listed
    let_in = [name for name in ("write_page", "read_page") if not call(agent, name, **ARGUMENTS[name])["isError"]]
    assert let_in == listed


ARGUMENTS = {"write_page": {"text": "x"}, "read_page": {}}


@requirement("mcp:access:one-decision", "mcp:surfaces:refusals")
def test_a_missing_scope_is_told_by_its_name_logged_and_changes_nothing(alice: Person) -> None:
    result = call(wire(alice, *READER), "write_page", text="x")

    assert result["isError"] is True
    assert result["content"][0]["text"] == "PermissionDenied: This credential lacks the scope mcp:write."
    assert result["structuredContent"]["code"] == "PermissionDenied"
    assert notebook.PAGES == []
    with isolation.account(alice.account.pk):
        assert RequestLog.objects.get().error_code == "PermissionDenied"


@requirement("mcp:access:one-decision")
@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call", "ping"])
@pytest.mark.parametrize("granted", [[scopes.MEMORY_READ], [scopes.MCP_READ]], ids=["foreign", "half"])
def test_a_key_that_may_call_nothing_here_is_refused_by_every_method(
    alice: Person, granted: list[str], method: str
) -> None:
    answer = wire(alice, *granted).request(method, {"name": "read_page"})

    assert answer.status_code == 403
    assert 'scope="decisions:read decisions:write mcp:read mcp:write"' in answer["WWW-Authenticate"]
    assert "/.well-known/oauth-protected-resource/v1/mcp/notebook" in answer["WWW-Authenticate"]


@requirement("mcp:surfaces:refusals")
@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("read_page", {}, "NotFound: There is nothing under that id."),
        ("write_page", {}, "InvalidArgument: The argument `text` is missing."),
        (
            "write_page",
            {"text": "x", "colour": "red"},
            "InvalidArgument: The argument `colour` is not an argument of this tool.",
        ),
    ],
    ids=["not-found", "missing", "unknown"],
)
def test_an_error_is_told_by_name_in_text_and_structure(
    alice: Person, name: str, arguments: dict[str, Any], text: str
) -> None:
    result = call(wire(alice, *READER, *WRITER), name, **arguments)

    assert (result["isError"], result["content"][0]["text"]) == (True, text)
    told = result["structuredContent"]
    assert f"{told['code']}: {told['message']}" == text
    with isolation.account(alice.account.pk):
        assert str(RequestLog.objects.get().request_id) == told["request_id"]


@requirement("mcp:surfaces:own")
def test_a_call_is_logged_with_what_was_asked_and_takes_no_unit_of_the_month(alice: Person) -> None:
    call(wire(alice, *WRITER), "write_page", text="The key is AKIAIOSFODNN7EXAMPLE")

    with isolation.account(alice.account.pk):
        logged = RequestLog.objects.get()
    assert (logged.tool_name, logged.status) == ("write_page", "ok")
    assert logged.prompt.startswith("The key is [redacted")
    assert quotas.spent(alice.account) == 0
