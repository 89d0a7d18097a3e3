"""The account's own settings of end-user memory: its webhook, and what happens when its allowance is used up."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import alerts, scopes
from accounts.alerts import Alerts
from accounts.errors import InvalidArguments
from accounts.models import AlertSettings
from accounts.webhooks.addresses import BadWebhookURL
from memories.api.end_users import envelope
from memories.api.end_users.envelope import EndUserView
from memories.api.end_users.shapes import ERRORS, Shape, Stamped
from memories.api.strict import Text, Truth
from memories.end_users.errors import BadSetting


class SettingsChange(Shape):
    alert_webhook_url = Text(
        required=False, allow_null=True, help_text="https or http, on the public internet; null ends deliveries."
    )
    overage_policy = Text(required=False, help_text="block, warn or charge.")
    rotate_webhook_secret = Truth(required=False, help_text="true: a new secret, shown in this answer only.")


class SettingsShown(serializers.Serializer[Alerts]):
    alert_webhook_url = serializers.CharField(allow_null=True)
    overage_policy = serializers.ChoiceField(AlertSettings.Overage.choices)
    has_webhook_secret = serializers.BooleanField()
    webhook_secret = serializers.CharField(
        allow_null=True, help_text="Signs deliveries. Only in the answer to the change that made it."
    )


class TenantSettingsAnswer(Stamped):
    data = SettingsShown()  # type: ignore[assignment]


class WebhookTried(serializers.Serializer[Any]):
    delivered = serializers.BooleanField()
    status_code = serializers.IntegerField(allow_null=True, help_text="What the receiver answered.")
    response_body = serializers.CharField(help_text="The first 2,048 bytes of its answer.")
    error = serializers.CharField(allow_null=True)
    duration_ms = serializers.IntegerField()


class WebhookTriedAnswer(Stamped):
    data = WebhookTried()  # type: ignore[assignment]


def shown(alert: Alerts) -> dict[str, Any]:
    return {
        "alert_webhook_url": alert.url or None,
        "overage_policy": alert.overage_policy,
        "has_webhook_secret": alert.has_secret,
        "webhook_secret": alert.secret or None,
    }


_CHANGE = {"alert_webhook_url": "https://hooks.example.com/pam", "overage_policy": "warn"}


class TenantSettingsView(EndUserView):
    @extend_schema(
        operation_id="show_tenant_settings",
        summary="Show the settings of the account",
        responses={200: TenantSettingsAnswer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Needs the permission admin."""
        self.caller.require_scope(scopes.ADMIN)
        return envelope.done(shown(alerts.read(self.caller)))

    @extend_schema(
        operation_id="change_tenant_settings",
        summary="Change the settings of the account",
        request=SettingsChange,
        responses={200: TenantSettingsAnswer, **ERRORS},
        examples=[OpenApiExample("Where events go", value=_CHANGE, request_only=True)],
    )
    def patch(self, request: Request) -> Response:
        """Needs the permission admin. What is not given stays."""
        self.caller.require_scope(scopes.ADMIN)
        given = self.body(SettingsChange)
        if "alert_webhook_url" in given:
            given["url"] = given.pop("alert_webhook_url") or ""
        given["rotate_secret"] = given.pop("rotate_webhook_secret", False)
        answer = envelope.done(shown(_settled(alerts.change, self.caller, **given)))
        answer.headers["Cache-Control"] = "no-store"
        return answer


class WebhookTestView(EndUserView):
    @extend_schema(
        operation_id="test_webhook",
        summary="Send a webhook.test to the account's webhook",
        request=None,
        responses={200: WebhookTriedAnswer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """At once, within five seconds; what the receiver said. Needs the permission admin."""
        self.caller.require_scope(scopes.ADMIN)
        sent = _settled(alerts.test, self.caller)
        tried = {
            "delivered": sent.is_delivered,
            "status_code": sent.status,
            "response_body": sent.answer,
            "error": sent.error or None,
            "duration_ms": sent.duration_ms,
        }
        return envelope.done(tried)


def _settled(deed: Any, *given: Any, **named: Any) -> Any:
    """What `deed` returns; what it refuses is a bad setting in the words of this surface (TEN_400)."""
    try:
        return deed(*given, **named)
    except BadWebhookURL as error:
        raise BadSetting(error.message, argument="alert_webhook_url") from error
    except InvalidArguments as error:
        raise BadSetting(error.message, argument=error.argument) from error
