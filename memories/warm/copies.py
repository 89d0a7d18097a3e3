"""Which accounts have a warm copy, and whether it may be used. See the package's docstring for what a copy is."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts import isolation
from accounts.models import Account
from memories import embedding
from memories.candidates import Candidate, Query, Weights
from memories.warm import reading
from memories.warm.copy import Copy, Stamp

logger = logging.getLogger(__name__)

#: An account at rest for so long is worth copying: while it is being imported, every copy would be stale at once.
SETTLED = timedelta(seconds=2)
#: Marks of change are pruned after hours (see prune), so an older copy could be taken for a fresh one.
LONGEST_SECONDS = 1800
KEPT = timedelta(hours=2)

_copies: OrderedDict[int, Copy] = OrderedDict()
_wanted: set[int] = set()
_lock = threading.Lock()
_loader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="warm")


def scored(account: Account, queries: Sequence[Query], weights: Weights, facts: int) -> list[list[Candidate]] | None:
    """For each query the best facts by the warm copy of the account; None where Postgres has to scan.

    `facts`: about how many the account holds. One query. Runs inside `isolation.account`.
    """
    if not settings.PAM_WARM_MB or facts > settings.PAM_EXACT_SCAN_FACTS:
        return None
    copy = _fresh(account)
    return None if copy is None else [copy.scored(query, weights) for query in queries]


def _fresh(account: Account) -> Copy | None:
    stamp, is_settled = _stamp(account)
    with _lock:
        copy = _copies.get(account.pk)
        now = time.monotonic()
        is_young = copy is not None and now - copy.seen_at < LONGEST_SECONDS
        if copy is not None and is_young and copy.stamp == stamp and copy.model == embedding.model_name():
            _copies.move_to_end(account.pk)
            copy.seen_at = now
            return copy
        _copies.pop(account.pk, None)
        if is_settled and account.pk not in _wanted:
            _wanted.add(account.pk)
            _loader.submit(_load_in_background, account.pk)
    return None


def _stamp(account: Account) -> tuple[Stamp, bool]:
    """How often and when last the account was written to, and whether that is a while ago."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES, [account.pk])
        count, newest, last = cursor.fetchone()
    return (count, newest or 0), last is None or last < timezone.now() - SETTLED


_CHANGES = "SELECT count(id), max(id), max(changed_at) FROM memories_searchchange WHERE account_id = %s"


def _load_in_background(account_id: int) -> None:
    try:
        load(account_id)
    except Exception:
        logger.exception("No warm copy of account %d could be made; its questions are scanned for.", account_id)
    finally:
        with _lock:
            _wanted.discard(account_id)
        connection.close()


def load(account_id: int) -> None:
    """Copies the account, unless it is written to meanwhile or has no room."""
    with isolation.account(account_id):
        account = Account(pk=account_id)
        before, _ = _stamp(account)
        copy = reading.read(account_id, before)
        if _stamp(account)[0] == before:
            _keep(account_id, copy)


def _keep(account_id: int, copy: Copy) -> None:
    room = settings.PAM_WARM_MB * 1024 * 1024
    if copy.size > room:
        return
    with _lock:
        _copies[account_id] = copy
        _copies.move_to_end(account_id)
        while sum(kept.size for kept in _copies.values()) > room:
            _copies.popitem(last=False)


def forget() -> None:
    """Drops every copy of this process."""
    with _lock:
        _copies.clear()


def prune() -> None:
    """Marks of change that no copy can stand by any more, but for each account's newest."""
    with isolation.every_account(), connection.cursor() as cursor:
        cursor.execute(_PRUNE, {"before": timezone.now() - KEPT})


_PRUNE = """
    DELETE FROM memories_searchchange old
    USING (SELECT account_id, max(id) AS newest FROM memories_searchchange GROUP BY account_id) AS kept
    WHERE old.account_id = kept.account_id AND old.id < kept.newest AND old.changed_at < %(before)s
"""
