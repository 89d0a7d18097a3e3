"""OAuth's routes. The names, and the namespace they are included under, are DOT's: its documents look them up."""

from django.urls import URLPattern, path, re_path

from accounts.oauth import authorize, discovery, endpoints

app_name = "oauth2_provider"

urlpatterns: list[URLPattern] = [
    re_path(
        r"^\.well-known/oauth-protected-resource(?P<suffix>/.*)?$",
        discovery.protected_resource,
        name="oauth-resource-metadata",
    ),
    re_path(
        r"^\.well-known/oauth-authorization-server(?P<suffix>/.*)?$",
        discovery.authorization_server,
        name="oauth-server-metadata",
    ),
    re_path(r"^\.well-known/openid-configuration(?P<suffix>/.*)?$", discovery.openid),
    # Before the others, so that the names below mean the paths below: clients that lost the documents guess these.
    path("register", endpoints.register),
    path("authorize", authorize.view),
    path("token", endpoints.token),
    path("v1/oauth/register", endpoints.register, name="dcr-register"),
    path("v1/oauth/authorize", authorize.view, name="authorize"),
    path("v1/oauth/token", endpoints.token, name="token"),
    path("v1/oauth/revoke", endpoints.revoke, name="revoke-token"),
]
