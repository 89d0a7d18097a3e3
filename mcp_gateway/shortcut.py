"""The way to the MCP endpoints past the middleware of pages.

Sessions, CSRF, logins, messages and htmx are of no use to an agent, and several of those middlewares take an async
request through a thread and back, the same one thread for all requests. What an agent's answer does need of them is
here: the check of the host, the length of the body, and no guessing of its type.
"""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

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
