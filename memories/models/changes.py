"""When what an account can search changed: written by the database itself, read by memories/warm.py."""

from django.db import models
from django.db.models.functions import Now

from accounts.models import Account


class SearchChange(models.Model):
    """That a statement wrote facts or sections of an account. Triggers write it (see the migration), with the rows, in
    the same transaction; nothing locks or changes one, so that writers never wait for each other here.

    An account's count and newest id tell whether anything happened. It may be gone by now: no constraint holds it.
    """

    account = models.ForeignKey(Account, db_constraint=False, on_delete=models.DO_NOTHING, related_name="+")
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["account", "id"], name="searchchange_in_order")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.changed_at}"
