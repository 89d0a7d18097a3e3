"""How much an account's agents asked, and how it went: by day, by hour of the week, by outcome. One statement.

Days and hours are those of a time zone that the reader chooses; a day without calls is there, with none. Source:
contract console, `/usage` and `mcp-usage-stats`.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import DataError, connection
from django.utils import timezone

from accounts import isolation
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from mcp_gateway.models import RequestLog

MOST_DAYS = 90
NO_ZONE = "There is no time zone of that name; give one as in Europe/Berlin."


@dataclass(frozen=True, slots=True)
class Figures:
    """Calls, how many went well, the median and the 95th percentile in milliseconds (None without calls), tokens."""

    calls: int = 0
    successes: int = 0
    counted: int = 0
    p50_ms: int | None = None
    p95_ms: int | None = None
    tokens: int = 0

    @property
    def errors(self) -> int:
        return self.calls - self.successes

    @property
    def success_rate(self) -> float | None:
        """Per cent; None without calls."""
        return round(100 * self.successes / self.calls, 1) if self.calls else None


@dataclass(frozen=True, slots=True)
class Usage:
    """`hours[weekday][hour]` counts calls, Monday first; `outcomes` by error code, `ok` for none, the most first."""

    zone: str
    first: date
    last: date
    total: Figures
    days: list[tuple[date, Figures]]
    hours: list[list[int]]
    outcomes: list[tuple[str, int]]


def zone_named(name: str) -> ZoneInfo:
    """Raises InvalidArguments for a name that is no time zone."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidArguments(
            "There is no time zone of that name; give one as in Europe/Berlin.", argument="tz"
        ) from error


def of(caller: Caller, *, days: int = 30, zone: str = "UTC") -> Usage:
    """The last `days` days of the account, today among them. Raises InvalidArguments."""
    if not 1 <= days <= MOST_DAYS:
        raise InvalidArguments(f"days must be 1 to {MOST_DAYS}.", argument="days")
    here = zone_named(zone)
    last = timezone.now().astimezone(here).date()
    first = last - timedelta(days=days - 1)
    since = datetime.combine(first, datetime.min.time(), here)
    return _read(_counted(caller.account.pk, since, zone), zone, first, last)


def _counted(account_id: int, since: datetime, zone: str) -> list[tuple[Any, ...]]:
    try:
        with isolation.account(account_id, once=True), connection.cursor() as cursor:
            cursor.execute(_COUNT, {"account": account_id, "since": since, "zone": zone})
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found
    except DataError as error:
        # One that Python knows and Postgres does not.
        raise InvalidArguments(NO_ZONE, argument="tz") from error


def _read(rows: list[tuple[Any, ...]], zone: str, first: date, last: date) -> Usage:
    by_day: dict[date, Figures] = {}
    hours = [[0] * 24 for _ in range(7)]
    outcomes: list[tuple[str, int]] = []
    total = Figures()
    for kind, day, weekday, hour, outcome, *figures in rows:
        if kind == _BY_DAY:
            by_day[day] = Figures(*figures)
        elif kind == _BY_HOUR:
            hours[weekday - 1][hour] = figures[0]
        elif kind == _BY_OUTCOME:
            outcomes.append((outcome, figures[0]))
        else:
            total = Figures(*figures)
    every = [first + timedelta(days=at) for at in range((last - first).days + 1)]
    outcomes.sort(key=lambda pair: (-pair[1], pair[0]))
    return Usage(zone, first, last, total, [(day, by_day.get(day, Figures())) for day in every], hours, outcomes)


# What GROUPING() says of a row: a bit for each column that it is not grouped by (day, weekday, hour, outcome).
_BY_DAY, _BY_HOUR, _BY_OUTCOME, _IN_ALL = 0b0111, 0b1001, 0b1110, 0b1111
# Counted by the hour first: all else but the two percentiles is a sum over hours. Sorting every call once for each
# grouping, as percentiles in one statement do, took twice as long with 100,000 calls.
_COUNT = f"""
    WITH calls AS MATERIALIZED (
        SELECT date_trunc('hour', created_at AT TIME ZONE %(zone)s) AS at, status = '{RequestLog.Status.OK}' AS is_ok,
               counted, duration_ms, estimated_tokens,
               CASE WHEN status = '{RequestLog.Status.OK}' THEN 'ok' ELSE error_code END AS outcome
        FROM mcp_gateway_requestlog WHERE account_id = %(account)s AND created_at >= %(since)s
    ), by_hour AS (
        SELECT at::date AS day, extract(isodow FROM at)::int AS weekday, extract(hour FROM at)::int AS hour, outcome,
               count(*) AS calls, count(*) FILTER (WHERE is_ok) AS successes,
               count(*) FILTER (WHERE counted) AS counted, sum(estimated_tokens) AS tokens
        FROM calls GROUP BY at, outcome
    ), sums AS (
        SELECT grouping(day, weekday, hour, outcome) AS kind, day, weekday, hour, outcome, sum(calls)::int AS calls,
               sum(successes)::int AS successes, sum(counted)::int AS counted, sum(tokens)::bigint AS tokens
        FROM by_hour GROUP BY GROUPING SETS ((day), (weekday, hour), (outcome), ())
    ), durations AS (
        SELECT at::date AS day, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY duration_ms) AS ms
        FROM calls GROUP BY GROUPING SETS ((at::date), ())
    )
    SELECT kind, sums.day, weekday, hour, outcome, coalesce(calls, 0), coalesce(successes, 0), coalesce(counted, 0),
           round(ms[1])::int, round(ms[2])::int, coalesce(tokens, 0)
    FROM sums LEFT JOIN durations
        ON durations.day = sums.day OR (durations.day IS NULL AND kind = {_IN_ALL})
"""  # noqa: S608 (names of ours)
