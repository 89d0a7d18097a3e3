"""Counting and clearing up once the rush is over: word frequencies, and entities that nothing names any more."""

from datetime import timedelta

from django.db import connection
from django.utils import timezone

from accounts import isolation
from accounts.models import Account
from memories import indexing
from memories.company.processing import links
from memories.models import Readiness, Record, WordCorpus

# An import is searched while it goes on: the frequencies are counted again whenever the account has grown by half.
_GROWN = 1.5
# While a session goes on recording, its words are not counted after every call.
_OLD = timedelta(minutes=10)


def when_idle(account_id: int) -> None:
    """Counts and clears, unless nothing has changed since the last time or another worker is at it."""
    with isolation.account(account_id):
        corpus = WordCorpus.objects.filter(account_id=account_id, corpus="fact", refreshed_at__isnull=False)
        changed = Readiness.objects.filter(account_id=account_id).values_list("updated_at", flat=True).first()
        if changed is not None and not corpus.filter(refreshed_at__gt=changed).exists() and _is_alone(account_id):
            links.drop_unspoken(account_id)
            indexing.refresh_statistics(Account.objects.get(pk=account_id))
        if _is_record_due(account_id) and _is_alone(account_id):
            indexing.count_words(account_id, "record")


def _is_record_due(account_id: int) -> bool:
    """Whether records came in since their words were counted: many, or the count is old."""
    rows = Record.objects.filter(account_id=account_id)
    newest = rows.order_by("-created_at", "-id").values_list("created_at", flat=True).first()
    counted = WordCorpus.objects.filter(account_id=account_id, corpus="record").first()
    if newest is None or counted is None or counted.refreshed_at is None:
        return newest is not None
    is_old = counted.refreshed_at < min(newest, timezone.now() - _OLD)
    return is_old or rows.count() > _GROWN * counted.texts


def after_growth(account_id: int) -> None:
    """Counts again where the account has become half as large again since the last time. One query where it has not."""
    with isolation.account(account_id):
        facts = Readiness.objects.filter(account_id=account_id).values_list("facts", flat=True).first() or 0
        counted = (
            WordCorpus.objects.filter(account_id=account_id, corpus="fact").values_list("texts", flat=True).first()
        )
        if facts > _GROWN * (counted or 0) and _is_alone(account_id):
            indexing.refresh_statistics(Account.objects.get(pk=account_id))


def _is_alone(account_id: int) -> bool:
    """Whether no other worker counts the same account now; until the end of the transaction none other will."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [f"words of account {account_id}"])
        row = cursor.fetchone()
    return bool(row and row[0])
