"""Sign-up, login and what people manage of their account."""

from django.urls import URLPattern, URLResolver, include, path

from accounts import api, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("accounts/", include("allauth.urls")),
    path("", include("accounts.oauth.urls")),
    path("v1/dev/keys", api.KeysView.as_view()),
    path("v1/dev/keys/<str:key_id>/rotate", api.RotateKeyView.as_view()),
    path("v1/dev/keys/<str:key_id>/revoke", api.RevokeKeyView.as_view()),
]
