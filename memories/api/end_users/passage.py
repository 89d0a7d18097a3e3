"""The way of a product's busiest calls past the middleware of pages, a few at a time.

Sessions, CSRF, logins and messages are of no use to a back end, and cost more than an answer that is kept. A product
may send more than can be answered at once: so many are worked on at a time as there are threads for, the others wait in
their order. That costs them time; more threads would take connections to the database from everybody until none is
left.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.urls import ResolverMatch, resolve

#: What a product calls at each message of its users.
BUSY = frozenset({"/v1/memories/add", "/v1/memories/retrieve"})
GetResponse = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


class Passage:
    """Middleware, to stand right behind the request id. It steps aside where there is no ASGI server."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Awaitable[HttpResponseBase]:
        is_busy = self.is_async and isinstance(request, ASGIRequest) and request.path_info in BUSY
        return _answered(request) if is_busy else self.get_response(request)


async def _answered(request: HttpRequest) -> HttpResponseBase:
    request.get_host()  # Raises DisallowedHost, which the handler turns into 400.
    match = resolve(request.path_info)
    request.resolver_match = match
    work = partial(copy_context().run, _in_thread, request, match)
    response = await asyncio.get_running_loop().run_in_executor(_threads(), work)
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _in_thread(request: HttpRequest, match: ResolverMatch) -> HttpResponseBase:
    try:
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        if isinstance(response, SimpleTemplateResponse):
            response.render()
            response.headers["Content-Length"] = str(len(response.content))
        return response
    finally:
        # Back to the pool; a thread that keeps its connection between requests keeps it from everybody.
        connections.close_all()


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.PAM_END_USER_THREADS, thread_name_prefix="product")
