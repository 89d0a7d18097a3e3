"""The one question that a retrieval may carry: about two memories of the same person that may not both be true."""

import uuid
from dataclasses import dataclass

from django.utils import timezone

from accounts.models import Account
from memories.end_users.conflicts import resolving
from memories.models import Conflict, EndUser


@dataclass(frozen=True, slots=True)
class Question:
    """id is what the answer names; text is for the end user."""

    id: uuid.UUID
    text: str


def take_question(account: Account, end_user: EndUser) -> Question | None:
    """The oldest open question that was never asked; marked as asked, so that nobody gets it a second time.

    Inside `isolation.account`. Waits for nobody: one that another reader is taking is passed over.
    """
    if end_user.blocked_at is not None:
        return None
    unasked = Conflict.objects.filter(resolving.PENDING, account=account, end_user=end_user, asked_at=None)
    free = unasked.exclude(question="").select_for_update(skip_locked=True, of=("self",), no_key=True)
    row = free.order_by("created_at", "id").first()
    if row is None:
        return None
    row.asked_at = timezone.now()
    row.save(update_fields=["asked_at"])
    return Question(row.public_id, row.question)
