"""The Memories pages: what agents recorded, one record with its history, and changing it.

Parse, one service call, render. Errors of services become pages elsewhere; what a form can mend is told beside it.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import authentication
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Membership
from memories.agents import amend, browsing, forget, restore, spaces, story, supersession
from memories.errors import FailedPrecondition
from memories.models import Record

LONGEST_FILTER = 200
_MANAGERS = (Membership.Role.OWNER, Membership.Role.ADMIN)
_FILTERS = ("q", "kind", "status", "agent", "session", "topic", "space")


@never_cache
@require_safe
def memories(request: HttpRequest) -> HttpResponse:
    caller = authentication.person(request)
    wanted = browsing.Wanted(**{name: asked_for(request, name) for name in _FILTERS})
    token = request.GET.get("page", "")
    context = {
        "page": browsing.page(caller, wanted, page_token=token),
        "spaces": spaces.listed(caller),
        "wanted": wanted,
        "token": token,
        "can_manage": caller.role in _MANAGERS,
        "kinds": Record.Kind.choices,
        "statuses": Record.Status.choices,
    }
    return render(request, "memories.html", {"caller": caller, **context})


@never_cache
@require_safe
def sessions(request: HttpRequest) -> HttpResponse:
    """What sessions concluded, in their own words, with what they recorded."""
    caller = authentication.person(request)
    wanted = browsing.Wanted(**{name: asked_for(request, name) for name in ("agent", "session", "space")})
    token = request.GET.get("page", "")
    page = browsing.sessions(caller, wanted, page_token=token)
    context = {"page": page, "spaces": spaces.listed(caller), "wanted": wanted, "token": token}
    return render(request, "sessions.html", {"caller": caller, **context})


def asked_for(request: HttpRequest, name: str) -> str:
    """A value of the address bar, where anything may stand: trimmed, bounded, without what Postgres cannot hold."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:LONGEST_FILTER]


@never_cache
@require_safe
def record(request: HttpRequest, record_id: str) -> HttpResponse:
    return _record(request, authentication.person(request), record_id)


def _record(
    request: HttpRequest,
    caller: Caller,
    record_id: str,
    *,
    given: Mapping[str, Any] | None = None,
    wrong: str = "",
) -> HttpResponse:
    told = story.of(caller, record_id)
    context = {
        "story": told,
        "record": told.history.record,
        "given": given or _as_it_stands(told),
        "wrong": wrong,
        "kinds": Record.Kind.choices,
    }
    return render(request, "memory.html", {"caller": caller, **context}, status=400 if wrong else 200)


def _as_it_stands(told: story.Story) -> dict[str, Any]:
    """What the form of a replacement begins with: a question's answer is something else than the question."""
    row = told.history.record
    is_question = row.kind == Record.Kind.QUESTION
    return {
        "kind": Record.Kind.DECISION if is_question else row.kind,
        "text": "" if is_question else row.text,
        "decided_by": "",
        "topics": row.topics,
        "links": row.links,
    }


@never_cache
@require_http_methods(["GET", "POST"])
def supersede(request: HttpRequest, record_id: str) -> HttpResponse:
    if request.method == "GET":
        return redirect("memory", record_id)
    caller = authentication.person(request)
    given = _replacement(request)
    try:
        made = amend.replace(caller, record_id, **given)
    except (InvalidArguments, FailedPrecondition) as error:
        return _record(request, caller, record_id, given=given, wrong=error.message)
    messages.success(request, "Recorded. From now on agents are told this one.")
    return redirect("memory", made.id)


def _replacement(request: HttpRequest) -> dict[str, Any]:
    fields = {name: request.POST.get(name, "").replace("\r\n", "\n").strip() for name in ("kind", "text", "decided_by")}
    lists = {name: request.POST.get(name, "").splitlines() for name in ("topics", "links")}
    return {**fields, **{name: [line.strip() for line in lines if line.strip()] for name, lines in lists.items()}}


@require_POST
def resolve(request: HttpRequest, record_id: str) -> HttpResponse:
    caller = authentication.person(request)
    try:
        supersession.resolve(caller, record_id)
        messages.success(request, "Resolved. Briefings no longer bring it up.")
    except FailedPrecondition as error:
        messages.error(request, error.message)
    return redirect("memory", record_id)


@require_POST
def delete(request: HttpRequest, record_id: str) -> HttpResponse:
    forget.record(authentication.person(request), record_id)
    messages.success(request, "Deleted for good. No agent is told it any more.")
    return redirect("memories")


@require_http_methods(["GET", "POST"])
def import_lines(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return redirect("memories")
    caller = authentication.person(request)
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, "Choose a file that was exported here or on another PAM first.")
        return redirect("memories")
    try:
        messages.success(request, _restored(restore.lines(caller, file)))
    except InvalidArguments as error:
        messages.error(request, error.message)
    return redirect("memories")


def _restored(done: restore.Restored) -> str:
    new = f"{done.records:,} records, {done.summaries:,} summaries and {done.spaces:,} spaces came in"
    return f"{new}; {done.present:,} rows were there already."
