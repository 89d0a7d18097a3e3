"""What staff did, to whom, and why."""

from django.db import models
from django.utils import timezone

from accounts.models.people import Account


class AuditEntry(models.Model):
    """That somebody of the staff did something, and why. Written by accounts/audit.py; the database refuses to change
    or delete a row, so nothing here hangs on rows that may go: people and things are kept by name.

    account    what it was done to or in; none for what belongs to the installation. It may be gone by now.
    """

    account = models.ForeignKey(
        Account, null=True, db_constraint=False, on_delete=models.DO_NOTHING, related_name="+", editable=False
    )
    account_public_id = models.CharField(max_length=40, blank=True, editable=False)
    by = models.CharField(max_length=300, editable=False)
    did = models.CharField(max_length=40, editable=False)
    thing = models.CharField(max_length=40, editable=False)
    thing_id = models.CharField(max_length=80, editable=False)
    reason = models.CharField(max_length=500, editable=False)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["account", "at", "id"], name="audit_by_account")]
        verbose_name_plural = "audit log"

    def __str__(self) -> str:
        return f"{self.by}: {self.did} {self.thing} {self.thing_id}"
