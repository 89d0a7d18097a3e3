"""How a tool tells an error, so that a model can act on it. Each surface has its own way; both are here.

An error that a surface does not tell of is a fault: it is logged, and told as "on our side, try again". Sources: seed
"retrieve_memory" with contract company memory (by code), contract knowledge, "Access and errors" (by name).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accounts.errors import EntitlementRequired, InvalidArguments, PamError, QuotaExceeded
from memories.agents import error_names
from memories.errors import MemoryNotReady, MemoryUnavailable, RetrievalTimeout

#: The errors that the contract's table of retrieve_memory lets out; every other fault is `memory_unavailable`.
TOLD_BY_CODE = (
    InvalidArguments,
    QuotaExceeded,
    EntitlementRequired,
    MemoryNotReady,
    MemoryUnavailable,
    RetrievalTimeout,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as a tool's result: `code` for the request log, `text` for the model, `structured` for programs."""

    code: str
    text: str
    structured: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Telling:
    """`told` are the errors that come out as they are; `refuse(error, request_id)` puts one into words."""

    told: tuple[type[PamError], ...]
    refuse: Callable[[PamError, str], Refusal]


def _by_code(error: PamError, request_id: str) -> Refusal:
    structured = {"status": "error", "error_code": error.code, "error_message": error.message}
    state = getattr(error, "readiness_state", "")
    if state:
        structured["readiness_state"] = state
    return Refusal(error.code, error.message, structured)


def _by_name(error: PamError, request_id: str) -> Refusal:
    name = error_names.of(error)
    structured = {"code": name, "message": error.message, "request_id": request_id}
    return Refusal(name, f"{name}: {error.message}", structured)


BY_CODE = Telling(TOLD_BY_CODE, _by_code)
BY_NAME = Telling((PamError,), _by_name)
