"""What every answer about end users is wrapped in, and the one place where errors take their shape here.

Success: `{data, request_id, timestamp}`, a list with `pagination`. Error: `{error, code, request_id, details}`, where
`details` lists field and reason of what was wrong. Source: contract end_users, "Envelope and errors".
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, InterfaceError
from django.utils import timezone
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from accounts import errors as account_errors
from accounts import quotas, rates, request_id
from accounts.authentication import ApiKeyAuthentication
from accounts.caller import Caller
from accounts.errors import NotAuthenticated, PamError
from memories import errors as memory_errors
from memories.api.strict import Arguments
from memories.end_users import errors
from memories.end_users.errors import Detail, Refused

logger = logging.getLogger(__name__)

AWAY = (DatabaseError, InterfaceError, PoolTimeout)
RETRY_SECONDS = 5

#: From our errors to the codes of the contract, the more exact ones first: (error, code, slug, status).
_CODES: list[tuple[type[PamError], str, str, int]] = [
    (errors.MemoryNotFound, "MEM_404", "memory_not_found", 404),
    (errors.ConflictNotFound, "MEM_404", "conflict_not_found", 404),
    (errors.JobNotFound, "JOB_404", "job_not_found", 404),
    (errors.RetrievalNotFound, "MEM_404", "retrieval_not_found", 404),
    (errors.EndUserNotFound, "PRX_404", "end_user_not_found", 404),
    (errors.EndUserBlocked, "PRX_403", "end_user_blocked", 403),
    (errors.EventConflict, "PROV_409", "event_conflict", 409),
    (errors.BadSetting, "TEN_400", "bad_tenant_setting", 400),
    (errors.NothingToAnswerWith, "EMB_503", "nothing_to_answer_with", 503),
    (memory_errors.EmbedderUnavailable, "EMB_503", "nothing_to_answer_with", 503),
    (memory_errors.TooLarge, "REQ_413", "request_too_large", 413),
    (account_errors.NotAuthenticated, "AUTH_001", "invalid_api_key", 401),
    (account_errors.ScopeMissing, "AUTH_403", "permission_missing", 403),
    (account_errors.PermissionMissing, "AUTH_403", "permission_missing", 403),
    (account_errors.EntitlementRequired, "AUTH_403", "permission_missing", 403),
    (memory_errors.MemoryUnavailable, "SRV_503", "temporarily_unavailable", 503),
    (account_errors.QuotaExceeded, "RATE_429", "rate_exceeded", 429),
    (account_errors.NotFound, "REQ_404", "not_found", 404),
    (account_errors.InvalidArguments, "REQ_422", "invalid_request", 422),
]
#: What DRF says by its status.
_STATUSES = {
    400: ("REQ_422", "invalid_request", 422),
    404: ("REQ_404", "not_found", 404),
    405: ("REQ_405", "method_not_allowed", 405),
    406: ("REQ_406", "not_acceptable", 406),
    413: ("REQ_413", "request_too_large", 413),
    415: ("REQ_415", "unsupported_media_type", 415),
}
_FAULT = ("SRV_500", "internal_error", 500)
_AWAY = ("SRV_503", "temporarily_unavailable", 503)


def error_body(code: str, slug: str, details: Sequence[Detail] = ()) -> dict[str, Any]:
    """The body of an error; `details` is null where there is nothing to say of a field."""
    told = [{"field": each.field, "reason": each.reason} for each in details] or None
    return {"error": slug, "code": code, "request_id": request_id.current(), "details": told}


def stamp(body: Mapping[str, Any]) -> dict[str, Any]:
    """`body` with `request_id` and `timestamp`: for the answers that are flat."""
    return {**body, "request_id": request_id.current(), "timestamp": instant(timezone.now())}


def instant(moment: datetime | None) -> str | None:
    """A moment as every answer here writes it: UTC, with a Z."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def done(data: Any, status: int = 200) -> Response:
    return Response(stamp({"data": data}), status=status)


def page(data: Sequence[Any], *, next_cursor: str, limit: int, total: int) -> Response:
    """A page of a list. `next_cursor` is null on the last one."""
    pagination = {"next_cursor": next_cursor or None, "limit": limit, "total": total}
    return Response(stamp({"data": list(data), "pagination": pagination}))


class Body(BaseParser):
    """JSON of at most PAM_END_USER_MAX_BODY_BYTES, whatever its declared type."""

    #: How the description of the API calls it; `AlwaysJSON` asks nobody for theirs.
    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        most = settings.PAM_END_USER_MAX_BODY_BYTES
        body = stream.read(most + 1)
        if len(body) > most:
            raise memory_errors.TooLarge(f"The body has more than {most // 1024:,} kB.")
        try:
            return json.loads(body, parse_constant=_no_number) if body.strip() else {}
        except (ValueError, RecursionError) as error:
            raise Refused([Detail("body", "is not JSON.")]) from error


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON.")


