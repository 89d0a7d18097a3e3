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
from django.core.cache import cache
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from accounts import isolation
from pam.heartbeat import last_seen

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
        for name, told, value in self._figures():
            yield GaugeMetricFamily(name, told, value=value)

    def _figures(self) -> Iterator[tuple[str, str, float]]:
        with isolation.every_account(once=True), connection.cursor() as cursor:
            cursor.execute(_COUNT)
            values = cursor.fetchone()
        for (name, told), value in zip(_GAUGES, values, strict=True):
            yield name, told, float(value or 0)
        yield "pam_worker_seen", "1 while a worker was seen within a minute.", float(self._is_worker_seen())

    @staticmethod
    def _is_worker_seen() -> bool:
        try:
            return bool(last_seen(cache))
        except (RedisError, OSError):
            return False

    def describe(self) -> list[Metric]:
        """Nothing is asked of the database when the process starts."""
        return []


_GAUGES = [
    ("pam_accounts", "Accounts."),
    ("pam_documents_waiting", "Documents that wait to be read, or are being read."),
    ("pam_documents_failed", "Documents that could not be read."),
    ("pam_jobs_waiting", "Chats of end users that wait to be read, or are being read."),
    ("pam_jobs_dead", "Chats that could not be read after three tries."),
    ("pam_oldest_job_seconds", "How long the chat that waits longest has waited."),
    ("pam_rows_without_vector", "Facts, sections, records and memories that are found by their words only, so far."),
    ("pam_oldest_row_without_vector_seconds", "How long the memory or record that waits longest for its vector has."),
    ("pam_webhooks_waiting", "Deliveries that are due or will be."),
]
_COUNT = """
    SELECT (SELECT count(*) FROM accounts_account),
        (SELECT count(*) FROM memories_document WHERE state IN ('queued', 'processing')),
        (SELECT count(*) FROM memories_document WHERE state = 'failed'),
        (SELECT count(*) FROM memories_extractionjob WHERE status IN ('queued', 'processing')),
        (SELECT count(*) FROM memories_extractionjob WHERE status = 'dead'),
        (SELECT extract(epoch FROM clock_timestamp() - min(queued_at)) FROM memories_extractionjob
         WHERE status IN ('queued', 'processing')),
        (SELECT coalesce(sum(unembedded), 0) FROM memories_readiness)
            + (SELECT count(*) FROM memories_record WHERE vector IS NULL)
            + (SELECT count(*) FROM memories_memory WHERE vector IS NULL),
        (SELECT extract(epoch FROM clock_timestamp() - least(
            (SELECT min(created_at) FROM memories_record WHERE vector IS NULL),
            (SELECT min(updated_at) FROM memories_memory WHERE vector IS NULL)))),
        (SELECT count(*) FROM accounts_webhookdelivery WHERE state = 'waiting')
"""
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
