"""What agent keys and API keys have in common: a secret that is shown once, and a hash by which it is found.

Hashing is SHA-256 without a salt: a key holds 256 random bits, so there is nothing to guess or to precompute, and the
hash can be looked up by an index.
"""

import hashlib
import secrets
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model
from django.utils import timezone

from accounts import isolation
from accounts.models import Account, AgentKey, ApiKey, Plan

M = TypeVar("M", bound=Model)
Key = TypeVar("Key", AgentKey, ApiKey)

#: `last_used_at` is written at most this often, so that a busy key is not a busy row.
LAST_USED_RESOLUTION = timedelta(minutes=1)


def new(prefix: str) -> str:
    """A fresh secret."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def recognise(model: type[Key], secret: str) -> Key | None:
    """The living key whose secret this is, with its account and plan; None for a wrong, revoked or expired one."""
    with isolation.every_account(once=True), connection.cursor() as cursor:
        cursor.execute(_alive(model), {"hash": digest(secret), "now": timezone.now()})
        found = cursor.fetchone()
    if found is None:
        return None
    values = iter(found)
    key, account, plan = _row(model, values), _row(Account, values), _row(Plan, values)
    account.plan = plan if account.plan_id else None
    key.account = account
    return key


def by_life(listed: list[Key]) -> dict[str, list[Key]]:
    """For a page: `active` keys, and keys that are `over`."""
    over = [key for key in listed if key.state != "active"]
    return {"active": [key for key in listed if key not in over], "over": over}


@cache
def _alive(model: type[Model]) -> str:
    # `alive()` with account and plan, written out: Python takes three times as long to build it as Postgres to answer
    # it, at every request.
    return f"""
        SELECT {_columns(model, "k")}, {_columns(Account, "a")}, {_columns(Plan, "p")}
        FROM {model._meta.db_table} k JOIN accounts_account a ON a.id = k.account_id
        LEFT JOIN accounts_plan p ON p.id = a.plan_id
        WHERE k.key_hash = %(hash)s AND a.closed_at IS NULL AND k.revoked_at IS NULL
          AND (k.expires_at IS NULL OR k.expires_at > %(now)s)
    """  # noqa: S608 (names of columns)


def _columns(model: type[Model], alias: str) -> str:
    return ", ".join(f"{alias}.{field.column}" for field in model._meta.concrete_fields)


def _row(model: type[M], values: Iterator[Any]) -> M:
    names = [field.attname for field in model._meta.concrete_fields]
    return model.from_db(connection.alias, names, list(islice(values, len(names))))
