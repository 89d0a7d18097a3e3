"""What was said is handed in, and what became of it: the shapes and routes of `add` and of its jobs."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import request_id, scopes
from memories.api.end_users import envelope
from memories.api.end_users.envelope import EndUserView, instant
from memories.api.end_users.shapes import ERRORS, Moment, Object, Shape, Stamped
from memories.api.strict import Text
from memories.end_users.intake import adding, jobs
from memories.end_users.intake.answers import Answer, Status
from memories.models import ExtractionJob

KEY = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"


class MessageGiven(Shape):
    role = Text(help_text="user, assistant or system.")
    content = Text(help_text="What was said, at least one character.")


class SourceGiven(Shape):
    service = Text(required=False, allow_null=True, help_text="Where the event comes from, up to 200 characters.")
    event_id = Text(
        required=False,
        allow_null=True,
        help_text="1 to 255 characters. The same event again is answered with its job; with another payload it is 409.",
    )
    observed_at = Moment(required=False, allow_null=True, help_text="When it was said, with its time zone; else: now.")
    scope = Object(required=False)
    evidence = serializers.ListField(required=False, help_text="Up to 20 items.")


class AddGiven(Shape):
    external_user_id = Text(help_text="Whom it is about: your own id of them, 1 to 255 characters, compared exactly.")
    messages = serializers.ListField(child=MessageGiven(), help_text="1 to 100, in the order in which they were said.")
    agent_id = Text(required=False, allow_null=True, help_text="Up to 200 characters.")
    metadata = Object(required=False, help_text="Kept with every memory that comes of it; up to 8,000 bytes as JSON.")
    source = SourceGiven(required=False, allow_null=True)  # type: ignore[assignment]


class AddAnswer(Stamped):
    job_id = serializers.UUIDField(allow_null=True, help_text="What to ask GET /v1/memories/jobs/{id} for.")
    status = serializers.ChoiceField([str(each) for each in Status])
    blocked_reason = serializers.CharField(allow_null=True, help_text="Why nothing was taken in.")
    nothing_to_extract = serializers.BooleanField()
    retry_after_seconds = serializers.IntegerField(allow_null=True)
    budget_remaining_pct = serializers.FloatField(help_text="What is left of the month's operations, 0 to 100.")
    processing_eta_seconds = serializers.IntegerField(allow_null=True)
    processing_status = serializers.ChoiceField(["normal", "delayed"])


class JobShown(serializers.Serializer[ExtractionJob]):
    job_id = serializers.UUIDField()
    status = serializers.ChoiceField(ExtractionJob.Status.choices)
    memories_created = serializers.IntegerField()
    pending_candidates_buffered = serializers.IntegerField()
    pending_candidates_promoted = serializers.IntegerField()
    attempts = serializers.IntegerField()
    error_summary = serializers.CharField(allow_null=True)
    queued_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    completed_at = serializers.DateTimeField(allow_null=True)


class OneJob(Stamped):
    data = JobShown()  # type: ignore[assignment]


_SAID: dict[str, Any] = {
    "external_user_id": "customer-123",
    "messages": [
        {"role": "assistant", "content": "Shall I keep the examples in Java?"},
        {"role": "user", "content": "I prefer short answers with an example in Python. I moved to Lisbon in May."},
    ],
    "agent_id": "support-bot",
}
_EVENT = {
    **_SAID,
    "metadata": {"channel": "chat"},
    "source": {
        "service": "helpdesk",
        "event_id": "ticket-4711-reply-2",
        "observed_at": "2026-04-17T09:45:00Z",
        "scope": {"product": "mobile"},
        "evidence": ["ticket-4711"],
    },
}
_QUEUED = {
    "job_id": "7a51f5a6-0b6e-4b6f-9a53-3a5f6d3f5a10",
    "status": "queued",
    "blocked_reason": None,
    "nothing_to_extract": False,
    "retry_after_seconds": None,
    "budget_remaining_pct": 82.5,
    "processing_eta_seconds": 1,
    "processing_status": "normal",
    "request_id": "b0eb46a4-8794-44c8-b2a9-8f2dfbb4176c",
    "timestamp": "2026-04-17T09:45:03Z",
}


def _header(name: str, means: str, *, is_answer: bool = True) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.STR, OpenApiParameter.HEADER, description=means, response=is_answer)


_HEADERS = [
    _header(KEY, "1 to 255 characters. For 24 hours the same request gets the same answer again.", is_answer=False),
    _header("X-MemoryOS-Quota-Mode", "FULL, PASSTHROUGH, DEGRADED_RETRIEVE or BLOCKED."),
    _header("X-MemoryOS-Budget-Remaining", "What is left of the month's operations, 0 to 100."),
    _header("X-MemoryOS-Quota-Reset", "When the next month begins."),
    _header("X-MemoryOS-Circuit-Status", "closed; open while something that memory leans on fails."),
    _header("X-MemoryOS-Processing", "normal or delayed."),
]


class AddView(EndUserView):
    says_how_it_is_served = True

    @extend_schema(
        operation_id="add_messages",
        summary="Remember what was said",
        parameters=_HEADERS,
        request=AddGiven,
        responses={200: AddAnswer, **ERRORS},
        examples=[
            OpenApiExample("A conversation", value=_SAID, request_only=True),
            OpenApiExample("An event of a service", value=_EVENT, request_only=True),
            OpenApiExample("Taken in", value=_QUEUED, response_only=True, status_codes=["200"]),
        ],
    )
    def post(self, request: Request) -> Response:
        """The messages are stored before the answer is sent, and read by a worker. What was not taken in is told by
        `status`, with 200 all the same."""
        self.caller.require_scope(scopes.WRITE)
        key = request.headers.get(KEY, "")
        answer = adding.add(self.caller, self.body(AddGiven), idempotency_key=key, request_id=request_id.current())
        return Response(answer.body, headers=_headers(answer))


def _headers(answer: Answer) -> dict[str, str]:
    """What was answered before says so."""
    is_replayed = answer.request_id != request_id.current()
    return {**answer.headers, REPLAYED: "true"} if is_replayed else answer.headers


class JobView(EndUserView):
    @extend_schema(operation_id="show_job", summary="What became of it", responses={200: OneJob, **ERRORS})
    def get(self, request: Request, job_id: str) -> Response:
        """`dead` after three attempts; then error_summary says why."""
        return envelope.done(_shown(jobs.get(self.caller, job_id)))


def _shown(job: ExtractionJob) -> dict[str, Any]:
    return {
        "job_id": str(job.public_id),
        "status": job.status,
        "memories_created": job.memories_created,
        "pending_candidates_buffered": job.candidates_buffered,
        "pending_candidates_promoted": job.candidates_promoted,
        "attempts": job.attempts,
        "error_summary": job.error_summary or None,
        "queued_at": instant(job.queued_at),
        "started_at": instant(job.started_at),
        "completed_at": instant(job.completed_at),
    }
