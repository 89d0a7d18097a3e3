"""The first page, and Access: which keys and programs get in, and how to stop them.

Sign-up, login and the rest are allauth's views in our templates. Parse, one service call, render.
"""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import api_keys, authentication, credentials, keys, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.forms import ApiKeyForm
from accounts.models import AgentKey, ApiKey, Membership
from accounts.oauth import connections, resources


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What PAM is; whoever is signed in goes on to Setup."""
    if request.user.is_authenticated:
        return redirect("setup")
    return render(request, "home.html")


@never_cache
@require_safe
def access(request: HttpRequest) -> HttpResponse:
    return _access(request, authentication.person(request))


@sensitive_variables("minted", "product")
def _access(
    request: HttpRequest,
    caller: Caller,
    *,
    minted: keys.Minted | None = None,
    product: api_keys.Minted | None = None,
    form: ApiKeyForm | None = None,
) -> HttpResponse:
    living, ended = _by_life(connections.of(caller))
    context = {
        "caller": caller,
        "can_change": caller.role != Membership.Role.VIEWER,
        "sees_everybody": caller.role in connections.MANAGERS,
        "keys": credentials.by_life(keys.listed(caller)),
        "key_urls": {"rotate": "access-key-rotate", "revoke": "access-key-revoke"},
        "all_scopes": scopes.AGENT,
        "minted": minted,
        "api_keys": credentials.by_life(api_keys.listed(caller)),
        "all_permissions": scopes.API_KEY,
        "can_mint": caller.role in connections.MANAGERS,
        "product": product,
        "form": form or ApiKeyForm(),
        "living": living,
        "ended": ended,
        "url": settings.PUBLIC_URL + resources.MEMORY.path,
        "is_reachable": settings.PUBLIC_URL.startswith("https://"),
    }
    return render(request, "access.html", context)


def _by_life(listed: list[connections.Connection]) -> tuple[list[connections.Connection], list[connections.Connection]]:
    """Connections that work, and connections that are over."""
    living = [connection for connection in listed if connection.status == "active"]
    return living, [connection for connection in listed if connection not in living]


@never_cache
@require_http_methods(["GET", "POST"])
def rotate_key(request: HttpRequest, key_id: str) -> HttpResponse:
    """Shows the secret in the answer to the POST itself, the only time that it exists."""
    if request.method == "GET":
        return redirect("access")
    caller = authentication.person(request)
    return _access(request, caller, minted=keys.rotate(caller, key_id))


@require_POST
def revoke_key(request: HttpRequest, key_id: str) -> HttpResponse:
    key: AgentKey = keys.revoke(authentication.person(request), key_id)
    messages.success(request, f"{key.name} is revoked. Nobody gets in with it any more.")
    return redirect("access")


@never_cache
@require_http_methods(["GET", "POST"])
def mint_api_key(request: HttpRequest) -> HttpResponse:
    """Shows the secret in the answer to the POST itself, the only time that it exists."""
    if request.method == "GET":
        return redirect("access")
    caller, form = authentication.person(request), ApiKeyForm(request.POST)
    if not form.is_valid():
        return _access(request, caller, form=form)
    try:
        product = api_keys.mint(caller, expires_at=form.expires_at, **form.wanted)
    except InvalidArguments as error:
        form.add_error(None, error.message)
        return _access(request, caller, form=form)
    return _access(request, caller, product=product)


@require_POST
def revoke_api_key(request: HttpRequest, key_id: str) -> HttpResponse:
    key: ApiKey = api_keys.revoke(authentication.person(request), key_id)
    messages.success(request, f"{key.name} is revoked. Your product gets no more answers with it.")
    return redirect("access")


@require_POST
def revoke_connection(request: HttpRequest, connection_id: str) -> HttpResponse:
    ended = connections.revoke(authentication.person(request), connection_id)
    messages.success(request, f"{ended.client_name} is disconnected. It would have to ask again to get in.")
    return redirect("access")
