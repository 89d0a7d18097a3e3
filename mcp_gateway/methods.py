"""What each JSON-RPC method of MCP answers, in the revisions with a handshake. Sync; knows no HTTP.

`handle` takes a request of an admitted caller to its result, or raises RpcError. Source: contract gateway, legacy.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from mcp_types import methods as wire
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError

from accounts.caller import Caller
from mcp_gateway import jsonrpc, tools
from mcp_gateway.jsonrpc import RpcError
from mcp_gateway.surfaces import Surface

VERSIONS = HANDSHAKE_PROTOCOL_VERSIONS
#: What a client speaks that sends no version header: the last revision that had none.
UNSTATED_VERSION = "2025-03-26"
#: An error code of the handshake revisions only.
RESOURCE_NOT_FOUND = -32002
CAPABILITIES: dict[str, dict[str, Any]] = {"tools": {}, "resources": {}, "prompts": {}}

Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A request at an endpoint, by someone who may use it."""

    surface: Surface
    caller: Caller
    request: jsonrpc.Request
    version: str
    context: tools.Context


def handle(call: Call) -> Result:
    """The result of the request. Raises RpcError, with the request's id, for what is wrong on the protocol's plane."""
    try:
        method = _METHODS.get(call.request.method)
        if method is None:
            raise RpcError(jsonrpc.METHOD_NOT_FOUND, f"There is no method {_shown(call.request.method)}.")
        return method(call)
    except RpcError as problem:
        problem.id = call.request.id
        raise


def _shown(name: object) -> str:
    return repr(str(name)[:60])


def _initialize(call: Call) -> Result:
    asked = call.request.params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in VERSIONS else LATEST_HANDSHAKE_VERSION,
        "capabilities": CAPABILITIES,
        "serverInfo": {"name": call.surface.server_name, "title": call.surface.title, "version": settings.VERSION},
        "instructions": call.surface.instructions,
    }


def _empty(call: Call) -> Result:
    return {}


def _list_tools(call: Call) -> Result:
    _check(call, call.request.params)
    return {"tools": [tool.listed() for tool in call.surface.tools]}


def _call_tool(call: Call) -> Result:
    params = call.request.params
    given = params.get("arguments", {})
    name = params.get("name")
    tool = call.surface.tool(name) if isinstance(name, str) else None
    try:
        # Arguments are the tool's business: what is wrong with them is told to the model, not to its program.
        _check(call, {**params, "arguments": {}})
        if tool is None:
            raise RpcError(jsonrpc.INVALID_PARAMS, f"There is no tool {_shown(name)}.")
    except RpcError as problem:
        _log_refusal(call, name, given, problem)
        raise
    return shown(tools.call(call.caller, tool, given, call.context))


def _log_refusal(call: Call, name: object, given: object, problem: RpcError) -> None:
    structured = {"status": "error", "error_code": "invalid_params", "error_message": problem.message}
    outcome = tools.Outcome(tools.Answer(structured, problem.message), call.context.request_id, is_error=True)
    tools.log(call.caller, name if isinstance(name, str) else "", given, outcome, call.context)


def shown(outcome: tools.Outcome) -> Result:
    """A call's outcome as a tool result."""
    return {
        "content": [{"type": "text", "text": outcome.answer.text}],
        "structuredContent": outcome.answer.structured,
        "isError": outcome.is_error,
    }


def _list_nothing(name: str) -> Callable[[Call], Result]:
    def listed(call: Call) -> Result:
        _check(call, call.request.params)
        return {name: []}

    return listed


def _no_resource(call: Call) -> Result:
    _check(call, call.request.params)
    raise RpcError(RESOURCE_NOT_FOUND, "There is no such resource.", data={"uri": str(call.request.params["uri"])})


def _no_prompt(call: Call) -> Result:
    _check(call, call.request.params)
    raise RpcError(jsonrpc.INVALID_PARAMS, f"There is no prompt {_shown(call.request.params['name'])}.")


def _check(call: Call, params: Mapping[str, Any]) -> None:
    """Raises RpcError (-32602) for params that the revision's wire types refuse."""
    try:
        wire.validate_client_request(call.request.method, call.version, params or None)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RpcError(jsonrpc.INVALID_PARAMS, f"{where}: {first['msg']}.") from None


_METHODS: dict[str, Callable[[Call], Result]] = {
    "initialize": _initialize,
    "initialized": _empty,
    "ping": _empty,
    "tools/list": _list_tools,
    "tools/call": _call_tool,
    "resources/list": _list_nothing("resources"),
    "resources/templates/list": _list_nothing("resourceTemplates"),
    "resources/read": _no_resource,
    "prompts/list": _list_nothing("prompts"),
    "prompts/get": _no_prompt,
}
