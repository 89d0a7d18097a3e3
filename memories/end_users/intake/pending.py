"""Statements that are not certain enough yet: kept aside until they are made a second time. Runs under the end user's
turn. Source: contract end_users, "confidence >= 0.65 kept, 0.45 to 0.64 buffered until seen a second time"."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.db.models import QuerySet

from memories import sameness
from memories.end_users.statements import LONGEST, SHORTEST, Statement
from memories.models import EndUser, Memory, PendingCandidate

CERTAIN, LIKELY = 0.65, 0.45


@dataclass
class Sorted:
    """`kept` are to become memories; of them, `promoted` were kept aside before. `buffered` are kept aside now."""

    kept: list[Statement] = field(default_factory=list)
    buffered: list[Statement] = field(default_factory=list)
    promoted: int = 0


def is_worth_it(statement: Statement) -> bool:
    return statement.confidence >= LIKELY and SHORTEST <= len(statement.content) <= LONGEST


def sort(end_user: EndUser, statements: Sequence[Statement]) -> Sorted:
    """In the order given, each text once; candidates that were waited for are taken out of the buffer."""
    once = {sameness.text_hash(each.content): each for each in statements if is_worth_it(each)}
    made = Sorted()
    if not once:
        return made
    waiting = _waiting(end_user, list(once))
    unsure = [text_hash for text_hash, each in once.items() if each.confidence < CERTAIN and text_hash not in waiting]
    known = _known(end_user, unsure)
    for text_hash, statement in once.items():
        if text_hash in waiting:
            made.promoted += 1
            made.kept.append(replace(statement, confidence=max(CERTAIN, statement.confidence)))
        elif statement.confidence >= CERTAIN or text_hash in known:
            made.kept.append(statement)
        else:
            made.buffered.append(statement)
    if waiting:
        _rows(end_user).filter(content_hash__in=waiting).delete()
    _buffer(end_user, made.buffered)
    return made


def _rows(end_user: EndUser) -> "QuerySet[PendingCandidate]":
    return PendingCandidate.objects.filter(account_id=end_user.account_id, end_user=end_user)


def _waiting(end_user: EndUser, hashes: Sequence[str]) -> set[str]:
    return set(_rows(end_user).filter(content_hash__in=hashes).values_list("content_hash", flat=True))


def _known(end_user: EndUser, hashes: Sequence[str]) -> set[str]:
    """What is remembered already needs no second time."""
    if not hashes:
        return set()
    live = Memory.objects.filter(account_id=end_user.account_id, end_user=end_user, is_archived=False)
    return set(live.filter(content_hash__in=hashes).values_list("content_hash", flat=True))


def _buffer(end_user: EndUser, statements: Sequence[Statement]) -> None:
    PendingCandidate.objects.bulk_create(
        PendingCandidate(
            account_id=end_user.account_id,
            end_user=end_user,
            content=each.content,
            content_hash=sameness.text_hash(each.content),
            category=each.category,
            importance_score=each.importance,
            confidence_score=each.confidence,
        )
        for each in statements
    )
