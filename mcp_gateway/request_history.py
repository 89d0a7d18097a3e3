"""Looking through the request log: a page of it, one call of it. For the console and the Developer API."""

import base64
import binascii
import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.db import models

from accounts import isolation
from accounts.caller import Caller
from accounts.errors import InvalidArguments, NotFound
from mcp_gateway.models import RequestLog

_RESPONSES = ("response_content_text", "response_json")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to show: `q` is searched in tool, prompt and response; `key` is a key's id; empty means any."""

    q: str = ""
    status: str = ""
    tool: str = ""
    key: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page:
    items: list[RequestLog]
    total_count: int
    page_size: int
    current_page: int
    next_cursor: str | None

    @property
    def total_pages(self) -> int:
        return ceil(self.total_count / self.page_size)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page begins: after this row, as page number `page`."""

    created_at: datetime
    pk: int
    page: int


def listed(
    caller: Caller, wanted: Wanted, *, limit: int = 10, page: int = 1, cursor: str = "", with_responses: bool = True
) -> Page:
    """A page of the account's calls, newest first: two queries, whatever its size.

    A cursor (of an earlier page) goes before a page number, and stays true while new calls come in. Responses are
    large: without them a row lacks `response_content_text` and `response_json`. Raises InvalidArguments for a cursor
    that none of our pages gave.
    """
    with isolation.account(caller.account.pk):
        matching = _matching(caller, wanted)
        total = matching.count()
        rows = matching.select_related("key", "user").order_by("-created_at", "-pk")
        rows = rows if with_responses else rows.defer(*_RESPONSES)
        if cursor:
            place = _read_cursor(cursor)
            page = place.page
            found = list(rows.filter(_older_than(place))[: limit + 1])
        else:
            found = list(rows[(page - 1) * limit : page * limit + 1])
    items = found[:limit]
    more = _cursor(items[-1], page + 1) if len(found) > limit else None
    return Page(items, total, limit, page, more)


def get(caller: Caller, request_id: str) -> RequestLog:
    """Raises NotFound, for an id that never was and for another account's alike."""
    try:
        wanted = uuid.UUID(request_id)
    except ValueError:
        raise NotFound from None
    with isolation.account(caller.account.pk):
        rows = RequestLog.objects.filter(account=caller.account).select_related("key", "user")
        row = rows.filter(request_id=wanted).first()
    if row is None:
        raise NotFound
    return row


def latest_answered(caller: Caller) -> RequestLog | None:
    """The account's newest call that was answered, without the response; None while there is none."""
    with isolation.account(caller.account.pk):
        answered = RequestLog.objects.filter(account=caller.account, status=RequestLog.Status.OK)
        return answered.select_related("key").defer(*_RESPONSES).order_by("-created_at", "-pk").first()


def _matching(caller: Caller, wanted: Wanted) -> "models.QuerySet[RequestLog]":
    rows = RequestLog.objects.filter(account=caller.account)
    exact = {"status": wanted.status, "tool_name": wanted.tool, "key__public_id": wanted.key}
    rows = rows.filter(**{column: value for column, value in exact.items() if value})
    if wanted.since is not None:
        rows = rows.filter(created_at__gte=wanted.since)
    if wanted.until is not None:
        rows = rows.filter(created_at__lt=wanted.until)
    if wanted.q:
        searched = ("tool_name", "prompt", "response_content_text")
        rows = rows.filter(models.Q(*((f"{column}__icontains", wanted.q) for column in searched), _connector="OR"))
    return rows


def _older_than(place: _Place) -> models.Q:
    same_moment = models.Q(created_at=place.created_at, pk__lt=place.pk)
    return models.Q(created_at__lt=place.created_at) | same_moment


def _cursor(last: RequestLog, page: int) -> str:
    place = json.dumps([last.created_at.isoformat(), last.pk, page])
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _read_cursor(cursor: str) -> _Place:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        created_at, pk, page = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        place = _Place(datetime.fromisoformat(created_at), int(pk), int(page))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise InvalidArguments("This cursor was not given by the request log.", argument="cursor") from None
    if place.created_at.tzinfo is None or not (0 < place.pk < 2**63 and 0 < place.page < 2**31):
        raise InvalidArguments("This cursor was not given by the request log.", argument="cursor")
    return place
