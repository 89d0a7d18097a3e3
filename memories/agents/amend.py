"""A person puts a new record in the place of an old one, as an agent does with `supersedes`: by the same door."""

from collections.abc import Sequence

from accounts import isolation, scopes
from accounts.caller import Caller
from memories.agents import record, spaces, supersession
from memories.agents.shown import RecordShown

SESSION = "console"


def replace(
    caller: Caller,
    record_id: str,
    *,
    kind: str,
    text: str,
    decided_by: str = "",
    topics: Sequence[str] = (),
    links: Sequence[str] = (),
) -> RecordShown:
    """Records the new one in the space of the old one, in the name of the person. What it raises: `record.summary`."""
    caller.require_scope(scopes.DECISIONS_WRITE)
    with isolation.account(caller.account.pk):
        old = supersession.found(caller, record_id, spaces.reach(caller))
        space_id = old.space.public_id if old.space else ""
    item = {"kind": kind, "text": text, "decided_by": decided_by, "topics": topics, "links": links}
    made = record.summary(
        caller,
        agent=spaces.actor(caller),
        session=SESSION,
        items=[{**item, "supersedes": record_id}],
        space_id=space_id,
    )
    return made.items[0].record
