"""What a statement is about, where only one thing can hold: its slot and the value in it. Pure; lists and patterns.

"User lives in Berlin." stands in the slot `residence` with the value `berlin`; "User's sister lives in Rome." in
`sister residence`. A preference that can hold beside another ("likes tea") stands in none. English statements only, in
the third person (the first is understood); where no pattern fits, contradictions are left to words and meaning.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memories import words
from memories.end_users import polarity, slot_names, slot_patterns, slot_sentences, slot_values, slot_words

LONGEST_NAME = 60
_IS = re.compile(
    r"(?:is|are|was|were|has been|became|(?:has |was |has been )?(?:(?:went|gone) (?:up|down)|rose|fell|dropped"
    r"|changed|switched|moved|rescheduled"
    r"|postponed|raised|cut"
    r"|increased|reduced|lowered)(?: from .+?)? to|=)(?=\W):? ?(.+)",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(r"is (?:called |named )?((?:(?:Mrs|Mr|Ms|Dr|Prof)\.? )?[A-Z][\w-]+(?: [A-Z][\w-]+){0,2})$")
#: What one breath says besides: "works at Siemens as a nurse", "is a nurse living in Berlin".
_TOGETHER = {
    "employer": (("role", r" as (?:an? |the )?(.+)$"),),
    "role": (
        ("employer", r" (?:at|for) ([A-Z].+)$"),
        ("residence", r" (?:living|based|residing) in ([A-Z].+)$"),
        ("origin", r" from ([A-Z].+)$"),
    ),
    "age": (
        ("role", rf"\bold ((?:[\w-]+ ){{0,3}}(?:{slot_words.JOB}))\b"),
        ("employer", r" (?:at|for) ([A-Z].+)$"),
        ("residence", r" (?:living|based|residing) in ([A-Z].+)$"),
    ),
}


class Slot(NamedTuple):
    """name     what the statement is about, `residence` or `sister residence`; empty where several things can hold
    value       in one form, `lisbon`; where `is_negated`, what is said not to be so
    """

    name: str
    value: str
    is_negated: bool


def of(content: str) -> Slot:
    """The slot that the statement stands in: the first where it says several things."""
    return next(every(content), Slot("", "", polarity.of(content).is_negated))


def every(content: str) -> Iterator[Slot]:
    """All slots that a statement fills, in order: "lives in Berlin and works at Siemens" fills two."""
    for clause in slot_sentences.clauses(polarity.plain(content)):
        said = polarity.of(clause)
        if said.is_past and not said.is_negated:
            continue
        for name, value in _in_clause(said.affirmed):
            yield Slot(name[:LONGEST_NAME].rstrip(), value, said.is_negated)


def subject(content: str) -> str:
    """Whom or what a statement is about, folded: empty for the user, `sister` for "User's sister lives in Rome"."""
    return slot_sentences.split(polarity.of(content).affirmed)[0]


def _in_clause(affirmed: str) -> list[tuple[str, str]]:
    scope, attribute, predicate = slot_sentences.split(affirmed)
    found = _by_attribute(attribute, predicate) if attribute else _by_predicate(predicate)
    if not found and scope and (named := _NAMED.match(predicate)):
        found = [("name", slot_values.normal(named[1]))]
    return [(" ".join(part for part in (scope, name) if part), value) for name, value in found]


def _by_attribute(attribute: str, predicate: str) -> list[tuple[str, str]]:
    """ "User's X is Y": the slot X, under the name that all its synonyms have."""
    said = _IS.match(predicate)
    if not said:
        return []
    name = slot_names.attribute(attribute)
    if (not slot_names.is_known(name) and not slot_names.holds_one(name)) or said[1].startswith("to "):
        return []
    raw = re.sub(r"^(?:called|named|set to|at|on) ", "", said[1])
    if name != attribute or slot_names.is_known(name):
        value = _shaped(name, raw)
        return [(name, value)] if value else []
    value = slot_values.normal(slot_values.cut(raw)) or slot_values.reckoned(raw)
    if re.match(r"(?:called|named) ", said[1]):
        name += " name"
    elif slot_values.has_date(value) and not name.endswith("day"):
        name = name.removesuffix(" date") + " date"
        value = slot_values.reckoned(raw) or value
    return [(name, value)] if value else []


def _by_predicate(predicate: str) -> list[tuple[str, str]]:
    for name, pattern in slot_patterns.PREDICATES:
        if found := pattern.match(predicate):
            named = slot_names.named(name, found)
            value = _shaped(named, found["value"])
            if value:
                return [(named, value), *_beside(named, predicate)]
    found_choice = slot_names.choice(predicate) or _by_number(predicate)
    return [found_choice] if found_choice else []


def _beside(name: str, predicate: str) -> list[tuple[str, str]]:
    told = ((other, re.search(pattern, predicate)) for other, pattern in _TOGETHER.get(name, ()))
    return [(other, value) for other, found in told if found and (value := _shaped(other, found[1]))]


def _shaped(name: str, raw: str) -> str:
    """The value in the form that the slot's values have; empty where it cannot stand there ("works at night")."""
    if name.endswith("email"):
        return slot_values.address(raw)
    if name.endswith("phone"):
        return slot_values.phone(raw)
    if name == "role":
        raw = re.split(r" (?:at|for|with|in) (?=[A-Z]|an? |the )", raw)[0]
    value = slot_values.normal(slot_values.cut(raw))
    return value if slot_names.fits(name, value) else ""


def _by_number(predicate: str) -> tuple[str, str] | None:
    """A habit with one number in it: "sleeps 6 hours a night" is `sleeps # hours a night` with 6 in it."""
    text = slot_values.digits(words.fold(predicate))
    found = slot_values.numbers(text)
    if len(found) != 1 or not slot_names.is_habit(text):
        return None
    name = re.sub(r"\d+(?:[.:]\d+)?", "#", text)
    return (name, found[0]) if len(name) <= LONGEST_NAME else None
