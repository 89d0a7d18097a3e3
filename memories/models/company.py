"""Company memory: sources, documents, and what was made of them (contract: company memory).

A document's text becomes sections (a tree), sections hold facts, facts name entities and relationships. All of it hangs
on the document: deleting the row deletes what was made of it, in the database itself (ON DELETE CASCADE, set by a
migration; hence DO_NOTHING here), so that nothing of a deleted document is found again and Django fetches no row of it.
"""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Cast
from django.utils import timezone
from pgvector.django import BitField, HnswIndex

from accounts.models import Account, User
from accounts.public_ids import PublicIdField
from memories.models.searchable import VECTOR_DIMENSIONS, Searchable


class Source(models.Model):
    """Where documents come from."""

    class Kind(models.TextChoices):
        UPLOAD = "upload"
        FOLDER = "folder"
        ARCHIVE = "archive"
        CHAT = "chat"
        API = "api"

    public_id = PublicIdField("src")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="sources")
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=255)
    created_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "kind", "name"], name="source_once")]

    def __str__(self) -> str:
        return self.name


class DocumentQuerySet(models.QuerySet["Document"]):
    def of(self, account: Account) -> "DocumentQuerySet":
        return self.filter(account=account)

    def waiting(self) -> "DocumentQuerySet":
        return self.filter(state__in=[Document.State.QUEUED, Document.State.PROCESSING])


class Document(models.Model):
    """One file, page or chat, by its path inside a source.

    queued      stored, not yet worked on        processing   a worker has it (see `claimed_at`)
    ready       its sections and facts are found  failed       `error` says why, and what to do

    Sections and facts are those of the last version that could be read: while a new one is worked on, or after one that
    could not be read, they are still found.

    content_hash   of the bytes as they came in last; the same bytes again are no work
    claim          of the worker that has it. It is gone when newer content came in or another worker took over: what
                   the first one made is then thrown away.
    claimed_at     that worker's last sign of life
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        PROCESSING = "processing"
        READY = "ready"
        FAILED = "failed"

    public_id = PublicIdField("doc")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="documents")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="documents")
    path = models.CharField(max_length=1000)
    title = models.CharField(max_length=500, blank=True)
    text = models.TextField(blank=True, editable=False)
    content_hash = models.CharField(max_length=64, blank=True, editable=False)
    properties = models.JSONField(default=dict, editable=False)
    observed_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    error = models.CharField(max_length=500, blank=True)
    size = models.PositiveIntegerField(default=0, help_text="Bytes as they came in.")
    section_count = models.PositiveIntegerField(default=0, editable=False)
    fact_count = models.PositiveIntegerField(default=0, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    claim = models.UUIDField(null=True, editable=False)
    claimed_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "source", "path"], name="document_path_once")]
        indexes = [
            models.Index(fields=["account", "state"], name="document_by_state"),
            models.Index(fields=["account", "created_at", "id"], name="document_by_age"),
            models.Index(
                fields=["account", "id"],
                condition=models.Q(state__in=["queued", "processing"]),
                name="document_waiting",
            ),
        ]

    def __str__(self) -> str:
        return self.path


class Upload(models.Model):
    """The bytes of a document that still has to be converted. Gone once its text is stored.

    They lie in the database so that an answered import survives every process, on whichever machine a worker runs.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    document = models.OneToOneField(Document, on_delete=models.DO_NOTHING, related_name="upload")
    content = models.BinaryField()


