"""The End users pages: who they are, what is remembered of one of them, and changing, carrying out and erasing it.

Parse, one service call, render. An end user's id may hold anything, so it stands in the query: a path cannot hold all
of it, and browsers change line breaks in the fields of a form.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import authentication
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Membership
from memories.api.streams import JSONLines
from memories.end_users import browsing, directory, editing, erasure, lifecycle
from memories.end_users.moving import export, restore

_MANAGERS = (Membership.Role.OWNER, Membership.Role.ADMIN)


@never_cache
@require_safe
def end_users(request: HttpRequest) -> HttpResponse:
    caller = authentication.person(request)
    search, cursor = _asked(request, "q")[: directory.LONGEST_SEARCH], request.GET.get("page", "")
    context = {
        "page": directory.listed(caller, search=search, cursor=cursor, limit=directory.MOST),
        "search": search,
        "token": cursor,
        "stopped": browsing.stopped(caller),
        "can_manage": caller.role in _MANAGERS,
    }
    return render(request, "end_users.html", {"caller": caller, **context})


def _asked(request: HttpRequest, name: str) -> str:
    """A value of the address bar, as it is but for what Postgres cannot hold."""
    return request.GET.get(name, "").replace("\x00", "")


@never_cache
@require_safe
def end_user(request: HttpRequest) -> HttpResponse:
    caller = authentication.person(request)
    archived, token = request.GET.get("show") == "all", request.GET.get("page", "")
    user = browsing.user(caller, _asked(request, "id"), include_archived=archived, cursor=token)
    context = {
        "user_shown": user,
        "row": user.stats.row,
        "archived": archived,
        "token": token,
        "can_change": caller.role != Membership.Role.VIEWER,
        "can_manage": caller.role in _MANAGERS,
    }
    return render(request, "end_user.html", {"caller": caller, **context})


def _to(external_id: str) -> str:
    return f"{reverse('end-user')}?{urlencode({'id': external_id})}"


@never_cache
@require_safe
def carry_out(request: HttpRequest) -> StreamingHttpResponse:
    caller = authentication.person(request)
    return JSONLines(export.lines(caller, _asked(request, "id")), name="end-user.jsonl")


@require_http_methods(["GET", "POST"])
def carry_in(request: HttpRequest) -> HttpResponse:
    caller, file = authentication.person(request), request.FILES.get("file")
    if request.method == "POST" and file is None:
        messages.error(request, "Choose a file that was exported here or on another PAM first.")
    elif file is not None and (file.size or 0) > settings.PAM_MAX_IMPORT_BYTES:
        messages.error(request, f"A file has at most {settings.PAM_MAX_IMPORT_BYTES // 1024**2} MB. Send several.")
    elif file is not None:
        try:
            messages.success(request, _told(restore.lines(caller, file)))
        except InvalidArguments as error:
            messages.error(request, error.message)
    return redirect("end-users")


def _told(done: restore.Restored) -> str:
    new = f"{done.end_users:,} end users and {done.memories:,} memories came in"
    return f"{new}; {done.present:,} lines were there already."


@require_POST
def block(request: HttpRequest) -> HttpResponse:
    row = directory.block(authentication.person(request), _asked(request, "id"))
    messages.success(request, f"{row.external_id} is blocked: nothing is remembered of them, nothing told.")
    return redirect(_to(row.external_id))


@require_POST
def unblock(request: HttpRequest) -> HttpResponse:
    row = directory.unblock(authentication.person(request), _asked(request, "id"))
    messages.success(request, f"{row.external_id} is no longer blocked.")
    return redirect(_to(row.external_id))


@require_POST
def erase(request: HttpRequest) -> HttpResponse:
    done = erasure.end_user(authentication.person(request), _asked(request, "id"))
    messages.success(request, f"Erased for good, with {done.memories_removed:,} memories. Nothing of them is left.")
    return redirect("end-users")


@require_POST
def let_it_run(request: HttpRequest) -> HttpResponse:
    lifecycle.let_it_run(authentication.person(request))
    messages.success(request, "A worker does it now. What is archived can be restored one by one.")
    return redirect("end-users")


def _change(request: HttpRequest, memory_id: str, deed: Callable[[Caller], object], told: str) -> HttpResponse:
    caller = authentication.person(request)
    memory = editing.get(caller, memory_id)
    try:
        deed(caller)
        messages.success(request, told)
    except InvalidArguments as error:
        messages.error(request, error.message)
    return redirect(_to(memory.end_user.external_id))


@require_POST
def archive(request: HttpRequest, memory_id: str) -> HttpResponse:
    told = "Archived. It is told no more; it can be restored."
    return _change(request, memory_id, lambda caller: editing.change(caller, memory_id, {"is_archived": True}), told)


@require_POST
def restore_memory(request: HttpRequest, memory_id: str) -> HttpResponse:
    told = "Restored. It is told again."
    return _change(request, memory_id, lambda caller: editing.change(caller, memory_id, {"is_archived": False}), told)


@require_POST
def delete(request: HttpRequest, memory_id: str) -> HttpResponse:
    told = "Deleted for good, with its history."
    return _change(request, memory_id, lambda caller: editing.delete(caller, memory_id, hard=True), told)
