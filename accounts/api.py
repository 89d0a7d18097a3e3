"""Keys and OAuth connections in the Developer API (`/v1/dev`): a console session opens it, or an OAuth token with the
scope account:manage; an agent key does not. Never metered."""

from datetime import datetime
from typing import Any, cast

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import keys, scopes
from accounts.authentication import ConsoleAuthentication, ManagerTokenAuthentication
from accounts.caller import Caller
from accounts.errors import NotAuthenticated
from accounts.models import AgentKey
from accounts.oauth import connections


class KeySerializer(serializers.ModelSerializer[AgentKey]):
    id = serializers.CharField(source="public_id")
    state = serializers.CharField()

    class Meta:
        model = AgentKey
        fields = ["id", "name", "prefix", "scopes", "state", "created_at", "expires_at", "last_used_at", "last_client"]


class KeysSerializer(serializers.Serializer[Any]):
    items = KeySerializer(many=True)


class MintedSerializer(KeySerializer):
    api_key = serializers.CharField(help_text="The key itself. This is the only answer that has it.")

    class Meta(KeySerializer.Meta):
        fields = [*KeySerializer.Meta.fields, "api_key"]


class MintSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80)
    scopes = serializers.ListField(child=serializers.ChoiceField(list(scopes.AGENT)), required=False, min_length=1)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)


class ConsoleView(APIView):
    """A view of the Developer API: `caller` is the person at the console, or a client they let manage the account."""

    authentication_classes = [ManagerTokenAuthentication, ConsoleAuthentication]

    @property
    def caller(self) -> Caller:
        if not isinstance(self.request.auth, Caller):
            raise NotAuthenticated("Sign in to the console first. Agent keys do not open the Developer API.")
        return self.request.auth


def _minted(minted: keys.Minted) -> Response:
    shown = {**KeySerializer(minted.key).data, "api_key": minted.secret}
    return Response(shown, status=201, headers={"Cache-Control": "no-store"})


class KeysView(ConsoleView):
    @extend_schema(operation_id="list_keys", responses=KeysSerializer, summary="List the agent keys of the account")
    def get(self, request: Request) -> Response:
        return Response({"items": KeySerializer(keys.listed(self.caller), many=True).data})

    @extend_schema(request=MintSerializer, responses={201: MintedSerializer}, summary="Mint an agent key")
    def post(self, request: Request) -> Response:
        wanted = MintSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        data = wanted.validated_data
        expires_at = cast("datetime | None", data.get("expires_at"))
        return _minted(keys.mint(self.caller, name=data["name"], granted=data.get("scopes"), expires_at=expires_at))


class RotateKeyView(ConsoleView):
    @extend_schema(request=None, responses={201: MintedSerializer}, summary="Give a key a new secret")
    def post(self, request: Request, key_id: str) -> Response:
        return _minted(keys.rotate(self.caller, key_id))


class RevokeKeyView(ConsoleView):
    @extend_schema(request=None, responses={204: OpenApiResponse()}, summary="Revoke a key")
    def post(self, request: Request, key_id: str) -> Response:
        keys.revoke(self.caller, key_id)
        return Response(status=204)


class SoleKeySerializer(serializers.Serializer[Any]):
    api_key = serializers.CharField(help_text="The key itself. This is the only answer that has it.")
    key_prefix = serializers.CharField()
    rotated_at = serializers.DateTimeField()


class RotateSoleKeyView(ConsoleView):
    """For accounts that work with one key."""

    @extend_schema(request=None, responses=SoleKeySerializer, summary="Give the account's one key a new secret")
    def post(self, request: Request) -> Response:
        minted = keys.rotate_sole(self.caller)
        shown = {"api_key": minted.secret, "key_prefix": minted.key.prefix, "rotated_at": minted.at}
        return Response(SoleKeySerializer(shown).data, headers={"Cache-Control": "no-store"})


class RevokeSoleKeyView(ConsoleView):
    @extend_schema(request=None, responses={204: OpenApiResponse()}, summary="Revoke the account's one key")
    def post(self, request: Request) -> Response:
        keys.revoke_sole(self.caller)
        return Response(status=204)


class ConnectionSerializer(serializers.Serializer[connections.Connection]):
    id = serializers.CharField()
    client_name = serializers.CharField(help_text="What the program calls itself, unless `is_verified`.")
    is_verified = serializers.BooleanField()
    redirect_host = serializers.CharField()
    person = serializers.CharField(help_text="Who connected it.")
    scopes = serializers.ListField(child=serializers.CharField())
    resource = serializers.CharField(help_text="The endpoint that it is for.")
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField()
    status = serializers.ChoiceField(["active", "expired", "revoked"])


class ConnectionsSerializer(serializers.Serializer[Any]):
    items = ConnectionSerializer(many=True)


class ConnectionsView(ConsoleView):
    @extend_schema(
        operation_id="list_oauth_connections", responses=ConnectionsSerializer, summary="List OAuth connections"
    )
    def get(self, request: Request) -> Response:
        """Owners and admins see all of the account, everybody else their own."""
        return Response(ConnectionsSerializer({"items": connections.of(self.caller)}).data)


class RevokeConnectionView(ConsoleView):
    @extend_schema(request=None, responses=ConnectionSerializer, summary="End an OAuth connection and all its tokens")
    def post(self, request: Request, connection_id: str) -> Response:
        return Response(ConnectionSerializer(connections.revoke(self.caller, connection_id)).data)