class Section(Searchable):
    """A passage of a document under its headings: what is targeted, excerpted, and read as a fact's neighbourhood."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    document = models.ForeignKey(Document, on_delete=models.DO_NOTHING, related_name="sections")
    position = models.PositiveIntegerField()
    tree_path = models.CharField(max_length=2000)
    heading = models.CharField(max_length=500, blank=True)
    summary = models.CharField(max_length=500, blank=True)
    superseded = models.CharField(
        max_length=200,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="What took its place, as the document says itself; empty while it holds.",
    )
    text = models.TextField()
    content_hash = models.CharField(max_length=64, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["account", "document", "position"], name="section_in_order"),
            GinIndex(fields=["account", "terms"], name="section_by_term"),
            HnswIndex(
                fields=["vector"],
                name="section_by_meaning",
                opclasses=["halfvec_ip_ops"],
                condition=models.Q(is_indexed=True),
            ),
            models.Index(fields=["account", "id"], condition=models.Q(vector=None), name="section_without_vector"),
            models.Index(
                fields=["account", "id"],
                condition=models.Q(is_indexed=False, vector__isnull=False),
                name="section_unindexed",
            ),
        ]

    def __str__(self) -> str:
        return self.tree_path


class Fact(Searchable):
    """One statement of a document, understandable alone together with its section's headings.

    signs   of the vector's numbers, kept by Postgres: 48 bytes that tell roughly how near two vectors are. The index
            `fact_scan` holds all that a first look at every fact of an account needs.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    document = models.ForeignKey(Document, on_delete=models.DO_NOTHING, related_name="facts")
    section = models.ForeignKey(Section, on_delete=models.DO_NOTHING, related_name="facts")
    position = models.PositiveIntegerField()
    heading = models.CharField(max_length=1000, blank=True, help_text="The document's title and the headings above it.")
    statement = models.TextField()
    statement_hash = models.CharField(max_length=64, editable=False)
    signs = models.GeneratedField(
        expression=Cast(
            models.Func("vector", function="binary_quantize", output_field=BitField()),
            BitField(length=VECTOR_DIMENSIONS),
        ),
        output_field=BitField(length=VECTOR_DIMENSIONS),
        db_persist=True,
        null=True,
    )

    class Meta:
        indexes = [
            models.Index(fields=["account"], include=["id", "section", "signs"], name="fact_scan"),
            models.Index(fields=["account", "section", "position"], name="fact_in_order"),
            models.Index(fields=["account", "statement_hash"], name="fact_by_statement"),
            GinIndex(fields=["account", "terms"], name="fact_by_term"),
            HnswIndex(
                fields=["vector"],
                name="fact_by_meaning",
                opclasses=["halfvec_ip_ops"],
                condition=models.Q(is_indexed=True),
            ),
            models.Index(fields=["account", "id"], condition=models.Q(vector=None), name="fact_without_vector"),
            models.Index(
                fields=["account", "id"],
                condition=models.Q(is_indexed=False, vector__isnull=False),
                name="fact_unindexed",
            ),
        ]

    def __str__(self) -> str:
        return self.statement[:80]


class Entity(models.Model):
    """A person, organization, product, project, place … that documents speak of."""

    public_id = PublicIdField("ent")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    type = models.CharField(max_length=40)
    label = models.CharField(max_length=200)
    normalized = models.CharField(max_length=200)
    facts = models.ManyToManyField(Fact, through="Mention", related_name="entities")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "type", "normalized"], name="entity_once")]
        verbose_name_plural = "entities"

    def __str__(self) -> str:
        return self.label


class Mention(models.Model):
    """That a fact speaks of an entity, and which properties of it the fact tells."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    entity = models.ForeignKey(Entity, on_delete=models.DO_NOTHING, related_name="mentions")
    fact = models.ForeignKey(Fact, on_delete=models.DO_NOTHING, related_name="mentions")
    properties = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "fact", "entity"], name="mention_once")]


class Relationship(models.Model):
    """A directed edge between two entities, with the fact that says so. No fact, no edge."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    subject = models.ForeignKey(Entity, on_delete=models.DO_NOTHING, related_name="relationships_from")
    predicate = models.CharField(max_length=60)
    object = models.ForeignKey(Entity, on_delete=models.DO_NOTHING, related_name="relationships_to")
    fact = models.ForeignKey(Fact, on_delete=models.DO_NOTHING, related_name="relationships")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "fact", "subject", "predicate", "object"], name="relationship_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.predicate} {self.object_id}"


class Readiness(models.Model):
    """Whether an account's company memory can be asked, as it was at the last commit that changed it.

    unembedded        sections and facts without a vector
    embedding_rate    texts a second, as measured last; 0 before the first batch
    embedder_failures in a row; while there are any, nothing is embedded before `embed_again_at`
    """

    class State(models.TextChoices):
        NOT_PROVISIONED = "not_provisioned"
        WAITING_FOR_SOURCES = "waiting_for_sources"
        PROCESSING = "processing"
        SYNCING_TO_VM = "syncing_to_vm"
        READY_MINIMAL = "ready_minimal"
        READY_RICH = "ready_rich"
        ERROR = "error"

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="readiness")
    state = models.CharField(max_length=20, choices=State, default=State.NOT_PROVISIONED)
    sources = models.PositiveIntegerField(default=0)
    sources_completed = models.PositiveIntegerField(default=0)
    documents = models.PositiveIntegerField(default=0)
    documents_ready = models.PositiveIntegerField(default=0)
    documents_failed = models.PositiveIntegerField(default=0)
    sections = models.PositiveIntegerField(default=0)
    facts = models.PositiveIntegerField(default=0)
    unembedded = models.PositiveIntegerField(default=0)
    embedding_rate = models.FloatField(default=0)
    embedder_failures = models.PositiveSmallIntegerField(default=0)
    embed_again_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "readiness"

    def __str__(self) -> str:
        return self.state
