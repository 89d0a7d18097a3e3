"""What a fault looks like from outside, on every surface but MCP's. Named in urls.py as `handler500`.

Django calls this for whatever no view and no middleware answered, also what broke in a middleware (reading the session
needs the database). A database that is away is told as passing, in the shape of the surface: 503, and when to come
back.
"""

import sys
from typing import Any

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.defaults import server_error
from psycopg_pool import PoolTimeout

from memories.errors import MemoryUnavailable

RETRY_SECONDS = 5
AWAY = (DatabaseError, InterfaceError, PoolTimeout)
# Two routes of the contract have an error shape of their own.
_OWN_SHAPES: dict[str, dict[str, Any]] = {
    "/v1/memory/retrieve": {"status": "error", "memory_ready": False, "content_text": "", "sources": []},
    "/v1/memory/ingest": {"status": "error", "item_id": None},
}


def handle(request: HttpRequest) -> HttpResponse:
    """500 for a fault, 503 with Retry-After while the database is away; JSON under `/v1/`, a page elsewhere."""
    is_away = isinstance(sys.exc_info()[1], AWAY)
    if request.path.startswith("/v1/"):
        response: HttpResponse = JsonResponse(_body(request.path))
    else:
        response = server_error(request)
    response.status_code = 503 if is_away else 500
    if is_away:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _body(path: str) -> dict[str, Any]:
    error = MemoryUnavailable()
    shape = _OWN_SHAPES.get(path)
    if shape is None:
        return {"code": error.code, "message": error.message}
    return {**shape, "error_code": error.code, "error_message": error.message}
