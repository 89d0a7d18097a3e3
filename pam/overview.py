"""The staff's start page: what is wrong first, then the numbers an operator wants. The template shows it as it is.

Everything is counted over all accounts and when somebody looks; calls are those of the last day, so that a log of many
months costs nothing. No text of any account is on it. Source: contract console, "Staff admin".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.urls import reverse
from redis.exceptions import RedisError

from accounts import isolation
from pam import waiting

LATE_JOB_SECONDS, LATE_VECTOR_SECONDS = 900, 1_800
MANY_ERRORS_PERCENT, FEW_CALLS = 5, 20
SLOWEST = 5


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something a person should do something about, and where."""

    what: str
    to_do: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    name: str
    value: str
    about: str
    link: str


@dataclass(frozen=True, slots=True)
class Slow:
    """One of the slowest calls of the day."""

    link: str
    tool: str
    account: str
    milliseconds: int
    at: Any


def show(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What unfold calls for its start page. Four statements, and two questions to Valkey."""
    waits, counted = waiting.figures(), _counted()
    context.update(troubles=troubles(waits, counted), numbers=_numbers(waits, counted), slowest=_slowest())
    return context


def troubles(waits: Mapping[str, float], counted: Mapping[str, Any]) -> list[Trouble]:
    """The worst first."""
    return [*_down(counted), *_late(waits), *_given_up(waits, counted)]


def _down(counted: Mapping[str, Any]) -> Iterator[Trouble]:
    if not waiting.is_worker_seen():
        yield Trouble("No worker was seen within a minute", "Start one, or see whether it reaches Valkey. All is kept.")
    calls, errors = counted["hour"], counted["hour_errors"]
    if calls >= FEW_CALLS and 100 * errors > MANY_ERRORS_PERCENT * calls:
        link = _list("mcp_gateway_requestlog", "status__exact=error")
        yield Trouble(f"{errors:,} of {calls:,} calls of the last hour failed", "Look at their reasons.", link)
    if counted["overdue_logs"]:
        to_do = "They are pruned every hour. See whether beat runs, and the worker's log."
        yield Trouble(f"The log of {counted['overdue_logs']:,} accounts is kept a day longer than they set", to_do)


def _late(waits: Mapping[str, float]) -> Iterator[Trouble]:
    job, vector = waits["pam_oldest_job_seconds"], waits["pam_oldest_row_without_vector_seconds"]
    if job > LATE_JOB_SECONDS:
        to_do = "The worker may be busy with an import; a second one helps."
        link = _list("memories_extractionjob", "status__exact=queued")
        yield Trouble(f"A chat has waited {_ago(job)} to be read", to_do, link)
    if vector > LATE_VECTOR_SECONDS:
        to_do = "It is found by its words only. See the worker's log."
        yield Trouble(f"A memory has waited {_ago(vector)} for its vector", to_do)


def _given_up(waits: Mapping[str, float], counted: Mapping[str, Any]) -> Iterator[Trouble]:
    kinds = [
        (
            waits["pam_jobs_dead"],
            "chats could not be read after three tries",
            "Each says why. Mend it, then have them tried again.",
            _list("memories_extractionjob", "status__exact=dead"),
        ),
        (
            counted["deliveries_failed"],
            "webhooks were given up",
            "Their last error stands beside them; they can be sent again.",
            _list("accounts_webhookdelivery", "state__exact=failed"),
        ),
        (
            counted["runs_stopped"],
            "runs of the lifecycle stopped themselves within a week",
            "They would have changed too much at once. See why, then let them run.",
            _list("memories_lifecyclerun", "state__exact=stopped"),
        ),
        (
            waits["pam_documents_failed"],
            "documents could not be read",
            "Their owners see the reasons on Sources.",
            _list("memories_document", "state__exact=failed"),
        ),
    ]
    return (Trouble(f"{count:,.0f} {what}", to_do, link) for count, what, to_do, link in kinds if count)


def _numbers(waits: Mapping[str, float], counted: Mapping[str, Any]) -> list[Number]:
    return [*_traffic(counted), *_work(waits), *_to_decide(counted)]


def _traffic(counted: Mapping[str, Any]) -> list[Number]:
    rate = f"{100 * (1 - counted['day_errors'] / counted['day']):.1f} % went well" if counted["day"] else "none yet"
    log, failed = _list("mcp_gateway_requestlog"), f"{counted['hour_errors']:,} failed"
    return [
        Number("Accounts", f"{counted['accounts']:,}", _accounts(counted), _accounts_list(counted)),
        Number("Calls in 24 hours", f"{counted['day']:,}", rate, log),
        Number("Calls in the last hour", f"{counted['hour']:,}", failed, log),
    ]


def _work(waits: Mapping[str, float]) -> list[Number]:
    oldest = waits["pam_oldest_row_without_vector_seconds"]
    chats = f"{waits['pam_jobs_waiting']:,.0f} chats, {_messages()} messages for workers"
    documents, rows = f"{waits['pam_documents_waiting']:,.0f} documents", f"{waits['pam_rows_without_vector']:,.0f}"
    waited = f"the oldest for {_ago(oldest)}" if oldest else "none waits long"
    webhooks = f"{waits['pam_webhooks_waiting']:,.0f}"
    return [
        Number("Waiting to be read", documents, chats, _list("memories_readiness")),
        Number("Without a vector", rows, waited, _list("memories_readiness")),
        Number("Webhooks waiting", webhooks, "due or to come", _list("accounts_webhookdelivery")),
    ]


def _to_decide(counted: Mapping[str, Any]) -> list[Number]:
    conflicts = _list("memories_conflict", "resolved_at__isempty=1")
    return [
        Number("Conflicts to be decided", f"{counted['conflicts']:,}", "by the accounts, or here", conflicts),
        Number("Hidden by staff", f"{counted['hidden']:,}", "of end users", _list("memories_hiddenmemory")),
    ]


def _accounts(counted: Mapping[str, Any]) -> str:
    told = [f"{counted[name]:,} {name}" for name in ("suspended", "closing") if counted[name]]
    return ", ".join(told) or "all active"


def _accounts_list(counted: Mapping[str, Any]) -> str:
    return _list("accounts_account", "suspended_at__isempty=0" if counted["suspended"] else "")


def _counted() -> dict[str, Any]:
    with isolation.every_account(), connection.cursor() as cursor:
        cursor.execute(_COUNT)
        return dict(zip((column.name for column in cursor.description), cursor.fetchone(), strict=True))


def _slowest() -> list[Slow]:
    with isolation.every_account(), connection.cursor() as cursor:
        cursor.execute(_SLOWEST, [SLOWEST])
        rows = cursor.fetchall()
    return [Slow(reverse("admin:mcp_gateway_requestlog_change", args=[key]), *row) for key, *row in rows]


def _messages() -> str:
    """How many wait in the broker. They only wake workers: what there is to do stands in rows."""
    try:
        length = cache.client.get_client().llen("celery")  # type: ignore[attr-defined]
    except (RedisError, OSError):
        return "no one knows how many"
    return f"{length:,}"


def _list(model: str, query: str = "") -> str:
    return reverse(f"admin:{model}_changelist") + (f"?{query}" if query else "")


def _ago(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:,.0f} minutes" if seconds < 7_200 else f"{seconds / 3_600:,.0f} hours"


_COUNT = """
    WITH day AS MATERIALIZED (
        SELECT created_at, status FROM mcp_gateway_requestlog WHERE created_at >= now() - interval '1 day'
    )
    SELECT (SELECT count(*) FROM accounts_account) AS accounts,
        (SELECT count(*) FROM accounts_account WHERE suspended_at IS NOT NULL) AS suspended,
        (SELECT count(*) FROM accounts_account WHERE closed_at IS NOT NULL) AS closing,
        (SELECT count(*) FROM day) AS day,
        (SELECT count(*) FROM day WHERE status = 'error') AS day_errors,
        (SELECT count(*) FROM day WHERE created_at >= now() - interval '1 hour') AS hour,
        (SELECT count(*) FROM day WHERE created_at >= now() - interval '1 hour' AND status = 'error') AS hour_errors,
        (SELECT count(*) FROM accounts_webhookdelivery WHERE state = 'failed') AS deliveries_failed,
        (SELECT count(*) FROM memories_lifecyclerun WHERE state = 'stopped' AND day > current_date - 7)
            AS runs_stopped,
        (SELECT count(*) FROM memories_conflict WHERE resolved_at IS NULL) AS conflicts,
        (SELECT count(*) FROM memories_hiddenmemory) AS hidden,
        (SELECT count(*) FROM accounts_account account WHERE (
            SELECT min(log.created_at) FROM mcp_gateway_requestlog log WHERE log.account_id = account.id
        ) < now() - make_interval(days => account.log_retention_days + 1)) AS overdue_logs
"""
_SLOWEST = """
    SELECT log.id, log.tool_name, account.name, log.duration_ms, log.created_at
    FROM mcp_gateway_requestlog log JOIN accounts_account account ON account.id = log.account_id
    WHERE log.created_at >= now() - interval '1 day' ORDER BY log.duration_ms DESC LIMIT %s
"""
