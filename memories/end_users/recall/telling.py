"""What the database knows of a retrieval: whom it is about, before; what was told, afterwards.

A telling is noted in one statement that waits for no lock: whose row somebody else counts just now is counted there.
Runs inside `isolation.account`.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from accounts.models import Account
from memories.models import Conflict, EndUser, Memory, Retrieval, TenantSettings


@dataclass(frozen=True, slots=True)
class Person:
    """An end user as they are now. `end_user` has its key, account, id and revision, no more.

    has_question    a contradiction is waiting that nobody was asked about yet
    domain, mark    the account's domain schema, empty without one, and when its settings were last changed
    """

    end_user: EndUser
    is_blocked: bool
    has_question: bool
    domain: str
    mark: datetime | None


def person(account: Account, external_id: str) -> Person | None:
    """None for somebody who was never seen: reading makes nobody. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_PERSON, {"account": account.pk, "external_id": external_id})
        row = cursor.fetchone()
    if row is None:
        return None
    key, revision, *rest = row
    end_user = EndUser(pk=key, account_id=account.pk, external_id=external_id, revision=revision)
    end_user._state.adding = False
    return Person(end_user, *rest)


def note(end_user: EndUser, memory_ids: Sequence[int]) -> uuid.UUID | None:
    """Keeps which memories were told, and counts them as accessed. None where the end user was erased meanwhile.

    The end user is held (traces.hold) until the transaction ends. One statement.
    """
    retrieval = uuid.uuid4()
    with connection.cursor() as cursor:
        cursor.execute(
            _NOTE,
            {
                "account": end_user.account_id,
                "end_user": end_user.pk,
                "retrieval": retrieval,
                "told": list(memory_ids),
            },
        )
        return retrieval if cursor.fetchone() else None


def revision(end_user: EndUser) -> int | None:
    """The revision by now; None where they are gone."""
    rows = EndUser.objects.filter(account_id=end_user.account_id, pk=end_user.pk)
    return rows.values_list("revision", flat=True).first()


_PERSON = f"""
SELECT person.id, person.revision, person.blocked_at IS NOT NULL, EXISTS (
           SELECT FROM "{Conflict._meta.db_table}" conflict
           WHERE conflict.account_id = person.account_id AND conflict.end_user_id = person.id
             AND conflict.resolved_at IS NULL AND conflict.asked_at IS NULL AND conflict.question <> ''
       ), coalesce(tenant.domain_schema, ''), tenant.updated_at
FROM "{EndUser._meta.db_table}" person
LEFT JOIN "{TenantSettings._meta.db_table}" tenant ON tenant.account_id = person.account_id
WHERE person.account_id = %(account)s AND person.external_id = %(external_id)s
"""  # noqa: S608
# The lock on the end user keeps an erasure waiting, so that nothing is noted of somebody who is gone; it keeps no
# writer waiting. What another telling counts at this moment is not counted here.
_NOTE = f"""
WITH held AS MATERIALIZED (
    SELECT id FROM "{EndUser._meta.db_table}" WHERE account_id = %(account)s AND id = %(end_user)s FOR KEY SHARE
), free AS MATERIALIZED (
    SELECT id FROM "{Memory._meta.db_table}"
    WHERE account_id = %(account)s AND end_user_id = (SELECT id FROM held) AND id = ANY(%(told)s::bigint[])
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
), counted AS (
    UPDATE "{Memory._meta.db_table}" SET access_count = access_count + 1, last_accessed_at = now()
    WHERE account_id = %(account)s AND id = ANY(ARRAY(SELECT id FROM free))
)
INSERT INTO "{Retrieval._meta.db_table}" (account_id, end_user_id, public_id, memory_ids, outcome, created_at)
SELECT %(account)s, id, %(retrieval)s, %(told)s::bigint[], '', now() FROM held
RETURNING id
"""  # noqa: S608
