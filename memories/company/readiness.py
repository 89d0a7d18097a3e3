"""Whether an account's company memory can be asked (contract: company memory, "Readiness").

Worked out anew, by counting, inside every transaction that changes it, and kept in one row per account; reading is one
query. Knows no document's text.

not_provisioned       the account has no plan, nothing is set up for it
waiting_for_sources   there is no document
processing            documents are worked on, and nothing can be found yet
ready_minimal         something can be found; not all of it is in, or not all of it has vectors
ready_rich            every document that can be read is in, with vectors
error                 there are documents and none of them can be read

`syncing_to_vm` of the contract is known and never reported: the index is the database, which needs no catching up.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.utils import timezone

from accounts import isolation
from accounts.models import Account
from memories.models import Readiness

State = Readiness.State
READY = frozenset({State.READY_MINIMAL, State.READY_RICH})

# Before the first batch is measured: a slow machine's share, so that the estimate errs to the long side.
ASSUMED_RATE = 50.0
ASSUMED_TEXTS_PER_DOCUMENT = 50.0
# After an embedder has failed: half a minute, then twice as long each time, up to a quarter of an hour.
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class ReadinessReport:
    """What `GET /v1/dev/readiness` tells, field by field."""

    ready: bool
    state: str
    connected_sources_count: int
    completed_sources_count: int
    latest_pipeline_status: str
    estimated_wait_message: str
    has_facts: bool
    has_context_markdown: bool
    has_tree_index: bool


def of(account: Account) -> ReadinessReport:
    """The report as of the last commit: one query, and one more count for an account that never imported anything."""
    if account.plan_id is None:
        return _report(Readiness(account=account, state=State.NOT_PROVISIONED))
    with isolation.account(account.pk, once=True):
        row = _read(account.pk)
    if row is None:
        with isolation.account(account.pk):
            row = refresh(account.pk)
    return _report(row)


def _read(account_id: int) -> Readiness | None:
    with connection.cursor() as cursor:
        cursor.execute(_READ.format(columns=", ".join(_COLUMNS)), [account_id])
        row = cursor.fetchone()
    return None if row is None else Readiness.from_db(connection.alias, _COLUMNS, row)


def refresh(account_id: int) -> Readiness:
    """Counts and keeps. The last step of a transaction under `isolation.account`: it locks the account's row, so that
    of two workers the later one counts what the earlier one committed."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [account_id])
    return Readiness.objects.raw(_COUNT, {"account": account_id})[0]


def embedded(account_id: int, *, rate: float) -> None:
    """Notes a batch that went well, at `rate` texts a second (0 where there was too little to measure)."""
    row = refresh(account_id)
    if rate:
        row.embedding_rate = rate if not row.embedding_rate else 0.7 * row.embedding_rate + 0.3 * rate
    row.embedder_failures, row.embed_again_at = 0, None
    row.save(update_fields=["embedding_rate", "embedder_failures", "embed_again_at"])


def embedder_failed(account_id: int) -> datetime:
    """Notes that the embedder gave no answer. Returns when it is to be tried again."""
    row = refresh(account_id)
    pause = min(FIRST_PAUSE * 2 ** min(row.embedder_failures, 10), LONGEST_PAUSE)
    row.embedder_failures = min(row.embedder_failures + 1, 1000)
    row.embed_again_at = timezone.now() + pause
    row.save(update_fields=["embedder_failures", "embed_again_at"])
    return row.embed_again_at


def _report(row: Readiness) -> ReadinessReport:
    return ReadinessReport(
        ready=row.state in READY,
        state=str(row.state),
        connected_sources_count=row.sources,
        completed_sources_count=row.sources_completed,
        latest_pipeline_status=_pipeline(row),
        estimated_wait_message=_wait(row),
        has_facts=row.facts > 0,
        has_context_markdown=row.sections > 0,
        has_tree_index=row.sections > 0,
    )


def _waiting(row: Readiness) -> int:
    return row.documents - row.documents_ready - row.documents_failed


