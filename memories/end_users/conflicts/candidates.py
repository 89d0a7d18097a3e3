"""Which old memories of the same end user a new statement is held against. Inside `isolation.account`.

By slot and by shared words at once; by meaning once the new one has its vector. Never those of somebody else (R14).
"""

from django.db.models import Q, QuerySet
from pgvector.django import CosineDistance

from accounts.models import Account
from memories.end_users.conflicts import contradiction
from memories.models import Conflict, EndUser, Memory
from memories.models.searchable import WIDE

#: More share only common words.
MOST = 400
#: As near in meaning as two statements of one matter are at least.
NEAREST = 20


def live(account: Account, end_user: EndUser) -> QuerySet[Memory]:
    """What is told of somebody, without the columns that only search reads."""
    rows = Memory.objects.filter(account=account, end_user=end_user, is_archived=False)
    return rows.defer(*WIDE)


def by_words(account: Account, end_user: EndUser, content: str) -> list[Memory]:
    """Those that stand in a slot that `content` may end, or share a telling word with it; the newest ones first."""
    slots = contradiction.slots_to_look_in(content)
    terms = contradiction.terms_to_look_for(content)
    if not slots and not terms:
        return []
    about = Q(slot__in=slots) | Q(terms__overlap=terms)
    return list(live(account, end_user).filter(about).order_by("-observed_at", "-id")[:MOST])


def by_meaning(account: Account, memory: Memory) -> list[tuple[Memory, float]]:
    """The nearest to a memory that has its vector, with their cosines; without those it was settled with before."""
    settled = Conflict.objects.filter(account=account).filter(Q(old=memory) | Q(new=memory))
    known = {pk for pair in settled.values_list("old_id", "new_id") for pk in pair}
    near = live(account, memory.end_user).filter(vector_model=memory.vector_model, vector__isnull=False)
    near = near.exclude(pk__in=known | {memory.pk}).annotate(far=CosineDistance("vector", memory.vector))
    near = near.filter(far__lte=1 - contradiction.NEAR).order_by("far")[:NEAREST]
    return [(each, 1 - float(each.far)) for each in near]
