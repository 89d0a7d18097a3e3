"""`POST /v1/memories/retrieval-feedback`: what came of a retrieval moves the importance of what was told.

Source: contract end_users, "Retrieve". How far each outcome moves it stands in `_MOVES`; the product's confidence in
its agent's judgement scales that. A correction is remembered as a statement of its own, by the one way in.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from memories.end_users import given, people, remember, versions
from memories.end_users.errors import EndUserBlocked, RetrievalNotFound, refused
from memories.end_users.reading import extract
from memories.end_users.statements import Origin
from memories.models import Memory, Retrieval
from memories.models.searchable import WIDE

LEAST, MOST = 1.0, 10.0
MOST_USED = 50
CORRECTED = "Corrected after a retrieval."


class Outcome(StrEnum):
    USED_SUCCESSFULLY = "used_successfully"
    USED_PARTIALLY = "used_partially"
    IGNORED = "ignored"
    NOT_USEFUL = "not_useful"
    USER_CORRECTED = "user_corrected"
    CLARIFICATION_NEEDED = "clarification_needed"


@dataclass(frozen=True, slots=True)
class _Move:
    """What an outcome adds to the importance of the memories that were used, and of the others that were told."""

    used: float = 0.0
    others: float = 0.0


_MOVES = {
    Outcome.USED_SUCCESSFULLY: _Move(used=0.5),
    Outcome.USED_PARTIALLY: _Move(used=0.2),
    Outcome.IGNORED: _Move(used=-0.1, others=-0.1),
    Outcome.NOT_USEFUL: _Move(used=-0.5, others=-0.5),
    Outcome.USER_CORRECTED: _Move(used=-1.0),
    # That something is unclear says nothing of how much it matters.
    Outcome.CLARIFICATION_NEEDED: _Move(),
}


@dataclass(frozen=True, slots=True)
class Feedback:
    """Raises Refused for what is out of bounds. agent_confidence is 0 to 1."""

    retrieval_id: str
    outcome: str
    used_memory_ids: Sequence[str] = field(default_factory=list)
    correction: str = ""
    agent_confidence: float = 1.0

    def __post_init__(self) -> None:
        if self.outcome not in list(Outcome):
            raise refused("outcome", f"must be one of {', '.join(Outcome)}.")
        if len(self.used_memory_ids) > MOST_USED:
            raise refused("used_memory_ids", f"must hold at most {MOST_USED} ids.")
        if not 0 <= self.agent_confidence <= 1:
            raise refused("agent_confidence", "must be a number from 0 to 1.")
        if self.correction:
            given.content(self.correction, "correction")


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of a feedback. `correction_memory_id` is empty where nothing was corrected."""

    retrieval_id: str
    outcome: str
    memories_adjusted: int
    correction_memory_id: str = ""


def hear(caller: Caller, feedback: Feedback) -> Heard:
    """Raises RetrievalNotFound, EndUserBlocked, and Refused for an id that the retrieval did not tell.

    The first feedback on a retrieval counts: the same one again changes nothing, another one is refused.
    """
    caller.require_scope(scopes.WRITE)
    with isolation.account(caller.account.pk):
        retrieval = _taken(caller, feedback.retrieval_id)
        if retrieval.outcome:
            return _heard_before(retrieval, feedback)
        told = list(Memory.objects.filter(account=caller.account, pk__in=retrieval.memory_ids).defer(*WIDE))
        used = _used(feedback, told)
        moved = _move(told, used, feedback)
        corrected = _correct(caller, retrieval, used, feedback) if feedback.correction else ""
        retrieval.outcome = feedback.outcome
        retrieval.save(update_fields=["outcome"])
    return Heard(str(retrieval.public_id), feedback.outcome, moved, corrected)


def _taken(caller: Caller, retrieval_id: str) -> Retrieval:
    """The retrieval, under the turn of whom it was about."""
    try:
        rows = Retrieval.objects.filter(account=caller.account, public_id=uuid.UUID(retrieval_id))
    except ValueError as error:
        raise RetrievalNotFound from error
    retrieval = rows.select_related("end_user").first()
    if retrieval is None:
        raise RetrievalNotFound
    people.take_turn(retrieval.end_user)
    if retrieval.end_user.blocked_at is not None:
        raise EndUserBlocked
    retrieval.refresh_from_db(fields=["outcome"])
    return retrieval


def _heard_before(retrieval: Retrieval, feedback: Feedback) -> Heard:
    if retrieval.outcome != feedback.outcome:
        raise refused("outcome", f"was told before: {retrieval.outcome}. The first one counts.")
    return Heard(str(retrieval.public_id), retrieval.outcome, 0)


def _used(feedback: Feedback, told: Sequence[Memory]) -> set[int]:
    """The keys of the memories that were used."""
    keys = {str(memory.public_id): memory.pk for memory in told}
    for at, each in enumerate(feedback.used_memory_ids):
        if each.lower() not in keys:
            raise refused(f"used_memory_ids[{at}]", "is none of the memories that this retrieval told.")
    return {keys[each.lower()] for each in feedback.used_memory_ids}


def _move(told: Sequence[Memory], used: set[int], feedback: Feedback) -> int:
    """Moves the importance of what was told, within its bounds; returns of how many memories."""
    move = _MOVES[Outcome(feedback.outcome)]
    now = timezone.now()
    moved: dict[bool, list[Memory]] = {True: [], False: []}
    for memory in told:
        step = (move.used if memory.pk in used else move.others) * feedback.agent_confidence
        importance = min(MOST, max(LEAST, memory.importance_score + step))
        if not memory.is_archived and importance != memory.importance_score:
            memory.importance_score, memory.updated_at = importance, now
            moved[step > 0].append(memory)
    _store(moved, feedback.outcome)
    return sum(map(len, moved.values()))


def _store(moved: dict[bool, list[Memory]], outcome: str) -> None:
    for is_up, memories in moved.items():
        if memories:
            Memory.objects.bulk_update(memories, ["importance_score", "updated_at"])
            change = versions.Change.IMPORTANCE_BOOST if is_up else versions.Change.IMPORTANCE_DECAY
            versions.add_all(memories, change, f"Told, and then {outcome.replace('_', ' ')}.")


def _correct(caller: Caller, retrieval: Retrieval, used: set[int], feedback: Feedback) -> str:
    """The id of the memory that the correction became, or that said so already."""
    corrected = Memory.objects.filter(account=caller.account, pk__in=used).order_by("-importance_score").first()
    described = extract.describe(given.content(feedback.correction, "correction"))
    statement = replace(
        described,
        importance=max(described.importance, corrected.importance_score if corrected else 0.0),
        confidence=feedback.agent_confidence,
    )
    origin = Origin(
        agent_id=corrected.agent_id if corrected else "",
        provenance={"retrieval_id": str(retrieval.public_id)},
        reason=CORRECTED,
    )
    written = remember.write(caller.account, retrieval.end_user, [statement], origin)
    return str(written.memories[0].public_id) if written.memories else ""
