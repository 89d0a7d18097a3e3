"""Entries of the request log, written as a call would write them."""

import uuid
from typing import Any

from accounts.caller import Caller
from mcp_gateway import request_log


def log(caller: Caller, **changes: Any) -> str:
    """An answered call, but for `changes`; returns its request id."""
    call: dict[str, Any] = {
        "request_id": str(uuid.uuid4()),
        "tool_name": "retrieve_memory",
        "error_code": "",
        "counted": True,
        "client": "test 1.0",
        "session_id": "",
        "prompt": "Who owns billing?",
        "text": "# Report\n\nInes Okafor owns billing.",
        "structured": {"status": "ok", "diagnostics": {"estimated_tokens": 12, "stages": {"search": 4.5}}},
        "duration_ms": 7,
    }
    attempt = request_log.Attempt(**call | changes)
    request_log.write(caller, attempt)
    return attempt.request_id
