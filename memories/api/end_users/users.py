"""The end users of an account: listed, counted, blocked, erased, carried out and in (`/v1/tenant/…`)."""

from dataclasses import asdict
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.end_users import envelope, user_shapes
from memories.api.end_users.envelope import EndUserView, instant
from memories.api.end_users.shapes import ERRORS
from memories.api.end_users.whole_ids import AboutOne
from memories.api.knowledge import Lines
from memories.api.streams import JSONLines
from memories.end_users import directory, erasure
from memories.end_users.directory import Listed, Stats
from memories.end_users.moving import export, restore
from memories.models import EndUser, ExtractionJob, Memory


def shown(row: EndUser) -> dict[str, Any]:
    return {
        "external_user_id": row.external_id,
        "created_at": instant(row.created_at),
        "last_seen_at": instant(row.last_seen_at),
        "is_blocked": row.blocked_at is not None,
        "blocked_at": instant(row.blocked_at),
    }


def _listed(each: Listed) -> dict[str, Any]:
    return {**shown(each.row), "memory_count": each.memories}


def _counted(told: Stats) -> dict[str, Any]:
    return {
        **shown(told.row),
        "memory_count": told.memories,
        "archived_count": told.archived,
        "by_category": {name: told.by_category.get(name, 0) for name in Memory.Category.values},
        "average_importance": told.average_importance,
        "last_memory_at": instant(told.last_memory_at),
        "last_accessed_at": instant(told.last_accessed_at),
        "access_count": told.accesses,
        "pending_candidates": told.pending_candidates,
        "pending_conflicts": told.pending_conflicts,
        "retrievals": told.retrievals,
        "jobs": {name: told.jobs.get(name, 0) for name in ExtractionJob.Status.values},
    }


class UsersView(EndUserView):
    @extend_schema(
        operation_id="list_end_users",
        summary="List the end users of the account",
        parameters=[user_shapes.UsersQuery],
        responses={200: user_shapes.UsersPage, **ERRORS},
        examples=[user_shapes.answer(user_shapes.LISTED)],
    )
    def get(self, request: Request) -> Response:
        """Who came last first."""
        page = directory.listed(self.caller, **self.query(user_shapes.UsersQuery))
        return envelope.page(
            [_listed(each) for each in page.users], next_cursor=page.next_cursor, limit=page.limit, total=page.total
        )


class UserView(AboutOne):
    @extend_schema(
        operation_id="erase_end_user",
        summary="Erase an end user wholly",
        parameters=[user_shapes.ID],
        responses={200: user_shapes.ErasedAnswer, **ERRORS},
        examples=[user_shapes.answer({"data": {"deleted": True, "memories_removed": 12}, **user_shapes.STAMP})],
    )
    def delete(self, request: Request, external_user_id: str) -> Response:
        """Everything of them, everywhere, for good."""
        return self.erased(request, external_user_id)

    def erased(self, request: Request, external_user_id: str) -> Response:
        done = erasure.end_user(self.caller, self.exactly(request, external_user_id))
        return envelope.done(asdict(done))


class _WithSuffix(UserView):
    """A path that ends in a word: for DELETE, which knows no such word, that belongs to the id."""

    suffix = ""

    @extend_schema(exclude=True)
    def delete(self, request: Request, external_user_id: str) -> Response:
        return self.erased(request, f"{external_user_id}/{self.suffix}")


class StatsView(_WithSuffix):
    suffix = "stats"

    @extend_schema(
        operation_id="show_end_user_stats",
        summary="What is remembered of an end user, in figures",
        parameters=[user_shapes.ID],
        responses={200: user_shapes.StatsAnswer, **ERRORS},
        examples=[user_shapes.answer(user_shapes.STATS)],
    )
    def get(self, request: Request, external_user_id: str) -> Response:
        """Memories by category, importance, what is pending, and jobs by status."""
        return envelope.done(_counted(directory.stats(self.caller, self.exactly(request, external_user_id))))


class BlockView(_WithSuffix):
    suffix = "block"

    @extend_schema(
        operation_id="block_end_user",
        summary="Remember nothing more of an end user, and tell nothing about them",
        request=None,
        parameters=[user_shapes.ID],
        responses={200: user_shapes.BlockedAnswer, **ERRORS},
        examples=[user_shapes.answer({"data": user_shapes.PERSON, **user_shapes.STAMP})],
    )
    def post(self, request: Request, external_user_id: str) -> Response:
        """What is remembered stays, untold, until they are unblocked."""
        return envelope.done(shown(directory.block(self.caller, self.exactly(request, external_user_id))))


class UnblockView(_WithSuffix):
    suffix = "unblock"

    @extend_schema(
        operation_id="unblock_end_user",
        summary="Take up an end user again",
        request=None,
        parameters=[user_shapes.ID],
        responses={200: user_shapes.BlockedAnswer, **ERRORS},
        examples=[user_shapes.answer({"data": user_shapes.PERSON, **user_shapes.STAMP})],
    )
    def post(self, request: Request, external_user_id: str) -> Response:
        """What was remembered of them before is told again."""
        return envelope.done(shown(directory.unblock(self.caller, self.exactly(request, external_user_id))))


class ExportView(_WithSuffix):
    suffix = "export"

    @extend_schema(
        operation_id="export_end_user",
        summary="Export all that is kept of an end user as JSON Lines",
        parameters=[user_shapes.ID],
        responses={(200, "application/x-ndjson"): OpenApiTypes.STR, **ERRORS},
    )
    def get(self, request: Request, external_user_id: str) -> StreamingHttpResponse:
        """Memories with every state they were in, archived ones too, and whatever else there is."""
        return JSONLines(export.lines(self.caller, self.exactly(request, external_user_id)), name="end-user.jsonl")


class ImportView(EndUserView):
    parser_classes = [Lines]

    @extend_schema(
        operation_id="import_end_users",
        summary="Take exports of end users back",
        request={"application/x-ndjson": OpenApiTypes.STR},
        responses={200: user_shapes.RestoredAnswer, **ERRORS},
        examples=[
            OpenApiExample("Lines", value=user_shapes.LINES, request_only=True, media_type="application/x-ndjson")
        ],
    )
    def post(self, request: Request) -> Response:
        """All or nothing. What is there already stays as it is, so importing twice doubles nothing."""
        return envelope.done(asdict(restore.lines(self.caller, request.data)))
