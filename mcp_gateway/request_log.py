"""The request log: what every authenticated attempt asked and got, for the account's people to look up.

Writing and expiring here, reading in request_history.py. Secrets are cut from every text before a row exists. Rows are
kept for the account's retention and go in small batches, each a transaction of its own. Source: contract console,
Developer API; reports R38 and R39.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils import timezone

from accounts import isolation
from accounts.caller import Caller
from accounts.models import Account
from mcp_gateway.models import RequestLog
from memories import redaction, tokens

logger = logging.getLogger(__name__)

MAX_PROMPT = 8000
#: Few enough that the rows of one batch are locked for milliseconds.
BATCH = 500


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call as it went; the texts are the caller's own and may be anything."""

    request_id: str
    tool_name: str
    error_code: str
    counted: bool
    client: str
    session_id: str
    prompt: str
    text: str
    structured: Mapping[str, Any]
    duration_ms: int


def write(caller: Caller, attempt: Attempt) -> None:
    """Keeps the attempt. Never raises: an answer that was found is given, even if it cannot be noted down."""
    row = _row(caller, attempt)
    try:
        _insert(row)
    except (DatabaseError, InterfaceError):
        logger.exception("Request %s is missing from the request log.", attempt.request_id)


def _insert(row: RequestLog) -> None:
    try:
        _save(row)
    except (OperationalError, InterfaceError):
        if connection.connection is None:
            raise  # There is no Postgres to connect to: waiting for it once is enough.
        # The connection died since the last query, of a restart perhaps; a fresh one may serve.
        connection.close()
        _save(row)


def _save(row: RequestLog) -> None:
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in _FIELDS]
    with isolation.account(row.account_id, once=True), connection.cursor() as cursor:
        cursor.execute(_INSERT, values)


# Written out: Python takes longer to build it than Postgres to do it, and it comes with every call.
_FIELDS = [field for field in RequestLog._meta.concrete_fields if not field.primary_key]
_INSERT = (
    f"INSERT INTO {RequestLog._meta.db_table} ({', '.join(str(field.column) for field in _FIELDS)}) "  # noqa: S608 (names of ours)
    f"VALUES ({', '.join(['%s'] * len(_FIELDS))})"
)


def _row(caller: Caller, attempt: Attempt) -> RequestLog:
    diagnostics = attempt.structured.get("diagnostics") or {}
    text = _kept(attempt.text)
    return RequestLog(
        account=caller.account,
        request_id=attempt.request_id,
        tool_name=_kept(attempt.tool_name, 80),
        status=RequestLog.Status.ERROR if attempt.error_code else RequestLog.Status.OK,
        error_code=attempt.error_code,
        counted=attempt.counted,
        key=caller.key,
        user=caller.user,
        client=_kept(_program(caller, attempt.client), 120),
        session_id=_kept(attempt.session_id, 200),
        prompt=_kept(attempt.prompt, MAX_PROMPT),
        response_content_text=text,
        response_json=_without_secrets(attempt, text),
        duration_ms=attempt.duration_ms,
        estimated_tokens=_tokens(attempt, diagnostics, text),
    )


def _tokens(attempt: Attempt, diagnostics: Mapping[str, Any], text: str) -> int:
    """What the tool counted by itself; counted here, in a millisecond, where it did not."""
    if "estimated_tokens" in diagnostics:
        return int(diagnostics["estimated_tokens"])
    return 0 if attempt.error_code else tokens.count(text)


def _program(caller: Caller, client: str) -> str:
    """Who called: what a program was approved as goes before what its library calls itself."""
    if caller.connection is None:
        return client
    name = str(caller.connection.client)
    return f"{name} ({client})" if client and client != name else name


def _without_secrets(attempt: Attempt, text: str) -> dict[str, Any]:
    structured = dict(attempt.structured)
    report = structured.get("content_text")
    # Documents and prompts were cut on their way in. A report says in words all that its structured content holds:
    # where nothing had to be cut from it, hundreds of small values are not looked through again (milliseconds a call).
    if report is not None and report == attempt.text == text:
        return structured
    cut: dict[str, Any] = redaction.cut_deep(structured)
    return cut


def _kept(text: str, length: int | None = None) -> str:
    """The text as it may be kept: without what Postgres cannot hold, without secrets, at most `length` characters."""
    # Longer than kept, so that a secret that straddles the end is seen whole; bounded, because a body may be 2 MB.
    holdable = text[: 2 * length if length else None].replace("\x00", "").encode("utf-8", "replace").decode()
    return redaction.cut(holdable).text[:length]


def sort_in() -> int:
    """Moves new entries of the search index from its waiting list, which a search reads whole, to their places.

    Returns how many pages they had filled. For workers: Postgres would do it too, in the middle of somebody's call.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('requestlog_by_part_of_a_word')")
        pages: int = cursor.fetchone()[0]
    return pages


def prune() -> int:
    """Deletes the rows that are older than their account's retention; returns how many."""
    accounts = Account.objects.order_by("pk").values_list("pk", "log_retention_days")
    return sum(_prune(account_pk, days) for account_pk, days in list(accounts))


def _prune(account_pk: int, days: int) -> int:
    oldest_kept = timezone.now() - timedelta(days=days)
    deleted = 0
    while batch := _prune_batch(account_pk, oldest_kept):
        deleted += batch
    return deleted


# One statement, so that the rows are not held while Python thinks; an array, so that the limit is counted once whatever
# the plan. Rows that someone else holds are left for the next round; nobody waits, on either side.
_DELETE_BATCH = f"""
    DELETE FROM {RequestLog._meta.db_table} WHERE account_id = %(account)s AND id = ANY (ARRAY (
        SELECT id FROM {RequestLog._meta.db_table} WHERE account_id = %(account)s AND created_at < %(oldest_kept)s
        ORDER BY created_at LIMIT {BATCH} FOR UPDATE SKIP LOCKED
    ))
"""  # noqa: S608 (names of ours)


def _prune_batch(account_pk: int, oldest_kept: datetime) -> int:
    # What a crash brings back is pruned again, so the locks need not wait for the disk.
    with isolation.account(account_pk, is_lasting=False, once=True), connection.cursor() as cursor:
        cursor.execute(_DELETE_BATCH, {"account": account_pk, "oldest_kept": oldest_kept})
        deleted: int = cursor.rowcount
    return deleted
