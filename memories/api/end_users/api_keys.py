"""API keys of the account's products: minted, listed, revoked, by a key with the permission admin."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import api_keys, scopes
from accounts.models import ApiKey
from memories.api.end_users import envelope
from memories.api.end_users.envelope import EndUserView, instant
from memories.api.end_users.shapes import ERRORS, Moment, Pagination, Shape, Stamped
from memories.api.strict import Text, Texts, Whole

PERMISSIONS = list(scopes.API_KEY)


class KeyWanted(Shape):
    name = Text(help_text="1 to 80 characters: where it is used.")
    permissions = Texts(required=False, help_text=f"Of {', '.join(PERMISSIONS)}; all that the caller has by default.")
    rate_limit_per_minute = Whole(required=False, help_text="1 to 1,000,000; 60 unless told otherwise.")
    expires_at = Moment(required=False, allow_null=True, help_text="With its time zone; never unless told otherwise.")


class KeyShown(serializers.Serializer[ApiKey]):
    id = serializers.CharField()
    name = serializers.CharField()
    prefix = serializers.CharField(help_text="How the key begins, to know it by.")
    permissions = serializers.ListField(child=serializers.ChoiceField(PERMISSIONS))
    rate_limit_per_minute = serializers.IntegerField()
    state = serializers.ChoiceField([("active", "active"), ("expired", "expired"), ("revoked", "revoked")])
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class FreshKey(KeyShown):
    api_key = serializers.CharField(help_text="The key itself. This is the only answer that has it.")


class OneApiKey(Stamped):
    data = KeyShown()  # type: ignore[assignment]


class OneFreshKey(Stamped):
    data = FreshKey()  # type: ignore[assignment]


class ApiKeysPage(Stamped):
    data = KeyShown(many=True)  # type: ignore[assignment]
    pagination = Pagination()


def shown(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.public_id,
        "name": key.name,
        "prefix": key.prefix,
        "permissions": key.permissions,
        "rate_limit_per_minute": key.rate_limit_per_minute,
        "state": key.state,
        "created_at": instant(key.created_at),
        "expires_at": instant(key.expires_at),
        "last_used_at": instant(key.last_used_at),
        "revoked_at": instant(key.revoked_at),
    }


_WANTED = {"name": "Shop, production", "permissions": ["read", "write"], "rate_limit_per_minute": 600}


class ApiKeysView(EndUserView):
    @extend_schema(
        operation_id="list_api_keys",
        summary="List the API keys of the account",
        responses={200: ApiKeysPage, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """All on one page, newest first, revoked and expired ones too. Needs the permission admin."""
        keys = api_keys.listed(self.caller)
        return envelope.page([shown(key) for key in keys], next_cursor="", limit=len(keys), total=len(keys))

    @extend_schema(
        operation_id="mint_api_key",
        summary="Mint an API key",
        request=KeyWanted,
        responses={201: OneFreshKey, **ERRORS},
        examples=[OpenApiExample("Read and write", value=_WANTED, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Needs the permission admin; a key gives no permission that it lacks. The key itself is shown this once."""
        minted = api_keys.mint(self.caller, **self.body(KeyWanted))
        answer = envelope.done({**shown(minted.key), "api_key": minted.secret}, status=201)
        answer.headers["Cache-Control"] = "no-store"
        return answer


class ApiKeyView(EndUserView):
    @extend_schema(operation_id="revoke_api_key", summary="Revoke an API key", responses={200: OneApiKey, **ERRORS})
    def delete(self, request: Request, key_id: str) -> Response:
        """It stops at once and for good. Needs the permission admin."""
        return envelope.done(shown(api_keys.revoke(self.caller, key_id)))
