"""The request log: every attempt that authenticated, with what was asked and answered (secrets cut)."""

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import F
from django.utils import timezone

from accounts.models import Account, AgentKey, User

#: The columns that a search looks through.
SEARCHED = ("tool_name", "prompt", "response_content_text")


class RequestLog(models.Model):
    """One call of a tool, answered or refused."""

    class Status(models.TextChoices):
        OK = "ok"
        ERROR = "error"

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    request_id = models.UUIDField(unique=True, editable=False)
    tool_name = models.CharField(max_length=80)
    status = models.CharField(max_length=10, choices=Status)
    error_code = models.CharField(max_length=40, blank=True)
    counted = models.BooleanField(default=False)
    key = models.ForeignKey(AgentKey, null=True, on_delete=models.SET_NULL, related_name="+")
    user = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    client = models.CharField(max_length=120, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    prompt = models.TextField(blank=True)
    response_content_text = models.TextField(blank=True)
    response_json = models.JSONField(default=dict)
    duration_ms = models.PositiveIntegerField(default=0)
    estimated_tokens = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["account", "-created_at", "-id"], name="requestlog_newest_first"),
            models.Index(fields=["created_at"], name="requestlog_by_age"),
            # What usage counts, without the texts of the rows.
            models.Index(
                fields=["account", "created_at"],
                include=["status", "error_code", "counted", "duration_ms", "estimated_tokens"],
                name="requestlog_usage",
            ),
            GinIndex(
                F("account"),
                *(OpClass(column, name="gin_trgm_ops") for column in SEARCHED),
                name="requestlog_by_part_of_a_word",
                # Kilobytes of new entries that wait for a worker to sort them in (request_log.sort_in). Past this bound
                # a call would do it while its client waits.
                gin_pending_list_limit=65_536,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tool_name} {self.status} {self.request_id}"
