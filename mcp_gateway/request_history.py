"""Looking through the request log: a page of it, one call of it. For the console and the Developer API."""

import base64
import binascii
import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from django.db import models

from accounts import isolation
from accounts.caller import Caller
from accounts.errors import InvalidArguments, NotFound
from accounts.postgres import ahead
from mcp_gateway.models import SEARCHED, RequestLog

#: So many matches of a search are counted; a page beyond says that there are more.
COUNTED = 1000
#: Without three letters or digits in a row the index is of no help, and responses are too large to be read one by one.
_TRIGRAM = re.compile(r"[^\W_]{3}")
SHORT = tuple(column for column in SEARCHED if column != "response_content_text")
_RESPONSES = ("response_content_text", "response_json")


@models.CharField.register_lookup
@models.TextField.register_lookup
class Holds(models.lookups.IContains):
    """`icontains` by ILIKE, for which Postgres can use a trigram index; Django's own compares in upper case instead."""

    lookup_name = "holds"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        column, before = self.process_lhs(compiler, connection)
        pattern, after = self.process_rhs(compiler, connection)
        return f"{column} ILIKE {pattern}", (*before, *after)


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
    #: Whether `total_count` is all there are; a search that fits more calls than COUNTED stops counting.
    is_exact: bool = True

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

    Searching (`q`), the total is counted up to COUNTED. A cursor (of an earlier page) goes before a page number, and
    stays true while new calls come in. Responses are large: without them a row lacks `response_content_text` and
    `response_json`. Raises InvalidArguments for a cursor that none of our pages gave.
    """
    place = _read_cursor(cursor) if cursor else None
    page = place.page if place else page
    with isolation.account(caller.account.pk):
        matching = _matching(caller, wanted)
        rows = matching.select_related("key", "user").order_by("-created_at", "-pk")
        rows = rows if with_responses else rows.defer(*_RESPONSES)
        rows = rows.filter(_older_than(place)) if place else rows[(page - 1) * limit :]
        if not wanted.q:
            total, found = matching.count(), list(rows[: limit + 1])
        else:
            with _read_by(_INDEX):
                total = len(matching.values("pk")[:COUNTED])
            with _read_by(_AGE if total == COUNTED else _INDEX):
                found = list(rows[: limit + 1])
    items = found[:limit]
    more = _cursor(items[-1], page + 1) if len(found) > limit else None
    return Page(items, total, limit, page, more, is_exact=not wanted.q or total < COUNTED)


# A search term may fit three calls or every call, and Postgres cannot guess which. So matches are first counted by the
# index, as far as COUNTED; few are then read by the index as well, and of many the newest are met soon by age.
_WAYS = ("seqscan", "indexscan", "bitmapscan", "sort")


def _without(*ways: str) -> list[str]:
    return [f"SET LOCAL enable_{way} TO {'off' if way in ways else 'on'}" for way in _WAYS]


_INDEX = _without("seqscan", "indexscan")
_AGE = _without("seqscan", "bitmapscan", "sort")


@contextmanager
def _read_by(way: list[str]) -> Iterator[None]:
    """Pins how Postgres reads in here."""
    ahead.send(*way)
    yield
    ahead.send(*_without())


def day(text: str, *, end: bool) -> datetime | None:
    """The start of a day in UTC, or its end; None for what is no day."""
    try:
        start = datetime.fromisoformat(text).replace(tzinfo=UTC)
        return start + timedelta(days=1) if end else start
    except (ValueError, OverflowError):
        return None


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
        columns = SEARCHED if _TRIGRAM.search(wanted.q) else SHORT
        rows = rows.filter(models.Q(*((f"{column}__holds", wanted.q) for column in columns), _connector="OR"))
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
