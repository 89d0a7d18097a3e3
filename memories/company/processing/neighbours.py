"""Which rows stand in the index of nearest neighbours: those of accounts that have grown too large to be scanned whole.

A row costs 0.7 ms to put in, so accounts that never ask the index do not pay for it. Search is right whatever is marked
(candidates.py reads what stands in the index through it, and the rest as it is), so marking goes in small turns.
"""

from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from accounts import isolation
from memories.models import Fact, Readiness, Record, Section, WordCorpus

# About a second's work, so that other accounts wait no longer.
TURN = 1000

Kind = type[Record] | type[Section] | type[Fact]
_OF_DOCUMENTS: tuple[Kind, ...] = (Section, Fact)


def settle(account_id: int, *, limit: int = TURN) -> bool:
    """Puts up to `limit` rows of a kind of a large account into the index. Returns whether more of them wait.

    A row is taken out when its account has shrunk to half the size: one at the border would be moved to and fro.
    """
    waits = [_settled(account_id, kind, limit) for kind in (*_OF_DOCUMENTS, Record)]
    return any(waits)


def _settled(account_id: int, kind: Kind, limit: int) -> bool:
    with isolation.account(account_id):
        size = _size(account_id, kind)
    if size > settings.PAM_EXACT_SCAN_FACTS:
        return _marked(account_id, kind, limit) == limit
    if 2 * size <= settings.PAM_EXACT_SCAN_FACTS:
        while _unmarked(account_id, kind, limit) == limit:
            pass
    return False


def is_large(account_id: int, kind: Kind) -> bool:
    """Whether the account's rows of a kind are too many to be scanned. Runs inside `isolation.account`."""
    return _size(account_id, kind) > settings.PAM_EXACT_SCAN_FACTS


def _size(account_id: int, kind: Kind) -> int:
    """By the last count: of facts for what documents say, of records for agent memory."""
    if kind is Record:
        corpus = WordCorpus.objects.filter(account_id=account_id, corpus="record")
        return corpus.values_list("texts", flat=True).first() or 0
    return Readiness.objects.filter(account_id=account_id).values_list("facts", flat=True).first() or 0


def unsettled() -> list[int]:
    """The large accounts some of whose rows are not in the index yet. Runs under `isolation.every_account`."""
    large = Readiness.objects.filter(facts__gt=settings.PAM_EXACT_SCAN_FACTS)
    outside = Exists(_outside(Section)) | Exists(_outside(Fact))
    noted = WordCorpus.objects.filter(corpus="record", texts__gt=settings.PAM_EXACT_SCAN_FACTS)
    found = [large.filter(outside), noted.filter(Exists(_outside(Record)))]
    return [account_id for rows in found for account_id in rows.values_list("account_id", flat=True)]


def _outside(kind: Kind) -> QuerySet[Any]:
    return kind.objects.filter(account_id=OuterRef("account_id"), is_indexed=False, vector__isnull=False)


def _marked(account_id: int, kind: Kind, limit: int) -> int:
    return _changed(_MARK, account_id, kind, limit)


def _unmarked(account_id: int, kind: Kind, limit: int) -> int:
    return _changed(_UNMARK, account_id, kind, limit)


def _changed(statement: str, account_id: int, kind: Kind, limit: int) -> int:
    with isolation.account(account_id), connection.cursor() as cursor:
        cursor.execute(statement.format(table=kind._meta.db_table), {"account": account_id, "limit": limit})
        return int(cursor.rowcount)


# In the order of the small index over rows outside, which makes that one be used. A row that is being changed is not
# waited for: it comes in another turn.
_MARK = """
    UPDATE {table} SET is_indexed = true WHERE account_id = %(account)s AND id = ANY(ARRAY(
        SELECT id FROM {table} WHERE account_id = %(account)s AND NOT is_indexed AND vector IS NOT NULL
        ORDER BY account_id, id LIMIT %(limit)s FOR NO KEY UPDATE SKIP LOCKED
    ))
"""
_UNMARK = """
    UPDATE {table} SET is_indexed = false WHERE account_id = %(account)s AND id = ANY(ARRAY(
        SELECT id FROM {table} WHERE account_id = %(account)s AND is_indexed
        LIMIT %(limit)s FOR NO KEY UPDATE SKIP LOCKED
    ))
"""
