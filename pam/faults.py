"""What it looks like from outside when no view answered, on every surface but MCP's. Named in urls.py as handlers.

Django calls these for whatever no view and no middleware answered: an address that is none, a request that cannot be
read, also what broke in a middleware (reading the session needs the database). Programs get JSON, people a page. A
database that is away is told as passing: 503, and when to come back.
"""

import sys
from typing import Any

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from psycopg_pool import PoolTimeout

from accounts import request_id
from accounts.errors import InvalidArguments, NotFound, PamError, PermissionMissing
from memories.api.end_users import envelope
from memories.errors import MemoryUnavailable

RETRY_SECONDS = 5
AWAY = (DatabaseError, InterfaceError, PoolTimeout)
# Two routes of the contract have an error shape of their own, and so have those about end users.
_ABOUT_END_USERS = ("/v1/memories", "/v1/tenant", "/v1/api-keys")
_OWN_SHAPES: dict[str, dict[str, Any]] = {
    "/v1/memory/retrieve": {"status": "error", "memory_ready": False, "content_text": "", "sources": []},
    "/v1/memory/ingest": {"status": "error", "item_id": None},
}


def handle(request: HttpRequest) -> HttpResponse:
    """500 for a fault, 503 with Retry-After while the database is away; JSON under `/v1/`, a page elsewhere."""
    is_away = isinstance(sys.exc_info()[1], AWAY)
    response = _json(request, MemoryUnavailable()) if _is_for_programs(request) else defaults.server_error(request)
    response.status_code = 503 if is_away else 500
    if is_away:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def malformed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: what Django itself refuses to read."""
    if _is_for_programs(request):
        return _json(request, InvalidArguments("The request cannot be read. Check its address, headers and body."))
    return defaults.bad_request(request, exception)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: what Django itself does not permit."""
    if _is_for_programs(request):
        return _json(request, PermissionMissing("This request is not permitted."))
    return defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: no route has this address."""
    if _is_for_programs(request):
        return _json(request, NotFound("There is no endpoint at this address. /api/docs lists those there are."))
    return defaults.page_not_found(request, exception)


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path == "/v1" or request.path.startswith(("/v1/", "/.well-known/"))


def _json(request: HttpRequest, error: PamError) -> HttpResponse:
    if request.path.startswith(_ABOUT_END_USERS):
        told = envelope.answer(error)
        return JsonResponse(told.data, status=told.status_code)
    shape = _OWN_SHAPES.get(request.path)
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if shape is not None:
        body = {**shape, "error_code": error.code, "error_message": error.message}
    return JsonResponse({**body, "request_id": request_id.current()}, status=error.http_status)
