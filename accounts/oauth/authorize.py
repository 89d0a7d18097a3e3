"""The consent page: who asks, for which account, what it will be able to do. Never skipped.

DOT's own view lets the client choose not to be asked again, and takes over what hidden fields of its form say. Here the
form carries the query of the request, and everything in it is looked at anew when it comes back: an answer goes only
where the client registered it. Errors that concern the address itself become a page, all others go back to the client
with `iss` (RFC 9207; DOT sends it with codes only), before anybody is asked to sign in.
"""

import re
from dataclasses import dataclass
from typing import Any

from csp.utils import build_policy
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods
from django.views.generic import View
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.oauth2_backends import _add_iss_to_redirect
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views.mixins import OAuthLibMixin
from oauthlib.oauth2.rfc6749.errors import AccessDeniedError, CustomOAuth2Error

from accounts import authentication, membership, scopes
from accounts.models import Membership, OAuthClient
from accounts.oauth import redirect_uris, resources
from accounts.oauth.resources import Resource

#: What S256 makes of a verifier: 32 bytes in base64url.
CHALLENGE = re.compile(r"[A-Za-z0-9_\-]{43}")
NO_TARGET = ("invalid_target", "The resource is none of this server's, or there are two of them.")
NO_PKCE = ("invalid_request", "PKCE with code_challenge_method S256 is required.")
UNREADABLE = "The link that brought you here is damaged. Go back to the program and start again."
UNKNOWN = (
    "The program that sent you here is not known to this PAM, or wants its answer somewhere that it did not register. "
    "Remove PAM from the program and add it again."
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A valid request: `credentials` is what oauthlib wants back, `granted` the scopes that there will be."""

    client: OAuthClient
    redirect_uri: str
    resource: Resource
    granted: list[str]
    credentials: dict[str, Any]


class _Consent(OAuthLibMixin, View):  # type: ignore[misc]
    def get(self, request: HttpRequest) -> HttpResponse:
        asked = self._asked(request)
        if not isinstance(asked, Asked):
            return asked
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return _page(request, asked)

    def post(self, request: HttpRequest) -> HttpResponse:
        form = request.POST
        # oauthlib would read the fields of the form, too, and prefer them.
        request.POST = QueryDict()
        request.META["QUERY_STRING"] = form.get("query", "")
        request.GET = QueryDict(request.META["QUERY_STRING"])
        asked = self._asked(request)
        if not isinstance(asked, Asked):
            return asked
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if "allow" not in form:
            return self._back(AccessDeniedError(state=asked.credentials["state"]), asked.redirect_uri)
        return self._approved(request, asked, account=form.get("account", ""))

    def _approved(self, request: HttpRequest, asked: Asked, *, account: str) -> HttpResponse:
        member = _chosen(request, account)
        if member is None:
            return _page(request, asked, status=400)
        credentials = {**asked.credentials, "membership": member, "resource": asked.resource.uri}
        location, *_ = self.create_authorization_response(
            request, scopes=" ".join(asked.granted), credentials=credentials, allow=True
        )
        return _leaving(location)

    def _asked(self, request: HttpRequest) -> Asked | HttpResponse:
        """What is asked, or the answer to what cannot be."""
        if any("\x00" in value for values in request.GET.lists() for value in (values[0], *values[1])):
            return _oops(request, UNREADABLE)
        try:
            _, credentials = self.validate_authorization_request(request)
        except FatalClientError:
            return _oops(request, UNKNOWN)
        except OAuthToolkitError as error:
            return self._back(error.oauthlib_error, error.oauthlib_error.redirect_uri)
        except ValueError:  # oauthlib's word for a query that is none
            return _oops(request, UNREADABLE)
        wanted = request.GET.get("scope", "").split()
        resource = resources.asked_for(request.GET.getlist("resource"), wanted)
        if resource is None or not _is_pkce_sound(request):
            problem = NO_TARGET if resource is None else NO_PKCE
            refused = CustomOAuth2Error(*problem, state=credentials["state"])
            return self._back(refused, credentials["redirect_uri"])
        client = credentials.pop("request").client
        return Asked(client, credentials["redirect_uri"], resource, resource.granted(wanted), credentials)

    def _back(self, error: Any, redirect_uri: str) -> HttpResponse:
        """To the client, whose address was found good before any such error can be."""
        _, told = self.error_response(OAuthToolkitError(error=error, redirect_uri=redirect_uri))
        return _leaving(_add_iss_to_redirect(told["url"], oauth2_settings.OIDC_ISS_ENDPOINT))


_consent = _Consent.as_view()


def _is_pkce_sound(request: HttpRequest) -> bool:
    """oauthlib takes "plain", too, and a challenge of any length."""
    challenge = request.GET.get("code_challenge", "")
    return request.GET.get("code_challenge_method") == "S256" and CHALLENGE.fullmatch(challenge) is not None


def _chosen(request: HttpRequest, account: str) -> Membership | None:
    """The person's membership in the account chosen; without a choice, if there is only one."""
    memberships = membership.of(request.user)  # type: ignore[arg-type]
    if not account and len(memberships) == 1:
        return memberships[0]
    return next((each for each in memberships if each.account.public_id == account), None)


def _page(request: HttpRequest, asked: Asked, *, status: int = 200) -> HttpResponse:
    caller = authentication.person(request)
    context = {
        "client_name": str(asked.client),
        "is_verified": asked.client.is_verified,
        "redirect_host": redirect_uris.shown(asked.redirect_uri),
        "resource": asked.resource,
        "is_too_little": asked.resource.opens_nothing(asked.granted),
        "powers": [scopes.GRANTABLE[scope] for scope in asked.granted],
        "memberships": membership.of(request.user),  # type: ignore[arg-type]
        "current": caller.account,
        "query": request.META["QUERY_STRING"],
    }
    response = render(request, "oauth/authorize.html", context, status=status)
    return _with_policy(response, *redirect_uris.sources(asked.redirect_uri))


def _oops(request: HttpRequest, message: str) -> HttpResponse:
    context = {"title": "This connection can't be made", "message": message}
    return _with_policy(render(request, "error.html", context, status=400))


def _with_policy(response: HttpResponse, *form_targets: str) -> HttpResponse:
    """With the pages' policy, which answers below /v1/ have not. Its `form-action` holds for the redirects that follow
    on the form, too, hence these places more."""
    response["Content-Security-Policy"] = build_policy(update={"form-action": list(form_targets)})
    return response


def _leaving(location: str) -> HttpResponse:
    response: HttpResponse = OAuth2ResponseRedirect(location, oauth2_settings.ALLOWED_REDIRECT_URI_SCHEMES)
    return response


@never_cache
@sensitive_variables()
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def view(request: HttpRequest) -> HttpResponseBase:
    return _consent(request)
