"""Which web pages may talk to the MCP endpoints and to OAuth, and what their browsers are told.

A page proves itself by a credential in a header, never by a cookie, so an allowed origin gives no access by itself;
the list keeps pages of strangers from using a PAM that only a browser inside a network can reach (DNS rebinding).
Source: contract gateway, CORS.
"""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}
ALLOWED_HEADERS = (
    "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID"
)
# Nothing but these three, or a host could go on behind what looks like its port.
_ORIGIN = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.\-]{0,40})://(?P<host>\[[0-9a-f:.]{2,45}\]|[a-z0-9_.\-]{1,253})(?::(?P<port>[0-9]{1,5}))?"
)
EXPOSED_HEADERS = "Mcp-Session-Id, WWW-Authenticate, Mcp-Protocol-Version, Retry-After"


def is_allowed(origin: str) -> bool:
    """Whether a page of this origin may call: pages of this PAM, of the settings' list, and of the caller's machine."""
    parts = _ORIGIN.fullmatch(origin.lower())
    if not parts or int(parts["port"] or 0) > 65535:
        return False
    if parts["scheme"] in ("http", "https") and parts["host"] in LOOPBACK:
        return True
    allowed = {_normal(each) for each in (settings.PUBLIC_URL, *settings.PAM_MCP_ALLOWED_ORIGINS)}
    return "*" in allowed or _normal(origin) in allowed


def _normal(origin: str) -> str:
    return origin.strip().rstrip("/").lower()


def preflight() -> HttpResponse:
    """The answer to OPTIONS."""
    response = HttpResponse(status=204)
    del response["Content-Type"]
    response["Access-Control-Allow-Methods"] = "GET, POST, DELETE, OPTIONS"
    response["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
    response["Access-Control-Max-Age"] = "600"
    return response


def opened(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The response with the headers that let an allowed page read it; refusals need them as much as answers do."""
    patch_vary_headers(response, ["Origin"])
    origin = request.headers.get("Origin")
    if origin and is_allowed(origin):
        response["Access-Control-Allow-Origin"] = origin
        response["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
    return response
