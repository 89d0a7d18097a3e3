"""An account's own settings of end-user memory: where its events go, and what happens when its allowance is used up."""

import secrets
from dataclasses import dataclass

import anyio
from django.utils import timezone

from accounts import allowance, isolation
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Account, AlertSettings
from accounts.public_ids import new
from accounts.webhooks import addresses, events, sender

SECRET_PREFIX = "whsec_"  # noqa: S105
RESOLVE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Alerts:
    """An account's settings. `secret` only in the answer to the change that made it."""

    url: str
    overage_policy: str
    has_secret: bool
    secret: str = ""


def read(caller: Caller) -> Alerts:
    with isolation.account(caller.account.pk):
        row = AlertSettings.objects.filter(account=caller.account).first()
    return _shown(row or AlertSettings(account=caller.account))


def change(
    caller: Caller, *, url: str | None = None, overage_policy: str | None = None, rotate_secret: bool = False
) -> Alerts:
    """Changes what is given; an empty `url` ends deliveries. The first URL brings a secret, shown in this answer only.

    Raises BadWebhookURL, or InvalidArguments for an unknown policy.
    """
    if url:
        look_at(url)
    if overage_policy is not None and overage_policy not in AlertSettings.Overage.values:
        raise InvalidArguments("The overage policy is block, warn or charge.", argument="overage_policy")
    mode = allowance.look(caller.account).mode
    with isolation.account(caller.account.pk):
        row = _locked(caller.account)
        if url and not row.webhook_url:
            row.told_mode = mode
        row.webhook_url = row.webhook_url if url is None else url
        row.overage_policy = overage_policy or row.overage_policy
        fresh = SECRET_PREFIX + secrets.token_urlsafe(32) if rotate_secret or (url and not row.webhook_secret) else ""
        row.webhook_secret = fresh or row.webhook_secret
        row.updated_at = timezone.now()
        row.save(update_fields=["webhook_url", "webhook_secret", "overage_policy", "told_mode", "updated_at"])
    return _shown(row, secret=fresh)


def test(caller: Caller) -> sender.Sent:
    """Sends a `webhook.test` at once; what the receiver made of it. Raises InvalidArguments without a webhook."""
    with isolation.account(caller.account.pk):
        row = AlertSettings.objects.filter(account=caller.account).exclude(webhook_url="").first()
    if row is None:
        raise InvalidArguments("Set alert_webhook_url first.", argument="alert_webhook_url")
    raw = sender.body(
        event=events.TEST,
        tenant_id=caller.account.public_id,
        timestamp=timezone.now().isoformat().replace("+00:00", "Z"),
        data={"message": "This is a test of your webhook."},
    )
    return sender.send(row.webhook_url, raw, event=events.TEST, secret=row.webhook_secret, delivery_id=new("evt"))


def look_at(url: str) -> None:
    """Raises BadWebhookURL for a URL that leads inside. A name that nobody knows now may be known later: the sender
    looks at it again each time."""
    try:
        anyio.run(_resolve, addresses.parse(url))
    except (OSError, TimeoutError):
        return


async def _resolve(target: addresses.Target) -> None:
    with anyio.fail_after(RESOLVE_SECONDS):
        await addresses.resolve(target)


def _locked(account: Account) -> AlertSettings:
    AlertSettings.objects.bulk_create([AlertSettings(account=account)], ignore_conflicts=True)
    return AlertSettings.objects.select_for_update().get(account=account)


def _shown(row: AlertSettings, *, secret: str = "") -> Alerts:
    return Alerts(row.webhook_url, row.overage_policy, bool(row.webhook_secret), secret)
