"""The Sources page: what has been imported, how far it is, importing and deleting.

Parse, one service call, render. Errors of services become pages elsewhere.
"""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import authentication
from accounts.caller import Caller
from accounts.models import Membership
from memories import wording
from memories.company import readiness
from memories.company.intake import documents, ingest, uploads
from memories.models import Document, Source

PAGE = 50
LONGEST_FILTER = 200


@never_cache
@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    return _page(request, authentication.person(request))


def _page(request: HttpRequest, caller: Caller, **more: object) -> HttpResponse:
    state, q, cursor = (_asked_for(request, name) for name in ("state", "q", "cursor"))
    page = documents.listed(caller, state=state, q=q, cursor=cursor, limit=PAGE)
    total, done = sum(page.counts.values()), page.counts[Document.State.READY] + page.counts[Document.State.FAILED]
    context = {
        "caller": caller,
        "can_change": caller.role != Membership.Role.VIEWER,
        "status": wording.status(readiness.of(caller.account)),
        "page": page,
        "counts": page.counts.items(),
        "total": total,
        "done": done,
        "is_moving": done < total,
        "states": Document.State,
        "state": state,
        "q": q,
        "cursor": cursor,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "max_bytes": settings.PAM_MAX_DOCUMENT_BYTES,
        "max_archive_bytes": settings.PAM_MAX_ARCHIVE_BYTES,
    }
    return render(request, "sources.html", context | more)


def _asked_for(request: HttpRequest, name: str) -> str:
    """A value of the address bar, where anything may stand: trimmed, bounded, without what Postgres cannot hold."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:LONGEST_FILTER]


@require_http_methods(["GET", "POST"])
def import_files(request: HttpRequest) -> HttpResponse:
    """The plain form, for browsers without scripts: files by their names, folders only inside a .zip."""
    if request.method == "GET":
        return redirect("sources")
    caller = authentication.person(request)
    files = request.FILES.getlist("files")
    if not files:
        messages.error(request, "Choose one or more files first.")
        return redirect("sources")
    incoming = [uploads.sent(file, file.name or "") for file in files]
    outcome = uploads.take_in(caller, source_kind=Source.Kind.UPLOAD, incoming=incoming)
    refused = [result for result in outcome if isinstance(result, ingest.Refusal)]
    return _page(request, caller, taken_in=len(outcome) - len(refused), refused=refused, imported=True)


@require_POST
def delete_document(request: HttpRequest, document_id: str) -> HttpResponse:
    document = documents.delete(authentication.person(request), document_id)
    messages.success(request, f"{document.path} is deleted. No answer mentions it any more.")
    return redirect(f"{reverse('sources')}?{request.GET.urlencode()}")
