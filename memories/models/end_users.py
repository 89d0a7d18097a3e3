"""End-user memory: what a product remembers of its users (contract: end_users).

The unit of isolation is (account, end user); every row names both. A memory's text may change (by hand, by a newer
statement, by age): each state it was in is a version, so that what was known on a day can be told later.
"""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from accounts.models import Account
from memories.models.searchable import Searchable


class EndUser(models.Model):
    """Somebody whom a product of the account serves, under the name that the product calls them by.

    external_id    compared byte by byte: two that differ in case or in their Unicode form are two people
    revision       goes up with every write to what is remembered of them, in its transaction: what was answered under
                   another revision is not answered again, and whoever raises it holds this person's turn
    blocked_at     since when nothing is remembered of them or told about them
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    external_id = models.CharField(max_length=255, db_collation="C")
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_seen_at = models.DateTimeField(default=timezone.now, editable=False)
    blocked_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "external_id"], name="enduser_once")]
        indexes = [models.Index(fields=["account", "created_at", "id"], name="enduser_by_age")]

    def __str__(self) -> str:
        return self.external_id


class OfEndUser(models.Model):
    """A row that belongs to one end user, and is gone with them."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    end_user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")

    class Meta:
        abstract = True


class Memory(OfEndUser, Searchable):
    """One thing that is remembered of an end user, in the third person: "User prefers short answers."

    content_hash       of the kind of text that counts as the same
    slot, slot_value   what the statement is about, where only one can hold ("residence", "lisbon"); empty otherwise
    is_negated         it says that something is not so
    importance_score   1 to 10; confidence_score 0 to 1
    previous_version   the memory that this one took the place of
    archived_at        since when it is no longer told; `archived_as` says why, as in MemoryVersion.Change
    decayed_at         up to when its importance has fallen for want of use (lifecycle.py)
    observed_at        when it was said, where the product told that; else when it came in
    provenance         where it comes from: the service, evidence and scope that the product named
    """

    class Category(models.TextChoices):
        PREFERENCE = "preference"
        FACT = "fact"
        GOAL = "goal"
        PROCEDURE = "procedure"
        RELATIONSHIP = "relationship"
        EXPERTISE = "expertise"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    content = models.CharField(max_length=500)
    content_hash = models.CharField(max_length=64, editable=False)
    category = models.CharField(max_length=12, choices=Category)
    slot = models.CharField(max_length=60, blank=True, editable=False)
    slot_value = models.CharField(max_length=200, blank=True, editable=False)
    is_negated = models.BooleanField(default=False, editable=False)
    importance_score = models.FloatField(default=5.0, validators=[MinValueValidator(1), MaxValueValidator(10)])
    confidence_score = models.FloatField(default=1.0, validators=[MinValueValidator(0), MaxValueValidator(1)])
    agent_id = models.CharField(max_length=200, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    provenance = models.JSONField(default=dict, blank=True)
    source_event_id = models.CharField(max_length=255, blank=True)
    previous_version = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    seen_count = models.PositiveIntegerField(default=1, editable=False)
    access_count = models.PositiveIntegerField(default=0, editable=False)
    last_accessed_at = models.DateTimeField(null=True, blank=True, editable=False)
    is_archived = models.BooleanField(default=False)
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    archived_as = models.CharField(max_length=20, blank=True, editable=False)
    decayed_at = models.DateTimeField(null=True, blank=True, editable=False)
    observed_at = models.DateTimeField(default=timezone.now, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "end_user", "content_hash"],
                condition=models.Q(is_archived=False),
                name="memory_live_once",
            ),
            models.CheckConstraint(
                condition=models.Q(importance_score__gte=1, importance_score__lte=10), name="memory_importance_in_range"
            ),
            models.CheckConstraint(
                condition=models.Q(confidence_score__gte=0, confidence_score__lte=1), name="memory_confidence_in_range"
            ),
            models.CheckConstraint(
                condition=models.Q(is_archived=False, archived_at=None)
                | models.Q(is_archived=True, archived_at__isnull=False),
                name="memory_archived_at_a_time",
            ),
            models.CheckConstraint(
                condition=~models.Q(previous_version=models.F("id")), name="memory_not_its_own_predecessor"
            ),
        ]
        indexes = [
            models.Index(fields=["account", "end_user", "created_at", "id"], name="memory_by_user"),
            models.Index(fields=["account", "created_at", "id"], name="memory_by_age"),
            models.Index(fields=["account", "previous_version"], name="memory_by_predecessor"),
            models.Index(fields=["account", "id"], condition=models.Q(vector=None), name="memory_without_vector"),
        ]
        verbose_name_plural = "memories"

    def __str__(self) -> str:
        return self.content[:80]


class HiddenMemory(OfEndUser):
    """A memory that staff hid: taken out of the table that every read looks through, and whole in here.

    lines        whose it is, and the memory with every state it was in, as in an export (moving/)
    successors   the public ids of those that took its place
    """

    public_id = models.UUIDField(unique=True, editable=False)
    content = models.CharField(max_length=500)
    lines = models.JSONField(editable=False)
    successors = models.JSONField(default=list, editable=False)
    hidden_by = models.CharField(max_length=254)
    hidden_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "hidden memories"
        indexes = [models.Index(fields=["account", "end_user", "id"], name="hiddenmemory_by_user")]

    def __str__(self) -> str:
        return str(self.public_id)


