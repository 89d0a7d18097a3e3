"""The Spaces pages: named areas of agent memory, who reads them and who writes in them.

Parse, one service call, render. What a form can mend is told above it.
"""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import authentication
from accounts.errors import InvalidArguments, NotFound
from accounts.models import Membership
from memories.agents import spaces
from memories.errors import AlreadyExists


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def all_spaces(request: HttpRequest) -> HttpResponse:
    """The list; a POST makes a space."""
    caller = authentication.person(request)
    if request.method == "POST":
        name, access = _said(request, "name"), _said(request, "access")
        if _done(request, lambda: spaces.create(caller, name=name, access=access)):
            messages.success(request, f"The space {name} is there. Open it to say who reads it and who writes in it.")
        return redirect("spaces")
    context = {"spaces": spaces.listed(caller), "can_make": caller.role != Membership.Role.VIEWER}
    return render(request, "spaces.html", {"caller": caller, **context})


@never_cache
@require_safe
def space(request: HttpRequest, space_id: str) -> HttpResponse:
    caller = authentication.person(request)
    context = {
        "space": spaces.get(caller, space_id),
        "members": spaces.members(caller, space_id),
        "can_delete": caller.role in (Membership.Role.OWNER, Membership.Role.ADMIN),
    }
    return render(request, "space.html", {"caller": caller, **context})


@require_POST
def change(request: HttpRequest, space_id: str) -> HttpResponse:
    caller = authentication.person(request)
    name, access = _said(request, "name"), _said(request, "access")
    spaces.get(caller, space_id)
    if _done(request, lambda: spaces.change(caller, space_id, name=name or None, access=access or None)):
        messages.success(request, "Saved.")
    return redirect("space", space_id)


@require_POST
def delete(request: HttpRequest, space_id: str) -> HttpResponse:
    spaces.delete(authentication.person(request), space_id)
    messages.success(request, "The space is deleted for good, with all that was in it.")
    return redirect("spaces")


@require_POST
def admit(request: HttpRequest, space_id: str) -> HttpResponse:
    caller, email = authentication.person(request), _said(request, "email")
    can_write = _said(request, "can_write") == "yes"
    spaces.get(caller, space_id)
    if _done(request, lambda: spaces.admit(caller, space_id, email, can_write=can_write)):
        messages.success(request, f"{email} {'writes' if can_write else 'reads'} here now.")
    return redirect("space", space_id)


@require_POST
def dismiss(request: HttpRequest, space_id: str) -> HttpResponse:
    caller, email = authentication.person(request), _said(request, "email")
    spaces.get(caller, space_id)
    if _done(request, lambda: spaces.dismiss(caller, space_id, email)):
        messages.success(request, f"{email} is off the list.")
    is_oneself = caller.user is not None and email.lower() == caller.user.email.lower()
    return redirect("spaces") if is_oneself else redirect("space", space_id)


def _said(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\x00", "").strip()


def _done(request: HttpRequest, deed: Callable[[], object]) -> bool:
    """Whether it could be done; what was wrong with the form is said on the next page."""
    try:
        deed()
    except (InvalidArguments, AlreadyExists, NotFound) as error:
        messages.error(request, error.message)
        return False
    return True
