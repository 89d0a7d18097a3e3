"""Sign-up, login and what people manage of their account."""

from allauth.mfa.totp.views import activate_totp
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.cache import never_cache
from django.views.generic import RedirectView

from accounts import api, security_pages, team_pages, views

LISTS = ("2fa", "2fa/webauthn", "sessions")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("security", security_pages.show, name="security"),
    path("security/sessions/end-others", security_pages.end_other_sessions, name="sessions-end"),
    path("security/sessions/<int:session_id>/end", security_pages.end_session, name="session-end"),
    # Lists of allauth's that are parts of Security here; its views lead back to them.
    *(path(f"accounts/{listed}/", RedirectView.as_view(pattern_name="security")) for listed in LISTS),
    # allauth's view as it is, but nobody keeps the page: the secret is on it.
    path("accounts/2fa/totp/activate/", never_cache(activate_totp)),
    path("accounts/", include("allauth.urls")),
    path("access", views.access, name="access"),
    path("access/keys/<str:key_id>/rotate", views.rotate_key, name="access-key-rotate"),
    path("access/keys/<str:key_id>/revoke", views.revoke_key, name="access-key-revoke"),
    path("access/api-keys", views.mint_api_key, name="access-api-keys"),
    path("access/api-keys/<str:key_id>/revoke", views.revoke_api_key, name="access-api-key-revoke"),
    path("access/connections/<str:connection_id>/revoke", views.revoke_connection, name="connection-revoke"),
    path("team", team_pages.show, name="team"),
    path("team/invitations", team_pages.invite, name="invite"),
    path("team/invitations/<str:invitation_id>/take-back", team_pages.take_back, name="invitation-take-back"),
    path("team/members/<int:member_id>/role", team_pages.change_role, name="member-role"),
    path("team/members/<int:member_id>/remove", team_pages.remove, name="member-remove"),
    path("team/settings", team_pages.settings_of_account, name="account-settings"),
    path("team/support", team_pages.support, name="account-support"),
    path("team/close", team_pages.close, name="account-close"),
    path("team/reopen", team_pages.reopen, name="account-reopen"),
    path("switch", team_pages.switch, name="switch"),
    path("join", team_pages.accept, name="join-accept"),
    path("join/<str:secret>", team_pages.join, name="join"),
    path("", include("accounts.oauth.urls")),
    path("v1/dev/keys", api.KeysView.as_view()),
    path("v1/dev/keys/<str:key_id>/rotate", api.RotateKeyView.as_view()),
    path("v1/dev/keys/<str:key_id>/revoke", api.RevokeKeyView.as_view()),
    path("v1/dev/rotate-key", api.RotateSoleKeyView.as_view()),
    path("v1/dev/revoke-key", api.RevokeSoleKeyView.as_view()),
    path("v1/dev/oauth-connections", api.ConnectionsView.as_view()),
    path("v1/dev/oauth-connections/<str:connection_id>/revoke", api.RevokeConnectionView.as_view()),
]
