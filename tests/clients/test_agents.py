"""The command lines of coding agents connect with what the Setup page says, as far as they go without a model."""

import json

from mcp_gateway import snippets
from tests.cast import Person
from tests.clients import MARKS, codex
from tests.clients.desk import Desk
from tests.requirements import requirement

pytestmark = MARKS
TRUSTED = {"GEMINI_CLI_TRUST_WORKSPACE": "true"}


def snippet(id: str, url: str, secret: str) -> str:
    return next(each.text for each in snippets.for_clients(url, secret) if each.id == id)


@requirement("mcp:clients:agents")
def test_claude_code_connects_with_the_key_and_says_why_it_does_not(url: str, sam: Person, agent_desk: Desk) -> None:
    agent_desk.shell(snippet("claude-code", url, sam.secret))
    agent_desk.shell(f'claude mcp add --transport http raw {url} --header "Authorization: {sam.secret}"')
    agent_desk.shell(f'claude mcp add --transport http wrong {url} --header "Authorization: pam_mkey_no"')

    lines = agent_desk.shell("claude mcp list").splitlines()
    listed = {line.partition(":")[0]: line for line in lines if url in line}

    assert "✔ Connected" in listed["pam"]
    assert "✔ Connected" in listed["raw"]
    assert "401" in listed["wrong"]
    assert "This agent key is not valid" in listed["wrong"]


@requirement("mcp:clients:agents")
def test_codex_connects_with_the_key_and_sees_the_tool(url: str, sam: Person, agent_desk: Desk) -> None:
    agent_desk.shell(snippet("codex", url, sam.secret))

    [server] = codex.server_status(agent_desk, PAM_KEY=sam.secret)

    assert server["serverInfo"]["name"] == "pam_memory_mcp"
    assert list(server["tools"]) == ["retrieve_memory"]
    assert server["authStatus"] == "bearerToken"


@requirement("mcp:clients:agents")
def test_gemini_connects_with_the_key(url: str, sam: Person, agent_desk: Desk) -> None:
    agent_desk.shell(snippet("gemini", url, sam.secret), **TRUSTED)
    file = agent_desk.folder / ".gemini" / "settings.json"
    servers = json.loads(file.read_text())["mcpServers"]
    wrong = {**servers["pam"], "headers": {"Authorization": "Bearer pam_mkey_no"}}
    file.write_text(json.dumps({"mcpServers": {**servers, "wrong": wrong}}))

    # It lists on its error stream.
    listed = agent_desk.shell("gemini mcp list 2>&1", **TRUSTED)

    assert f"✓ pam: {url} (http) - Connected" in listed
    assert f"✗ wrong: {url} (http) - Disconnected" in listed
