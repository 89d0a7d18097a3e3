"""What Valkey holds of one end user, under names that erasure knows.

Whoever keeps something there about an end user names it here, by one of the kinds below: erasing deletes them by name,
so there is nothing to look for. Many entries of a kind are one hash under its name.

What is written there is written inside a transaction that holds the end user (`hold`) or has their turn: erasing waits
for such transactions, so that none of them brings anything back.
"""

import logging
from collections.abc import Collection
from enum import StrEnum

from django.core.cache import cache
from django.db import connection, transaction
from django_redis.exceptions import ConnectionInterrupted
from redis.exceptions import RedisError

from memories.end_users import keeping
from memories.models import EndUser

logger = logging.getLogger(__name__)


class Trace(StrEnum):
    """The kinds of things. A new one is one more line."""

    HOT = "hot"
    ANSWERS = "answers"
    ADDS = "adds"


def key(account_pk: int, end_user_pk: int, kind: Trace) -> str:
    """The name under which the cache holds things of `kind` about this end user."""
    return f"end-user:{account_pk}:{end_user_pk}:{kind}"


def forget(account_pk: int, end_user_pk: int) -> bool:
    """Deletes all of it. False where Valkey did not answer: then it has to be done again."""
    try:
        cache.delete_many([key(account_pk, end_user_pk, kind) for kind in Trace])
    except (ConnectionInterrupted, RedisError, OSError):
        logger.warning("Valkey did not answer; what it holds of an erased end user is deleted by a later round.")
        return False
    return True


def tell_no_more(account_pk: int, end_user_pk: int) -> None:
    """Deletes what is kept of answers about an end user, once this transaction is in: something was written about them.

    Nobody would be told it anyway (it is of an earlier revision); it must not lie there either.
    """
    names = [str(cache.make_key(key(account_pk, end_user_pk, kind))) for kind in (Trace.ANSWERS, Trace.HOT)]
    transaction.on_commit(lambda: _drop(names), robust=True)


def _drop(names: list[str]) -> None:
    keeping.together(lambda pipeline: pipeline.delete(*names))


def hold(end_user: EndUser) -> bool:
    """Keeps the end user from being erased until this transaction ends; False where they are gone.

    For whoever writes about a person without having their turn, before any other row of theirs is locked. It waits for
    nobody but an erasure, and keeps no writer waiting.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [end_user.account_id, end_user.pk])
        return cursor.fetchone() is not None


def hold_all(account_pk: int, end_user_pks: Collection[int]) -> set[int]:
    """The same for several at once: those of them that are still there."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD_ALL, [account_pk, sorted(end_user_pks)])
        return {pk for (pk,) in cursor.fetchall()}


_HOLD = f'SELECT FROM "{EndUser._meta.db_table}" WHERE account_id = %s AND id = %s FOR KEY SHARE'
_HOLD_ALL = (
    f'SELECT id FROM "{EndUser._meta.db_table}" WHERE account_id = %s AND id = ANY(%s) ORDER BY id FOR KEY SHARE'  # noqa: S608
)
