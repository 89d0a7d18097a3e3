"""The MCP endpoints as Django sees them: one plain async view around the sync exchange.

The work is done in a thread of a bounded pool, which gives its database connection back before anything is sent: an
open stream, or a slow reader, holds no connection. A retrieval that takes long goes on as an event stream where the
client takes one. Source: contract gateway, "Order in the view", GET, tools/call.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from accounts import cors
from mcp_gateway import jsonrpc, streams
from mcp_gateway.exchange import JSON, Answer, Exchange, Listener, accepts
from mcp_gateway.surfaces import MEMORY, Surface

#: After this many seconds a call goes on as an event stream, with a sign of life at this interval.
LATE_SECONDS = 10.0
SIGN_OF_LIFE_SECONDS = 5.0

T = TypeVar("T")


@csrf_exempt
async def memory(request: HttpRequest) -> HttpResponseBase:
    """`/v1/mcp/memory`"""
    return cors.opened(request, await _respond(request, MEMORY))


async def _respond(request: HttpRequest, surface: Surface) -> HttpResponseBase:
    origin = request.headers.get("Origin")
    if origin is not None and not cors.is_allowed(origin):
        problem = jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "Pages of this origin may not call PAM.")
        return HttpResponse(jsonrpc.encode(jsonrpc.error(problem)), content_type=JSON, status=403)
    if request.method == "OPTIONS":
        return cors.preflight()
    exchange = Exchange(request, surface)
    if not isinstance(request, ASGIRequest):
        return _rendered(request, await sync_to_async(exchange.answer, thread_sensitive=True)())
    return await _answered(exchange)


async def _answered(exchange: Exchange) -> HttpResponseBase:
    work = asyncio.ensure_future(_in_thread(exchange.answer))
    patience = LATE_SECONDS
    while not (await asyncio.wait({work}, timeout=patience))[0]:
        # Not before the call itself has begun: until then the answer may still be a refusal with its own status. And by
        # name only: a script that sends `*/*` reads JSON.
        if exchange.is_calling and accepts(exchange.request, streams.CONTENT_TYPE, by_name=True):
            return _event_stream(_late(exchange, work))
        patience = 1.0
    return _rendered(exchange.request, work.result())


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


async def _late(exchange: Exchange, work: "asyncio.Future[Answer | Listener]") -> AsyncIterator[bytes]:
    yield streams.COMMENT
    signs = 0
    while not (await asyncio.wait({work}, timeout=SIGN_OF_LIFE_SECONDS))[0]:
        signs += 1
        yield streams.COMMENT
        if exchange.progress_token is not None:
            yield streams.event(jsonrpc.encode(_progress(exchange, signs)))
    answer = work.result()
    yield streams.event(answer.body if isinstance(answer, Answer) and answer.body else b"")


def _progress(exchange: Exchange, signs: int) -> dict[str, object]:
    told: dict[str, object] = {"progressToken": exchange.progress_token, "progress": signs}
    if exchange.stage:
        told["message"] = exchange.stage
    return jsonrpc.notification("notifications/progress", told)


def _rendered(request: HttpRequest, answer: Answer | Listener) -> HttpResponseBase:
    if isinstance(answer, Listener):
        return _listening(request, answer)
    if answer.body is None:
        response = HttpResponse(status=answer.status, headers=answer.headers)
        del response["Content-Type"]
        return response
    as_event = answer.status == 200 and not accepts(request, JSON) and accepts(request, streams.CONTENT_TYPE)
    body = streams.event(answer.body) if as_event else answer.body
    kind = streams.CONTENT_TYPE if as_event else JSON
    return HttpResponse(body, status=answer.status, headers=answer.headers, content_type=kind)


def _listening(request: HttpRequest, listener: Listener) -> HttpResponseBase:
    if not isinstance(request, ASGIRequest):
        # A server of the old kind would give a whole process to each stream.
        return _rendered(request, Answer(405, headers={"Allow": "POST, OPTIONS"}))
    if not streams.has_room(listener.account_pk):
        problem = jsonrpc.RpcError(jsonrpc.INVALID_REQUEST, "This account has as many streams open as it may.")
        refusal = Answer(429, jsonrpc.encode(jsonrpc.error(problem)), {"Retry-After": "60"})
        return _rendered(request, refusal)
    return _event_stream(streams.KeepAlive(listener.account_pk))


def _event_stream(content: AsyncIterator[bytes] | streams.KeepAlive) -> StreamingHttpResponse:
    return StreamingHttpResponse(content, content_type=streams.CONTENT_TYPE, headers=streams.HEADERS)
