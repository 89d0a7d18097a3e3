"""The only way into end-user memory: statements become memories, once each, and contradictions are settled.

Everything runs inside `isolation.account`, under the end user's turn, so that two writers about one person never meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from accounts.models import Account
from memories import indexing, sameness, work
from memories.end_users import people, slots, versions
from memories.end_users.conflicts import resolving, settling
from memories.end_users.statements import Origin, Statement
from memories.models import EndUser, Memory


@dataclass
class Written:
    """What became of statements: new memories, and those that were there already and are surer now."""

    created: list[Memory] = field(default_factory=list)
    seen_again: list[Memory] = field(default_factory=list)

    @property
    def memories(self) -> list[Memory]:
        return [*self.created, *self.seen_again]


def write(account: Account, end_user: EndUser, statements: Sequence[Statement], origin: Origin) -> Written:
    """Keeps statements about an end user; one that is known already is seen again instead (R3, R13).

    Vectors follow by a worker; until then a memory is found by its words. Raises EndUserNotFound where the person was
    erased meanwhile.
    """
    written = Written()
    if not statements:
        return written
    people.take_turn(end_user)
    for statement in statements:
        _take_in(account, end_user, statement, origin, written)
    if written.created:
        work.embed_after_commit(account.pk)
    return written


def _take_in(account: Account, end_user: EndUser, statement: Statement, origin: Origin, written: Written) -> None:
    """One statement: seen again, told already by another, turned away, or a new memory in the place of old ones."""
    known = _live(account, end_user, statement)
    if known is not None:
        _see_again(known, statement, origin)
        resolving.confirmed(account, end_user, known)
        written.seen_again.append(known)
        return
    observed_at = _observed(origin.observed_at, timezone.now())
    decision = settling.settle(account, end_user, statement, observed_at=observed_at)
    memory = decision.standing
    if memory is None:
        memory = _create(account, end_user, statement, origin)
        written.created.append(memory)
    else:
        written.seen_again.append(memory)
        if not decision.is_rejected:
            _see_again(memory, statement, origin)
    settling.carry_out(decision, memory)


def _live(account: Account, end_user: EndUser, statement: Statement) -> Memory | None:
    rows = Memory.objects.filter(account=account, end_user=end_user, is_archived=False)
    return rows.filter(content_hash=sameness.text_hash(statement.content)).first()


def _see_again(memory: Memory, statement: Statement, origin: Origin) -> None:
    memory.seen_count += 1
    memory.confidence_score = max(memory.confidence_score, statement.confidence)
    memory.importance_score = max(memory.importance_score, statement.importance)
    memory.updated_at = timezone.now()
    memory.observed_at = max(memory.observed_at, _observed(origin.observed_at, memory.updated_at))
    memory.save(update_fields=["seen_count", "confidence_score", "importance_score", "updated_at", "observed_at"])


def _create(account: Account, end_user: EndUser, statement: Statement, origin: Origin) -> Memory:
    now = timezone.now()
    memory = Memory.objects.create(
        account=account,
        end_user=end_user,
        **stated(statement),
        importance_score=statement.importance,
        confidence_score=statement.confidence,
        agent_id=origin.agent_id,
        metadata=origin.metadata,
        provenance=origin.provenance,
        source_event_id=origin.event_id,
        observed_at=_observed(origin.observed_at, now),
        created_at=now,
        updated_at=now,
    )
    versions.add(memory, versions.Change.CREATED, origin.reason)
    return memory


def stated(statement: Statement) -> dict[str, object]:
    """The columns of a memory that follow from its text."""
    slot = slots.of(statement.content)
    return {
        "content": statement.content,
        "content_hash": sameness.text_hash(statement.content),
        "category": statement.category,
        "slot": statement.slot or slot.name,
        "slot_value": statement.slot_value if statement.slot else slot.value,
        "is_negated": statement.is_negated if statement.slot else slot.is_negated,
        **indexing.of_memory(statement.content),
    }


def _observed(told: datetime | None, now: datetime) -> datetime:
    """What lies in the future was told by a clock that is wrong."""
    return min(told, now) if told is not None else now
