"""The usage page: how much the account's agents asked, how it went, and what is left of the month."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import authentication, quotas
from accounts.errors import InvalidArguments
from mcp_gateway import charts
from mcp_gateway import usage as figures
from mcp_gateway.usage import Usage

RANGES = (7, 30, 90)
USUAL = 30
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@never_cache
@require_safe
def usage(request: HttpRequest) -> HttpResponse:
    """`days` and `tz` that are none are taken for the usual ones: a page has no use for an error about its address."""
    caller = authentication.person(request)
    asked = request.GET.get("days", "")
    days = int(asked) if asked.isascii() and asked.isdigit() and int(asked) in RANGES else USUAL
    zone = _zone(request.GET.get("tz", "UTC"))
    found = figures.of(caller, days=days, zone=zone)
    context = {
        "caller": caller,
        "quota": quotas.quota(caller.account),
        "usage": found,
        "days": days,
        "ranges": RANGES,
        "zone": zone,
        **_drawn(found),
    }
    return render(request, "usage.html", context)


def _zone(name: str) -> str:
    try:
        figures.zone_named(name)
    except InvalidArguments:
        return "UTC"
    return name


def _drawn(found: Usage) -> dict[str, Any]:
    top = charts.highest([each.calls for _, each in found.days])
    slowest = charts.highest([each.p95_ms or 0 for _, each in found.days])
    most = max(max(row) for row in found.hours)
    return {
        "size": {"width": charts.WIDTH, "height": charts.HEIGHT, "left": charts.LEFT},
        "call_ticks": charts.ticks(top),
        "bars": list(zip(charts.bars([(e.successes, e.errors) for _, e in found.days], top), found.days, strict=True)),
        "time_ticks": charts.ticks(slowest),
        "p50": charts.line([each.p50_ms for _, each in found.days], slowest),
        "p95": charts.line([each.p95_ms for _, each in found.days], slowest),
        "day_labels": [
            (charts.x_of(at, len(found.days)), found.days[at][0]) for at in charts.labelled(len(found.days))
        ],
        "week": [
            (name, [(hour, calls, charts.shade(calls, most)) for hour, calls in enumerate(row)])
            for name, row in zip(WEEKDAYS, found.hours, strict=True)
        ],
        "hours": range(24),
    }
