"""The routes of this floor."""

from django.urls import URLPattern, URLResolver, path

from mcp_gateway import api, endpoint, usage_pages, views
from mcp_gateway.surfaces import MOUNTED

urlpatterns: list[URLPattern | URLResolver] = [
    *(path(surface.path.removeprefix("/"), endpoint.view(surface)) for surface in MOUNTED),
    path("v1/memory/retrieve", api.RetrieveView.as_view()),
    path("v1/dev/mcp-config", api.ConfigView.as_view()),
    path("v1/dev/mcp-usage-stats", api.UsageView.as_view()),
    path("v1/dev/mcp-requests", api.RequestsView.as_view()),
    path("v1/dev/mcp-requests/<str:request_id>", api.RequestView.as_view()),
    path("setup", views.setup, name="setup"),
    path("setup/keys", views.mint_key, name="keys"),
    path("setup/keys/<str:key_id>/rotate", views.rotate_key, name="key-rotate"),
    path("setup/keys/<str:key_id>/revoke", views.revoke_key, name="key-revoke"),
    path("usage", usage_pages.usage, name="usage"),
    path("request-log", views.log, name="request-log"),
    path("request-log/<str:request_id>", views.log_entry, name="request-log-entry"),
]
