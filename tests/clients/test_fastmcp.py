"""fastmcp's client lists and calls, by key."""

import asyncio
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from tests.cast import Person
from tests.clients import MARKS
from tests.requirements import requirement

pytestmark = MARKS


@requirement("mcp:clients:fastmcp")
@pytest.mark.parametrize("form", ["{}", "Bearer {}"], ids=["raw", "bearer"])
def test_fastmcp_lists_and_calls(url: str, sam: Person, form: str) -> None:
    async def use() -> tuple[list[str], Any]:
        async with Client(StreamableHttpTransport(url, headers={"Authorization": form.format(sam.secret)})) as client:
            tools = [tool.name for tool in await client.list_tools()]
            return tools, await client.call_tool("retrieve_memory", {"prompt": "Who owns billing?"})

    tools, answer = asyncio.run(use())

    assert tools == ["retrieve_memory"]
    assert "Ines Okafor" in answer.content[0].text
    assert answer.structured_content["status"] == "ok"
