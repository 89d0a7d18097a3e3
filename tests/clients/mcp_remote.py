"""mcp-remote: carries a client that only speaks stdio to the endpoint."""

import asyncio
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.clients.desk import Desk


def through(desk: Desk, *arguments: str, **environment: str) -> tuple[list[str], Any]:
    """The names of the tools, and the answer to a call, that a stdio client gets from mcp-remote."""
    node, program, *rest = desk.programs.command("mcp-remote", *arguments)
    remote = StdioServerParameters(
        command=node, args=[program, *rest], env=desk.environment(**environment), cwd=str(desk.folder)
    )

    async def use() -> tuple[list[str], Any]:
        with (desk.folder / "remote.log").open("w") as log:
            async with Client(stdio_client(remote, errlog=log), mode="legacy") as client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                return tools, await client.call_tool("retrieve_memory", {"prompt": "Who owns billing?"})

    return asyncio.run(use())
