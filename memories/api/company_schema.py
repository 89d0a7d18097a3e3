"""The shapes of company memory's REST: what goes in, what comes out, with an example each."""

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from memories.company.intake import documents
from memories.company.intake.chats import Chat, Turn
from memories.models import Document, Source

MOST_TURNS = 5000
LONGEST_TURN = 500_000


class Text(serializers.CharField):
    """A string; a number is none."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class SourceShown(serializers.ModelSerializer[Source]):
    class Meta:
        model = Source
        fields = ["kind", "name"]


class DocumentShown(serializers.ModelSerializer[Document]):
    id = serializers.CharField(source="public_id")
    source = SourceShown()  # type: ignore[assignment]
    sections = serializers.IntegerField(source="section_count", help_text="Of the version that is found now.")
    facts = serializers.IntegerField(source="fact_count")
    error = serializers.CharField(help_text="Why it failed and what to do; empty otherwise.")

    class Meta:
        model = Document
        fields = [
            "id",
            "path",
            "title",
            "source",
            "state",
            "error",
            "size",
            "sections",
            "facts",
            "observed_at",
            "created_at",
            "updated_at",
        ]


class DocumentsQuery(serializers.Serializer[Any]):
    state = serializers.ChoiceField(Document.State.choices, required=False)
    q = serializers.CharField(
        required=False, allow_blank=True, max_length=documents.LONGEST_QUERY, help_text="Part of a title or path."
    )
    cursor = serializers.CharField(required=False, allow_blank=True, help_text="`next_cursor` of the page before.")
    limit = serializers.IntegerField(required=False, min_value=1, max_value=documents.LARGEST_PAGE, default=50)


class Counts(serializers.Serializer[Any]):
    """Documents of the whole account by state."""

    queued = serializers.IntegerField()
    processing = serializers.IntegerField()
    ready = serializers.IntegerField()
    failed = serializers.IntegerField()


class DocumentsPage(serializers.Serializer[documents.Page]):
    items = DocumentShown(many=True)
    next_cursor = serializers.CharField(help_text="Empty on the last page.")
    counts = Counts()


class Import(serializers.Serializer[Any]):
    files = serializers.ListField(child=serializers.FileField(), help_text="Any number; a .zip is unpacked.")
    paths = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Where each file stands inside its source, in the order of the files. Without: the files' names.",
    )
    folder = serializers.CharField(required=False, help_text="A folder that all paths are below.")
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, help_text="What the source is called."
    )


class AcceptedShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="document_id")
    path = serializers.CharField()
    state = serializers.ChoiceField(Document.State.choices)
    is_new = serializers.BooleanField(help_text="False when the same content was there already.")


class RefusalShown(serializers.Serializer[Any]):
    path = serializers.CharField()
    reason = serializers.CharField()


class Imported(serializers.Serializer[Any]):
    documents = AcceptedShown(many=True)
    refused = RefusalShown(many=True)


class NothingImported(Imported):
    code = serializers.CharField()
    message = serializers.CharField()


class TurnGiven(serializers.Serializer[Any]):
    role = serializers.ChoiceField(["user", "assistant"])
    text = Text(allow_blank=True, trim_whitespace=False, max_length=LONGEST_TURN)
    timestamp = serializers.DateTimeField(required=False, allow_null=True)


class ChatGiven(serializers.Serializer[Any]):
    session_id = Text(max_length=200)
    turns = serializers.ListField(child=TurnGiven(), allow_empty=False, max_length=MOST_TURNS)
    source = Text(  # type: ignore[assignment]
        max_length=100, help_text="Where the chat took place; it becomes the name of the source."
    )
    client = Text(required=False, allow_blank=True, max_length=100)
    project_path = Text(required=False, allow_blank=True, max_length=1000)
    started_at = serializers.DateTimeField(required=False, allow_null=True)
    ended_at = serializers.DateTimeField(required=False, allow_null=True)
    title = Text(required=False, allow_blank=True, max_length=300)
    part_index = serializers.IntegerField(required=False, min_value=0, default=0)
    part_count = serializers.IntegerField(required=False, min_value=1, default=1)

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            raise serializers.ValidationError({str(unknown[0])[:40]: ["There is no such argument."]})
        return super().to_internal_value(data)

    def chat(self) -> Chat:
        fields = self.validated_data
        return Chat(**{**fields, "turns": [Turn(**turn) for turn in fields["turns"]]})


class ChatTaken(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok", "error"])
    item_id = serializers.CharField(allow_null=True, help_text="The document that the chat became.")
    error_code = serializers.CharField(allow_null=True)
    error_message = serializers.CharField(allow_null=True)


class ReadinessShown(serializers.Serializer[Any]):
    ready = serializers.BooleanField()
    state = serializers.CharField()
    connected_sources_count = serializers.IntegerField()
    completed_sources_count = serializers.IntegerField()
    latest_pipeline_status = serializers.CharField()
    estimated_wait_message = serializers.CharField()
    has_facts = serializers.BooleanField()
    has_context_markdown = serializers.BooleanField()
    has_tree_index = serializers.BooleanField()


IMPORTED = OpenApiExample(
    "One taken in, one refused",
    {
        "documents": [
            {"id": "doc_7k2m9q4w1x8y3z6v5t0r", "path": "team/owners.md", "state": "queued", "is_new": True},
        ],
        "refused": [{"path": "team/logo.png", "reason": "Files of type .png are not supported."}],
    },
    response_only=True,
    status_codes=["202"],
)
CHAT = OpenApiExample(
    "A short chat",
    {
        "session_id": "session-2026-11-30-a",
        "turns": [
            {"role": "user", "text": "Who approves travel?", "timestamp": "2026-11-30T09:12:00Z"},
            {"role": "assistant", "text": "The team's lead approves travel up to 500 euros."},
        ],
        "source": "claude-code",
        "title": "Approving travel",
    },
    request_only=True,
)
CHAT_TAKEN = OpenApiExample(
    "Stored",
    {"status": "ok", "item_id": "doc_7k2m9q4w1x8y3z6v5t0r", "error_code": None, "error_message": None},
    response_only=True,
    status_codes=["202"],
)
CHAT_REFUSED = OpenApiExample(
    "Refused",
    {
        "status": "error",
        "item_id": None,
        "error_code": "invalid_arguments",
        "error_message": "turns: This field is required.",
    },
    response_only=True,
    status_codes=["400"],
)
