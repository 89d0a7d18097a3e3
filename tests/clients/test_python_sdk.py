"""The official Python SDK lists and calls, by key."""

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
from tests.clients import MARKS
from tests.requirements import requirement

pytestmark = MARKS
T = TypeVar("T")
#: What the client is asked to speak, and what it then speaks.
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


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

    assert version == ERAS[mode]
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
@pytest.mark.parametrize("mode", ERAS)
def test_a_client_is_known_by_the_name_it_introduces_itself_with(url: str, sam: Person, mode: str) -> None:
    async def use(client: Client) -> None:
        await client.call_tool("retrieve_memory", {"prompt": "Who owns billing?"})

    with_sdk(url, sam.secret, mode, use)

    key = keys.recognise(sam.secret)
    assert key is not None
    assert key.last_client.startswith("mcp ")
