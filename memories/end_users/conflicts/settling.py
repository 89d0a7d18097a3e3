"""What a statement that nobody said before does to the old memories of the same person, before it is one itself.

Called by remember.write under the end user's turn, inside its transaction. By slot and words; what only its meaning
tells is looked at when the vector is there (reviewing.py).
"""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import Account
from memories.end_users import versions
from memories.end_users.conflicts import candidates, contradiction, deciding, rows
from memories.end_users.conflicts.deciding import Plan, Said
from memories.end_users.conflicts.rows import Outcome
from memories.end_users.statements import Statement
from memories.models import EndUser, Memory


@dataclass(frozen=True, slots=True)
class Decision:
    """standing    the memory that stays in the statement's place, which becomes none; None: it becomes a memory
    is_rejected    the standing one says the opposite, and was said later
    """

    plan: Plan[Memory]
    statement: str

    @property
    def standing(self) -> Memory | None:
        kept = self.plan.rejected_by or self.plan.merged_into
        return kept[0] if kept else None

    @property
    def is_rejected(self) -> bool:
        return self.plan.rejected_by is not None


def settle(account: Account, end_user: EndUser, statement: Statement, *, observed_at: datetime) -> Decision:
    """What is to become of a statement of which there is no live memory of the same words. Writes nothing yet."""
    olds = candidates.by_words(account, end_user, statement.content)
    judged = [(old, said(old), contradiction.judge(statement.content, old.content)) for old in olds]
    return Decision(deciding.plan(Said(statement.confidence, observed_at), judged), statement.content)


def said(memory: Memory) -> Said:
    return Said(memory.confidence_score, memory.observed_at)


def carry_out(decision: Decision, memory: Memory) -> None:
    """Does what was decided. `memory` is the one that was made of the statement, or else the standing one."""
    plan, statement = decision.plan, decision.statement
    if plan.rejected_by:
        rows.log(memory, None, statement, Outcome.REJECT, f"It was said before what stands. {plan.rejected_by[1]}")
        return
    if plan.merged_into:
        rows.log(memory, None, statement, Outcome.MERGE, plan.merged_into[1])
    replace(memory, plan, statement)
    for old, reason in plan.doubtful:
        rows.ask(old, memory, reason)


def replace(memory: Memory, plan: Plan[Memory], statement: str) -> None:
    """Lets `memory` take the place of those that it contradicts or tells more exactly."""
    for outcome, gone in ((Outcome.UPDATE, plan.replaced), (Outcome.MERGE, plan.merged)):
        for old, reason in gone:
            rows.archive([old], versions.Change.CONFLICT_UPDATE, f"Replaced by a newer statement. {reason}")
            rows.log(old, memory, statement, outcome, reason)
    _inherit(memory, plan)


def _inherit(memory: Memory, plan: Plan[Memory]) -> None:
    """The new one points to the newest it replaced, and is as important and as often seen as what it tells anew."""
    gone = [old for old, _ in (*plan.replaced, *plan.merged)]
    if not gone:
        return
    if memory.previous_version_id is None:
        memory.previous_version = max(gone, key=lambda old: (old.observed_at, old.pk))
    for old, _ in plan.merged:
        memory.importance_score = max(memory.importance_score, old.importance_score)
        memory.seen_count += old.seen_count
    memory.save(update_fields=["previous_version", "importance_score", "seen_count"])
