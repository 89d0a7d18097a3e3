"""What DOT asks about clients, codes and tokens, where its own answer is not enough.

    what DOT does                                        what happens here, and for whom
    refuses a scope that it does not know                drops it: ChatGPT and Claude ask for `offline_access`
    keeps a code as it is, for a minute                  keeps its hash
    a code used twice is invalid                         and what it gave is revoked (RFC 6749, 4.1.2)
    looks for a client named by a NUL byte               there is none; Postgres would raise
    ends the family for anybody who has a spent token    only for the client that it was given to

Every method runs inside the lock of `exchange`, so that what it read stays true until the transaction ends.
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from oauth2_provider.models import refresh_token_expire_timedelta, set_token_value
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.settings import oauth2_settings
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error

from accounts import credentials, isolation
from accounts.models import OAuthAccessToken, OAuthClient, OAuthConnection, OAuthGrant, OAuthRefreshToken
from accounts.oauth import connections, replay, resources

LONGEST_CLIENT_ID = 255


class Clients(OAuth2Validator):  # type: ignore[misc]
    """Named in the settings. `request` is oauthlib's; `request.connection` is set by whichever proof was accepted."""

    def _load_application(self, client_id: str | None, request: Any) -> OAuthClient | None:
        if not client_id or "\x00" in client_id or len(client_id) > LONGEST_CLIENT_ID:
            return None
        client: OAuthClient | None = super()._load_application(client_id, request)
        return client

    def _extract_basic_auth(self, request: Any) -> str | None:
        given: str | None = super()._extract_basic_auth(request)
        # The decoder raises for anything else.
        return given if given and given.isascii() else None

    # Scopes and resources -------------------------------------------------------------------------------------------

    def validate_scopes(self, *args: Any, **kwargs: Any) -> bool:
        """Which scopes there will be depends on the endpoint, and is settled by `authorize`."""
        return True

    def is_within_original_scope(self, request_scopes: list[str], refresh_token: str, request: Any, **_: Any) -> bool:
        """Narrows what a refresh asks for to what there was."""
        original = self.get_original_scopes(refresh_token, request).split()
        request_scopes[:] = [scope for scope in original if scope in request_scopes] or original
        return True

    def _check_and_set_request_resource(self, request: Any) -> None:
        """Raises invalid_target for another endpoint than the connection's, however that is written."""
        bound: str = request.connection.resource
        for name, value in request.decoded_body or []:
            meant = resources.named(value) if name == "resource" and value else None
            is_bare = meant is not None and not resources.has_path(value)
            if name == "resource" and value and not is_bare and (meant is None or meant.uri != bound):
                raise CustomOAuth2Error("invalid_target", "The code or token is for another resource.", request=request)
        request.resource = [bound]

    # Codes ----------------------------------------------------------------------------------------------------------

    def _create_authorization_code(self, request: Any, code: dict[str, str], expires: datetime | None = None) -> None:
        """`request` carries membership, granted scopes and resource from the consent page."""
        expires = timezone.now() + timedelta(seconds=oauth2_settings.AUTHORIZATION_CODE_EXPIRE_SECONDS)
        member, code_hash = request.membership, credentials.digest(code["code"])
        with isolation.account(member.account_id):
            connection = OAuthConnection.objects.create(
                account_id=member.account_id,
                membership=member,
                client=request.client,
                redirect_uri=request.redirect_uri,
                scopes=request.scopes,
                resource=request.resource,
                code_hash=code_hash,
                expires_at=expires,
            )
            OAuthGrant.objects.create(
                account_id=member.account_id,
                connection=connection,
                application=request.client,
                user=request.user,
                code=code_hash,
                expires=expires,
                redirect_uri=request.redirect_uri,
                scope=" ".join(request.scopes),
                code_challenge=request.code_challenge,
                code_challenge_method=request.code_challenge_method,
                resource=[request.resource],
            )

    def validate_code(self, client_id: str, code: str, client: OAuthClient, request: Any, **_: Any) -> bool:
        """`code` is the hash, as everywhere below: `exchange.Core` saw to it."""
        connection = OAuthConnection.objects.select_related("membership__user").filter(code_hash=code).first()
        if connection is None or connection.client_id != client.pk:
            return False
        if connection.redeemed_at is not None:
            connections.end(connection)
            return False
        request.connection = connection
        return _is_open(connection) and bool(super().validate_code(client_id, code, client, request))

    # Tokens ---------------------------------------------------------------------------------------------------------

    def validate_refresh_token(self, refresh_token: str, client: OAuthClient, request: Any, **_: Any) -> bool:
        """Raises `replay.Again` where the answer of a moment ago is to be given once more."""
        row = (
            OAuthRefreshToken.objects.select_related("connection__membership__user")
            .filter(token_checksum=credentials.digest(refresh_token), application=client)
            .first()
        )
        if row is None:
            return False
        request.connection = row.connection
        if row.revoked is not None:
            if replay.is_within(row.revoked) and _is_open(row.connection):
                replay.again(refresh_token)
            else:
                connections.end(row.connection)
            return False
        return _is_open(row.connection) and bool(super().validate_refresh_token(refresh_token, client, request))

    def _create_access_token(
        self, expires: datetime, request: Any, token: dict[str, Any], source_refresh_token: Any = None
    ) -> OAuthAccessToken:
        access_token = OAuthAccessToken(
            account_id=request.connection.account_id,
            connection=request.connection,
            user=request.user,
            application=request.client,
            scope=token["scope"],
            expires=expires,
            source_refresh_token=source_refresh_token,
            resource=request.resource,
        )
        set_token_value(access_token, token["access_token"])
        access_token.save()
        return access_token

    def _create_refresh_token(
        self, request: Any, refresh_token_code: str, access_token: OAuthAccessToken, previous_refresh_token: Any
    ) -> OAuthRefreshToken:
        connection: OAuthConnection = request.connection
        refresh_token = OAuthRefreshToken(
            account_id=connection.account_id,
            connection=connection,
            user=request.user,
            application=request.client,
            access_token=access_token,
            token_family=previous_refresh_token.token_family if previous_refresh_token else uuid.uuid4(),
            resource=request.resource,
        )
        set_token_value(refresh_token, refresh_token_code)
        refresh_token.save()
        connection.redeemed_at = connection.redeemed_at or timezone.now()
        connection.expires_at = access_token.expires + (refresh_token_expire_timedelta() or timedelta())
        connection.save(update_fields=["redeemed_at", "expires_at"])
        return refresh_token

    def revoke_token(self, token: str, token_type_hint: str | None, request: Any, **_: Any) -> None:
        """Either token ends the whole connection: a client that says goodbye means all of it (RFC 7009, 2.1)."""
        mine = {"token_checksum": credentials.digest(token), "application": request.client}
        for model in (OAuthRefreshToken, OAuthAccessToken):
            row = model.objects.select_related("connection").filter(**mine).first()
            if row is not None:
                connections.end(row.connection)
                return


def _is_open(connection: OAuthConnection) -> bool:
    return connection.revoked_at is None and connection.membership.user.is_active
