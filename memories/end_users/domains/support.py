"""The domain of customer support: what somebody has, what is wrong, how they want to be spoken to, and what the agent
must leave alone in that kind of support.

Gathered by rules over statements in the third person (sayings). Source: contract end_users, "Domain schemas".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memories import words
from memories.end_users.domains.base import Ask, Domain, Profile, Said
from memories.end_users.domains.sayings import clauses, custom, issues, support_types
from memories.end_users.domains.sayings.clauses import Clause
from memories.end_users.domains.sayings.issues import Issue

SINGLE, MULTI, AUTO = "single", "multi", "auto"
MOST_ISSUES = 20
_IN_A_LINE = 4
RESTATING = (
    "Sentences of these forms, with the statement's own names, numbers and dates in the place of the dots: "
    "`User is on the … plan.` `User's product is ….` `User's … does not work.` `User has a problem with ….` "
    "`User's problem with … was resolved.` `User prefers a … tone.` `User is frustrated.` `User prefers to be "
    "contacted "
    "by ….`"
)


@dataclass(frozen=True)
class _Case:
    issue: Issue
    since: str
    resolved_on: str = ""


@dataclass
class _Sheet:
    """What has been gathered so far; later statements write over earlier ones. Cases stand oldest first."""

    plan: str | None = None
    product: str | None = None
    tone: str | None = None
    mood: str | None = None
    channel: str | None = None
    open: list[_Case] = field(default_factory=list)
    past: list[_Case] = field(default_factory=list)


def _take_custom(sheet: _Sheet, clause: Clause) -> None:
    for name in ("plan", "product", "tone", "mood", "channel"):
        value = getattr(custom, name)(clause)
        if value is None:
            continue
        if not clause.is_negated:
            setattr(sheet, name, value or None)
        elif (getattr(sheet, name) or "").casefold() == value.casefold():
            setattr(sheet, name, None)


def _take_issue(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    told = issues.told(clause)
    if told is None:
        return
    day = at.date().isoformat()
    meant = issues.settles(told, [case.issue for case in sheet.open])
    before = next((case for case in sheet.open if case.issue is meant), None) if meant else None
    if told.is_open:
        _open(sheet, told, before, day)
    elif before is not None:
        sheet.open.remove(before)
        sheet.past.append(_Case(before.issue, before.since, day))
    elif told.is_certain:
        sheet.past.append(_Case(told, "", day))


def _open(sheet: _Sheet, told: Issue, before: _Case | None, day: str) -> None:
    """Told again, an issue keeps its first day and its number, in the newer words."""
    if before is None:
        sheet.open.append(_Case(told, day))
        return
    sheet.open.remove(before)
    issue = Issue(told.text, told.reference or before.issue.reference, True)
    sheet.open.append(_Case(issue, before.since))


class Support:
    """See base.Domain. `Ask.choices`: mode, support_type and allowed as the account set them, and `traits`, of how many
    customers is which kind of support."""

    name = "support"
    schema_version = 1
    heading = "Support context for this customer:"
    fields: tuple[str, ...] = ("plan", "product", "open_issues", "past_issues", "tone", "channel", "support_type")
    trait = "kind"
    restating = RESTATING

    def reads(self, said: Said) -> bool:
        return bool(set(self.gather([said])) - {"kinds", "kind"})

    def gather(self, said: Sequence[Said]) -> Profile:
        sheet = _Sheet()
        for statement in said:
            for clause in clauses.split(statement.content, is_negated=statement.is_negated):
                _take_custom(sheet, clause)
                _take_issue(sheet, clause, statement.at)
        return _kept(sheet, support_types.ranked(statement.content for statement in said))

    def shown(self, profile: Profile, ask: Ask) -> Profile:
        return {
            "plan": profile.get("plan"),
            "product": profile.get("product"),
            "open_issues": profile.get("open", []),
            "past_issues": profile.get("past", []),
            "tone": profile.get("tone") or profile.get("mood"),
            "channel": profile.get("channel"),
            "support_type": kind_of(profile, ask.choices or {}),
        }

    def gist(self, profile: Profile, ask: Ask) -> Profile:
        return self.shown(profile, ask)

    def lines(self, profile: Profile, ask: Ask) -> list[str]:
        asked = frozenset(words.content_terms(ask.query))
        rules = support_types.guard_rails(kind_of(profile, ask.choices or {}))
        return [*rules, *(line for line in _told(profile, asked) if line)]


def kind_of(profile: Profile, choices: Mapping[str, Any]) -> str:
    """The kind of support for this customer: the account's one kind, or the likeliest of those it allows.

    Where nothing tells: what most of the account's customers are, then what it chose to begin with, then general."""
    mode, chosen = choices.get("mode", AUTO), choices.get("support_type") or ""
    if mode == SINGLE and chosen:
        return str(chosen)
    allowed = list(choices.get("allowed") or []) if mode == MULTI else []
    found = support_types.first(profile.get("kinds", []), allowed)
    if found:
        return found
    commonest = support_types.commonest(choices.get("traits") or {}, allowed)
    if commonest:
        return commonest
    return str((chosen or allowed[0]) if allowed else support_types.GENERAL)


def _kept(sheet: _Sheet, kinds: list[str]) -> Profile:
    kept: Profile = {
        "plan": sheet.plan,
        "product": sheet.product,
        "tone": sheet.tone,
        "mood": sheet.mood,
        "channel": sheet.channel,
        "open": [_open_issue(case) for case in reversed(sheet.open)][:MOST_ISSUES],
        "past": [_past_issue(case) for case in reversed(sheet.past)][:MOST_ISSUES],
        "kinds": kinds,
        "kind": support_types.first(kinds),
    }
    return {name: value for name, value in kept.items() if value}


def _open_issue(case: _Case) -> dict[str, Any]:
    return {"issue": _sentence(case.issue.text), "reference": case.issue.reference or None, "since": case.since}


def _past_issue(case: _Case) -> dict[str, Any]:
    return {
        "issue": _sentence(case.issue.text),
        "reference": case.issue.reference or None,
        "since": case.since or None,
        "resolved_on": case.resolved_on,
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _told(profile: Profile, asked: frozenset[str]) -> Iterator[str]:
    """The sentences about the customer: what is wrong first."""
    yield _issues("Open issues", profile.get("open", []), "since", "since", asked)
    yield f"Tone that the customer wants: {profile['tone']}." if profile.get("tone") else ""
    yield f"The customer was {profile['mood']} lately." if profile.get("mood") else ""
    yield f"Plan: {profile['plan']}." if profile.get("plan") else ""
    yield f"Product: {profile['product']}." if profile.get("product") else ""
    yield _issues("Solved before", profile.get("past", []), "resolved_on", "solved", asked)
    yield f"Preferred channel: {profile['channel']}." if profile.get("channel") else ""


def _issues(lead: str, told: list[dict[str, Any]], dated: str, verb: str, asked: frozenset[str]) -> str:
    """A sentence that lists at most four issues, those that the query speaks of first."""
    order = sorted(told, key=lambda issue: asked.isdisjoint(words.content_terms(issue["issue"])))[:_IN_A_LINE]
    listed = "; ".join(f"{issue['issue']} ({verb} {issue[dated]})" for issue in order)
    return f"{lead}: {listed}." if listed else ""


DOMAIN: Domain = Support()
