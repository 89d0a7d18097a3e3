"""Memories held against others by meaning, once a worker has made their vectors."""

from collections.abc import Sequence

from accounts import isolation
from accounts.models import Account
from memories.end_users import people, versions
from memories.end_users.conflicts import candidates, contradiction, deciding, rows, settling
from memories.end_users.conflicts.contradiction import Judged, Relation
from memories.end_users.conflicts.rows import Outcome
from memories.end_users.errors import EndUserNotFound
from memories.models import EndUser, Memory

_NOTHING = (Relation.APART, Relation.BESIDE)


def review(account_id: int, memory_ids: Sequence[int]) -> None:
    """Settles what these memories contradict by their meaning: a transaction for each end user. Twice does no more."""
    if not memory_ids:
        return
    account = Account(pk=account_id)
    with isolation.account(account_id):
        rows_of = Memory.objects.filter(account=account, pk__in=memory_ids, is_archived=False)
        whose = list(EndUser.objects.filter(account=account, pk__in=rows_of.values("end_user")).order_by("pk"))
    for end_user in whose:
        with isolation.account(account_id):
            newer = _newer_of_pairs(account, end_user, memory_ids)
            if newer:
                _settle_all(account, end_user, newer)


def _newer_of_pairs(account: Account, end_user: EndUser, ids: Sequence[int]) -> list[int]:
    """Of each two that have to do with each other the newer one. Most memories have to do with none: for them nobody's
    turn is taken."""
    reviewed = candidates.live(account, end_user).filter(pk__in=ids, vector__isnull=False)
    found = {
        max((memory, other), key=_age).pk
        for memory in reviewed.defer("words", "terms").select_related("end_user")
        for other, cosine in candidates.by_meaning(account, memory)
        if _judge(memory, other, cosine).relation not in _NOTHING
    }
    return sorted(found)


def _age(memory: Memory) -> tuple[object, int]:
    return memory.observed_at, memory.pk


def _judge(one: Memory, other: Memory, cosine: float) -> Judged:
    old, new = sorted((one, other), key=_age)
    return contradiction.judge(new.content, old.content, cosine)


def _settle_all(account: Account, end_user: EndUser, ids: Sequence[int]) -> None:
    try:
        people.take_turn(end_user, is_seen=False)
    except EndUserNotFound:
        return
    for pk in ids:
        rows_left = Memory.objects.filter(account=account, end_user=end_user, pk=pk, is_archived=False)
        # Read under the turn, one after the other: what the one before archived is not settled any more.
        memory = rows_left.filter(vector__isnull=False).defer("words", "terms").select_related("end_user").first()
        if memory is not None:
            _settle(account, memory)


def _settle(account: Account, memory: Memory) -> None:
    near = [(old, cosine) for old, cosine in candidates.by_meaning(account, memory) if _age(old) < _age(memory)]
    judged = [(old, settling.said(old), _judge(memory, old, cosine)) for old, cosine in near]
    plan = deciding.plan(settling.said(memory), judged)
    if plan.merged_into:
        old, reason = plan.merged_into
        rows.archive([memory], versions.Change.CONFLICT_UPDATE, f"Said already. {reason}")
        rows.log(old, memory, memory.content, Outcome.MERGE, reason)
        return
    settling.replace(memory, plan, memory.content)
    for old, reason in plan.doubtful:
        rows.ask(old, memory, reason)
