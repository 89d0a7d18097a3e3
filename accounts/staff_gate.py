"""The way into staff admin: the same login as everybody's, and a second step where the installation wants it."""

from typing import cast
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts import second_factor
from accounts.models import User

WANTED = "Staff admin asks for a second step at sign-in. Set up an authenticator app or a passkey here, then go back."


def sign_in(request: HttpRequest) -> HttpResponse:
    """To the login of the pages. Raises PermissionDenied for who is signed in and not of the staff."""
    wanted = request.GET.get("next") or reverse("admin:index")
    if not request.user.is_authenticated:
        return redirect_to_login(wanted)
    if not (request.user.is_active and request.user.is_staff):
        raise PermissionDenied
    return redirect("admin:index")


def step_missing(request: HttpRequest) -> HttpResponse | None:
    """Where to go first: to set up a second step, or to show it; none where staff may go on."""
    user = cast(User, request.user)
    if not settings.PAM_STAFF_MFA_REQUIRED or second_factor.was_shown(request, user):
        return None
    if not second_factor.is_on(user):
        messages.warning(request, WANTED)
        return redirect("security")
    ways = get_adapter().get_reauthentication_methods(user)
    url = next(way["url"] for way in ways if way["id"].startswith("mfa_"))
    return redirect(f"{url}?{urlencode({'next': request.get_full_path()})}")
