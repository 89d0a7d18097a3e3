"""Short ways to record and read in tests."""

import uuid
from typing import Any

from accounts import isolation
from accounts.caller import Caller
from memories.agents import record
from memories.agents.record import Recorded
from memories.models import Record


def item(text: str, kind: str = "decision", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "text": text, **more}


def noted(caller: Caller, text: str, kind: str = "decision", **more: Any) -> str:
    """Records one item in a session of its own; its record's id."""
    session = {name: more.pop(name) for name in ("agent", "space_id") if name in more}
    made = record.summary(caller, session=uuid.uuid4().hex, items=[item(text, kind, **more)], **session)
    return made.items[0].record.id


def outcomes(made: Recorded) -> list[str]:
    return [taken.outcome for taken in made.items]


def rows(caller: Caller) -> list[Record]:
    """Everything the account holds, oldest first, hidden or not."""
    with isolation.account(caller.account.pk):
        return list(Record.objects.filter(account=caller.account).order_by("id"))
