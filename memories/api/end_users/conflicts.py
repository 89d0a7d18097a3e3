"""Conflicts of end-user memory: the end user's answer to a question, the account's list, its decisions, its figures."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.end_users import envelope
from memories.api.end_users.envelope import EndUserView, instant
from memories.api.end_users.shapes import ERRORS, Pagination, Shape, Stamped
from memories.api.strict import Text, Whole
from memories.end_users.conflicts import listing, resolving
from memories.models import Conflict, Memory

_KEEP = "a: the older memory; b: the newer one; both; neither."


class AnswerGiven(Shape):
    choice = Text(help_text=_KEEP)


class ResolutionGiven(Shape):
    keep = Text(help_text=_KEEP)
    reason = Text(required=False, help_text="At most 500 characters; kept in the history of what is archived.")


class ConflictsQuery(Shape):
    status = Text(required=False, help_text="pending or resolved; both unless told otherwise.")
    external_user_id = Text(required=False)
    cursor = Text(required=False)
    limit = Whole(required=False, help_text="1 to 50; 10 unless told otherwise.")


class SideShown(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    content = serializers.CharField()
    confidence_score = serializers.FloatField()
    observed_at = serializers.DateTimeField()
    is_archived = serializers.BooleanField()
    agent_id = serializers.CharField(allow_null=True)
    source_event_id = serializers.CharField(allow_null=True)


class ConflictShown(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    external_user_id = serializers.CharField()
    status = serializers.ChoiceField(listing.STATUSES)
    a = SideShown(help_text="The older memory.")
    b = SideShown(allow_null=True, help_text="The newer one; null where the new statement did not become a memory.")
    statement = serializers.CharField(help_text="The new statement as it came.")
    reason = serializers.CharField()
    question = serializers.CharField(allow_null=True, help_text="What the end user is asked.")
    outcome = serializers.ChoiceField(Conflict.Outcome.choices, allow_null=True)
    keep = serializers.ChoiceField(Conflict.Keep.choices, allow_null=True)
    resolved_by = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    asked_at = serializers.DateTimeField(allow_null=True)
    resolved_at = serializers.DateTimeField(allow_null=True)


class OneConflict(Stamped):
    data = ConflictShown()  # type: ignore[assignment]


class ConflictsPage(Stamped):
    data = ConflictShown(many=True)  # type: ignore[assignment]
    pagination = Pagination()


class OutcomesShown(serializers.Serializer[Any]):
    UPDATE = serializers.IntegerField()
    MERGE = serializers.IntegerField()
    KEEP_BOTH = serializers.IntegerField()
    REJECT = serializers.IntegerField()
    NEW = serializers.IntegerField()


class StatsShown(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    pending = serializers.IntegerField()
    resolved = serializers.IntegerField()
    asked = serializers.IntegerField(help_text="Questions that were handed out with a retrieval.")
    by_outcome = OutcomesShown()


class ConflictStatsAnswer(Stamped):
    data = StatsShown()  # type: ignore[assignment]


def shown(row: Conflict) -> dict[str, Any]:
    """A conflict as every answer shows it."""
    return {
        "id": str(row.public_id),
        "external_user_id": row.end_user.external_id,
        "status": listing.status(row),
        "a": _side(row.old),
        "b": _side(row.new),
        "statement": row.statement,
        "reason": row.reason,
        "question": row.question or None,
        "outcome": row.outcome or None,
        "keep": row.keep or None,
        "resolved_by": row.resolved_by or None,
        "created_at": instant(row.created_at),
        "asked_at": instant(row.asked_at),
        "resolved_at": instant(row.resolved_at),
    }


def _side(memory: Memory | None) -> dict[str, Any] | None:
    if memory is None:
        return None
    return {
        "id": str(memory.public_id),
        "content": memory.content,
        "confidence_score": memory.confidence_score,
        "observed_at": instant(memory.observed_at),
        "is_archived": memory.is_archived,
        "agent_id": memory.agent_id or None,
        "source_event_id": memory.source_event_id or None,
    }


class AnswerView(EndUserView):
    @extend_schema(
        operation_id="answer_clarification",
        summary="Say what the end user answered",
        request=AnswerGiven,
        responses={200: OneConflict, **ERRORS},
        examples=[OpenApiExample("The newer one holds", value={"choice": "b"}, request_only=True)],
    )
    def post(self, request: Request, clarification_id: str) -> Response:
        """To the `clarification_question` of a retrieval. The same answer again changes nothing."""
        row = resolving.answer(self.caller, clarification_id, **self.body(AnswerGiven))
        return envelope.done(shown(row))


class ConflictsView(EndUserView):
    @extend_schema(
        operation_id="list_conflicts",
        summary="List conflicts, the newest first",
        parameters=[ConflictsQuery],
        responses={200: ConflictsPage, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Pending are those in doubt, both memories of which are still told."""
        page = listing.listed(self.caller, **self.query(ConflictsQuery))
        return envelope.page(
            [shown(each) for each in page.conflicts],
            next_cursor=page.next_cursor,
            limit=page.limit,
            total=page.total,
        )


class ResolveView(EndUserView):
    @extend_schema(
        operation_id="resolve_conflict",
        summary="Settle a conflict that is in doubt",
        request=ResolutionGiven,
        responses={200: OneConflict, **ERRORS},
        examples=[
            OpenApiExample("Keep the newer", value={"keep": "b", "reason": "Confirmed by phone."}, request_only=True)
        ],
    )
    def post(self, request: Request, conflict_id: str) -> Response:
        """The first decision counts; the same one again changes nothing, another one is refused."""
        row = resolving.resolve(self.caller, conflict_id, **self.body(ResolutionGiven))
        return envelope.done(shown(row))


class StatsView(EndUserView):
    @extend_schema(
        operation_id="conflict_stats", summary="How conflicts ended", responses={200: ConflictStatsAnswer, **ERRORS}
    )
    def get(self, request: Request) -> Response:
        told = listing.stats(self.caller)
        return envelope.done(
            {
                "total": told.total,
                "pending": told.pending,
                "resolved": told.resolved,
                "asked": told.asked,
                "by_outcome": told.by_outcome,
            }
        )
