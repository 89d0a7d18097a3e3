"""The MCP endpoints as Django sees them: one plain async view around the sync exchange.

The work is done in a thread of a bounded pool, which gives its database connection back before anything is sent: an
open stream, or a slow reader, holds no connection. A retrieval that takes long goes on as an event stream where the
client takes one. Source: contract gateway, "Order in the view", GET, tools/call.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from accounts import cors
from mcp_gateway import jsonrpc, revocations, streams
from mcp_gateway.exchange import JSON, Answer, Exchange, Listener, accepts
from mcp_gateway.methods import Call
from mcp_gateway.surfaces import Surface

#: After this many seconds a call goes on as an event stream, with a sign of life at this interval.
LATE_SECONDS = 10.0
SIGN_OF_LIFE_SECONDS = 5.0

T = TypeVar("T")
Work = asyncio.Future[Answer | Listener]


def view(surface: Surface) -> Callable[[HttpRequest], Coroutine[Any, Any, HttpResponseBase]]:
    """The view of this surface, for its URL."""

    @csrf_exempt
    async def endpoint(request: HttpRequest) -> HttpResponseBase:
        return cors.opened(request, await _respond(request, surface))

    return endpoint


async def _respond(request: HttpRequest, surface: Surface) -> HttpResponseBase:
    origin = request.headers.get("Origin")
    if origin is not None and not cors.is_allowed(origin):
        problem = jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "Pages of this origin may not call PAM.")
        return HttpResponse(jsonrpc.encode(jsonrpc.error(problem)), content_type=JSON, status=403)
    if request.method == "OPTIONS":
        return cors.preflight()
    exchange = Exchange(request, surface)
    if not isinstance(request, ASGIRequest):
        return _rendered(exchange, await sync_to_async(exchange.answer, thread_sensitive=True)())
    return await _answered(exchange)


async def _answered(exchange: Exchange) -> HttpResponseBase:
    work = asyncio.ensure_future(_in_thread(exchange.answer))
    patience = LATE_SECONDS
    while not (await asyncio.wait({work}, timeout=patience))[0]:
        # By name only: a script that sends `*/*` reads JSON.
        if exchange.calling is not None and accepts(exchange.request, streams.CONTENT_TYPE, by_name=True):
            return _event_stream(_late(exchange, exchange.calling, work))
        patience = 1.0
    return _rendered(exchange, work.result())


def _in_thread(work: Callable[[], T]) -> Awaitable[T]:
    return asyncio.get_running_loop().run_in_executor(_threads(), copy_context().run, partial(_connected, work))


def _connected(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        # Back to the pool; a thread that keeps its connection between requests keeps it from everybody.
        connections.close_all()


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.PAM_MCP_THREADS, thread_name_prefix="mcp")


async def _late(exchange: Exchange, call: Call, work: Work) -> AsyncIterator[bytes]:
    revocations.listen()
    line = streams.Line(call.caller.account.pk, call.caller.identity)
    over = asyncio.ensure_future(line.is_over_within(exchange.deadline.left + SIGN_OF_LIFE_SECONDS))
    signs = 0
    try:
        yield streams.COMMENT
        while not await _first_of(work, over, within=SIGN_OF_LIFE_SECONDS):
            signs += 1
            yield streams.COMMENT
            if call.progress_token is not None:
                yield streams.event(jsonrpc.encode(_progress(call.progress_token, signs, exchange.stage)))
        yield streams.event(_last(call, work))
    finally:
        over.cancel()
        line.close()


async def _first_of(*futures: "asyncio.Future[Any]", within: float) -> bool:
    done, _ = await asyncio.wait(futures, timeout=within, return_when=asyncio.FIRST_COMPLETED)
    return bool(done)


def _progress(token: str | int, signs: int, stage: str) -> dict[str, object]:
    told: dict[str, object] = {"progressToken": token, "progress": signs}
    return jsonrpc.notification("notifications/progress", {**told, "message": stage} if stage else told)


def _last(call: Call, work: Work) -> bytes:
    """The answer, or why there is none any more."""
    answer = work.result() if work.done() else None
    if isinstance(answer, Answer) and answer.body is not None:
        return answer.body
    problem = jsonrpc.RpcError(jsonrpc.INTERNAL_ERROR, "This call was ended before its answer was found.")
    problem.id = call.request.id
    return jsonrpc.encode(jsonrpc.error(problem))


def _rendered(exchange: Exchange, answer: Answer | Listener) -> HttpResponseBase:
    request = exchange.request
    if isinstance(answer, Listener):
        return _listening(exchange, answer)
    if answer.body is None:
        response = HttpResponse(status=answer.status, headers=answer.headers)
        del response["Content-Type"]
        return response
    as_event = answer.status == 200 and not accepts(request, JSON) and accepts(request, streams.CONTENT_TYPE)
    body = streams.event(answer.body) if as_event else answer.body
    kind = streams.CONTENT_TYPE if as_event else JSON
    return HttpResponse(body, status=answer.status, headers=answer.headers, content_type=kind)


def _listening(exchange: Exchange, listener: Listener) -> HttpResponseBase:
    if not isinstance(exchange.request, ASGIRequest):
        # A server of the old kind would give a whole process to each stream.
        return _rendered(exchange, Answer(405, headers={"Allow": "POST, OPTIONS"}))
    if not streams.has_room(listener.account_pk):
        problem = jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "This account has as many streams open as it may.")
        refusal = Answer(429, jsonrpc.encode(jsonrpc.error(problem)), {"Retry-After": "60"})
        return _rendered(exchange, refusal)
    revocations.listen()
    is_admitted = partial(_in_thread, exchange.is_admitted)
    line = streams.KeepAlive(listener.account_pk, listener.identity, is_admitted, until=listener.until)
    return _event_stream(line)


def _event_stream(content: AsyncIterator[bytes] | streams.KeepAlive) -> StreamingHttpResponse:
    return StreamingHttpResponse(content, content_type=streams.CONTENT_TYPE, headers=streams.HEADERS)
