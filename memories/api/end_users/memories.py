"""Single memories: written explicitly, listed, shown, changed, deleted, and their history."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import scopes
from memories.api.end_users import envelope
from memories.api.end_users.envelope import EndUserView, instant
from memories.api.end_users.shapes import ERRORS, Number, Object, Pagination, Shape, Stamped
from memories.api.strict import Text, Texts, Truth, Whole
from memories.end_users import editing, given, listing
from memories.models import Memory, MemoryVersion

_CATEGORIES = f"One of {', '.join(given.CATEGORIES)}."


class MemoryGiven(Shape):
    external_user_id = Text(help_text="Whom it is about: your own id of them, 1 to 255 characters, compared exactly.")
    content = Text(help_text="A statement in the third person, 10 to 500 characters.")
    category = Text(help_text=_CATEGORIES)
    importance_score = Number(required=False, help_text="1 to 10; 5 unless told otherwise.")
    agent_id = Text(required=False, allow_null=True)
    metadata = Object(required=False)


class MemoriesGiven(Shape):
    memories = serializers.ListField(child=MemoryGiven(), help_text="1 to 500.")


class MemoryChange(Shape):
    content = Text(required=False)
    importance_score = Number(required=False)
    is_archived = Truth(required=False, help_text="true: no longer told; false: told again.")
    category = Text(required=False, help_text=_CATEGORIES)
    metadata = Object(required=False)


class MemoriesQuery(Shape):
    external_user_id = Text()
    categories = Texts(required=False, help_text="Several: repeat it, or separate them by commas.")
    agent_id = Text(required=False)
    include_archived = Truth(required=False)
    cursor = Text(required=False)
    limit = Whole(required=False, help_text="1 to 50; 10 unless told otherwise.")

    def to_internal_value(self, data: Any) -> Any:
        named = data.get("categories")
        if isinstance(named, str):
            data = {**data, "categories": [each for each in named.split(",") if each]}
        return super().to_internal_value(data)


class DeleteQuery(Shape):
    hard_delete = Truth(required=False, help_text="true: deleted for good, with its history; else archived.")


class MemoryShown(serializers.Serializer[Memory]):
    id = serializers.UUIDField(source="public_id")
    external_user_id = serializers.CharField(source="end_user.external_id")
    content = serializers.CharField()
    category = serializers.ChoiceField(Memory.Category.choices)
    importance_score = serializers.FloatField()
    confidence_score = serializers.FloatField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    last_accessed_at = serializers.DateTimeField(allow_null=True)
    access_count = serializers.IntegerField()
    is_archived = serializers.BooleanField()
    agent_id = serializers.CharField(allow_null=True)
    previous_version_id = serializers.UUIDField(allow_null=True)
    source_event_id = serializers.CharField(allow_null=True)
    provenance = serializers.JSONField()
    metadata = serializers.JSONField()


def shown(memory: Memory) -> dict[str, Any]:
    """A memory as every answer shows it."""
    earlier = memory.previous_version
    return {
        "id": str(memory.public_id),
        "external_user_id": memory.end_user.external_id,
        "content": memory.content,
        "category": memory.category,
        "importance_score": memory.importance_score,
        "confidence_score": memory.confidence_score,
        "created_at": instant(memory.created_at),
        "updated_at": instant(memory.updated_at),
        "last_accessed_at": instant(memory.last_accessed_at),
        "access_count": memory.access_count,
        "is_archived": memory.is_archived,
        "agent_id": memory.agent_id or None,
        "previous_version_id": str(earlier.public_id) if earlier else None,
        "source_event_id": memory.source_event_id or None,
        "provenance": memory.provenance,
        "metadata": memory.metadata,
    }


class VersionShown(serializers.Serializer[MemoryVersion]):
    version = serializers.IntegerField()
    content = serializers.CharField()
    change_type = serializers.ChoiceField(MemoryVersion.Change.choices)
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()


class OneMemory(Stamped):
    data = MemoryShown()  # type: ignore[assignment]


class ManyMemories(Stamped):
    data = MemoryShown(many=True)  # type: ignore[assignment]


class MemoriesPage(ManyMemories):
    pagination = Pagination()


class History(Stamped):
    data = VersionShown(many=True)  # type: ignore[assignment]


class Deleted(serializers.Serializer[Any]):
    deleted = serializers.BooleanField()
    hard_delete = serializers.BooleanField()


class DeletedAnswer(Stamped):
    data = Deleted()  # type: ignore[assignment]


_WRITTEN: dict[str, Any] = {
    "external_user_id": "customer-123",
    "content": "User prefers short answers with an example in Python.",
    "category": "preference",
    "importance_score": 8,
}


_TWO = {"memories": [_WRITTEN, {**_WRITTEN, "external_user_id": "customer-7"}]}


class MemoriesView(EndUserView):
    @extend_schema(
        operation_id="write_memory",
        summary="Remember one thing of an end user",
        request=MemoryGiven,
        responses={201: OneMemory, **ERRORS},
        examples=[OpenApiExample("A preference", value=_WRITTEN, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Without extraction. The same text again is seen again: the answer is the memory that is there."""
        self.caller.require_scope(scopes.WRITE)
        (memory,) = editing.write(self.caller, [editing.checked(self.body(MemoryGiven))])
        return envelope.done(shown(memory), status=201)

    @extend_schema(
        operation_id="list_end_user_memories",
        summary="List the memories of an end user",
        parameters=[MemoriesQuery],
        responses={200: MemoriesPage, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Newest first. Somebody who was never seen has none."""
        page = listing.memories(self.caller, **self.query(MemoriesQuery))
        return envelope.page(
            [shown(each) for each in page.memories],
            next_cursor=page.next_cursor,
            limit=page.limit,
            total=page.total,
        )


class BulkView(EndUserView):
    @extend_schema(
        operation_id="write_memories",
        summary="Remember up to 500 things, of one end user or of several",
        request=MemoriesGiven,
        responses={201: ManyMemories, **ERRORS},
        examples=[OpenApiExample("Two", value=_TWO, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """All or nothing; the answer has one memory for each, in order."""
        self.caller.require_scope(scopes.WRITE)
        raw = self.body(MemoriesGiven)["memories"]
        memories = [editing.checked(each, f"memories[{at}].") for at, each in enumerate(raw)]
        return envelope.done([shown(each) for each in editing.write(self.caller, memories)], status=201)


class MemoryView(EndUserView):
    @extend_schema(operation_id="show_memory", summary="Show a memory", responses={200: OneMemory, **ERRORS})
    def get(self, request: Request, memory_id: str) -> Response:
        return envelope.done(shown(editing.get(self.caller, memory_id)))

    @extend_schema(
        operation_id="change_memory",
        summary="Change, archive or restore a memory",
        request=MemoryChange,
        responses={200: OneMemory, **ERRORS},
        examples=[OpenApiExample("Less important", value={"importance_score": 3}, request_only=True)],
    )
    def patch(self, request: Request, memory_id: str) -> Response:
        """The state before stays in the history."""
        return envelope.done(shown(editing.change(self.caller, memory_id, self.body(MemoryChange))))

    @extend_schema(
        operation_id="delete_memory",
        summary="Archive a memory, or delete it for good",
        parameters=[DeleteQuery],
        responses={200: DeletedAnswer, **ERRORS},
    )
    def delete(self, request: Request, memory_id: str) -> Response:
        hard = self.query(DeleteQuery).get("hard_delete", False)
        editing.delete(self.caller, memory_id, hard=hard)
        return envelope.done({"deleted": True, "hard_delete": hard})


class HistoryView(EndUserView):
    @extend_schema(
        operation_id="show_memory_history", summary="Every state of a memory", responses={200: History, **ERRORS}
    )
    def get(self, request: Request, memory_id: str) -> Response:
        """The first one first."""
        told = [
            {
                "version": each.version,
                "content": each.content,
                "change_type": each.change_type,
                "reason": each.reason,
                "created_at": instant(each.created_at),
            }
            for each in editing.history(self.caller, memory_id)
        ]
        return envelope.done(told)
