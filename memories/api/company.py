"""REST of company memory: documents in, listed, deleted; chats in; readiness. Parse, one service call, render."""

from collections.abc import Sequence
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import ConsoleView
from accounts.authentication import AgentKeyAuthentication, ConsoleAuthentication
from accounts.caller import Caller
from accounts.errors import InvalidArguments, NotAuthenticated
from memories.api import company_schema as schema
from memories.company import readiness
from memories.company.intake import chats, documents, uploads
from memories.company.intake.ingest import Accepted
from memories.company.intake.uploads import Incoming
from memories.errors import TooLarge
from memories.models import Source

# What the parts of a form cost beside the files in them.
_FORM_BYTES = 4 * 1024 * 1024
_NOTHING_TAKEN = "No file was taken in. The reasons stand beside their names."


class MemoryView(APIView):
    """A view for agents with a key and people at the console: `caller` is whoever it is."""

    authentication_classes = [AgentKeyAuthentication, ConsoleAuthentication]

    @property
    def caller(self) -> Caller:
        if not isinstance(self.request.auth, Caller):
            raise NotAuthenticated
        return self.request.auth

    def handle_exception(self, exc: Exception) -> Response:
        # Django raises these while it reads a form, and would answer with a page.
        if isinstance(exc, (TooManyFilesSent, TooManyFieldsSent)):
            most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
            exc = InvalidArguments(f"One request carries at most {most:,} files. Send the rest in another one.")
        elif isinstance(exc, RequestDataTooBig):
            exc = TooLarge()
        return super().handle_exception(exc)


class DocumentsView(MemoryView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="list_documents",
        summary="List documents",
        parameters=[schema.DocumentsQuery],
        responses=schema.DocumentsPage,
    )
    def get(self, request: Request) -> Response:
        query = schema.DocumentsQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        page = documents.listed(self.caller, **query.validated_data)
        return Response(schema.DocumentsPage(page).data)

    @extend_schema(
        operation_id="import_documents",
        summary="Import documents",
        request={"multipart/form-data": schema.Import},
        responses={202: schema.Imported, 422: OpenApiResponse(schema.NothingImported, "Every file was refused.")},
        examples=[schema.IMPORTED],
    )
    def post(self, request: Request) -> Response:
        """Stores the files and answers; workers read them. One that is refused never stops its neighbours."""
        caller = self.caller
        if int(request.META.get("CONTENT_LENGTH") or 0) > settings.PAM_MAX_ARCHIVE_BYTES + _FORM_BYTES:
            raise TooLarge
        form = cast(QueryDict, request.data)
        name = form.get("source", "")
        answers = uploads.take_in(
            caller, source_kind=_kind(caller, name), source_name=name, incoming=_incoming(form, request.FILES)
        )
        taken = [answer for answer in answers if isinstance(answer, Accepted)]
        body = {"documents": taken, "refused": [answer for answer in answers if not isinstance(answer, Accepted)]}
        if taken:
            return Response(schema.Imported(body).data, status=202)
        refused = {"code": "unreadable_document", "message": _NOTHING_TAKEN}
        return Response(refused | schema.Imported(body).data, status=422)


def _kind(caller: Caller, source_name: str) -> str:
    """People drop loose files, or a folder, whose name is the source's."""
    if caller.surface != "console":
        return Source.Kind.API
    return Source.Kind.FOLDER if source_name else Source.Kind.UPLOAD


def _incoming(form: QueryDict, parts: MultiValueDict[str, "UploadedFile[bytes]"]) -> Sequence[Incoming]:
    files = parts.getlist("files") + parts.getlist("file")
    if not files:
        raise InvalidArguments("Send at least one file in the form field files.", argument="files")
    paths = form.getlist("paths") or form.getlist("path") or [file.name or "" for file in files]
    if len(paths) != len(files):
        raise InvalidArguments("Send one path for each file, in the same order, or none at all.", argument="paths")
    folder = form.get("folder", "")
    return [uploads.sent(file, f"{folder}/{path}" if folder else path) for path, file in zip(paths, files, strict=True)]


class DocumentView(MemoryView):
    @extend_schema(operation_id="show_document", summary="Show a document", responses=schema.DocumentShown)
    def get(self, request: Request, document_id: str) -> Response:
        return Response(schema.DocumentShown(documents.get(self.caller, document_id)).data)

    @extend_schema(operation_id="delete_document", summary="Delete a document", responses={204: None})
    def delete(self, request: Request, document_id: str) -> Response:
        """It is gone from every answer at once."""
        documents.delete(self.caller, document_id)
        return Response(status=204)


class IngestView(MemoryView):
    @extend_schema(
        operation_id="ingest_chat",
        summary="Hand in a chat",
        request=schema.ChatGiven,
        responses={202: schema.ChatTaken, 400: schema.ChatTaken},
        examples=[schema.CHAT, schema.CHAT_TAKEN, schema.CHAT_REFUSED],
    )
    def post(self, request: Request) -> Response:
        """The same session again replaces that chat. Long ones come in parts, each a call of its own."""
        given = schema.ChatGiven(data=request.data)
        caller = self.caller
        given.is_valid(raise_exception=True)
        taken = chats.keep(caller, given.chat())
        return Response(_taken("ok", item_id=taken.document_id), status=202)

    def handle_exception(self, exc: Exception) -> Response:
        """The contract's shape for errors, under their usual status."""
        response = super().handle_exception(exc)
        error = cast(dict[str, Any], response.data)
        response.data = _taken("error", error_code=error["code"], error_message=error["message"])
        return response


def _taken(
    status: str, *, item_id: str | None = None, error_code: str | None = None, error_message: str | None = None
) -> dict[str, str | None]:
    return {"status": status, "item_id": item_id, "error_code": error_code, "error_message": error_message}


class ReadinessView(ConsoleView):
    @extend_schema(
        operation_id="readiness", summary="Tell whether memory can be asked", responses=schema.ReadinessShown
    )
    def get(self, request: Request) -> Response:
        return Response(schema.ReadinessShown(readiness.of(self.caller.account)).data)
