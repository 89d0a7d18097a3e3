"""The pages of agents: Setup (keys, snippets, the first call) and the request log.

Parse, one service call, render. Errors of services become pages elsewhere.
"""

import json
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from accounts import authentication, credentials, keys, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.forms import KeyForm
from accounts.models import Membership
from mcp_gateway import rendering, request_history, snippets, surfaces
from mcp_gateway.models import RequestLog
from memories import wording
from memories.company import readiness

PAGE = 25
LAST_PAGE = 100_000
LONGEST_FILTER = 200
FILTERS = ("q", "status", "tool", "key", "since", "until")


@never_cache
@require_safe
def setup(request: HttpRequest) -> HttpResponse:
    return _setup(request, authentication.person(request))


@sensitive_variables("minted")
def _setup(
    request: HttpRequest, caller: Caller, *, form: KeyForm | None = None, minted: keys.Minted | None = None
) -> HttpResponse:
    url = settings.PUBLIC_URL + surfaces.MEMORY.path
    context = {
        "caller": caller,
        "can_change": caller.role != Membership.Role.VIEWER,
        "status": wording.status(readiness.of(caller.account)),
        "keys": credentials.by_life(keys.listed(caller)),
        "key_urls": {"rotate": "key-rotate", "revoke": "key-revoke"},
        "all_scopes": scopes.AGENT,
        "form": form or KeyForm(initial={"scopes": list(scopes.AGENT)}),
        "minted": minted,
        "url": url,
        "snippets": snippets.for_clients(url, minted.secret if minted else snippets.PLACEHOLDER),
        "web_clients": snippets.WEB_CLIENTS,
        "is_reachable": settings.PUBLIC_URL.startswith("https://"),
        "placeholder": snippets.PLACEHOLDER,
        "prompt": snippets.FIRST_PROMPT,
        "first_call": request_history.latest_answered(caller),
    }
    return render(request, "setup.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def mint_key(request: HttpRequest) -> HttpResponse:
    """Shows the secret in the answer to the POST itself, the only time that it exists."""
    if request.method == "GET":
        return redirect("setup")
    caller = authentication.person(request)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _setup(request, caller, form=form)
    asked = form.cleaned_data
    try:
        minted = keys.mint(caller, name=asked["name"], granted=asked["scopes"], expires_at=form.expires_at)
    except InvalidArguments as error:
        form.add_error(None, error.message)
        return _setup(request, caller, form=form)
    return _setup(request, caller, minted=minted)


@never_cache
@require_http_methods(["GET", "POST"])
def rotate_key(request: HttpRequest, key_id: str) -> HttpResponse:
    if request.method == "GET":
        return redirect("setup")
    caller = authentication.person(request)
    return _setup(request, caller, minted=keys.rotate(caller, key_id))


@require_POST
def revoke_key(request: HttpRequest, key_id: str) -> HttpResponse:
    key = keys.revoke(authentication.person(request), key_id)
    messages.success(request, f"{key.name} is revoked. Nobody gets in with it any more.")
    return redirect("setup")


@never_cache
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    caller = authentication.person(request)
    asked = {name: asked_for(request, name) for name in FILTERS}
    wanted = request_history.Wanted(
        q=asked["q"],
        status=asked["status"],
        tool=asked["tool"],
        key=asked["key"],
        since=request_history.day(asked["since"], end=False),
        until=request_history.day(asked["until"], end=True),
    )
    number = _number(asked_for(request, "page"))
    page = request_history.listed(caller, wanted, limit=PAGE, page=number, with_responses=False)
    context = {
        "caller": caller,
        "page": page,
        "calls": [(call, _asked(call)) for call in page.items],
        "asked": asked,
        "is_filtered": any(asked.values()),
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "statuses": RequestLog.Status,
        "tools": [tool.name for surface in surfaces.MOUNTED for tool in surface.tools],
        "keys": keys.listed(caller),
    }
    return render(request, "request_log.html", context)


def _asked(call: RequestLog) -> str:
    """What a call asked; of one whose tool needs no words, what that tool does."""
    titles = {tool.name: tool.title for surface in surfaces.MOUNTED for tool in surface.tools}
    return call.prompt or titles.get(call.tool_name, "(no prompt)")


def asked_for(request: HttpRequest, name: str) -> str:
    """A value of the address bar, where anything may stand: trimmed, bounded, without what Postgres cannot hold."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:LONGEST_FILTER]


def _number(page: str) -> int:
    return min(max(int(page), 1), LAST_PAGE) if page.isascii() and page.isdigit() else 1


@never_cache
@require_GET
def log_entry(request: HttpRequest, request_id: str) -> HttpResponse:
    caller = authentication.person(request)
    call = request_history.get(caller, request_id)
    context = {
        "caller": caller,
        "call": call,
        "what": _asked(call),
        "report": rendering.report(call.response_content_text),
        "raw": json.dumps(call.response_json, indent=2, ensure_ascii=False),
        "stages": rendering.bars(_stages(call)),
    }
    return render(request, "request_log_entry.html", context)


def _stages(call: RequestLog) -> dict[str, Any]:
    diagnostics = call.response_json.get("diagnostics")
    stages = diagnostics.get("stages") if isinstance(diagnostics, dict) else None
    return stages if isinstance(stages, dict) else {}
