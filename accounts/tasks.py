"""Work of this floor that beat asks for. Found by name; nobody imports this room."""

from celery import shared_task

from accounts import allowance, closing
from accounts.oauth import pruning
from accounts.webhooks import events, queue


@shared_task(name="accounts.tasks.prune_oauth")
def prune_oauth() -> int:
    """Forgets OAuth codes, tokens, connections and clients that are over; returns how many connections and clients."""
    return pruning.prune()


@shared_task(name=events.DELIVER)
def deliver_webhook(delivery_pk: int, account_pk: int) -> None:
    queue.deliver(delivery_pk, account_pk)


@shared_task(name="accounts.tasks.sweep_webhooks")
def sweep_webhooks() -> None:
    queue.sweep()


@shared_task(name="accounts.tasks.tell_allowances")
def tell_allowances() -> None:
    allowance.tell_all()


@shared_task(name="accounts.tasks.prune_webhooks")
def prune_webhooks() -> None:
    queue.prune()


@shared_task(name="accounts.tasks.erase_closed_accounts")
def erase_closed_accounts() -> int:
    """Erases the accounts whose time after closing is over; returns how many."""
    return closing.erase_due()
