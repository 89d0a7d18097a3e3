"""Clients that are given nothing but the URL: each registers, opens the consent page, and calls with its token."""

import json
import socket
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests import npm
from tests.clients import MARKS, codex, conformance, mcp_remote
from tests.clients.desk import Desk
from tests.requirements import requirement
from tests.web_client import Browser, WebClient

pytestmark = MARKS
SCRIPTS = Path(__file__).parent / "scripts"


@requirement("oauth:clients:typescript-sdk")
def test_the_typescript_sdk_logs_in_calls_and_goes_on_when_its_token_has_stopped_working(
    url: str, desk: Desk, browser: Browser
) -> None:
    script = (SCRIPTS / "by_oauth.mjs").read_text()

    got = json.loads(desk.log_in(browser, lambda: desk.node(script, url)))

    assert got["tools"] == ["retrieve_memory"]
    assert "Ines Okafor" in got["answer"]["content"][0]["text"]
    assert "Ines Okafor" in got["again"]["content"][0]["text"]
    assert got["refreshed"] is True


@requirement("oauth:clients:fastmcp")
def test_fastmcp_logs_in_and_calls(url: str, desk: Desk, browser: Browser) -> None:
    script = (SCRIPTS / "by_oauth.py").read_text()

    got = json.loads(desk.log_in(browser, lambda: desk.python(script, url)))

    assert got["tools"] == ["retrieve_memory"]
    assert "Ines Okafor" in got["answer"]


@requirement("oauth:clients:mcp-remote")
def test_mcp_remote_logs_in_and_calls_and_needs_no_login_the_next_time(url: str, desk: Desk, browser: Browser) -> None:
    tools, answer = desk.log_in(browser, lambda: mcp_remote.through(desk, url))
    _, again = mcp_remote.through(desk, url)

    assert tools == ["retrieve_memory"]
    assert "Ines Okafor" in answer.content[0].text
    assert "Ines Okafor" in again.content[0].text


@requirement("oauth:clients:inspector")
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_inspector_logs_in_and_calls(url: str, desk: Desk, browser: Browser, era: str) -> None:
    call = ("--method", "tools/call", "--tool-name", "retrieve_memory", "--tool-arg", "prompt=Who owns billing?")
    inspect = ("inspector", "--cli", "--transport", "http", "--server-url", url, "--protocol-era", era, *call)

    def run() -> Any:
        return json.loads(desk.run(*inspect, MCP_AUTO_OPEN_ENABLED="true"))

    assert "Ines Okafor" in desk.log_in(browser, run)["content"][0]["text"]


@requirement("oauth:clients:agents")
def test_claude_code_logs_in_and_connects(url: str, agent_desk: Desk, browser: Browser) -> None:
    agent_desk.shell(f"claude mcp add --transport http pam {url}")

    agent_desk.log_in(browser, lambda: agent_desk.terminal("claude mcp login pam"))

    [line] = [line for line in agent_desk.shell("claude mcp list").splitlines() if url in line]
    assert "✔ Connected" in line


@requirement("oauth:clients:agents")
def test_codex_logs_in_and_sees_the_tool(url: str, agent_desk: Desk, browser: Browser) -> None:
    agent_desk.log_in(browser, lambda: agent_desk.shell(f"codex mcp add pam --url {url}"))

    [server] = codex.server_status(agent_desk)

    assert list(server["tools"]) == ["retrieve_memory"]
    assert server["authStatus"] == "oAuth"


@requirement("oauth:clients:agents")
def test_gemini_logs_in_and_refreshes(url: str, agents: npm.Programs, desk: Desk, browser: Browser) -> None:
    script = (SCRIPTS / "gemini.mjs").read_text()
    bundle = str(agents.folder / "node_modules/@google/gemini-cli/bundle")

    token = desk.log_in(browser, lambda: desk.node(script, url, bundle)).split()[-1]

    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx2.post(url, json=asked, headers={"Authorization": f"Bearer {token}"})
    assert [tool["name"] for tool in answer.json()["result"]["tools"]] == ["retrieve_memory"]


@requirement("oauth:conformance")
def test_the_conformance_suite_finds_nothing_wrong_with_the_authorization_server(
    url: str, desk: Desk, browser: Browser
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        callback = f"http://127.0.0.1:{free.getsockname()[1]}/callback"
    client = WebClient(browser.http, url, redirect_uri=callback)
    client.discover()
    client.register()

    run = conformance.authorization(desk, client, browser)

    assert run.passed, run.printed
