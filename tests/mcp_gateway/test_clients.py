"""Real MCP clients against a real server: the official Python SDK, and Inspector's command line."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from accounts import keys
from tests.cast import Person
from tests.clients import Inspector
from tests.mcp_gateway.library import shelve
from tests.mcp_gateway.server import Making
from tests.requirements import requirement

pytestmark = pytest.mark.clients
T = TypeVar("T")
ERAS = ["legacy", "auto"]


@pytest.fixture(scope="module")
def sam(committed: Making) -> Person:
    sam = committed("sam")
    shelve(sam.account)
    return sam


def with_sdk(url: str, authorization: str, mode: str, use: Callable[[Client], Awaitable[T]]) -> T:
    async def connected() -> T:
        async with (
            httpx2.AsyncClient(headers={"Authorization": authorization}, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            return await use(client)

    return asyncio.run(connected())


@requirement("mcp:clients:python-sdk")
@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("form", ["{}", "Bearer {}"], ids=["raw", "bearer"])
def test_the_python_sdk_lists_and_calls(url: str, sam: Person, mode: str, form: str) -> None:
    async def use(client: Client) -> tuple[Any, ...]:
        tools = await client.list_tools()
        answer = await client.call_tool("retrieve_memory", {"prompt": "Who owns billing?"})
        refused = await client.call_tool("retrieve_memory", {"prompt": "Who owns billing?", "depth": 3})
        empty = [await client.list_resources(), await client.list_resource_templates(), await client.list_prompts()]
        return client.protocol_version, tools, answer, refused, empty

    version, tools, answer, refused, empty = with_sdk(url, form.format(sam.secret), mode, use)

    assert version == "2025-11-25"
    assert [tool.name for tool in tools.tools] == ["retrieve_memory"]
    assert answer.is_error is False
    assert "Ines Okafor" in answer.content[0].text
    assert answer.structured_content["status"] == "ok"
    assert refused.is_error is True
    assert refused.structured_content["error_code"] == "invalid_arguments"
    assert (empty[0].resources, empty[1].resource_templates, empty[2].prompts) == ([], [], [])


@requirement("mcp:clients:python-sdk")
@pytest.mark.parametrize("mode", ERAS)
def test_the_python_sdk_reports_an_unknown_tool_as_a_protocol_error(url: str, sam: Person, mode: str) -> None:
    async def use(client: Client) -> None:
        with pytest.raises(MCPError) as refusal:
            await client.call_tool("forget_everything", {})
        assert refusal.value.code == -32602

    with_sdk(url, sam.secret, mode, use)


@requirement("mcp:clients:python-sdk")
def test_the_python_sdk_is_not_let_in_with_a_wrong_key(url: str, sam: Person) -> None:
    async def use(client: Client) -> None:
        raise AssertionError("connected")

    with pytest.raises(BaseExceptionGroup) as refusal:
        with_sdk(url, "Bearer pam_mkey_wrong", "legacy", use)

    assert refusal.group_contains(MCPError)


@requirement("mcp:last-used")
def test_a_client_is_known_by_the_name_it_introduces_itself_with(url: str, sam: Person) -> None:
    async def use(client: Client) -> None:
        await client.call_tool("retrieve_memory", {"prompt": "Who owns billing?"})

    with_sdk(url, sam.secret, "legacy", use)

    key = keys.recognise(sam.secret)
    assert key is not None
    assert key.last_client.startswith("mcp ")


@requirement("mcp:clients:inspector")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("form", ["{}", "Bearer {}"], ids=["raw", "bearer"])
def test_inspector_lists_and_calls(url: str, sam: Person, inspector: Inspector, era: str, form: str) -> None:
    def run(*arguments: str) -> Any:
        return inspector(url, form.format(sam.secret), "--protocol-era", era, "--method", *arguments)

    assert [tool["name"] for tool in run("tools/list", "--strict")["tools"]] == ["retrieve_memory"]
    answer = run("tools/call", "--tool-name", "retrieve_memory", "--tool-arg", "prompt=Who owns billing?")
    assert "Ines Okafor" in answer["content"][0]["text"]


@requirement("mcp:clients:inspector")
def test_inspector_finds_no_resources_and_no_prompts(url: str, sam: Person, inspector: Inspector) -> None:
    assert inspector(url, sam.secret, "--method", "resources/list") == {"resources": []}
    assert inspector(url, sam.secret, "--method", "resources/templates/list") == {"resourceTemplates": []}
    assert inspector(url, sam.secret, "--method", "prompts/list") == {"prompts": []}


@requirement("mcp:clients:inspector")
def test_inspectors_load_test_meets_no_error(url: str, sam: Person, inspector: Inspector) -> None:
    call = ("--method", "tools/call", "--tool-name", "retrieve_memory", "--tool-arg", "prompt=Who owns billing?")

    summary = inspector(url, sam.secret, *call, "--load", "--load-requests", "30", "--load-concurrency", "16")

    assert (summary["ok"], summary["errors"], summary["toolErrors"]) == (30, 0, 0)
