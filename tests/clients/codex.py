"""Codex's app server: the half of its command line that connects to MCP servers without asking a model."""

import json
import subprocess
from typing import Any

from tests.clients.desk import Desk


def server_status(desk: Desk, **environment: str) -> list[dict[str, Any]]:
    """What Codex finds at each MCP server in its configuration: name, serverInfo, tools, authStatus, …"""
    with subprocess.Popen(
        ["codex", "app-server"],
        cwd=desk.folder,
        env=desk.environment(**environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            _ask(server, 1, "initialize", {"clientInfo": {"name": "pam", "title": "PAM", "version": "1"}})
            status: list[dict[str, Any]] = _ask(server, 2, "mcpServerStatus/list", {})["data"]
            return status
        finally:
            server.kill()


def _ask(server: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert server.stdin
    assert server.stdout
    server.stdin.write(json.dumps({"id": number, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    for line in server.stdout:
        message = json.loads(line)
        if message.get("id") == number:
            result: dict[str, Any] = message["result"]
            return result
    raise AssertionError(f"Codex ended before it answered {method}.")
