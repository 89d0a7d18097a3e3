"""How the JSON endpoints of OAuth answer, whatever comes in: JSON, never a page, and 4xx for what the caller did wrong.

Outermost handler of this wire. RFC 6749 5.2 has the shape: `error` and `error_description`.
"""

import json
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


#: What oauthlib's bare refusals mean, for whoever reads them (RFC 6749 5.2, RFC 7009 2.2.1).
DESCRIPTIONS = {
    "invalid_grant": "The code or refresh token is wrong, spent, expired or revoked. Have it authorized again.",
    "invalid_client": "No such client is registered here, or its secret is wrong. Register it again.",
    "invalid_request": "A parameter is missing or stands there twice.",
    "unauthorized_client": "This client may not ask in this way.",
    "unsupported_grant_type": "Use grant_type authorization_code or refresh_token.",
    "invalid_scope": "Ask for scopes that were granted.",
}


def refusal(error: str, description: str, *, status: int = 400, **headers: str) -> JsonResponse:
    return JsonResponse(
        {"error": error, "error_description": description},
        status=status,
        headers={"Cache-Control": "no-store", **{name.replace("_", "-"): value for name, value in headers.items()}},
    )


def described(answer: HttpResponse) -> HttpResponse:
    """The answer, with a sentence where it refuses without one."""
    if answer.status_code < 400 or not answer.content:
        return answer
    told = json.loads(answer.content)
    if not told.get("error_description") and told.get("error") in DESCRIPTIONS:
        answer.content = json.dumps({**told, "error_description": DESCRIPTIONS[told["error"]]}).encode()
    return answer


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
