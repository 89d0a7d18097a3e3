"""What staff do to accounts and their credentials, each with a reason that the audit log keeps."""

from django.utils import timezone

from accounts import api_keys, audit, isolation, keys, revocations
from accounts.caller import Caller
from accounts.errors import PermissionMissing
from accounts.models import Account, AgentKey, ApiKey, OAuthConnection, User, WebhookDelivery
from accounts.oauth import connections
from accounts.webhooks import queue


def require_over(actor: User, user: User, does: str) -> None:
    """Raises PermissionMissing where somebody of the staff who is no superuser `does` something to other staff."""
    if user.is_staff and not actor.is_superuser:
        raise PermissionMissing(f"Only a superuser {does} somebody of the staff.")


def suspend(actor: User, account: Account, *, reason: str) -> None:
    """Nothing of the account answers until it is resumed. One that is suspended stays so since when it was."""
    account.suspended_at = account.suspended_at or timezone.now()
    _stand(actor, account, "suspend", reason)
    revocations.announce_all(account.pk)


def resume(actor: User, account: Account, *, reason: str) -> None:
    account.suspended_at = None
    _stand(actor, account, "resume", reason)


def _stand(actor: User, account: Account, did: str, reason: str) -> None:
    with isolation.account(account.pk):
        account.save(update_fields=["suspended_at"])
        audit.write(actor, did, account, reason=reason)


def revoke_key(actor: User, key: AgentKey, *, reason: str) -> None:
    """The key stops at once and for good."""
    with isolation.account(key.account_id):
        keys.revoke(Caller(account=key.account, surface="staff", user=actor), key.public_id)
        audit.write(actor, "revoke", key, reason=reason)


def revoke_api_key(actor: User, key: ApiKey, *, reason: str) -> None:
    """The key of a product stops at once and for good."""
    with isolation.account(key.account_id):
        api_keys.revoke(Caller(account=key.account, surface="staff", user=actor), key.public_id)
        audit.write(actor, "revoke", key, reason=reason)


def resend(actor: User, delivery: WebhookDelivery, *, reason: str) -> None:
    """A delivery that was given up gets its three tries again. Raises InvalidArguments for any other."""
    with isolation.account(delivery.account_id):
        queue.resend(delivery)
        audit.write(actor, "resend", delivery, reason=reason)


def end_connection(actor: User, connection: OAuthConnection, *, reason: str) -> None:
    """The connection ends at once, with all of its tokens."""
    with isolation.account(connection.account_id):
        connections.end(connection)
        audit.write(actor, "revoke", connection, reason=reason)
