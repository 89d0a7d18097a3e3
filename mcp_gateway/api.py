"""REST of this floor: the twin of retrieve_memory, and the request log in the Developer API."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import ConsoleView
from accounts.authentication import AgentKeyAuthentication
from accounts.caller import Caller
from accounts.errors import NotAuthenticated
from mcp_gateway import connecting, request_history, tools, usage, usage_shapes
from mcp_gateway.company import RETRIEVE_MEMORY, RetrieveMemoryArguments
from mcp_gateway.models import RequestLog
from memories.deadline import Deadline


class SourceSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    source_path = serializers.CharField()


class RetrievedSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok", "error"])
    memory_ready = serializers.BooleanField()
    content_text = serializers.CharField(help_text="The report, in Markdown.")
    sources = SourceSerializer(many=True)
    request_id = serializers.UUIDField()
    error_code = serializers.CharField(allow_null=True)
    error_message = serializers.CharField(allow_null=True)
    degraded = serializers.BooleanField()
    degraded_reason = serializers.CharField(allow_null=True)


class RetrieveView(APIView):
    """`retrieve_memory` without MCP: the same order, quota and log. A refusal comes with HTTP 200, as there.

    A question leans on earlier ones only where `session_id` names their conversation: a key may be shared by scripts.
    """

    authentication_classes = [AgentKeyAuthentication]

    @extend_schema(
        request=RetrieveMemoryArguments, responses=RetrievedSerializer, summary="Ask a question of company memory"
    )
    def post(self, request: Request) -> Response:
        if not isinstance(request.auth, Caller):
            raise NotAuthenticated
        for scope in RETRIEVE_MEMORY.scopes:
            request.auth.require_scope(scope)
        context = tools.Context(
            client=request.headers.get("User-Agent", ""),
            deadline=Deadline.after(settings.PAM_RETRIEVAL_TIMEOUT_SECONDS),
            goes_on=False,
        )
        return Response(_retrieved(tools.call(request.auth, RETRIEVE_MEMORY, request.data, context)))


def _retrieved(outcome: tools.Outcome) -> dict[str, Any]:
    structured, answer = outcome.answer.structured, outcome.answer
    return {
        "status": structured["status"],
        "memory_ready": structured.get("memory_ready", False),
        "content_text": "" if outcome.is_error else answer.text,
        "sources": answer.sources,
        "request_id": outcome.request_id,
        "error_code": structured.get("error_code"),
        "error_message": structured.get("error_message"),
        "degraded": bool(answer.degraded_reason),
        "degraded_reason": answer.degraded_reason or None,
    }


class RequestSerializer(serializers.ModelSerializer[RequestLog]):
    key = serializers.CharField(source="key.public_id", default=None, help_text="The id of the agent key.")
    key_name = serializers.CharField(source="key.name", default=None)

    class Meta:
        model = RequestLog
        fields = [
            "request_id",
            "tool_name",
            "prompt",
            "response_content_text",
            "response_json",
            "duration_ms",
            "created_at",
            "status",
            "error_code",
            "counted",
            "client",
            "session_id",
            "key",
            "key_name",
            "estimated_tokens",
        ]


@extend_schema_field(OpenApiTypes.DATETIME)
class Moment(serializers.Field[Any, Any, Any, Any]):
    """A time with its offset (UTC without one), or a day: its start, or its end with `end_of_day`."""

    default_error_messages = {"invalid": "Give a day (2026-11-30) or a time (2026-11-30T08:00:00Z)."}

    def __init__(self, *, end_of_day: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.end_of_day = end_of_day

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(data)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            is_day = len(data) == len("2026-11-30") and moment.time() == time()
            moment = moment + timedelta(days=1) if self.end_of_day and is_day else moment
            # In UTC: Postgres reads no offset of sixteen hours.
            return moment.astimezone(UTC)
        except (ValueError, TypeError, OverflowError):
            self.fail("invalid")


class RequestsQuery(serializers.Serializer[Any]):
    limit = serializers.IntegerField(min_value=1, max_value=100, default=10)
    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    cursor = serializers.CharField(max_length=300, default="")
    q = serializers.CharField(max_length=200, default="", help_text="Part of a tool, prompt or response.")
    status = serializers.ChoiceField(RequestLog.Status.choices, default="")
    tool = serializers.CharField(max_length=80, default="")
    key = serializers.CharField(max_length=40, default="", help_text="The id of an agent key.")
    since = Moment(default=None, help_text="Calls at or after this time, or day.")
    until = Moment(default=None, end_of_day=True, help_text="Calls before this time, or up to this day.")


class RequestsPageSerializer(serializers.Serializer[Any]):
    items = RequestSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)
    page_size = serializers.IntegerField()
    total_count = serializers.IntegerField(help_text="With `q` counted up to 1,000; `next_cursor` goes on beyond.")
    current_page = serializers.IntegerField()
    total_pages = serializers.IntegerField()


class UsageQuery(serializers.Serializer[Any]):
    days = serializers.IntegerField(min_value=1, max_value=usage.MOST_DAYS, default=30)
    tz = serializers.CharField(max_length=64, default="UTC", help_text="Whose days and hours: as in Europe/Berlin.")


class UsageView(ConsoleView):
    @extend_schema(
        operation_id="v1_dev_mcp_usage_stats",
        parameters=[UsageQuery],
        responses=usage_shapes.UsageSerializer,
        summary="How much the tools were called, and how it went",
    )
    def get(self, request: Request) -> Response:
        query = UsageQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = usage.of(self.caller, days=query.validated_data["days"], zone=query.validated_data["tz"])
        return Response(usage_shapes.structured(found))


class ConfigView(ConsoleView):
    @extend_schema(
        operation_id="v1_dev_mcp_config",
        responses=usage_shapes.ConfigSerializer,
        summary="Everything that a client needs to connect",
    )
    def get(self, request: Request) -> Response:
        return Response(connecting.config(self.caller))


class RequestsView(ConsoleView):
    @extend_schema(
        operation_id="v1_dev_mcp_requests_list",
        parameters=[RequestsQuery],
        responses=RequestsPageSerializer,
        summary="List calls of the tools",
    )
    def get(self, request: Request) -> Response:
        caller = self.caller
        query = RequestsQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        asked = dict(query.validated_data)
        paging = {name: asked.pop(name) for name in ("limit", "page", "cursor")}
        page = request_history.listed(caller, request_history.Wanted(**asked), **paging)
        return Response(RequestsPageSerializer(page).data)


class RequestView(ConsoleView):
    @extend_schema(responses=RequestSerializer, summary="One call, whole")
    def get(self, request: Request, request_id: str) -> Response:
        return Response(RequestSerializer(request_history.get(self.caller, request_id)).data)
