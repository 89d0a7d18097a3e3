"""REST of agent memory (`/v1/decisions/…`): parse, one service call, render. Errors are `{code, message, request_id}`,
with the names of the contract."""

from dataclasses import asdict
from typing import Any, cast

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from memories.agents import briefing, error_names, export, forget, listing, record, restore, searching, spaces
from memories.api import knowledge_schema as schema
from memories.api.company import MemoryView
from memories.api.streams import JSONLines
from memories.api.strict import Arguments, validated
from memories.errors import TooLarge

_ERRORS = {
    "4XX": OpenApiResponse(schema.KnowledgeError, "What was wrong, and what to do."),
    "5XX": OpenApiResponse(schema.KnowledgeError, "A fault on our side."),
}


class KnowledgeView(MemoryView):
    def query(self, shape: type[Arguments]) -> dict[str, Any]:
        """The query's arguments, each given once, as the shape wants them."""
        return validated(shape, self.request.query_params.dict(), is_query=True)

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        error = cast(dict[str, Any], response.data)
        name = error_names.named(error["code"], response.status_code)
        response.data = {**error, "code": name}
        response.data.pop("fields", None)
        response.status_code = error_names.STATUSES[name] if response.status_code < 500 else response.status_code
        return response


class SummariesView(KnowledgeView):
    @extend_schema(
        operation_id="record_summary",
        summary="Record what a session decided",
        request=schema.SummaryGiven,
        responses={201: schema.Recorded, **_ERRORS},
        examples=[schema.SESSION],
    )
    def post(self, request: Request) -> Response:
        """In one transaction. A retry of the same call makes no second row."""
        made = record.summary(self.caller, **validated(schema.SummaryGiven, request.data))
        return Response(made.structured(), status=201)

    @extend_schema(
        operation_id="list_summaries",
        summary="List session summaries",
        parameters=[schema.SummariesQuery],
        responses={200: schema.SummariesPage, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        return Response(listing.summaries(self.caller, **self.query(schema.SummariesQuery)).structured())


class RecordsView(KnowledgeView):
    @extend_schema(
        operation_id="list_records",
        summary="List records",
        parameters=[schema.RecordsQuery],
        responses={200: schema.RecordsPage, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        return Response(listing.records(self.caller, **self.query(schema.RecordsQuery)).structured())


class RecordSearchView(KnowledgeView):
    @extend_schema(
        operation_id="search_records",
        summary="Search records",
        parameters=[schema.SearchQuery],
        responses={200: schema.FoundRecords, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """By meaning and words: active ones first, then the best."""
        return Response(searching.search(self.caller, **self.query(schema.SearchQuery)).structured())


class RecordView(KnowledgeView):
    @extend_schema(operation_id="show_record", summary="Show a record", responses={200: schema.RecordShown, **_ERRORS})
    def get(self, request: Request, record_id: str) -> Response:
        return Response(listing.record(self.caller, record_id).structured())

    @extend_schema(operation_id="delete_record", summary="Delete a record for good", responses={204: None, **_ERRORS})
    def delete(self, request: Request, record_id: str) -> Response:
        forget.record(self.caller, record_id)
        return Response(status=204)


class BriefView(KnowledgeView):
    @extend_schema(
        operation_id="brief",
        summary="Be briefed before starting on something",
        parameters=[schema.BriefQuery],
        responses={200: schema.Brief, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Rules, open questions, memories and decision documents that mention it, each with the reason it is there."""
        return Response(briefing.brief(self.caller, **self.query(schema.BriefQuery)).structured())


class SpacesView(KnowledgeView):
    @extend_schema(
        operation_id="list_spaces",
        summary="List the spaces you read",
        parameters=[schema.SpacesQuery],
        responses={200: schema.Spaces, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        spaces.own_account(self.caller, self.query(schema.SpacesQuery).get("account_id", ""))
        return Response({"spaces": [asdict(each) for each in spaces.listed(self.caller)]})

    @extend_schema(
        operation_id="create_space",
        summary="Make a space",
        request=schema.SpaceGiven,
        responses={201: schema.SpaceShown, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        """You write in it; others are admitted one by one, or all at once with access `account`."""
        return Response(asdict(spaces.create(self.caller, **validated(schema.SpaceGiven, request.data))), status=201)


class SpaceView(KnowledgeView):
    @extend_schema(
        operation_id="show_space", summary="Show a space", responses={200: schema.SpaceWithMembers, **_ERRORS}
    )
    def get(self, request: Request, space_id: str) -> Response:
        people = schema.SpaceMemberShown(spaces.members(self.caller, space_id), many=True).data
        return Response({**asdict(spaces.get(self.caller, space_id)), "members": people})

    @extend_schema(
        operation_id="change_space",
        summary="Rename a space, open or close it",
        request=schema.SpaceChange,
        responses={200: schema.SpaceShown, **_ERRORS},
    )
    def patch(self, request: Request, space_id: str) -> Response:
        return Response(asdict(spaces.change(self.caller, space_id, **validated(schema.SpaceChange, request.data))))

    @extend_schema(
        operation_id="delete_space", summary="Delete a space with what is in it", responses={204: None, **_ERRORS}
    )
    def delete(self, request: Request, space_id: str) -> Response:
        spaces.delete(self.caller, space_id)
        return Response(status=204)


class SpaceMemberView(KnowledgeView):
    @extend_schema(
        operation_id="admit_to_space",
        summary="Let a member of the account read a space, or write in it",
        request=schema.SpaceMemberGiven,
        responses={204: None, **_ERRORS},
    )
    def put(self, request: Request, space_id: str, email: str) -> Response:
        """`user` is the person's e-mail address."""
        given = validated(schema.SpaceMemberGiven, request.data)
        spaces.admit(self.caller, space_id, email, can_write=given.get("can_write", False))
        return Response(status=204)

    @extend_schema(
        operation_id="dismiss_from_space", summary="Take a person off a space", responses={204: None, **_ERRORS}
    )
    def delete(self, request: Request, space_id: str, email: str) -> Response:
        spaces.dismiss(self.caller, space_id, email)
        return Response(status=204)


class ExportView(KnowledgeView):
    @extend_schema(
        operation_id="export_memories",
        summary="Export agent memory as JSON Lines",
        responses={(200, "application/x-ndjson"): OpenApiTypes.STR, **_ERRORS},
    )
    def get(self, request: Request) -> JSONLines:
        return JSONLines(export.lines(self.caller), name="agent-memory.jsonl")


class Lines(BaseParser):
    """The body as it comes, up to PAM_MAX_IMPORT_BYTES: one JSON object a line."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        body = stream.read(settings.PAM_MAX_IMPORT_BYTES + 1)
        if len(body) > settings.PAM_MAX_IMPORT_BYTES:
            most = settings.PAM_MAX_IMPORT_BYTES // 1024**2
            raise TooLarge(f"An import has at most {most} MB. Send the lines in several: what is there is not doubled.")
        return body.splitlines()


class ImportView(KnowledgeView):
    parser_classes = [Lines]

    @extend_schema(
        operation_id="import_memories",
        summary="Take an export back",
        request={"application/x-ndjson": OpenApiTypes.STR},
        responses={200: schema.Restored, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        """All or nothing. What is there already stays as it is, so importing twice doubles nothing."""
        return Response(asdict(restore.lines(self.caller, request.data)))
