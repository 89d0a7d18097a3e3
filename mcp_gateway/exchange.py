"""One HTTP request at an MCP endpoint, answered: the ladder of checks, then the method. Sync.

Order (contract: gateway): authentication, scope, GET and DELETE, Content-Type, size, JSON, shape, notification, era,
dispatch. Origin and OPTIONS come before it, in endpoint.py. This is the outermost handler of the wire: whatever happens
below, a client gets an answer that it can read.
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest

from accounts import authentication
from accounts.caller import Caller
from accounts.errors import NotAuthenticated, ScopeMissing
from mcp_gateway import jsonrpc, methods, revisions, sessions, streams, tools
from mcp_gateway.jsonrpc import RpcError
from mcp_gateway.surfaces import Surface
from memories import redaction
from memories.deadline import Deadline
from memories.errors import MemoryUnavailable

logger = logging.getLogger(__name__)

JSON = "application/json"
CALL = "tools/call"
RETRY_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back: `body` is one JSON-RPC message, or None for an empty answer."""

    status: int
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listener:
    """An admitted client that asks for the event stream; its credential expires at `until`, if ever."""

    account_pk: int
    identity: str
    until: datetime | None


class Exchange:
    """The way of one request. `stage` and `calling` may be watched from another thread while it runs."""

    def __init__(self, request: HttpRequest, surface: Surface) -> None:
        self.request = request
        self.surface = surface
        self.deadline = Deadline.after(settings.PAM_RETRIEVAL_TIMEOUT_SECONDS)
        self.stage = ""
        #: The call of a tool, once it has begun: until then the answer may still be a refusal with a status of its own.
        self.calling: methods.Call | None = None
        self._body: bytes | None = None

    def answer(self) -> Answer | Listener:
        """Never raises."""
        try:
            return self._climb()
        except RpcError as problem:
            return _refusal(problem)
        except (NotAuthenticated, ScopeMissing) as error:
            return self._challenge(error)
        except Exception as fault:
            logger.exception("A request to %s failed.", self.surface.path)
            return self._fault(fault)

    def is_admitted(self) -> bool:
        """Whether the credential still gets a stream. A database that is away refuses nobody."""
        try:
            return not self._admitted().account.is_suspended
        except (NotAuthenticated, ScopeMissing):
            return False
        except DatabaseError:
            logger.warning("A stream's credential was not looked at again: the database did not answer.")
            return True

    def _admitted(self) -> Caller:
        caller = authentication.at_endpoint(self.request.headers.get("Authorization", ""), path=self.surface.path)
        self.surface.admit(caller)
        return caller

    def _climb(self) -> Answer | Listener:
        caller = self._admitted()
        if self.request.method == "GET":
            return self._listen(caller)
        if self.request.method != "POST":
            return _not_allowed("GET, POST, OPTIONS")
        self._check_content_type()
        message = jsonrpc.parse(jsonrpc.decode(self._read()))
        if not isinstance(message, jsonrpc.Request):
            return _acknowledged(message)
        return self._dispatch(caller, message, revisions.of(self.request.headers, message))

    def _listen(self, caller: Caller) -> Answer | Listener:
        # By name only: `*/*` is what health checks and curl send, and they would hang on a stream.
        wants_events = accepts(self.request, streams.CONTENT_TYPE, by_name=True)
        if not wants_events or revisions.is_modern(self.request.headers.get(revisions.VERSION_HEADER, "").strip()):
            return _not_allowed("POST, OPTIONS")
        if caller.account.is_suspended:
            # Its calls tell a client why; were its credential refused, it would sign in anew, to no end.
            return _not_allowed("POST, OPTIONS")
        authentication.touch(caller, client="")
        return Listener(caller.account.pk, caller.identity, caller.ends_at)

    def _check_content_type(self) -> None:
        if self.request.content_type != JSON:
            raise RpcError(jsonrpc.INVALID_REQUEST, "Send Content-Type: application/json.", http_status=415)

    def _read(self) -> bytes:
        """The body. Raises RpcError (413) for one over the bound, announced or not."""
        if self._body is None:
            announced = self.request.META.get("CONTENT_LENGTH") or "0"
            bound = settings.PAM_MCP_MAX_BODY_BYTES
            body = self.request.read(bound + 1) if not (announced.isdecimal() and int(announced) > bound) else None
            if body is None or len(body) > bound:
                raise RpcError(jsonrpc.INVALID_REQUEST, f"The body is larger than {bound:,} bytes.", http_status=413)
            self._body = body
        return self._body

    def _client(self, caller: Caller, message: jsonrpc.Request, version: str) -> str:
        """Who calls, for people: what the program says of itself, or said at its handshake, else its User-Agent.

        Asked where it is written down, at the handshake and at a call; empty elsewhere.
        """
        if message.method not in ("initialize", CALL):
            return ""
        user_agent = self.request.headers.get("User-Agent", "")
        name = _introduction(message)
        if message.method == "initialize" and name:
            sessions.introduce(caller, user_agent, name)
        elif not name and not revisions.is_modern(version):
            name = sessions.introduced(caller, user_agent)
        return name or redaction.cut(user_agent).text

    def _dispatch(self, caller: Caller, message: jsonrpc.Request, version: str) -> Answer:
        client = self._client(caller, message, version)
        authentication.touch(caller, client=client)
        context = tools.Context(client, self.deadline, self.surface.telling, self._note)
        call = methods.Call(self.surface, caller, message, version, context)
        if message.method == CALL:
            self.calling = call
        result = methods.handle(call)
        headers = {"Mcp-Session-Id": sessions.own_id(caller.account)} if message.method == "initialize" else {}
        return Answer(200, jsonrpc.encode(jsonrpc.result(message.id, result)), headers)

    def _note(self, stage: str) -> None:
        self.stage = stage

    def _challenge(self, error: NotAuthenticated | ScopeMissing) -> Answer:
        parts = [f'resource_metadata="{self.surface.resource_metadata}"', f'scope="{" ".join(self.surface.scopes)}"']
        if isinstance(error, ScopeMissing):
            parts.append('error="insufficient_scope"')
        elif authentication.credential(self.request.headers.get("Authorization", "")):
            parts.append('error="invalid_token"')
        refusal = _refusal(RpcError(jsonrpc.INVALID_REQUEST, error.message, http_status=error.http_status))
        return Answer(refusal.status, refusal.body, {"WWW-Authenticate": f"Bearer {', '.join(parts)}"})

    def _fault(self, fault: Exception) -> Answer:
        """A tool call gets a result that its model can read; anything else an error of the protocol."""
        message = self._message_if_any()
        if message is not None and message.method == CALL:
            return self._failed_call(message)
        is_passing = isinstance(fault, DatabaseError | InterfaceError)
        problem = RpcError(jsonrpc.INTERNAL_ERROR, MemoryUnavailable().message, http_status=503 if is_passing else 500)
        problem.id = message.id if message is not None else None
        return Answer(problem.http_status, jsonrpc.encode(jsonrpc.error(problem)), {"Retry-After": str(RETRY_SECONDS)})

    def _failed_call(self, message: jsonrpc.Request) -> Answer:
        """Authentication itself may have been what failed, so the message may be one that no rung has looked at."""
        try:
            version = revisions.of(self.request.headers, message)
        except RpcError as problem:
            return _refusal(problem)
        context = tools.Context("", self.deadline, self.surface.telling)
        told = methods.shown(tools.refused(MemoryUnavailable(), context))
        result = methods.framed(self.surface, version, CALL, told)
        return Answer(200, jsonrpc.encode(jsonrpc.result(message.id, result)))

    def _message_if_any(self) -> jsonrpc.Request | None:
        if self.request.method != "POST":
            return None
        try:
            message = jsonrpc.parse(jsonrpc.decode(self._read()))
        except RpcError:
            return None
        return message if isinstance(message, jsonrpc.Request) else None


