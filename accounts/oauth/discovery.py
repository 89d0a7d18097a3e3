"""Where clients learn which server to ask, and where its endpoints are (RFC 9728, RFC 8414).

DOT writes both documents; here each endpoint has a page of its own, at the form with its path (RFC 9728, 3.1), with and
without a slash at the end (R27). The page without a path is company memory's. Clients of the revision before look for
the authorization server's document under the endpoint's path, too, and everybody tries OpenID Connect, which PAM lacks.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from oauth2_provider.views import OAuthProtectedResourceMetadataView, OAuthServerMetadataView

from accounts.oauth import resources
from accounts.oauth.resources import Resource
from accounts.oauth.wire import endpoint, refusal


class _AboutResource(OAuthProtectedResourceMetadataView):  # type: ignore[misc]
    def get_resource(self, request: HttpRequest) -> str:
        return self.about.uri

    def get_scopes_supported(self) -> list[str]:
        return list(self.about.scopes)

    def get_resource_name(self) -> str:
        return f"PAM: {self.about.title}"

    @property
    def about(self) -> Resource:
        about: Resource = self.kwargs["about"]
        return about


_about_resource, _about_server = _AboutResource.as_view(), OAuthServerMetadataView.as_view()


def _named(suffix: str) -> Resource | None:
    return resources.MCP.get(suffix.rstrip("/")) if suffix.strip("/") else resources.MEMORY


@endpoint("GET", "HEAD")
def protected_resource(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    about = _named(suffix)
    return _nothing() if about is None else _about_resource(request, about=about)


@endpoint("GET", "HEAD")
def authorization_server(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    return _nothing() if _named(suffix) is None else _about_server(request)


@endpoint("GET", "HEAD")
def openid(request: HttpRequest, **_: Any) -> HttpResponseBase:
    return _nothing()


def _nothing() -> HttpResponse:
    return refusal("not_found", "There is no such document.", status=404)
