"""What each JSON-RPC method of MCP answers, in every revision. Sync; knows no HTTP but the status of a modern error.

`handle` takes a request of an admitted caller to its result, or raises RpcError. Source: contract gateway, "Both eras
of MCP on one endpoint".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_types import methods as wire
from pydantic import ValidationError

from accounts.caller import Caller
from mcp_gateway import jsonrpc, revisions, tools
from mcp_gateway.jsonrpc import RpcError
from mcp_gateway.surfaces import Surface

#: An error code of the legacy revisions only.
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

    @property
    def progress_token(self) -> str | int | None:
        """Under which name the client wants to hear how far the call is; None if it does not."""
        meta = self.request.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return token if isinstance(token, str | int) and not isinstance(token, bool) else None


def handle(call: Call) -> Result:
    """The result of the request. Raises RpcError, with the request's id, for what is wrong on the protocol's plane."""
    is_modern = revisions.is_modern(call.version)
    try:
        method = (_MODERN if is_modern else _LEGACY).get(call.request.method)
        if method is None:
            raise RpcError(jsonrpc.METHOD_NOT_FOUND, f"There is no method {_shown(call.request.method)}.")
        return framed(call.surface, call.version, call.request.method, method(call))
    except RpcError as problem:
        problem.id = call.request.id
        if is_modern:
            problem.http_status = revisions.status(problem.code)
        raise


def framed(surface: Surface, version: str, method: str, result: Result) -> Result:
    """The result with what its revision wants around it."""
    return revisions.enveloped(method, result, surface.server_info) if revisions.is_modern(version) else result


def _shown(name: object) -> str:
    return repr(str(name)[:60])


def _initialize(call: Call) -> Result:
    asked = call.request.params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in revisions.LEGACY else revisions.LATEST_LEGACY,
        "capabilities": CAPABILITIES,
        "serverInfo": call.surface.server_info,
        "instructions": call.surface.instructions,
    }


def _discover(call: Call) -> Result:
    _check(call, call.request.params)
    return {
        "supportedVersions": list(revisions.MODERN),
        "capabilities": CAPABILITIES,
        "instructions": call.surface.instructions,
    }


def _empty(call: Call) -> Result:
    return {}


def _list_tools(call: Call) -> Result:
    _check(call, call.request.params)
    return {"tools": [tool.listed for tool in call.surface.open_to(call.caller)]}


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
    outcome = tools.Outcome(tools.Answer(structured, problem.message), call.context.request_id, "invalid_params")
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
    code = jsonrpc.INVALID_PARAMS if revisions.is_modern(call.version) else RESOURCE_NOT_FOUND
    raise RpcError(code, "There is no such resource.", data={"uri": str(call.request.params["uri"])})


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


Method = Callable[[Call], Result]

_MODERN: dict[str, Method] = {
    "server/discover": _discover,
    "tools/list": _list_tools,
    "tools/call": _call_tool,
    "resources/list": _list_nothing("resources"),
    "resources/templates/list": _list_nothing("resourceTemplates"),
    "resources/read": _no_resource,
    "prompts/list": _list_nothing("prompts"),
    "prompts/get": _no_prompt,
}
_LEGACY: dict[str, Method] = {
    **{name: method for name, method in _MODERN.items() if name != "server/discover"},
    "initialize": _initialize,
    "initialized": _empty,
    "ping": _empty,
}
