"""`/metrics`, for Prometheus: requests of this process, and what waits in the database when it is asked.

Off unless PAM_METRICS is set; with PAM_METRICS_TOKEN only for who sends it as a Bearer token. No label names an
account, a person or a text. Source: contract console, "Operations"; naming as Prometheus has it (seconds, `_total`).
"""

import hmac
import time
from collections.abc import Awaitable, Callable, Iterator
from inspect import iscoroutinefunction
from typing import cast

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pam import waiting

REQUESTS = Histogram(
    "pam_request_seconds",
    "How long requests took, by surface and class of status.",
    ["surface", "method", "status"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120),
)
#: The beginnings of paths, the longer ones first; anything else is a page.
SURFACES = {
    "/v1/mcp/memory": "mcp_memory",
    "/v1/mcp": "mcp_knowledge",
    "/v1/memory": "company",
    "/v1/decisions": "decisions",
    "/v1/memories": "end_users",
    "/v1/tenant": "end_users",
    "/v1/api-keys": "end_users",
    "/v1/dev": "developer",
    "/v1/oauth": "oauth",
    "/.well-known": "oauth",
    "/admin": "staff",
    "/healthz": "health",
    "/readyz": "health",
    "/metrics": "health",
    "/static": "static",
}
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
Handler = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def middleware(get_response: Handler) -> Handler:
    """Times every request; a stream until it begins."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            started = time.perf_counter()
            return _timed(request, started, await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        return _timed(request, started, cast(HttpResponseBase, get_response(request)))

    return answer


def _timed(request: HttpRequest, started: float, response: HttpResponseBase) -> HttpResponseBase:
    # A method that a client made up must not become a label.
    method = request.method if request.method in METHODS else "other"
    labels = (surface(request.path), method, f"{response.status_code // 100}xx")
    REQUESTS.labels(*labels).observe(time.perf_counter() - started)
    return response


def surface(path: str) -> str:
    return next((name for start, name in SURFACES.items() if path == start or path.startswith(f"{start}/")), "pages")


class Waiting(Collector):
    """What waits to be done over all accounts, counted when somebody asks."""

    def collect(self) -> Iterator[Metric]:
        found = waiting.figures()
        for name, told in waiting.GAUGES:
            yield GaugeMetricFamily(name, told, value=found[name])
        seen = float(waiting.is_worker_seen())
        yield GaugeMetricFamily("pam_worker_seen", "1 while a worker was seen within a minute.", value=seen)

    def describe(self) -> list[Metric]:
        """Nothing is asked of the database when the process starts."""
        return []


REGISTRY.register(Waiting())


def show(request: HttpRequest) -> HttpResponse:
    """404 while metrics are off, and for who lacks the token: it is no more there for a stranger than anything else."""
    if not settings.PAM_METRICS or not _is_admitted(request):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _is_admitted(request: HttpRequest) -> bool:
    wanted = settings.PAM_METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return not wanted or hmac.compare_digest(given.encode(), wanted.encode())
