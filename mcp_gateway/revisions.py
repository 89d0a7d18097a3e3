"""Which revision of MCP a request speaks, and what the modern one wants around every request and result.

Pure: it knows headers and messages, no Django, no tool and no account. The legacy revisions begin with a handshake; the
modern one has none: each request says in `params._meta` what it speaks, and repeats it in headers for those on the way
who read no bodies. Source: contract gateway, "Both eras of MCP on one endpoint".
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
    SERVER_INFO_META_KEY,
)
from mcp_types import methods as wire
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS

from mcp_gateway import jsonrpc
from mcp_gateway.jsonrpc import RpcError

__all__ = ["LATEST_LEGACY", "LEGACY", "MODERN", "UNSTATED", "client_info", "enveloped", "is_modern", "of", "status"]

LEGACY = HANDSHAKE_PROTOCOL_VERSIONS
LATEST_LEGACY = LATEST_HANDSHAKE_VERSION
MODERN = MODERN_PROTOCOL_VERSIONS
#: What a client speaks that sends no version header: the last revision that had none.
UNSTATED = "2025-03-26"
VERSION_HEADER = "Mcp-Protocol-Version"
METHOD_HEADER = "Mcp-Method"
NAME_HEADER = "Mcp-Name"
#: Which member of the params stands in the header `Mcp-Name`.
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
#: Lists change with a release or with the scopes of a key, so a client may keep them for a while.
TTL_MS = 300_000
_STATUS = {
    jsonrpc.INVALID_REQUEST: 400,
    jsonrpc.INVALID_PARAMS: 400,
    jsonrpc.HEADER_MISMATCH: 400,
    jsonrpc.UNSUPPORTED_PROTOCOL_VERSION: 400,
    jsonrpc.METHOD_NOT_FOUND: 404,
}
_ENCODED = re.compile(r"=\?base64\?(?P<payload>.*)\?=")


def is_modern(revision: str) -> bool:
    return revision in MODERN


def of(headers: Mapping[str, str], request: jsonrpc.Request) -> str:
    """The revision that the request speaks; `headers` finds a name in any case.

    Raises RpcError, with the request's id, where headers and body disagree or the revision is not served.
    """
    stated = _stated(headers, VERSION_HEADER)
    try:
        if _means_modern(stated, request.params.get("_meta")):
            return _climbed(headers, request)
        if stated is not None and stated not in LEGACY:
            raise _not_served(stated, (*LEGACY, *MODERN))
    except RpcError as problem:
        problem.id = request.id
        raise
    return stated or UNSTATED


def _means_modern(stated: str | None, meta: object) -> bool:
    if stated in MODERN:
        return True
    enveloped_as = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
    # A legacy header beside an envelope is a legacy client's own business, unless the envelope is one that we serve.
    return enveloped_as is not None and (stated not in LEGACY or enveloped_as in MODERN)


def _climbed(headers: Mapping[str, str], request: jsonrpc.Request) -> str:
    """The modern ladder up to the version: the first rung that breaks is told."""
    meta = request.params.get("_meta")
    if not isinstance(meta, dict):
        raise _refused(jsonrpc.INVALID_PARAMS, "params._meta must say the protocol version and client capabilities.")
    for key in (PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY):
        if key not in meta:
            raise _refused(jsonrpc.INVALID_PARAMS, f"params._meta lacks {key}.")
    version = meta[PROTOCOL_VERSION_META_KEY]
    _compare(VERSION_HEADER, _stated(headers, VERSION_HEADER), version)
    _compare(METHOD_HEADER, _stated(headers, METHOD_HEADER), request.method)
    if request.method in NAMED_BY:
        _compare(NAME_HEADER, _decoded(_stated(headers, NAME_HEADER)), request.params.get(NAMED_BY[request.method]))
    if version not in MODERN:
        raise _not_served(version, MODERN)
    return str(version)


def _stated(headers: Mapping[str, str], name: str) -> str | None:
    """A header's value without the blanks around it, which not every server takes off (RFC 9110, section 5.5)."""
    value = headers.get(name)
    return None if value is None else value.strip(" \t")


def _compare(header: str, stated: str | None, meant: object) -> None:
    if stated != meant:
        raise _refused(jsonrpc.HEADER_MISMATCH, f"The header {header} does not say what the body says.")


def _decoded(value: str | None) -> str | None:
    """The value of a header that may be base64 in the protocol's wrapping; None for one that is wrapped wrongly."""
    wrapped = _ENCODED.fullmatch(value or "")
    if wrapped is None:
        return value
    try:
        plain = base64.b64decode(wrapped["payload"], validate=True)
        # Only the one right spelling: a second one could be read differently by somebody on the way.
        return plain.decode() if base64.b64encode(plain).decode() == wrapped["payload"] else None
    except (binascii.Error, ValueError):
        return None


def _refused(code: int, message: str, data: dict[str, Any] | None = None) -> RpcError:
    return RpcError(code, message, data=data, http_status=status(code))


def _not_served(requested: object, served: tuple[str, ...]) -> RpcError:
    data = {"supported": list(served), "requested": requested}
    return _refused(jsonrpc.UNSUPPORTED_PROTOCOL_VERSION, "This protocol version is not supported.", data)


def status(code: int) -> int:
    """The HTTP status that goes with an error of the modern revision; legacy methods answer 200 all the same."""
    return _STATUS.get(code, 200)


def enveloped(method: str, result: Mapping[str, Any], server: Mapping[str, str]) -> dict[str, Any]:
    """A result as the modern revision wants it: its type, who served it, and how long a list may be kept."""
    kept = {"ttlMs": TTL_MS, "cacheScope": "private"} if method in wire.CACHEABLE_METHODS else {}
    return {"resultType": "complete", **result, **kept, "_meta": {SERVER_INFO_META_KEY: server}}


def client_info(request: jsonrpc.Request) -> object:
    """What a client says of itself, wherever its revision has it say so: at the handshake, or with each request."""
    if request.method == "initialize":
        return request.params.get("clientInfo")
    meta = request.params.get("_meta")
    return meta.get(CLIENT_INFO_META_KEY) if isinstance(meta, dict) else None
