"""Speaking MCP in tests: one JSON-RPC message a call, over Django's test client."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

PATH = "/v1/mcp/memory"
BOTH = "application/json, text/event-stream"


@dataclass
class Wire:
    """An agent at the endpoint. `post` sends bytes as they are; the rest builds messages."""

    secret: str
    path: str = PATH
    headers: dict[str, str] = field(default_factory=dict)
    client: Client = field(default_factory=Client)

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        own = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        return {"Accept": BOTH, **own, **self.headers, **more}

    def send(self, method: str, **headers: str) -> Any:
        return self.client.generic(method, self.path, headers=self._headers(headers))

    def post(
        self, body: bytes | str | dict[str, Any] | list[Any], *, kind: str = "application/json", **headers: str
    ) -> Any:
        data = json.dumps(body) if isinstance(body, dict | list) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic("POST", self.path, data, content_type=kind, headers=self._headers(named))

    def request(self, method: str, params: dict[str, Any] | None = None, *, id: Any = 1, **headers: str) -> Any:
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        return self.post(message if params is None else {**message, "params": params}, **headers)

    def result(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of a request that must have one."""
        answer = self.request(method, params)
        assert answer.status_code == 200, answer.content
        result: dict[str, Any] = answer.json()["result"]
        return result

    def error(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The protocol error of a request that must have one."""
        error: dict[str, Any] = self.request(method, params).json()["error"]
        return error

    def call(self, **arguments: Any) -> dict[str, Any]:
        """The tool result of retrieve_memory."""
        return self.result("tools/call", {"name": "retrieve_memory", "arguments": arguments})

    def refused(self, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that must be refused."""
        result = self.call(**arguments)
        assert result["isError"] is True, result
        structured: dict[str, Any] = result["structuredContent"]
        return structured


MODERN = "2026-07-28"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"


def envelope(**more: Any) -> dict[str, Any]:
    """What every modern request says in `_meta`."""
    return {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}, CLIENT_KEY: {"name": "probe", "version": "1.0"}, **more}


class ModernWire(Wire):
    """An agent that speaks the revision without a handshake: every request with its envelope and headers."""

    def request(self, method: str, params: dict[str, Any] | None = None, *, id: Any = 1, **headers: str) -> Any:
        params = {"_meta": envelope(), **(params or {})}
        name = params.get("uri" if method == "resources/read" else "name")
        named = {"Mcp_Name": name} if isinstance(name, str) else {}
        stated = {"Mcp_Protocol_Version": MODERN, "Mcp_Method": method, **named, **headers}
        return super().request(method, params, id=id, **{name: value for name, value in stated.items() if value != OFF})


#: As the value of a header of ModernWire: not sent.
OFF = "(off)"
