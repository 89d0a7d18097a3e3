"""What nobody works on, found again: lost messages, dead workers, embedders that were away. Called by beat."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts import isolation
from accounts.models import Account
from memories import work
from memories.company import readiness
from memories.company.processing import claims, neighbours
from memories.models import Document, Memory, Readiness, Record

# A message needs a moment to reach a worker.
_PATIENCE = timedelta(seconds=20)
_MOST_ACCOUNTS = 500


def sweep() -> None:
    """Sends messages for work that waits without one. Sending one too many does no harm."""
    work.send(_stalled_documents())
    for account_id in dict.fromkeys([*_accounts_without_vectors(), *_accounts_outside_their_index()]):
        work.send_embed(account_id)
    for account_id in _accounts_not_provisioned():
        with isolation.account(account_id):
            readiness.refresh(account_id)


def _stalled_documents() -> list[work.Message]:
    """A few of each account in which documents wait and none is being worked on: the workers go on from there."""
    now = timezone.now()
    with isolation.every_account():
        alive = Document.objects.filter(state=Document.State.PROCESSING, claimed_at__gte=now - claims.lease())
        queued = Q(state=Document.State.QUEUED, updated_at__lt=now - _PATIENCE)
        waiting = Document.objects.waiting().filter(queued | claims.has_lapsed())
        rows = waiting.exclude(account_id__in=alive.values("account_id")).order_by("account_id", "id")
        messages: dict[int, list[work.Message]] = {}
        for pk, account_id in rows.values_list("id", "account_id").iterator():
            few = messages.setdefault(account_id, [])
            if len(few) < work.WAKE_UPS:
                few.append((work.PROCESS_DOCUMENT, (pk, account_id)))
    return [message for few in messages.values() for message in few]


def _accounts_without_vectors() -> list[int]:
    due = Q(embed_again_at=None) | Q(embed_again_at__lte=timezone.now())
    records = Record.objects.filter(account_id=OuterRef("account_id"), vector=None)
    memories = Memory.objects.filter(account_id=OuterRef("account_id"), vector=None)
    with isolation.every_account():
        rows = Readiness.objects.filter(due, Q(unembedded__gt=0) | Exists(records) | Exists(memories)).order_by(
            "updated_at"
        )
        return list(rows.values_list("account_id", flat=True)[:_MOST_ACCOUNTS])


def _accounts_outside_their_index() -> list[int]:
    with isolation.every_account():
        return neighbours.unsettled()


def _accounts_not_provisioned() -> list[int]:
    with isolation.every_account():
        return list(Account.objects.filter(readiness=None).values_list("pk", flat=True)[:_MOST_ACCOUNTS])
