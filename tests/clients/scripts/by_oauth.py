"""python by_oauth.py URL: fastmcp connects with nothing but the URL and prints what it got, as JSON."""

import asyncio
import json
import sys

from fastmcp import Client


async def main(url: str) -> None:
    async with Client(url, auth="oauth") as client:
        tools = [tool.name for tool in await client.list_tools()]
        answer = await client.call_tool("retrieve_memory", {"prompt": "Who owns billing?"})
        print(json.dumps({"tools": tools, "answer": answer.content[0].text}))  # noqa: T201


asyncio.run(main(sys.argv[1]))
