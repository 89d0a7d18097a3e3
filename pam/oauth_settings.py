"""The settings of OAuth, by which browser clients connect (docs/oauth.md). Part of settings.py."""

from pam.environment import number, words

OAUTH2_PROVIDER_APPLICATION_MODEL = "accounts.OAuthClient"
OAUTH2_PROVIDER_GRANT_MODEL = "accounts.OAuthGrant"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "accounts.OAuthAccessToken"  # noqa: S105
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "accounts.OAuthRefreshToken"  # noqa: S105
OAUTH2_PROVIDER_ID_TOKEN_MODEL = "accounts.OAuthIDToken"  # noqa: S105
#: Schemes of installed programs that an answer may go to, besides https and http on the person's own machine.
PAM_OAUTH_APP_SCHEMES = words(
    "PAM_OAUTH_APP_SCHEMES", "cursor,vscode,vscode-insiders,vscodium,windsurf,zed,claude,codex,gemini,kiro,jetbrains"
)
#: Within so many seconds the same refresh token gets the same answer again; 0: using it twice ends the connection.
OAUTH_REFRESH_REPLAY_WINDOW_SECONDS = number("OAUTH_REFRESH_REPLAY_WINDOW_SECONDS", 0)
#: Clients that one address may register in an hour, however close together.
PAM_OAUTH_REGISTRATIONS_PER_HOUR = number("PAM_OAUTH_REGISTRATIONS_PER_HOUR", 200)
#: A client that registered itself and that nobody connected is forgotten after so many days.
PAM_OAUTH_UNUSED_CLIENT_DAYS = number("PAM_OAUTH_UNUSED_CLIENT_DAYS", 30)

_ACCESS_SECONDS = 3600
OAUTH2_PROVIDER = {
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "accounts.oauth.clients.Clients",
    "CLIENT_SECRET_HASHER": "random_sha256",
    "OAUTH2_BACKEND_CLASS": "accounts.oauth.exchange.Core",
    "SCOPES_BACKEND_CLASS": "accounts.oauth.resources.Scopes",
    "ACCESS_TOKEN_GENERATOR": "accounts.oauth.tokens.new_access_token",
    "REFRESH_TOKEN_GENERATOR": "accounts.oauth.tokens.new_refresh_token",
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": _ACCESS_SECONDS,
    # DOT counts from the end of the access token that came with it; 30 days from the refresh.
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 24 * 3600 - _ACCESS_SECONDS,
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "PKCE_REQUIRED": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http", *PAM_OAUTH_APP_SCHEMES],
    "ALLOW_LOCALHOST_LOOPBACK": True,
    "DCR_ENABLED": True,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none", "client_secret_post", "client_secret_basic"],
    **{
        f"COMPLIANT_BCP_RFC9700_{name}": True
        for name in (
            "IMPLICIT_GRANT",
            "PASSWORD_GRANT",
            "PKCE_METHOD",
            "ACCESS_TOKEN_TRANSPORT",
            "AUTHZ_RESPONSE_ISS",
            "TOKEN_STORAGE",
            "REFRESH_TOKEN",
            "REDIRECT_URI_MATCHING",
            "PKCE_REQUIRED",
        )
    },
}
