"""Tools, and the one path on which a tool is called: metered, answered or refused, logged. Both wires go through it.

Order (contract: company memory): entitlement, hourly burst, monthly allowance, arguments, readiness, the work, the
count. Whatever goes wrong becomes an outcome that an agent can read; nothing but an outcome comes out of `call`.
"""

import logging
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from accounts import quotas
from accounts.caller import Caller
from accounts.errors import PamError, ScopeMissing
from accounts.models import Account
from mcp_gateway import refusals, request_log, schema, sessions
from memories.deadline import Deadline
from memories.errors import MemoryUnavailable, RetrievalTimeout

logger = logging.getLogger(__name__)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a call on any wire: who sends it, how long it may take, who hears of it and in which words.

    `goes_on`: whether a call that names no session goes by the caller's own, as a client of MCP does that holds one
    conversation. Elsewhere scripts may share a key, and such a call follows nothing.
    """

    client: str
    deadline: Deadline
    telling: refusals.Telling = refusals.BY_CODE
    progress: Progress | None = None
    goes_on: bool = True
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
Meter = Callable[[Account], AbstractContextManager[quotas.Reservation]]


@dataclass(frozen=True)
class Tool:
    """`handler(caller, arguments, session_id, context)` gets arguments that `shape` has passed.

    A caller needs every one of `scopes`. `meter` lets a call of the account through, or raises. `asks` names the
    argument that the request log shows as what was asked.
    """

    name: str
    title: str
    description: str
    shape: type[schema.Arguments]
    scopes: tuple[str, ...]
    annotations: Mapping[str, bool]
    handler: Handler
    meter: Meter = quotas.retrieval
    asks: str = "prompt"

    @cached_property
    def listed(self) -> dict[str, Any]:
        """As `tools/list` shows it. No `outputSchema`: clients would check error results against it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema.json_schema(self.shape),
            "annotations": {"title": self.title, **self.annotations},
        }

    def missing_scope(self, caller: Caller) -> str | None:
        """The first scope that the caller lacks for this tool."""
        return next((scope for scope in self.scopes if scope not in caller.scopes), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one call; `error_code` is empty for a good one."""

    answer: Answer
    request_id: str
    error_code: str = ""
    counted: bool = False

    @property
    def is_error(self) -> bool:
        return bool(self.error_code)


def call(caller: Caller, tool: Tool, given: object, context: Context) -> Outcome:
    """Calls the tool with the arguments `given`, and logs it."""
    outcome = _outcome(caller, tool, given, context)
    log(caller, tool, given, outcome, context)
    return outcome


def _outcome(caller: Caller, tool: Tool, given: object, context: Context) -> Outcome:
    try:
        return _metered(caller, tool, given, context)
    except context.telling.told as error:
        return refused(error, context)
    except Exception:
        logger.exception("The tool %s failed in request %s.", tool.name, context.request_id)
        return refused(RetrievalTimeout() if context.deadline.is_over else MemoryUnavailable(), context)


def _metered(caller: Caller, tool: Tool, given: object, context: Context) -> Outcome:
    missing = tool.missing_scope(caller)
    if missing is not None:
        raise ScopeMissing(missing)
    with tool.meter(caller.account) as reservation:
        arguments = schema.validated(tool.shape, given)
        session_id = _session(caller, arguments, context)
        answer = tool.handler(caller, arguments, session_id, context)
        reservation.keep()
    return Outcome(answer, context.request_id, counted=reservation.counted)


def refused(error: PamError, context: Context) -> Outcome:
    """The outcome that tells an error, in the words of the surface."""
    refusal = context.telling.refuse(error, context.request_id)
    return Outcome(Answer(refusal.structured, refusal.text), context.request_id, refusal.code)


def log(caller: Caller, tool: Tool | str, given: object, outcome: Outcome, context: Context) -> None:
    """`tool` is a mere name where there is no such tool."""
    arguments = given if isinstance(given, Mapping) else {}
    name, asks = (tool, "prompt") if isinstance(tool, str) else (tool.name, tool.asks)
    request_log.write(
        caller,
        request_log.Attempt(
            request_id=outcome.request_id,
            tool_name=name,
            error_code=outcome.error_code,
            counted=outcome.counted,
            client=context.client,
            session_id=_session(caller, arguments, context),
            prompt=_text(arguments, asks),
            text=outcome.answer.text,
            structured=outcome.answer.structured,
            duration_ms=round((time.perf_counter() - context.started) * 1000),
        ),
    )


def _session(caller: Caller, arguments: Mapping[str, Any], context: Context) -> str:
    """The session that a call goes by; empty for one that follows nothing."""
    given = _text(arguments, "session_id")
    return sessions.in_force(caller, given) if given or context.goes_on else ""


def _text(arguments: Mapping[str, Any], name: str) -> str:
    found = arguments.get(name)
    return found if isinstance(found, str) else ""
