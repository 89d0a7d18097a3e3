"""Erasing an end user: everything of them, everywhere, and nothing of anybody else (R1, R2).

Their row is locked first, so that whoever writes about them ends before, and whoever comes later finds nobody: a job at
work for them, a retrieval under way. Then every table that refers to end users is emptied of them; the tables are asked
for, not listed, so that a new one is covered by itself. What Valkey holds goes after the commit, and once more by beat
when everything that ran meanwhile has ended. What stays is a line without a name in it (`Erasure`). Source: contract
end_users.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import models, transaction
from django.utils import timezone
from django_redis import get_redis_connection
from django_redis.exceptions import ConnectionInterrupted
from redis.exceptions import RedisError

from accounts import audit, isolation, scopes
from accounts.caller import Caller
from accounts.models import Account, Membership, User, WebhookDelivery
from memories.end_users import people, traces
from memories.end_users.errors import EndUserNotFound
from memories.models import EndUser, Erasure, Memory

logger = logging.getLogger(__name__)

#: No request and no task runs longer (CELERY_TASK_TIME_LIMIT).
_ALL_HAS_ENDED = timedelta(minutes=15)
_MOST_SWEPT = 500


@dataclass(frozen=True, slots=True)
class Erased:
    """`memories_removed` counts live and archived ones."""

    deleted: bool
    memories_removed: int


def end_user(caller: Caller, external_id: str) -> Erased:
    """Raises EndUserNotFound for somebody never seen, or another account's, or erased already."""
    caller.require_scope(scopes.DELETE)
    caller.require_role(Membership.Role.ADMIN)
    by = caller.user.email if caller.user is not None else caller.identity
    with isolation.account(caller.account.pk):
        return _erase(caller.account, people.known(caller.account, external_id), by)


def by_staff(actor: User, row: EndUser, *, reason: str) -> Erased:
    """The same for staff; the audit log keeps who, why, and the number of the row, not whom it was about."""
    with isolation.account(row.account_id):
        audit.write(actor, "erase", row, reason=reason)
        return _erase(row.account, row, actor.email)


def _erase(account: Account, row: EndUser, by: str) -> Erased:
    held = EndUser.objects.filter(account=account, pk=row.pk).select_for_update().first()
    if held is None:
        raise EndUserNotFound
    removed = Memory.objects.filter(account=account, end_user=held).count()
    for model, column in concerning():
        _empty(model, account_id=account.pk, **{column: held.pk})
    _empty(WebhookDelivery, account_id=account.pk, data__external_user_id=held.external_id)
    _empty(EndUser, account_id=account.pk, pk=held.pk)
    Erasure.objects.create(account=account, end_user_pk=held.pk, erased_by=by, memories_removed=removed)
    transaction.on_commit(lambda: traces.forget(account.pk, held.pk), robust=True)
    return Erased(True, removed)


def concerning() -> list[tuple[type[models.Model], str]]:
    """Every table that refers to end users, with the column that does."""
    found = EndUser._meta.get_fields(include_hidden=True)
    return [(each.related_model, each.field.attname) for each in found if isinstance(each, models.ManyToOneRel)]


def _empty(model: type[models.Model], **of: Any) -> None:
    """One statement. What refers to these rows refers to the same end user, and the database checks that at the end."""
    rows = model._default_manager.filter(**of)
    rows._raw_delete(rows.db)


def finish() -> None:
    """Deletes once more what Valkey holds of those erased a while ago, and lets it drop them from its files, too."""
    with isolation.every_account():
        rows = Erasure.objects.filter(swept_at=None, erased_at__lt=timezone.now() - _ALL_HAS_ENDED)
        waiting = list(rows.order_by("pk").values_list("pk", "account_id", "end_user_pk")[:_MOST_SWEPT])
    swept = [pk for pk, account_pk, end_user_pk in waiting if traces.forget(account_pk, end_user_pk)]
    if swept and _rewrite_log():
        with isolation.every_account():
            Erasure.objects.filter(pk__in=swept).update(swept_at=timezone.now())


def _rewrite_log() -> bool:
    """Valkey's append-only file keeps what was deleted until it is written anew. False where it did not answer."""
    try:
        valkey = get_redis_connection()
        if valkey.info("persistence").get("aof_enabled"):
            valkey.bgrewriteaof()
    except (ConnectionInterrupted, RedisError, OSError) as error:
        logger.warning("Valkey did not begin its file anew (%s); the next round asks again.", type(error).__name__)
        return False
    return True