def _pipeline(row: Readiness) -> str:
    """idle, running, retrying (the embedder is away), completed, completed_with_errors or failed."""
    if not row.documents:
        return "idle"
    if row.embed_again_at is not None and row.unembedded:
        return "retrying"
    if _waiting(row) or row.unembedded:
        return "running"
    if row.documents_failed:
        return "completed_with_errors" if row.documents_ready else "failed"
    return "completed"


def _wait(row: Readiness) -> str:
    """One sentence on what is still to come and how long it takes; empty when nothing is."""
    waiting = _waiting(row)
    if not waiting and not row.unembedded:
        return ""
    left = _left(waiting, row.unembedded)
    if row.embed_again_at is not None and row.unembedded:
        again = max(row.embed_again_at, timezone.now()).astimezone(UTC)
        return f"The embedding model does not answer; the next try is at {again:%H:%M} UTC. {left}"
    each = (row.sections + row.facts) / row.documents_ready if row.documents_ready else ASSUMED_TEXTS_PER_DOCUMENT
    seconds = (row.unembedded + waiting * each) / (row.embedding_rate or ASSUMED_RATE)
    return f"{_duration(seconds)}. {left}"


def _left(waiting: int, unembedded: int) -> str:
    parts = []
    if waiting:
        parts.append(f"{waiting:,} {'document waits' if waiting == 1 else 'documents wait'} to be read")
    if unembedded:
        passages = "passage, found by its words" if unembedded == 1 else "passages, found by their words"
        parts.append(f"{unembedded:,} {passages}, still {'has' if unembedded == 1 else 'have'} no vector")
    return "; ".join(parts) + "."


def _duration(seconds: float) -> str:
    if seconds < 60:
        return "Less than a minute"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"About {minutes} minute{'' if minutes == 1 else 's'}"
    return f"About {round(minutes / 60)} hours"


_COLUMNS = [field.attname for field in Readiness._meta.concrete_fields]
# Written out: asked at every retrieval.
_READ = "SELECT {columns} FROM memories_readiness WHERE account_id = %s"
_LOCK = """
    INSERT INTO memories_readiness (account_id, state, sources, sources_completed, documents, documents_ready,
        documents_failed, sections, facts, unembedded, embedding_rate, embedder_failures, updated_at)
    VALUES (%s, 'not_provisioned', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, now())
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id
"""

# Findable is what has sections, whatever the state of its newest version.
_COUNT = """
    UPDATE memories_readiness r
    SET documents = d.documents, documents_ready = d.ready, documents_failed = d.failed, sections = d.sections,
        facts = d.facts, sources = d.sources, sources_completed = d.sources - d.sources_waiting,
        unembedded = v.missing, updated_at = now(),
        state = CASE
            WHEN d.documents = 0 THEN 'waiting_for_sources'
            WHEN d.sections = 0 AND d.documents > d.ready + d.failed THEN 'processing'
            WHEN d.sections = 0 THEN 'error'
            WHEN v.missing > 0 OR d.documents > d.ready + d.failed THEN 'ready_minimal'
            ELSE 'ready_rich'
        END
    FROM (
        SELECT count(*) AS documents, count(*) FILTER (WHERE state = 'ready') AS ready,
            count(*) FILTER (WHERE state = 'failed') AS failed,
            coalesce(sum(section_count), 0) AS sections, coalesce(sum(fact_count), 0) AS facts,
            count(DISTINCT source_id) AS sources,
            count(DISTINCT source_id) FILTER (WHERE state IN ('queued', 'processing')) AS sources_waiting
        FROM memories_document WHERE account_id = %(account)s
    ) d, (
        SELECT (SELECT count(*) FROM memories_section WHERE account_id = %(account)s AND vector IS NULL)
            + (SELECT count(*) FROM memories_fact WHERE account_id = %(account)s AND vector IS NULL) AS missing
    ) v
    WHERE r.account_id = %(account)s
    RETURNING r.*
"""