class MemoryVersion(OfEndUser):
    """A state that a memory was in from `created_at` until its next version."""

    class Change(models.TextChoices):
        CREATED = "created"
        CONFLICT_UPDATE = "conflict_update"
        MANUAL_EDIT = "manual_edit"
        IMPORTANCE_DECAY = "importance_decay"
        IMPORTANCE_BOOST = "importance_boost"
        ARCHIVED = "archived"
        CONFLICT_RESOLVED = "conflict_resolved"

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    change_type = models.CharField(max_length=20, choices=Change)
    reason = models.CharField(max_length=500, blank=True)
    content = models.CharField(max_length=500)
    category = models.CharField(max_length=12, choices=Memory.Category)
    importance_score = models.FloatField()
    is_archived = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "memory", "version"], name="memoryversion_once")]
        indexes = [models.Index(fields=["account", "end_user", "created_at"], name="memoryversion_by_user")]

    def __str__(self) -> str:
        return f"{self.memory_id} v{self.version}: {self.change_type}"


class Conflict(OfEndUser):
    """That a new statement contradicted an old memory of the same person, and how that ended.

    old, new     the memories; `new` is null where the new statement did not become one (REJECT, MERGE)
    statement    the new statement as it came
    outcome      empty while it is pending: then both stay, and the question is asked once
    keep         which of the two a person kept: a is the old one, b the new one
    """

    class Outcome(models.TextChoices):
        UPDATE = "UPDATE"
        MERGE = "MERGE"
        KEEP_BOTH = "KEEP_BOTH"
        REJECT = "REJECT"
        NEW = "NEW"

    class Keep(models.TextChoices):
        A = "a"
        B = "b"
        BOTH = "both"
        NEITHER = "neither"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    old = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="+")
    new = models.ForeignKey(Memory, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    statement = models.CharField(max_length=500)
    reason = models.CharField(max_length=500, blank=True)
    question = models.CharField(max_length=1200, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    keep = models.CharField(max_length=8, choices=Keep, blank=True)
    resolved_by = models.CharField(max_length=300, blank=True)
    asked_at = models.DateTimeField(null=True, editable=False)
    resolved_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["account", "created_at", "id"], name="conflict_by_age"),
            models.Index(
                fields=["account", "end_user", "created_at"],
                condition=models.Q(resolved_at=None),
                name="conflict_pending",
            ),
            models.Index(fields=["account", "old"], name="conflict_by_old"),
            models.Index(fields=["account", "new"], name="conflict_by_new"),
        ]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.outcome or 'pending'}"


class Retrieval(OfEndUser):
    """Which memories an answer told, for what the product says of it afterwards. No text; pruned after a month."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    memory_ids = ArrayField(models.BigIntegerField(), default=list)
    outcome = models.CharField(max_length=24, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["account", "created_at"], name="retrieval_by_age")]

    def __str__(self) -> str:
        return str(self.public_id)


class DomainProfile(OfEndUser):
    """What a domain (edtech, support, …) has gathered of an end user, in the shape that its file declares.

    revision   of the end user, under which it was gathered: under another one it is gathered anew
    restated   in which words of the domain a language model put a memory that no rule could read, by the memory's
               content hash; an empty list where it had nothing to say
    """

    domain = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    restated = models.JSONField(default=dict)
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    schema_version = models.PositiveSmallIntegerField(default=1)
    last_extraction_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "end_user", "domain"], name="domainprofile_once"),
        ]

    def __str__(self) -> str:
        return f"{self.domain} of {self.end_user_id}"


class TenantSettings(models.Model):
    """How an account's end-user memory is set up; an account without a row has the defaults.

    domain_schema     empty, or the name of a domain under memories/end_users/domains/
    support_*         for the domain `support`: which kinds of support this account gives
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="+")
    domain_schema = models.CharField(max_length=20, blank=True)
    support_mode = models.CharField(max_length=10, default="auto")
    support_type = models.CharField(max_length=30, blank=True)
    support_allowed = ArrayField(models.CharField(max_length=30), default=list, blank=True)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "tenant settings"

    def __str__(self) -> str:
        return f"settings of {self.account_id}"


class Erasure(models.Model):
    """That an end user was erased: by whom, when, and how much of them. Nothing here tells who they were.

    end_user_pk    the number their row had
    erased_by      an API key, a person's address, or staff
    swept_at       when Valkey was seen to hold nothing of them any more, after all that ran meanwhile had ended
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    end_user_pk = models.BigIntegerField()
    erased_by = models.CharField(max_length=300)
    memories_removed = models.PositiveIntegerField()
    erased_at = models.DateTimeField(default=timezone.now, editable=False)
    swept_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        indexes = [models.Index(fields=["account", "erased_at"], name="erasure_by_age")]

    def __str__(self) -> str:
        return f"{self.memories_removed} memories at {self.erased_at:%Y-%m-%d %H:%M}"


class LifecycleRun(models.Model):
    """What age did to an account's memories on one day, or why it was kept from doing anything.

    live       memories that were told when the run began
    due        how many of them it would change, and `due_archived` of those archive
    """

    class State(models.TextChoices):
        DONE = "done"
        STOPPED = "stopped"

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    state = models.CharField(max_length=8, choices=State)
    reason = models.CharField(max_length=300, blank=True)
    live = models.PositiveIntegerField()
    due = models.PositiveIntegerField()
    due_archived = models.PositiveIntegerField(default=0)
    decayed = models.PositiveIntegerField(default=0)
    archived = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "day"], name="lifecyclerun_once_a_day")]

    def __str__(self) -> str:
        return f"{self.day}: {self.state}"
