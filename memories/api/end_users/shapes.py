"""The types that requests about end users are made of; as strict as strict.py, whose types they stand beside.

Names and types stand here, bounds in memories/end_users/given.py.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema_field
from rest_framework import serializers

from memories import storable
from memories.api.strict import Arguments


class Shape(Arguments):
    unknown = "is not a field of this request"


class Number(serializers.FloatField):
    """A number as JSON has it; neither text nor true."""

    default_error_messages = {"invalid": "must be a number", "null": "must be a number"}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, (int, float)):
            self.fail("invalid")
        try:
            return float(data)
        except OverflowError:
            self.fail("invalid")


@extend_schema_field(OpenApiTypes.DATETIME)
class Moment(serializers.Field[Any, Any, Any, Any]):
    """A moment with its time zone ("2026-11-30T09:00:00Z")."""

    default_error_messages = {
        "required": "is missing",
        "null": "must be a date and time",
        "invalid": "must be a date and time in ISO 8601, as in 2026-11-30T09:00:00Z",
        "naive": "must name its time zone, as in 2026-11-30T09:00:00Z or …+02:00",
        "unkept": "must lie in the years 1 to 9999 of UTC, with an offset from -15:59 to +15:59",
    }

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = parse_datetime(data) if isinstance(data, str) else None
        except ValueError:
            moment = None
        if moment is None:
            self.fail("invalid")
        if moment.tzinfo is None:
            self.fail("naive")
        if not storable.is_moment(moment):
            self.fail("unkept")
        return moment

    def to_representation(self, value: Any) -> str:
        return str(value)


@extend_schema_field(OpenApiTypes.OBJECT)
class Object(serializers.Field[Any, Any, Any, Any]):
    """A JSON object of any content."""

    default_error_messages = {"required": "is missing", "null": "must be an object", "invalid": "must be an object"}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            self.fail("invalid")
        return dict(data)

    def to_representation(self, value: Any) -> Any:
        return value


class DetailShown(serializers.Serializer[Any]):
    field = serializers.CharField()
    reason = serializers.CharField()


class EndUserError(serializers.Serializer[Any]):
    error = serializers.CharField(help_text="A slug.")
    code = serializers.CharField(help_text="As in the table of docs/end-user-memory.md.")
    request_id = serializers.CharField()
    details = DetailShown(many=True, allow_null=True)


class Pagination(serializers.Serializer[Any]):
    next_cursor = serializers.CharField(allow_null=True)
    limit = serializers.IntegerField()
    total = serializers.IntegerField()


class Stamped(serializers.Serializer[Any]):
    """What every answer that succeeded has beside its data."""

    request_id = serializers.CharField()
    timestamp = serializers.DateTimeField()


ERRORS = {
    "4XX": OpenApiResponse(EndUserError, "What was wrong, and what to do."),
    "5XX": OpenApiResponse(EndUserError, "A fault on our side."),
}
