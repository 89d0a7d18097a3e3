"""`Idempotency-Key`: the same request again within a day gets the same answer again, to the letter.

The first request of a key to be committed is the one that counts. Another of the same key waits for its commit at the
unique index, and then tells its answer. Everything here runs inside `isolation.account`.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.models import Account
from memories.end_users.errors import EventConflict
from memories.models import EndUser, IdempotentAnswer

KEPT = timedelta(hours=24)
_OTHER_BODY = "This Idempotency-Key came before with another request. Use a new key for a new request."


@dataclass(frozen=True, slots=True)
class Once:
    """A key as one account sent it with one request. `request_hash` is of what was asked, route and body; 64 digits."""

    account: Account
    key: str
    request_hash: str


def told(once: Once) -> dict[str, Any] | None:
    """What the request was answered before; None for a new one, or for one without a key.

    Raises EventConflict where the key came with another request.
    """
    row = _row(once) if once.key else None
    if row is None:
        return None
    if row.request_hash != once.request_hash:
        raise EventConflict(_OTHER_BODY)
    answer: dict[str, Any] = row.answer
    return answer


def keep(once: Once, end_user: EndUser, answer: dict[str, Any]) -> dict[str, Any] | None:
    """Keeps `answer` for whoever asks again. Where another request of the key was faster: what that was answered.

    Raises EventConflict as `told` does. `answer` is JSON with ids and states, and no text of an end user.
    """
    if not once.key:
        return None
    now = timezone.now()
    values: dict[str, int | str | datetime] = {
        "account": once.account.pk,
        "end_user": end_user.pk,
        "key": once.key,
        "hash": once.request_hash,
        "answer": json.dumps(answer),
        "now": now,
        "oldest": now - KEPT,
    }
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, values)
        is_first = cursor.rowcount == 1
    return None if is_first else told(once)


def _row(once: Once) -> IdempotentAnswer | None:
    rows = IdempotentAnswer.objects.filter(account=once.account, key=once.key)
    return rows.filter(created_at__gt=timezone.now() - KEPT).first()


# One that is too old and was not pruned yet makes way.
_KEEP = """
    INSERT INTO memories_idempotentanswer AS old
        (account_id, end_user_id, key, request_hash, status_code, answer, created_at)
    VALUES (%(account)s, %(end_user)s, %(key)s, %(hash)s, 200, %(answer)s::jsonb, %(now)s)
    ON CONFLICT (account_id, key) DO UPDATE
    SET end_user_id = excluded.end_user_id, request_hash = excluded.request_hash, answer = excluded.answer,
        created_at = excluded.created_at
    WHERE old.created_at <= %(oldest)s
"""
