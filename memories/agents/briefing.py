"""`brief_me`: what an agent should know before it starts on something, each thing with the reason it is there.

Rules of the asking agent, open questions, decisions and other memories, documents that record decisions, and links.
Only what is in force. Source: seed "brief_me"; contract knowledge, "Reading"; R11.
"""

from collections.abc import Sequence

from accounts import isolation, scopes
from accounts.caller import Caller
from memories import redaction, search
from memories.agents import arguments, brief_text, decided, mentions, searching, shown, spaces
from memories.agents.brief_parts import Briefing, NotCovered
from memories.agents.mentions import Mention
from memories.models import Readiness, Record
from memories.record_candidates import Scope

Kind = Record.Kind
#: So many are looked at; how many find room, brief_text says.
MOST_RULES = 15


def brief(caller: Caller, *, about: str, agent: str = "", space_id: str = "", account_id: str = "") -> Briefing:
    """Raises InvalidArguments and NotFound. An empty `space_id` is everything that the caller reads."""
    caller.require_scope(scopes.DECISIONS_READ)
    spaces.own_account(caller, account_id)
    asked = mentions.subject(redaction.cut(arguments.query(about, "about")).text)
    agent = arguments.label(agent, "agent")
    prepared = search.prepare_whole(asked.words)
    with isolation.account(caller.account.pk):
        within = spaces.reach(caller)
        scope = searching.in_scope(caller, space_id, within)
        found = mentions.of(caller.account, asked, prepared, scope)
        made = Briefing(
            about=asked.asked,
            documents=tuple(decided.about(caller.account, prepared)),
            questions=_of_kind(found, Kind.QUESTION),
            rules=tuple(_rules(caller, scope, agent, found)),
            memories=tuple(each for each in found if each.record.kind not in (Kind.QUESTION, Kind.PREFERENCE)),
            not_covered=NotCovered(_processing(caller), spaces.unreadable(caller, within)),
            degraded=prepared.degraded,
        )
    return brief_text.fitted(made)


def _of_kind(found: Sequence[Mention], kind: str) -> tuple[Mention, ...]:
    return tuple(each for each in found if each.record.kind == kind)


def _rules(caller: Caller, scope: Scope, agent: str, found: Sequence[Mention]) -> list[Mention]:
    """The asking agent's preferences, newest first; then those of every agent, first what mentions the subject."""
    rows = mentions.in_scope(caller.account, scope).filter(kind=Kind.PREFERENCE).order_by("-created_at", "-id")
    own = rows.filter(agent=agent)[:MOST_RULES] if agent else ()
    others = rows.exclude(agent=agent)[:MOST_RULES] if agent else rows[:MOST_RULES]
    taken = [Mention(shown.record(row), "own rule", f"is a rule of {agent}") for row in own]
    taken += [each for each in _of_kind(found, Kind.PREFERENCE) if not agent or each.record.agent != agent]
    known = {each.record.id for each in taken}
    rest = [shown.record(row) for row in others]
    taken += [Mention(row, "rule", _whose(row.agent)) for row in rest if row.id not in known]
    return taken[:MOST_RULES]


def _whose(agent: str) -> str:
    return f"is a rule of {agent}" if agent else "is a rule of no agent in particular"


def _processing(caller: Caller) -> int:
    row = Readiness.objects.filter(account=caller.account).first()
    return row.documents - row.documents_ready - row.documents_failed if row else 0
