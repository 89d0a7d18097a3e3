"""What a person pastes into a client so that it reaches PAM. Pure text: knows no request and no database.

Formats as the clients' own documentation has them in November 2026. Two traps: VS Code reads `servers`, the others
`mcpServers`; Gemini's `url` would mean the old SSE transport, which is why its own command writes the entry.
"""

import json
from dataclasses import dataclass

PLACEHOLDER = "pam_mkey_YOUR_KEY"
FIRST_PROMPT = (
    "Use retrieve_memory to find out who is responsible for what in our company. Name the source of each fact."
)


@dataclass(frozen=True, slots=True)
class Snippet:
    """`where` says in one sentence where `text` goes; `id` is the tab's."""

    id: str
    name: str
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class WebClient:
    """A client in the browser that signs in by OAuth: what a person does there with the endpoint's address."""

    id: str
    name: str
    steps: tuple[str, ...]


# The menus as they were in November 2026; where they have moved, what is looked for stays the same.
WEB_CLIENTS = (
    WebClient(
        "claude-web",
        "Claude web",
        (
            "In Claude, open Settings, then Connectors. In a team, an owner does this in the organisation's settings.",
            "Choose “Add custom connector”. Call it PAM and paste the address above. Leave the advanced fields empty.",
            "Press Connect. Claude brings you to this PAM: sign in, look at what it asks for, and approve.",
            "In a chat, switch PAM on in the menu of tools, and ask.",
        ),
    ),
    WebClient(
        "chatgpt",
        "ChatGPT",
        (
            "In ChatGPT, open Settings, then Apps & Connectors, and switch on developer mode under Advanced settings.",
            "Choose Create. Call it PAM, paste the address above as the server's URL, and choose OAuth.",
            "Confirm. ChatGPT brings you to this PAM: sign in, look at what it asks for, and approve.",
            "In a chat, add PAM from the menu behind the plus sign, and ask.",
        ),
    ),
)


def for_clients(url: str, key: str = PLACEHOLDER) -> list[Snippet]:
    """The snippets for the endpoint `url` and an agent key, in the order in which they are offered."""
    bearer = f"Bearer {key}"
    return [
        Snippet("claude-code", "Claude Code", "Run this in a terminal.", _claude_code(url, bearer)),
        Snippet("cursor", "Cursor", "Put this into ~/.cursor/mcp.json, for all projects.", _cursor(url, bearer)),
        Snippet(
            "vs-code",
            "VS Code",
            "Open “MCP: Open User Configuration” from the command palette and put this in.",
            _vs_code(url, bearer),
        ),
        Snippet(
            "codex",
            "Codex CLI",
            "Run this in a terminal. Codex reads PAM_KEY at every start: keep the first line in your profile.",
            f"export PAM_KEY='{key}'\ncodex mcp add pam --url {url} --bearer-token-env-var PAM_KEY",
        ),
        Snippet(
            "gemini",
            "Gemini CLI",
            "Run this in a terminal.",
            f"gemini mcp add --scope user --transport http --header 'Authorization: {bearer}' pam {url}",
        ),
        Snippet("python", "Python", "Needs: pip install 'mcp>=2.3'", _python(url, bearer)),
        Snippet(
            "typescript", "TypeScript", "Needs: npm install @modelcontextprotocol/client", _typescript(url, bearer)
        ),
        Snippet("curl", "curl", "Run this in a terminal: the report is in result.content.", _curl(url, bearer)),
    ]


def _claude_code(url: str, bearer: str) -> str:
    return f'claude mcp add --transport http pam {url} --header "Authorization: {bearer}"'


def _cursor(url: str, bearer: str) -> str:
    return json.dumps({"mcpServers": {"pam": {"url": url, "headers": {"Authorization": bearer}}}}, indent=2)


def _vs_code(url: str, bearer: str) -> str:
    server = {"type": "http", "url": url, "headers": {"Authorization": bearer}}
    return json.dumps({"servers": {"pam": server}}, indent=2)


def _python(url: str, bearer: str) -> str:
    return f'''import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL = "{url}"
HEADERS = {{"Authorization": "{bearer}"}}


async def main():
    async with httpx2.AsyncClient(headers=HEADERS, timeout=130) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as pam:
            answer = await pam.call_tool("retrieve_memory", {{"prompt": "Who owns what?"}})
            print(answer.content[0].text)


asyncio.run(main())'''


def _typescript(url: str, bearer: str) -> str:
    return f'''import {{ Client, StreamableHTTPClientTransport }} from "@modelcontextprotocol/client";

const transport = new StreamableHTTPClientTransport(new URL("{url}"), {{
  requestInit: {{ headers: {{ Authorization: "{bearer}" }} }},
}});
const pam = new Client({{ name: "my-script", version: "1.0.0" }});
await pam.connect(transport);
const answer = await pam.callTool({{
  name: "retrieve_memory",
  arguments: {{ prompt: "Who owns what?" }},
}});
for (const part of answer.content) if (part.type === "text") console.log(part.text);
await pam.close();'''


def _curl(url: str, bearer: str) -> str:
    call = {"name": "retrieve_memory", "arguments": {"prompt": "Who owns what?"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}, indent=2)
    return f"""curl -sS {url} \\
  -H 'Authorization: {bearer}' \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json' \\
  -d '{body}'"""
