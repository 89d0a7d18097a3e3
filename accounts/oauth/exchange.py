"""One token request at a time for each connection.

With hashed tokens DOT answers 500 to whoever loses a race of two refreshes, or ends the family half-way. Here the
connection's row is locked first, for refreshing, redeeming a code and revoking alike: whoever comes second sees what
the first one did, and gets DOT's own clean invalid_grant. It also names the account to row-level security, which DOT's
queries know nothing of. A proof that nobody knows needs no lock: it finds nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.http import HttpRequest
from oauth2_provider.oauth2_backends import OAuthLibCore

from accounts import credentials, isolation
from accounts.models import OAuthAccessToken, OAuthConnection, OAuthRefreshToken


class Core(OAuthLibCore):  # type: ignore[misc]
    """Between Django and oauthlib: a code is hashed before anything below sees it."""

    def extract_body(self, request: HttpRequest) -> list[tuple[str, str]]:
        fields: list[tuple[str, str]] = super().extract_body(request)
        return [(name, credentials.digest(value) if name == "code" and value else value) for name, value in fields]


@contextmanager
def locked(fields: Mapping[str, str]) -> Iterator[None]:
    """A transaction that sees the account of the code or token in `fields`, and holds its connection."""
    found = _connection(fields)
    if found is None:
        yield
        return
    connection_id, account_id = found
    with isolation.account(account_id):
        OAuthConnection.objects.select_for_update(no_key=True).filter(account_id=account_id, pk=connection_id).first()
        yield


def _connection(fields: Mapping[str, str]) -> tuple[int, int] | None:
    """(connection, account) of the first proof that is known."""
    code, token = fields.get("code"), fields.get("refresh_token") or fields.get("token")
    with isolation.every_account():
        if token:
            for model in (OAuthRefreshToken, OAuthAccessToken):
                rows = model.objects.filter(token_checksum=credentials.digest(token))
                known: tuple[int, int] | None = rows.values_list("connection_id", "account_id").first()
                if known:
                    return known
        if code:
            return (
                OAuthConnection.objects.filter(code_hash=credentials.digest(code))
                .values_list("pk", "account_id")
                .first()
            )
    return None
