"""Clients that cannot be had here, step by step as they go: registration body, redirect address, consent, tokens."""

from typing import Any

import pytest

from tests.clients import MARKS
from tests.registrations import CHATGPT, CLAUDE, CURSOR, GEMINI, VS_CODE
from tests.requirements import requirement
from tests.web_client import Browser, WebClient

pytestmark = MARKS
ASKED = {"prompt": "Who owns billing?"}
#: Each with the address at which it then waits for the answer: VS Code on whichever port is free.
CLIENTS = [
    pytest.param(CLAUDE, CLAUDE["redirect_uris"][0], id="Claude web"),
    pytest.param(CHATGPT, CHATGPT["redirect_uris"][0], id="ChatGPT"),
    pytest.param(VS_CODE, "http://127.0.0.1:51763/", id="VS Code, its own port"),
    pytest.param(VS_CODE, "https://vscode.dev/redirect", id="VS Code on the web"),
    pytest.param(CURSOR, "cursor://anysphere.cursor-mcp/oauth/callback", id="Cursor"),
    pytest.param(GEMINI, GEMINI["redirect_uris"][0], id="Gemini CLI"),
]


@requirement("oauth:clients:web")
@pytest.mark.parametrize(("body", "redirect_uri"), CLIENTS)
def test_a_web_client_connects_calls_refreshes_and_gives_its_connection_back(
    url: str, browser: Browser, body: dict[str, Any], redirect_uri: str
) -> None:
    client = WebClient(browser.http, url, redirect_uri).connect(browser, body)
    first = client.tokens
    assert "Ines Okafor" in client.call("retrieve_memory", **ASKED)["content"][0]["text"]

    assert client.renew()["refresh_token"] != first["refresh_token"]
    assert "Ines Okafor" in client.call("retrieve_memory", **ASKED)["content"][0]["text"]

    assert client.revoke(client.tokens["refresh_token"]).status_code == 200
    assert client.send("tools/list").status_code == 401
    assert client.refresh().json()["error"] == "invalid_grant"
