"""The way to the MCP endpoints past the middleware of pages, and past what Django does around a request.

Sessions, CSRF, logins, messages and htmx are of no use to an agent, and several of those middlewares take an async
request through a thread and back, the same one thread for all requests. What an agent's answer does need of them is
here: the check of the host, the length of the body, and no guessing of its type.

Around each request Django starts a thread to close the connections that the request left open, and a task to hear of
a client that leaves. An endpoint's threads close theirs by themselves, and only a stream has to end when nobody
listens.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from mcp_gateway import endpoint
from mcp_gateway.surfaces import MOUNTED

GetResponse = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


class Shortcut:
    """Middleware, to stand right behind the request id. In front of a sync handler it steps aside."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.views = {surface.path: endpoint.view(surface) for surface in MOUNTED}
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Awaitable[HttpResponseBase]:
        view = self.views.get(request.path_info) if self.is_async else None
        return self.get_response(request) if view is None else _answered(request, view)


async def _answered(request: HttpRequest, view: GetResponse) -> HttpResponseBase:
    request.get_host()  # Raises DisallowedHost, which the handler turns into 400.
    response = await view(request)
    response.headers["X-Content-Type-Options"] = "nosniff"
    if not response.streaming:
        response.headers["Content-Length"] = str(len(response.content))  # type: ignore[attr-defined]
    return response


class Handler(ASGIHandler):
    """Django's own for everything but the endpoints."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] in _PATHS:
            await self._call(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _call(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            set_script_prefix(get_script_prefix(scope))
            request, refusal = self.create_request(scope, body)
            response: Any = refusal if request is None else await self.run_get_response(request)
            if response.streaming:
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)

    async def _stream(self, response: HttpResponseBase, receive: Any, send: Any) -> None:
        """Until it ends or the client leaves."""
        sending = asyncio.ensure_future(self.send_response(response, send))
        leaving = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            if not sending.done():
                sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending


_PATHS = frozenset(surface.path for surface in MOUNTED)
