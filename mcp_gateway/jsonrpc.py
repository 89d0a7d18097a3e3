"""The JSON-RPC 2.0 kernel of MCP: bytes to a message, results and errors to bytes.

Pure: it knows no Django, no tool and no account. Source: contract gateway, "Both eras of MCP on one endpoint".
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import BaseModel, ValidationError

__all__ = [
    "HEADER_MISMATCH",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "PARSE_ERROR",
    "UNSUPPORTED_PROTOCOL_VERSION",
    "Id",
    "Message",
    "Notification",
    "Reply",
    "Request",
    "RpcError",
    "decode",
    "encode",
    "error",
    "notification",
    "parse",
    "result",
]

Id = int | str


class RpcError(Exception):
    """An answer of the protocol's plane of errors: what the client's program did wrong, not what its model may fix."""

    def __init__(
        self, code: int, message: str, *, data: Mapping[str, Any] | None = None, http_status: int = 200
    ) -> None:
        self.code = code
        self.message = message
        self.data = data
        self.http_status = http_status
        #: The id of the request that this answers; None where it could not be told.
        self.id: Id | None = None
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Request:
    """A message that waits for an answer under `id`, which comes back as it came: type, digits and all."""

    id: Id
    method: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Notification:
    """A message that waits for nothing."""

    method: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """A client's answer to a request of the server. This server sends none, so it is taken and put aside."""


Message = Request | Notification | Reply


def decode(body: bytes) -> Any:
    """The JSON value in `body`. Raises RpcError (-32700, 400) for anything that is not JSON in UTF-8."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        # ValueError: bad JSON, bad UTF-8, an integer of thousands of digits. RecursionError: thousands of brackets.
        raise RpcError(PARSE_ERROR, "The body is not valid JSON.", http_status=400) from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is Python's, not JSON's")


def parse(value: Any) -> Message:
    """The message that a decoded body is. Raises RpcError (-32600, 400) for one that is none."""
    if isinstance(value, list):
        raise _invalid("Send one JSON-RPC message in a request: batches are not supported.")
    if not isinstance(value, dict):
        raise _invalid("A JSON-RPC message is a JSON object.")
    try:
        return _message(value)
    except ValidationError as problem:
        refusal = _invalid(f"This is not a JSON-RPC 2.0 message: {_first(problem)}.")
        refusal.id = _usable_id(value)
        raise refusal from None


def _message(value: dict[str, Any]) -> Message:
    if "method" not in value:
        model: type[BaseModel] = JSONRPCError if "error" in value else JSONRPCResponse
        model.model_validate(value)
        return Reply()
    if "id" not in value:
        JSONRPCNotification.model_validate(value)
        return Notification(value["method"], value.get("params") or {})
    JSONRPCRequest.model_validate(value)
    return Request(value["id"], value["method"], value.get("params") or {})


def _invalid(message: str) -> RpcError:
    return RpcError(INVALID_REQUEST, message, http_status=400)


def _first(problem: ValidationError) -> str:
    """What is wrong with which member, without the value, which may be anything."""
    first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{first['loc'][0] if first['loc'] else 'message'}: {first['msg']}"


def _usable_id(value: dict[str, Any]) -> Id | None:
    found = value.get("id")
    if isinstance(found, str):
        return found if found.isprintable() else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def result(request_id: Id, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": value}


def error(problem: RpcError) -> dict[str, Any]:
    body: dict[str, Any] = {"code": problem.code, "message": problem.message}
    if problem.data is not None:
        body["data"] = problem.data
    return {"jsonrpc": "2.0", "id": problem.id, "error": body}


def notification(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def encode(payload: Mapping[str, Any]) -> bytes:
    """UTF-8; what UTF-8 cannot carry (half a surrogate pair) becomes a question mark."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
