"""What a product should know of its user for a question, and what came of telling it."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.end_users import envelope
from memories.api.end_users.envelope import EndUserView
from memories.api.end_users.shapes import ERRORS, Moment, Number, Shape, Stamped
from memories.api.strict import Text, Texts, Whole
from memories.end_users import given
from memories.end_users.recall import asked, context
from memories.end_users.recall.feedback import MOST_USED, Feedback, Heard, Outcome, hear
from memories.end_users.recall.retrieve import retrieve
from memories.models import Memory


class Question(Shape):
    external_user_id = Text(help_text="Whom it is about: your own id of them.")
    query = Text(help_text="What you want to know, or what your user just said: 1 to 2,000 characters.")
    limit = Whole(required=False, help_text="1 to 50; 10 unless told otherwise.")
    categories = Texts(required=False, allow_null=True, help_text=f"Only these: {', '.join(given.CATEGORIES)}.")
    agent_id = Text(required=False, allow_null=True, help_text="Only what was remembered through this agent.")
    time_filter_days = Whole(required=False, allow_null=True, help_text="Only what came in the last 1 to 3,650 days.")
    format = Text(required=False, help_text=f"One of {', '.join(context.FORMATS)}.")
    context_max_tokens = Whole(
        required=False, help_text="50 to 4,000; 500 unless told otherwise. Never exceeded (cl100k_base)."
    )
    as_of = Moment(required=False, allow_null=True, help_text="What was known at that time.")


class MemoryTold(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    content = serializers.CharField()
    category = serializers.ChoiceField(Memory.Category.choices)
    importance_score = serializers.FloatField()
    last_accessed = serializers.DateTimeField(allow_null=True)
    relevance_score = serializers.FloatField(help_text="0 to 1: how likely it is wanted.")
    context_snippet = serializers.CharField(help_text="This memory alone, in the format asked for.")


class RetrievalAnswer(Stamped):
    data = MemoryTold(many=True)  # type: ignore[assignment]
    cached = serializers.BooleanField()
    system_prompt_addition = serializers.CharField(allow_blank=True)
    context_token_count = serializers.IntegerField()
    memories_left_out = serializers.IntegerField(help_text="How many of `data` found no room in the context.")
    memories_from_hot_tier = serializers.IntegerField()
    clarification_question = serializers.CharField(allow_null=True)
    clarification_id = serializers.UUIDField(allow_null=True)
    retrieval_id = serializers.UUIDField(allow_null=True)
    is_passthrough = serializers.BooleanField(help_text="No context: this account's mode or month allows none.")
    is_degraded = serializers.BooleanField(help_text="Found by words alone.")


class FeedbackGiven(Shape):
    retrieval_id = Text(help_text="As the retrieval's answer has it.")
    outcome = Text(help_text=f"One of {', '.join(Outcome)}.")
    used_memory_ids = Texts(required=False, help_text=f"Which of the memories told were used; at most {MOST_USED}.")
    correction = Text(required=False, allow_null=True, help_text="What is so instead, 10 to 500 characters.")
    agent_confidence = Number(required=False, allow_null=True, help_text="0 to 1: how sure your agent is of this.")


class HeardShown(serializers.Serializer[Any]):
    retrieval_id = serializers.UUIDField()
    outcome = serializers.ChoiceField([(each.value, each.value) for each in Outcome])
    memories_adjusted = serializers.IntegerField()
    correction_memory_id = serializers.UUIDField(allow_null=True)


class HeardAnswer(Stamped):
    data = HeardShown()  # type: ignore[assignment]


_ASKED = {
    "external_user_id": "customer-123",
    "query": "How should I respond to this user?",
    "limit": 5,
    "categories": ["preference", "goal"],
    "agent_id": None,
    "time_filter_days": 30,
    "format": "bullets",
    "context_max_tokens": 500,
}
_THEN = {
    "external_user_id": "customer-123",
    "query": "Where does she live?",
    "format": "xml",
    "as_of": "2026-04-17T09:45:00Z",
}
_FEEDBACK = {
    "retrieval_id": "0b4d7c1e-52a4-4d5c-9d0e-6f5b0a1d2c3e",
    "outcome": "used_successfully",
    "used_memory_ids": [],
    "agent_confidence": 0.9,
}


class RetrieveView(EndUserView):
    says_how_it_is_served = True

    @extend_schema(
        operation_id="retrieve_memories",
        summary="Tell what is remembered of an end user, ready for a prompt",
        request=Question,
        responses={200: RetrievalAnswer, **ERRORS},
        examples=[
            OpenApiExample("How to treat somebody", value=_ASKED, request_only=True),
            OpenApiExample("What was known then", value=_THEN, request_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """The most wanted first; an empty list where nothing is. Put `system_prompt_addition` into your prompt."""
        answer = retrieve(self.caller, _request(self.body(Question)))
        return Response(envelope.stamp(answer.told.plain), headers=answer.allowance.headers)


def _request(body: dict[str, Any]) -> asked.Request:
    named = {name: value for name, value in body.items() if value is not None}
    named["categories"] = tuple(named.get("categories", ()))
    return asked.Request(**named)


class FeedbackView(EndUserView):
    @extend_schema(
        operation_id="tell_retrieval_feedback",
        summary="Say what came of a retrieval",
        request=FeedbackGiven,
        responses={200: HeardAnswer, **ERRORS},
        examples=[OpenApiExample("It helped", value=_FEEDBACK, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Moves the importance of what was told; a correction is remembered. The first feedback counts."""
        body = {name: value for name, value in self.body(FeedbackGiven).items() if value is not None}
        return envelope.done(_shown(hear(self.caller, Feedback(**body))))


def _shown(heard: Heard) -> dict[str, Any]:
    return {
        "retrieval_id": heard.retrieval_id,
        "outcome": heard.outcome,
        "memories_adjusted": heard.memories_adjusted,
        "correction_memory_id": heard.correction_memory_id or None,
    }
