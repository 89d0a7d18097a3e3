"""What comes in about end users before it is remembered: chats to be read, what is not certain yet, and what a repeated
request was answered (memories/end_users/intake/).
"""

import uuid

from django.db import models
from django.utils import timezone

from memories.models.end_users import Memory, OfEndUser


class ExtractionJob(OfEndUser):
    """Messages to be read for what they say of the end user. The row is the queue; a message only wakes a worker.

    messages      as they came, secrets cut; emptied when it is over, as no chat is kept longer than needed; those of
                  a job that was given up stay, as staff may have it tried again
    gist_hash     of what the messages say, by which the same said again is told (gate L3)
    payload_hash  of the whole request: the same `source` event with another payload is refused
    claimed_at    the last sign of life of the worker that has it
    due_at        before then nobody takes it: its back-off, or the lease of the worker that has it
    attempts      how often a worker took it; the number is also what a worker's claim is known by
    """

    class Status(models.TextChoices):
        QUEUED = "queued"
        PROCESSING = "processing"
        COMPLETED = "completed"
        DEAD = "dead"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED)
    messages = models.JSONField(default=list, blank=True)
    agent_id = models.CharField(max_length=200, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    source = models.JSONField(default=dict, blank=True)
    source_service = models.CharField(max_length=200, blank=True)
    source_event_id = models.CharField(max_length=255, blank=True)
    observed_at = models.DateTimeField(default=timezone.now, editable=False)
    gist_hash = models.CharField(max_length=64, editable=False)
    payload_hash = models.CharField(max_length=64, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    memories_created = models.PositiveIntegerField(default=0)
    candidates_buffered = models.PositiveIntegerField(default=0)
    candidates_promoted = models.PositiveIntegerField(default=0)
    error_summary = models.CharField(max_length=500, blank=True)
    queued_at = models.DateTimeField(default=timezone.now, editable=False)
    due_at = models.DateTimeField(default=timezone.now, editable=False)
    claimed_at = models.DateTimeField(null=True, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    completed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "end_user", "source_service", "source_event_id"],
                condition=~models.Q(source_event_id=""),
                name="job_event_once",
            ),
        ]
        indexes = [
            models.Index(fields=["account", "end_user", "queued_at"], name="job_by_user"),
            models.Index(
                fields=["account", "due_at", "id"],
                condition=models.Q(status__in=["queued", "processing"]),
                name="job_waiting",
            ),
            # Whether an earlier one of the same person is unfinished, however many are finished.
            models.Index(
                fields=["account", "end_user", "id"],
                condition=models.Q(status__in=["queued", "processing"]),
                name="job_in_turn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.status}"


class PendingCandidate(OfEndUser):
    """A statement that is not certain enough to be a memory yet: it becomes one when it is said a second time."""

    content = models.CharField(max_length=500)
    content_hash = models.CharField(max_length=64, editable=False)
    category = models.CharField(max_length=12, choices=Memory.Category)
    importance_score = models.FloatField()
    confidence_score = models.FloatField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "end_user", "content_hash"], name="pendingcandidate_once")
        ]

    def __str__(self) -> str:
        return self.content[:80]


class IdempotentAnswer(OfEndUser):
    """What a request with an `Idempotency-Key` was answered, for a day. Holds ids and states, no text.

    end_user is whom the request was about: the row is gone with them.
    """

    key = models.CharField(max_length=255, db_collation="C")
    request_hash = models.CharField(max_length=64)
    status_code = models.PositiveSmallIntegerField(default=200)
    answer = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "key"], name="idempotentanswer_once")]
        indexes = [models.Index(fields=["account", "created_at"], name="idempotentanswer_by_age")]

    def __str__(self) -> str:
        return self.key
