"""Where everything is. Each floor brings its own routes; this page only puts them together."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from pam import health, metrics

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("accounts.urls")),
    path("", include("memories.urls")),
    path("", include("mcp_gateway.urls")),
    path("healthz", health.live, name="live"),
    path("metrics", metrics.show, name="metrics"),
    path("readyz", health.ready, name="ready"),
    path("admin/", admin.site.urls),
    path("api/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs", SpectacularSwaggerView.as_view(url_name="schema"), name="api-docs"),
]

handler400 = "pam.faults.malformed"
handler403 = "pam.faults.refused"
handler404 = "pam.faults.not_found"
handler500 = "pam.faults.handle"
