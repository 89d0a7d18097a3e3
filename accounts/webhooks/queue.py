"""Events on their way: taken up by a worker, tried three times, and done with.

A try is written down before it is made, with the time after which another may be: a worker that falls in the middle
costs a try and half a minute, and never a second delivery at the same moment. A receiver may still see an event twice
(its answer can be lost), under the same X-MemoryOS-Delivery.
"""

import logging
from datetime import timedelta

from django.db.models import F, Q
from django.utils import timezone

from accounts import isolation, waking
from accounts.errors import InvalidArguments
from accounts.models import AlertSettings, WebhookDelivery
from accounts.webhooks import sender
from accounts.webhooks.events import DELIVER

logger = logging.getLogger(__name__)
State = WebhookDelivery.State

TRIES = 3
#: Before the second try, and before the third.
BACK_OFF = (timedelta(seconds=10), timedelta(seconds=60))
#: Longer than a try takes: until then it is somebody's.
LEASE = timedelta(seconds=30)
KEPT = timedelta(days=30)
#: Messages that one sweep sends.
MOST_WAKE_UPS = 200
#: Rows that go in one statement.
BATCH = 1000


def deliver(delivery_pk: int, account_pk: int) -> bool:
    """Makes one try, if it is time for one; returns whether it was delivered."""
    delivery, alerts = _claim(delivery_pk, account_pk)
    if delivery is None:
        return False
    if alerts is None or not alerts.webhook_url:
        _finish(delivery, State.FAILED, "The account has no webhook any more.")
        return False
    sent = _send(delivery, alerts)
    _settle(delivery, sent)
    return sent.is_delivered


def sweep() -> int:
    """Wakes workers for what is due, and gives up on what fell in its last try; returns how many messages it sent."""
    now = timezone.now()
    with isolation.every_account():
        due = WebhookDelivery.objects.filter(state=State.WAITING, due_at__lte=now)
        fallen = due.filter(attempts__gte=TRIES)
        fallen.update(state=State.FAILED, finished_at=now, last_error="The last try was broken off.")
        waiting = list(due.order_by("due_at").values_list("pk", "account_id")[:MOST_WAKE_UPS])
    waking.send([(DELIVER, (pk, account_pk)) for pk, account_pk in waiting])
    return len(waiting)


def resend(delivery: WebhookDelivery) -> None:
    """Puts one that was given up on its way again. Raises InvalidArguments for one that was not."""
    with isolation.account(delivery.account_id):
        failed = WebhookDelivery.objects.filter(account_id=delivery.account_id, pk=delivery.pk, state=State.FAILED)
        if not failed.update(state=State.WAITING, attempts=0, due_at=timezone.now(), finished_at=None):
            raise InvalidArguments(f"It is {delivery.state}: only one that failed is sent again.")
        waking.after_commit([(DELIVER, (delivery.pk, delivery.account_id))])


def prune() -> int:
    """Forgets what was done with long ago, in small batches; returns how many."""
    old = Q(finished_at__lt=timezone.now() - KEPT)
    count = 0
    while True:
        with isolation.every_account():
            pks = list(WebhookDelivery.objects.filter(old).values_list("pk", flat=True)[:BATCH])
            WebhookDelivery.objects.filter(pk__in=pks).delete()
        count += len(pks)
        if len(pks) < BATCH:
            return count


def _claim(delivery_pk: int, account_pk: int) -> tuple[WebhookDelivery | None, AlertSettings | None]:
    now = timezone.now()
    with isolation.account(account_pk):
        mine = WebhookDelivery.objects.filter(account_id=account_pk, pk=delivery_pk)
        due = mine.filter(state=State.WAITING, due_at__lte=now, attempts__lt=TRIES)
        if not due.update(attempts=F("attempts") + 1, due_at=now + LEASE):
            return None, None
        return mine.select_related("account").get(), AlertSettings.objects.filter(account_id=account_pk).first()


def _send(delivery: WebhookDelivery, alerts: AlertSettings) -> sender.Sent:
    raw = sender.body(
        event=delivery.event,
        tenant_id=delivery.account.public_id,
        timestamp=delivery.created_at.isoformat().replace("+00:00", "Z"),
        data=delivery.data,
    )
    return sender.send(
        alerts.webhook_url,
        raw,
        event=delivery.event,
        secret=alerts.webhook_secret,
        delivery_id=delivery.public_id,
    )


def _settle(delivery: WebhookDelivery, sent: sender.Sent) -> None:
    if sent.is_delivered:
        _finish(delivery, State.DELIVERED, "")
    elif delivery.attempts >= TRIES:
        _finish(delivery, State.FAILED, sent.error)
    else:
        again = timezone.now() + BACK_OFF[delivery.attempts - 1]
        _write(delivery, due_at=again, last_error=sent.error[:300])


def _finish(delivery: WebhookDelivery, state: WebhookDelivery.State, error: str) -> None:
    _write(delivery, state=state, last_error=error[:300], finished_at=timezone.now())


def _write(delivery: WebhookDelivery, **values: object) -> None:
    """Unless somebody else has taken it up since."""
    with isolation.account(delivery.account_id):
        WebhookDelivery.objects.filter(
            account_id=delivery.account_id, pk=delivery.pk, attempts=delivery.attempts, state=State.WAITING
        ).update(**values)
