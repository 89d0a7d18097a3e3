"""What the routes of end users take and answer, with an example of each."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

from memories.api.end_users.shapes import Pagination, Shape, Stamped
from memories.api.strict import Text, Whole
from memories.models import EndUser

ID = OpenApiParameter(
    "external_user_id",
    str,
    OpenApiParameter.PATH,
    description="Your own id of them, percent-encoded, compared exactly.",
)


class UsersQuery(Shape):
    search = Text(required=False, help_text="Part of an id, in any case; % and _ stand for themselves.")
    cursor = Text(required=False)
    limit = Whole(required=False, help_text="1 to 50; 10 unless told otherwise.")


class UserShown(serializers.Serializer[EndUser]):
    external_user_id = serializers.CharField()
    created_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField()
    is_blocked = serializers.BooleanField()
    blocked_at = serializers.DateTimeField(allow_null=True)


class UserListed(UserShown):
    memory_count = serializers.IntegerField(help_text="Live memories.")


class UsersPage(Stamped):
    data = UserListed(many=True)  # type: ignore[assignment]
    pagination = Pagination()


class UserStats(UserShown):
    memory_count = serializers.IntegerField()
    archived_count = serializers.IntegerField()
    by_category = serializers.DictField(child=serializers.IntegerField())
    average_importance = serializers.FloatField(allow_null=True)
    last_memory_at = serializers.DateTimeField(allow_null=True)
    last_accessed_at = serializers.DateTimeField(allow_null=True)
    access_count = serializers.IntegerField()
    pending_candidates = serializers.IntegerField()
    pending_conflicts = serializers.IntegerField()
    retrievals = serializers.IntegerField(help_text="Of the last thirty days.")
    jobs = serializers.DictField(child=serializers.IntegerField())


class StatsAnswer(Stamped):
    data = UserStats()  # type: ignore[assignment]


class BlockedAnswer(Stamped):
    data = UserShown()  # type: ignore[assignment]


class ErasedShown(serializers.Serializer[Any]):
    deleted = serializers.BooleanField()
    memories_removed = serializers.IntegerField(help_text="Live and archived ones.")


class ErasedAnswer(Stamped):
    data = ErasedShown()  # type: ignore[assignment]


class RestoredShown(serializers.Serializer[Any]):
    end_users = serializers.IntegerField()
    memories = serializers.IntegerField()
    pending_candidates = serializers.IntegerField()
    conflicts = serializers.IntegerField()
    domain_profiles = serializers.IntegerField()
    jobs = serializers.IntegerField()
    retrievals = serializers.IntegerField()
    present = serializers.IntegerField(help_text="What was there already, and stayed as it is.")


class RestoredAnswer(Stamped):
    data = RestoredShown()  # type: ignore[assignment]


PERSON: dict[str, Any] = {
    "external_user_id": "customer-123",
    "created_at": "2026-11-02T09:00:00Z",
    "last_seen_at": "2026-11-30T09:00:00Z",
    "is_blocked": False,
    "blocked_at": None,
}
STAMP = {"request_id": "0c5d6a86-9a4f-4f5e-8f0f-1f6d2b7f2b11", "timestamp": "2026-11-30T09:00:00Z"}
LISTED = {
    "data": [{**PERSON, "memory_count": 12}],
    "pagination": {"next_cursor": None, "limit": 10, "total": 1},
    **STAMP,
}
STATS = {
    "data": {
        **PERSON,
        "memory_count": 12,
        "archived_count": 3,
        "by_category": {"preference": 7, "fact": 4, "goal": 1, "procedure": 0, "relationship": 0, "expertise": 0},
        "average_importance": 5.5,
        "last_memory_at": "2026-11-30T09:00:00Z",
        "last_accessed_at": "2026-11-30T09:00:00Z",
        "access_count": 40,
        "pending_candidates": 1,
        "pending_conflicts": 0,
        "retrievals": 22,
        "jobs": {"queued": 0, "processing": 0, "completed": 9, "dead": 0},
    },
    **STAMP,
}
LINES = (
    '{"type": "end_user", "external_user_id": "customer-123", "created_at": "2026-11-02T09:00:00+00:00",'
    ' "last_seen_at": "2026-11-30T09:00:00+00:00", "blocked_at": null}\n'
)


def answer(value: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample("Answer", value=value, response_only=True, status_codes=["200"])
