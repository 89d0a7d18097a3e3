"""How the JSON endpoints of OAuth answer, whatever comes in: JSON, never a page, and 4xx for what the caller did wrong.

Outermost handler of this wire. RFC 6749 5.2 has the shape: `error` and `error_description`.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from accounts import cors

logger = logging.getLogger(__name__)

View = Callable[..., HttpResponseBase]
#: A registration of twenty long addresses has 40 kB; nothing else comes near.
LARGEST_BODY = 64 * 1024
UNREADABLE = (BadRequest, SuspiciousOperation, MultiPartParserError, UnreadablePostError, UnicodeError)


def refusal(error: str, description: str, *, status: int = 400, **headers: str) -> JsonResponse:
    return JsonResponse(
        {"error": error, "error_description": description},
        status=status,
        headers={"Cache-Control": "no-store", **{name.replace("_", "-"): value for name, value in headers.items()}},
    )


def endpoint(*methods: str) -> Callable[[View], View]:
    """Makes a view an endpoint for these methods: preflight, bounds, errors, and the headers for pages of browsers."""

    def wrap(view: View) -> View:
        @csrf_exempt
        @sensitive_variables()
        @sensitive_post_parameters()
        @wraps(view)
        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            return cors.opened(request, _answer(view, methods, request, *args, **kwargs))

        return answered

    return wrap


def _answer(view: View, methods: tuple[str, ...], request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    if request.method == "OPTIONS":
        return cors.preflight()
    if request.method not in methods:
        said = f"Use {' or '.join(methods)} here."
        return refusal("invalid_request", said, status=405, Allow=", ".join((*methods, "OPTIONS")))
    try:
        return _too_large(request) or view(request, *args, **kwargs)
    except RequestDataTooBig:
        return _oversized()
    except UNREADABLE:
        return refusal("invalid_request", "The body cannot be read.")
    except (DatabaseError, InterfaceError):
        logger.exception("A request to %s failed.", request.path)
        return refusal("temporarily_unavailable", "Try again in a moment.", status=503, Retry_After="5")
    except Exception:
        logger.exception("A request to %s failed.", request.path)
        return refusal("server_error", "Something went wrong on our side.", status=500)


def _too_large(request: HttpRequest) -> HttpResponse | None:
    announced = request.META.get("CONTENT_LENGTH") or "0"
    return _oversized() if announced.isdecimal() and int(announced) > LARGEST_BODY else None


def _oversized() -> HttpResponse:
    return refusal("invalid_request", f"The body is larger than {LARGEST_BODY:,} bytes.", status=413)
