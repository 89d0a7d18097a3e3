"""Events: what is told, and that it is told once. Where an account has no webhook, nothing is kept of it."""

from typing import Any

from django.db import IntegrityError, transaction

from accounts import isolation, waking
from accounts.models import Account, AlertSettings, WebhookDelivery

DELIVER = "accounts.tasks.deliver_webhook"

QUOTA_WARNING = "quota.warning"
QUOTA_CRITICAL = "quota.critical"
QUOTA_EXHAUSTED = "quota.exhausted"
QUOTA_RESET = "quota.reset"
MODE_CHANGED = "mode.changed"
PROCESSING_DELAYED = "processing.delayed"
PROCESSING_RECOVERED = "processing.recovered"
MEMORY_CONFLICT = "memory.conflict"
MEMORY_ARCHIVED = "memory.archived"
#: What `POST /v1/tenant/test-webhook` sends.
TEST = "webhook.test"


def emit(account: Account, event: str, data: dict[str, Any], *, once_key: str = "") -> WebhookDelivery | None:
    """Puts an event on its way, in the transaction that is under way; a worker is woken after its commit.

    `data` can be told as JSON. An event whose `once_key` was used before is not told again. Returns None where nothing
    is put on its way: it was told before, or the account has no webhook.
    """
    with isolation.account(account.pk):
        if not AlertSettings.objects.filter(account=account).exclude(webhook_url="").exists():
            return None
        delivery = WebhookDelivery(account=account, event=event, data=data, once_key=once_key[:120])
        try:
            with transaction.atomic():
                delivery.save(force_insert=True)
        except IntegrityError:
            if not once_key:
                raise
            return None
        waking.after_commit([(DELIVER, (delivery.pk, account.pk))])
    return delivery


def processing(account: Account, *, is_delayed: bool, **figures: Any) -> WebhookDelivery | None:
    """Tells that new memories of the account come late, or in time again: each once, at the turn of things.

    `figures` go along as data (waiting jobs, age of the oldest in seconds). Cheap when nothing has changed.
    """
    event = PROCESSING_DELAYED if is_delayed else PROCESSING_RECOVERED
    with isolation.account(account.pk):
        spells = WebhookDelivery.objects.filter(account=account, event__in=[PROCESSING_DELAYED, PROCESSING_RECOVERED])
        latest = spells.order_by("-created_at", "-id").first()
        if event == (latest.event if latest else PROCESSING_RECOVERED):
            return None
        # Two sweeps at once see the same latest turn, and only one tells the next.
        return emit(account, event, figures, once_key=f"{event}:after:{latest.pk if latest else 0}")
