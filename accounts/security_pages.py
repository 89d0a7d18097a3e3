"""Security: how the person signs in, and where they are signed in. Parse, one service call, render.

It is the person's own page, whatever account they work in, and also when they belong to none. Setting up an app, a
passkey or codes are allauth's views in our templates.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import authentication, second_factor, sessions
from accounts.caller import Caller
from accounts.errors import NotAuthenticated


@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    user = authentication.signed_in(request)
    context = {
        "caller": _caller(request),
        "methods": second_factor.methods(user),
        "sessions": sessions.listed(user, current=request.session.session_key),
    }
    return render(request, "security.html", context)


def _caller(request: HttpRequest) -> Caller | None:
    try:
        return authentication.person(request)
    except NotAuthenticated:  # signed in, and of no account
        return None


@require_POST
def end_session(request: HttpRequest, session_id: int) -> HttpResponse:
    user = authentication.signed_in(request)
    is_ended = sessions.end(user, session_id, current=request.session.session_key)
    messages.success(request, "That browser is signed out." if is_ended else "That browser was signed out already.")
    return redirect("security")


@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    count = sessions.end_others(authentication.signed_in(request), current=request.session.session_key)
    told = "Every other browser is signed out." if count else "You are signed in nowhere else."
    messages.success(request, told)
    return redirect("security")
