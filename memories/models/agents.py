"""Agent memory: what sessions decided (contract: knowledge). Spaces, summaries, records, tombstones.

A record's text is never changed: a newer record takes its place and both ends are linked. What one transaction may not
get wrong is said here in SQL: the same statement is active once, and nothing replaces itself.
"""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Cast
from django.utils import timezone
from pgvector.django import BitField, HalfVectorField, HnswIndex

from accounts.models import Account, User
from accounts.public_ids import PublicIdField
from memories.models.searchable import VECTOR_DIMENSIONS, Searchable


class Space(models.Model):
    """A named area inside an account. Who reads and writes it: memories/agents/spaces.py.

    access    `members`: those listed, and the account's owners and admins; `account`: everyone of the account
    """

    class Access(models.TextChoices):
        MEMBERS = "members"
        ACCOUNT = "account"

    public_id = PublicIdField("spc")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=120)
    access = models.CharField(max_length=10, choices=Access, default=Access.MEMBERS)
    created_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    imported_id = models.CharField(max_length=40, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "name"], name="space_name_once"),
            models.UniqueConstraint(
                fields=["account", "imported_id"], condition=~models.Q(imported_id=""), name="space_imported_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SpaceMember(models.Model):
    """That a person reads a space, and whether they write in it. Their agents' keys reach as far as they do."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    can_write = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "space", "user"], name="space_member_once")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.space_id}"


class Summary(models.Model):
    """What a session said of itself: prose, and the records that came with it.

    content_hash    of agent, session, trigger, space, text and items: the same again within a day is a retry
    """

    class Trigger(models.TextChoices):
        COMPACTION = "compaction"
        END = "end"
        TURNS = "turns"
        MANUAL = "manual"

    public_id = PublicIdField("sum")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    space = models.ForeignKey(Space, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    agent = models.CharField(max_length=200, blank=True)
    session = models.CharField(max_length=200, blank=True)
    trigger = models.CharField(max_length=10, choices=Trigger, default=Trigger.MANUAL)
    text = models.TextField(blank=True)
    item_count = models.PositiveSmallIntegerField(default=0)
    content_hash = models.CharField(max_length=64, editable=False)
    imported_id = models.CharField(max_length=40, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "imported_id"], condition=~models.Q(imported_id=""), name="summary_imported_once"
            ),
        ]
        indexes = [
            models.Index(fields=["account", "created_at", "id"], name="summary_by_age"),
            models.Index(fields=["account", "content_hash"], name="summary_by_content"),
        ]
        verbose_name_plural = "summaries"

    def __str__(self) -> str:
        return f"{self.agent} {self.session}".strip() or self.public_id


class Record(Searchable):
    """One thing that was decided, preferred, found out, asked, handed over or done.

    text_hash       of the kind of text that counts as the same (memories/sameness.py)
    supersedes      the record it replaced, or answered, when it was recorded
    superseded_by   the record that replaced or answered it; a deleted one leaves none, and the status stays

    A record is searched with the records around it in its session (memories/agents/windows.py):

    terms           of its own text and topics
    vector          of its own text
    words           of its window: its own terms and, counted less, those of its neighbours
    near_vector     of its window; null while its own vector is missing
    near_signs      of near_vector's numbers, kept by Postgres: what a first look at every record needs
    """

    class Kind(models.TextChoices):
        DECISION = "decision"
        PREFERENCE = "preference"
        FACT = "fact"
        QUESTION = "question"
        HANDOFF = "handoff"
        DONE = "done"

    class Status(models.TextChoices):
        ACTIVE = "active"
        SUPERSEDED = "superseded"
        RESOLVED = "resolved"

    public_id = PublicIdField("rec")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    space = models.ForeignKey(Space, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    summary = models.ForeignKey(Summary, null=True, blank=True, on_delete=models.SET_NULL, related_name="records")
    kind = models.CharField(max_length=10, choices=Kind)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    text = models.TextField()
    text_hash = models.CharField(max_length=64, editable=False)
    agent = models.CharField(max_length=200, blank=True)
    session = models.CharField(max_length=200, blank=True)
    decided_by = models.CharField(max_length=200, blank=True)
    topics = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    links = ArrayField(models.CharField(max_length=2000), default=list, blank=True)
    supersedes = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    superseded_by = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    seen_count = models.PositiveIntegerField(default=1)
    imported_id = models.CharField(max_length=40, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_seen_at = models.DateTimeField(default=timezone.now, editable=False)
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)
    near_vector = HalfVectorField(dimensions=VECTOR_DIMENSIONS, null=True, editable=False)
    near_signs = models.GeneratedField(
        expression=Cast(
            models.Func("near_vector", function="binary_quantize", output_field=BitField()),
            BitField(length=VECTOR_DIMENSIONS),
        ),
        output_field=BitField(length=VECTOR_DIMENSIONS),
        db_persist=True,
        null=True,
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "space", "kind", "text_hash"],
                condition=models.Q(status="active", hidden_at=None),
                nulls_distinct=False,
                name="record_active_once",
            ),
            models.UniqueConstraint(
                fields=["account", "imported_id"], condition=~models.Q(imported_id=""), name="record_imported_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(supersedes=models.F("id")) & ~models.Q(superseded_by=models.F("id")),
                name="record_not_superseding_itself",
            ),
            models.CheckConstraint(
                condition=models.Q(superseded_by=None) | ~models.Q(status="active"), name="record_superseded_not_active"
            ),
        ]
        indexes = [
            models.Index(fields=["account", "created_at", "id"], name="record_by_age"),
            models.Index(fields=["account", "space", "session", "id"], name="record_by_session"),
            models.Index(fields=["account", "superseded_by"], name="record_by_successor"),
            models.Index(fields=["account", "supersedes"], name="record_by_predecessor"),
            GinIndex(fields=["account", "topics"], name="record_by_topic"),
            GinIndex(fields=["account", "terms"], name="record_by_term"),
            models.Index(fields=["account", "id"], condition=models.Q(vector=None), name="record_without_vector"),
            models.Index(
                fields=["account", "space"],
                include=["id", "kind", "status", "hidden_at", "near_signs"],
                name="record_scan",
            ),
            HnswIndex(
                fields=["near_vector"],
                name="record_by_meaning",
                opclasses=["halfvec_ip_ops"],
                condition=models.Q(is_indexed=True),
            ),
            models.Index(
                fields=["account", "id"],
                condition=models.Q(is_indexed=False, vector__isnull=False),
                name="record_unindexed",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Tombstone(models.Model):
    """What is left of a deleted record, summary or space: that it was, who deleted it and when. None of its content."""

    class Thing(models.TextChoices):
        RECORD = "record"
        SUMMARY = "summary"
        SPACE = "space"

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    thing = models.CharField(max_length=10, choices=Thing)
    thing_id = models.CharField(max_length=40)
    deleted_by = models.CharField(max_length=300, help_text="A person's address, or an agent key's id.")
    deleted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "thing_id"], name="tombstone_once")]

    def __str__(self) -> str:
        return f"{self.thing} {self.thing_id}"
