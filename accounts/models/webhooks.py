"""Where an account wants to be told of what happens, and what is on its way there."""

from django.db import models
from django.utils import timezone

from accounts.models.people import Account
from accounts.public_ids import PublicIdField


class AlertSettings(models.Model):
    """Where an account's events go, and what happens when its allowance of end-user memory is used up.

    webhook_secret    signs each delivery; kept readable, since a signature cannot be made from a hash
    told_mode         the memory mode that the webhook knows of: another one is told once
    """

    class Overage(models.TextChoices):
        BLOCK = "block"
        WARN = "warn"
        CHARGE = "charge"

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="+")
    webhook_url = models.CharField(max_length=2000, blank=True)
    webhook_secret = models.CharField(max_length=80, blank=True, editable=False)
    overage_policy = models.CharField(max_length=6, choices=Overage, default=Overage.BLOCK)
    told_mode = models.CharField(
        max_length=20, choices=Account.MemoryMode, default=Account.MemoryMode.FULL, editable=False
    )
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "alert settings"

    def __str__(self) -> str:
        return f"alerts of {self.account_id}"


class WebhookDelivery(models.Model):
    """An event on its way to an account's webhook. The row is the queue; a message only wakes a worker.

    once_key    an event of the same key is sent once ("quota.warning of this month"); empty for any number
    due_at      before then nobody tries (back-off)
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"

    public_id = PublicIdField("evt")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    event = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    once_key = models.CharField(max_length=120, blank=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    due_at = models.DateTimeField(default=timezone.now, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "once_key"], condition=~models.Q(once_key=""), name="delivery_once"
            )
        ]
        indexes = [
            models.Index(fields=["account", "created_at"], name="delivery_by_account"),
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="delivery_waiting"),
        ]
        verbose_name_plural = "webhook deliveries"

    def __str__(self) -> str:
        return f"{self.event} {self.state}"
