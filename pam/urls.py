"""Where everything is. Each floor brings its own routes; this page only puts them together."""

from django.urls import URLPattern, URLResolver, include, path

from pam import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("accounts.urls")),
    path("", include("memories.urls")),
    path("", include("mcp_gateway.urls")),
    path("healthz", health.live, name="live"),
    path("readyz", health.ready, name="ready"),
]
