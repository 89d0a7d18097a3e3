"""The one place where errors become answers of the REST surfaces. Named in settings, imported by nobody.

Every error is `{"code", "message", "request_id"}`, with `fields` where single fields were wrong.
"""

import logging
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework import exceptions
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts import request_id
from accounts.errors import PamError, QuotaExceeded

logger = logging.getLogger(__name__)

CODES = {
    400: "invalid_arguments",
    401: "unauthenticated",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
    429: "quota_exceeded",
}


class TooLarge(exceptions.APIException):
    status_code = 413
    default_detail = "The body is too large."


class JSONBody(JSONParser):
    """DRF's parser, with a bound on the body, and for which thousands of brackets are bad JSON instead of a fault."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        body = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge
        try:
            return super().parse(BytesIO(body), media_type, parser_context)
        except RecursionError:
            raise exceptions.ParseError("The body is nested too deeply.") from None


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER: a PamError or an APIException becomes JSON; anything else is a fault and stays one."""
    answer = _answer(error)
    if answer is not None:
        answer.data["request_id"] = request_id.current()
    return answer


def _answer(error: Exception) -> Response | None:
    if isinstance(error, PamError):
        headers = {"Retry-After": str(error.retry_after)} if isinstance(error, QuotaExceeded) else {}
        if error.http_status == 401:
            headers["WWW-Authenticate"] = 'Bearer realm="pam"'
        return Response({"code": error.code, "message": error.message}, status=error.http_status, headers=headers)
    if isinstance(error, RequestDataTooBig):
        error = TooLarge()
    if isinstance(error, exceptions.ValidationError):
        return Response(_validation(error), status=400)
    if isinstance(error, exceptions.APIException):
        code = CODES.get(error.status_code, "invalid_arguments")
        return Response({"code": code, "message": str(error.detail)}, status=error.status_code)
    return None


def _validation(error: exceptions.ValidationError) -> dict[str, Any]:
    fields = error.detail if isinstance(error.detail, dict) else {"body": error.detail}
    path, reason = next(_reasons(fields), (["body"], "It is not valid."))
    return {"code": "invalid_arguments", "message": f"{'.'.join(path)}: {reason}", "fields": fields}


def _reasons(detail: Any) -> Iterator[tuple[list[str], str]]:
    """Every reason with the path of its field: lists of fields are dicts by number, or lists with gaps between."""
    if not isinstance(detail, (dict, list)):
        yield [], str(detail)
        return
    for key, item in detail.items() if isinstance(detail, dict) else enumerate(detail):
        is_field = isinstance(detail, dict) or isinstance(item, (dict, list))
        name = [] if not is_field or key == api_settings.NON_FIELD_ERRORS_KEY else [str(key)]
        yield from (([*name, *path], reason) for path, reason in _reasons(item))