def accepts(request: HttpRequest, content_type: str, *, by_name: bool = False) -> bool:
    """Whether the client takes this type. Unlike in Django's `accepts`, parameters (`; charset=utf-8`) don't count."""
    main, _, sub = content_type.partition("/")
    return any(
        (kind.main_type, kind.sub_type) == (main, sub)
        or (not by_name and kind.main_type in (main, "*") and kind.sub_type == "*")
        for kind in request.accepted_types
    )


def _refusal(problem: RpcError) -> Answer:
    return Answer(problem.http_status, jsonrpc.encode(jsonrpc.error(problem)))


def _not_allowed(allowed: str) -> Answer:
    return Answer(405, headers={"Allow": allowed})


def _acknowledged(message: jsonrpc.Notification | jsonrpc.Reply) -> Answer:
    """Nothing waits for an answer. `initialized`, the seed's own word, is acknowledged by a 200 instead of a 202."""
    is_seed_word = isinstance(message, jsonrpc.Notification) and message.method == "initialized"
    return Answer(200 if is_seed_word else 202)


def _introduction(message: jsonrpc.Request) -> str:
    """What a client says of itself: ``name version``."""
    info = revisions.client_info(message)
    if not isinstance(info, dict):
        return ""
    said = f"{info.get('name') or ''} {info.get('version') or ''}".strip()
    return redaction.cut("".join(character for character in said if character.isprintable())).text
