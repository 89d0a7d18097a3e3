"""Tools, and the one path on which a tool is called: metered, answered or refused, logged. Both wires go through it.

Order (contract: company memory): entitlement, hourly burst, monthly allowance, arguments, readiness, the work, the
count. Whatever goes wrong becomes an outcome that an agent can read; nothing but an outcome comes out of `call`.
"""

import logging
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from accounts import quotas
from accounts.caller import Caller
from accounts.errors import EntitlementRequired, InvalidArguments, PamError, QuotaExceeded
from mcp_gateway import request_log, schema, sessions
from memories.deadline import Deadline
from memories.errors import MemoryNotReady, MemoryUnavailable, RetrievalTimeout

logger = logging.getLogger(__name__)

#: The errors that the contract's table lets out; every other fault is `memory_unavailable`.
TOLD = (InvalidArguments, QuotaExceeded, EntitlementRequired, MemoryNotReady, MemoryUnavailable, RetrievalTimeout)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a call, whatever the wire: who sends it, how long it may take, who hears how far it is."""

    client: str
    deadline: Deadline
    progress: Progress | None = None
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    started: float = field(default_factory=time.perf_counter)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool found: `structured` for programs, `text` for the agent; the rest is for the REST twin."""

    structured: dict[str, Any]
    text: str
    sources: list[dict[str, str]] = field(default_factory=list)
    degraded_reason: str = ""


Handler = Callable[[Caller, Mapping[str, Any], str, Context], Answer]


@dataclass(frozen=True, slots=True)
class Tool:
    """`handler(caller, arguments, session_id, context)` gets arguments that `shape` has passed."""

    name: str
    title: str
    description: str
    shape: type[schema.Arguments]
    scope: str
    annotations: Mapping[str, bool]
    handler: Handler

    def listed(self) -> dict[str, Any]:
        """As `tools/list` shows it. No `outputSchema`: clients would check error results against it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema.json_schema(self.shape),
            "annotations": {"title": self.title, **self.annotations},
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one call, good or bad."""

    answer: Answer
    request_id: str
    is_error: bool = False
    counted: bool = False


def call(caller: Caller, tool: Tool, given: object, context: Context) -> Outcome:
    """Calls the tool with the arguments `given`, and logs it."""
    try:
        outcome = _metered(caller, tool, given, context)
    except TOLD as error:
        outcome = refused(error, context)
    except Exception:
        logger.exception("The tool %s failed in request %s.", tool.name, context.request_id)
        error_now = RetrievalTimeout() if context.deadline.is_over else MemoryUnavailable()
        outcome = refused(error_now, context)
    log(caller, tool.name, given, outcome, context)
    return outcome


def _metered(caller: Caller, tool: Tool, given: object, context: Context) -> Outcome:
    with quotas.retrieval(caller.account) as reservation:
        arguments = schema.validated(tool.shape, given)
        session_id = sessions.in_force(caller, arguments.get("session_id"))
        answer = tool.handler(caller, arguments, session_id, context)
        reservation.keep()
    return Outcome(answer, context.request_id, counted=reservation.counted)


def refused(error: PamError, context: Context) -> Outcome:
    """The outcome that tells an error, as the seed shapes it."""
    structured = {"status": "error", "error_code": error.code, "error_message": error.message}
    state = getattr(error, "readiness_state", "")
    if state:
        structured["readiness_state"] = state
    return Outcome(Answer(structured, error.message), context.request_id, is_error=True)


def log(caller: Caller, tool_name: str, given: object, outcome: Outcome, context: Context) -> None:
    arguments = given if isinstance(given, Mapping) else {}
    prompt, session_id = arguments.get("prompt"), arguments.get("session_id")
    request_log.write(
        caller,
        request_log.Attempt(
            request_id=outcome.request_id,
            tool_name=tool_name,
            error_code=str(outcome.answer.structured["error_code"]) if outcome.is_error else "",
            counted=outcome.counted,
            client=context.client,
            session_id=sessions.in_force(caller, session_id if isinstance(session_id, str) else None),
            prompt=prompt if isinstance(prompt, str) else "",
            text=outcome.answer.text,
            structured=outcome.answer.structured,
            duration_ms=round((time.perf_counter() - context.started) * 1000),
        ),
    )
