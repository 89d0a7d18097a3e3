"""Registration, tokens and revocation as Django sees them: parse, one call, render. DOT's views do the OAuth."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from oauth2_provider.views import RevokeTokenView, TokenView
from rest_framework.throttling import SimpleRateThrottle

from accounts.errors import InvalidClientMetadata, InvalidRedirectURI
from accounts.oauth import exchange, registration, replay
from accounts.oauth.wire import described, endpoint, refusal
from accounts.throttle import AttemptCache


class RegistrationThrottle(SimpleRateThrottle):
    """So many an hour from one address, as close together as they like: an office comes on a Monday morning at once."""

    cache = AttemptCache()  # type: ignore[assignment]

    def get_rate(self) -> str:
        return f"{settings.PAM_OAUTH_REGISTRATIONS_PER_HOUR}/hour"

    def get_cache_key(self, request: Any, view: Any) -> str:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
        # The last entry is the proxy's own; what stands before it is the caller's word.
        return f"oauth-register:{forwarded.rpartition(',')[2].strip() or request.META.get('REMOTE_ADDR', '')}"


@endpoint("POST")
def register(request: HttpRequest) -> HttpResponseBase:
    limit = RegistrationThrottle()
    if not limit.allow_request(request, None):  # type: ignore[arg-type]
        wait = str(int(limit.wait() or 60) + 1)
        return refusal("temporarily_unavailable", "Too many registrations. Wait.", status=429, Retry_After=wait)
    try:
        registered = registration.register(registration.parsed(request.body))
    except (InvalidRedirectURI, InvalidClientMetadata) as error:
        return refusal(error.code, error.message)
    return JsonResponse(registered.told, status=201, headers={"Cache-Control": "no-store", "Pragma": "no-cache"})


class _Tokens(TokenView):  # type: ignore[misc]
    """DOT's, without its branch for devices, which falls over when a field is missing."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        refresh_token = request.POST.get("refresh_token", "")
        try:
            with exchange.locked(request.POST):
                answer: HttpResponse = self.authorization_flow_token_response(request)
                if answer.status_code == 200 and request.POST.get("grant_type") == "refresh_token":
                    replay.keep(refresh_token, answer.content.decode())
        except replay.Again as again:
            headers = {"Cache-Control": "no-store", "Pragma": "no-cache"}
            return HttpResponse(again.body, content_type="application/json", headers=headers)
        return described(answer)


class _Revocations(RevokeTokenView):  # type: ignore[misc]
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with exchange.locked(request.POST):
            answer: HttpResponse = super().post(request)
        if not answer.content:
            del answer["Content-Type"]
        return described(answer)


_tokens, _revocations = _Tokens.as_view(), _Revocations.as_view()


@endpoint("POST")
def token(request: HttpRequest) -> HttpResponseBase:
    return _unfit(request) or _tokens(request)


@endpoint("POST")
def revoke(request: HttpRequest) -> HttpResponseBase:
    return _unfit(request) or _revocations(request)


def _unfit(request: HttpRequest) -> HttpResponse | None:
    """The refusal of what oauthlib or Postgres would raise for."""
    if request.META.get("QUERY_STRING"):
        return refusal("invalid_request", "Parameters go into the body.")
    if any("\x00" in value for values in request.POST.lists() for value in (values[0], *values[1])):
        return refusal("invalid_request", "A parameter has a NUL byte in it.")
    return None