class AlwaysJSON(BaseContentNegotiation):
    """Answers are JSON, whatever the client would rather have."""

    def select_parser(self, request: Request, parsers: Sequence[BaseParser]) -> BaseParser:  # type: ignore[override]
        return parsers[0]

    def select_renderer(  # type: ignore[override]
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type or ""


class EndUserView(APIView):
    """A view for a product's back end: `caller` is the account behind its API key."""

    authentication_classes = [ApiKeyAuthentication]
    parser_classes = [Body]
    content_negotiation_class = AlwaysJSON
    #: What a chat does at every turn is answered with 200 while the account is suspended, and says that it was blocked.
    says_how_it_is_served = False

    @property
    def caller(self) -> Caller:
        if not isinstance(self.request.auth, Caller):
            raise NotAuthenticated
        return self.request.auth

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Every request counts towards its key's rate by the minute. Raises EntitlementRequired while suspended."""
        super().initial(request, *args, **kwargs)
        if self.caller.api_key is not None:
            rates.check(self.caller.api_key)
        if not self.says_how_it_is_served:
            quotas.not_suspended(self.caller.account)

    def body(self, shape: type[Arguments]) -> dict[str, Any]:
        """The body as `shape` wants it. Raises Refused, naming every field that is wrong."""
        return shaped(shape, self.request.data)

    def query(self, shape: type[Arguments]) -> dict[str, Any]:
        """The same for the query string."""
        return shaped(shape, flat(self.request), is_query=True)

    def handle_exception(self, exc: Exception) -> Response:
        response = answer(exc)
        response.exception = True
        return response


def flat(request: Request) -> dict[str, Any]:
    """The query string; a parameter that is given several times is a list."""
    return {name: values[0] if len(values) == 1 else values for name, values in request.query_params.lists()}


def shaped(shape: type[Arguments], given: Any, *, is_query: bool = False) -> dict[str, Any]:
    arguments = shape(data={} if given is None else given, context={"is_query": is_query})
    if arguments.is_valid():
        return dict(arguments.validated_data)
    raise Refused(list(details(arguments.errors)) or [Detail("body", "is not valid.")])


def details(found: Any, path: str = "") -> Iterator[Detail]:
    """Every field that DRF found wrong, by its path, with the reason."""
    if isinstance(found, Mapping):
        for name, inner in found.items():
            here = path if name == api_settings.NON_FIELD_ERRORS_KEY else _joined(path, name)
            yield from details(inner, here)
        return
    if not isinstance(found, (list, tuple)):
        yield Detail(path or "body", str(found))
        return
    for number, inner in enumerate(found):
        if isinstance(inner, str):
            yield Detail(path or "body", str(inner))
        else:
            yield from details(inner, _joined(path, number))


def _joined(path: str, name: object) -> str:
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else str(name)


def answer(error: Exception) -> Response:
    """Any error at all as this surface tells it; what nobody foresaw is logged and told as SRV_500."""
    if isinstance(error, RequestDataTooBig):
        error = memory_errors.TooLarge()
    if isinstance(error, PamError):
        return _ours(error)
    if isinstance(error, exceptions.APIException):
        code, slug, status = _STATUSES.get(error.status_code, _FAULT)
        found = list(details(error.detail)) if status < 500 else []
        return Response(error_body(code, slug, found), status=status)
    code, slug, status = _AWAY if isinstance(error, AWAY) else _FAULT
    logger.error("A request about end users failed.", exc_info=error)
    headers = {"Retry-After": str(RETRY_SECONDS)} if status == 503 else {}
    return Response(error_body(code, slug), status=status, headers=headers)


def _ours(error: PamError) -> Response:
    code, slug, status = next((row[1:] for row in _CODES if isinstance(error, row[0])), _FAULT)
    headers = {}
    if isinstance(error, account_errors.QuotaExceeded):
        headers["Retry-After"] = str(error.retry_after)
    if status == 401:
        headers["WWW-Authenticate"] = "ApiKey"
    return Response(error_body(code, slug, _told(error, status)), status=status, headers=headers)


def _told(error: PamError, status: int) -> list[Detail]:
    if isinstance(error, Refused):
        return error.details
    if isinstance(error, account_errors.InvalidArguments):
        return [Detail(error.argument or "body", error.message)]
    return [Detail(_SUBJECTS.get(status, "request"), error.message)]


_SUBJECTS = {401: "Authorization", 403: "Authorization", 404: "id", 413: "body", 429: "rate"}
