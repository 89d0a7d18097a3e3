"""What waits to be done over all accounts, counted when somebody asks: for `/metrics` and the staff's start page."""

from django.core.cache import cache
from django.db import connection
from redis.exceptions import RedisError

from accounts import isolation
from pam.heartbeat import last_seen

#: The name of each figure as Prometheus knows it, and what it says.
GAUGES = [
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


def figures() -> dict[str, float]:
    """Every gauge by its name; 0 where nothing waits. One statement."""
    with isolation.every_account(once=True), connection.cursor() as cursor:
        cursor.execute(_COUNT)
        values = cursor.fetchone()
    return {name: float(value or 0) for (name, _), value in zip(GAUGES, values, strict=True)}


def is_worker_seen() -> bool:
    """Whether one was within a minute; False, too, where Valkey is away."""
    try:
        return bool(last_seen(cache))
    except (RedisError, OSError):
        return False
