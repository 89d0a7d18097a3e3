"""When two values of one slot exclude each other, and what one slot says of another. Pure.

What is told is a relation by its name (contradiction.Relation) and a reason.
"""

import re

from memories import words
from memories.end_users.conflicts import kin, nations
from memories.end_users.conflicts.matter import Matter
from memories.end_users.slots import Slot

Told = tuple[str, str]

#: Which judgement counts where a pair of statements fills several slots.
GRAVEST = ("contradicts", "doubtful", "narrows", "widens", "same", "beside", "apart")
#: Of these a person may well have two: only a change that is said ("now", "moved") is sure.
_SOFT = re.compile(
    r"(?:.* )?(?:role|car|origin|studies|school|(?:dog|cat|pet|horse|friend|son|daughter|child|kid|sister|brother"
    r"|cousin|aunt|uncle|colleague|coworker|neighbour|neighbor|nephew|niece|doctor|teacher|tutor)s? name)$"
)
_ONE = re.compile(
    r"(?:.* )?(?:residence|address|employer|diet|plan|age|weight|height|salary|birthday|birth year|name|surname"
    r"|email|phone"
    r"|timezone|answer language|native language|contact channel|editor|os|marital status|grade|pronouns|date|budget"
    r"|laptop|length|tone|theme|seat|units|temperature|size|time|level|chronotype|workplace|handedness"
    r"|employment|bank|commute"
    r"|number of .+|.*#.*|favourite .+|.+ or .+)$"
)
_ALIASES = {
    "nyc": "new york",
    "new york city": "new york",
    "sf": "san francisco",
    "la": "los angeles",
    "uk": "united kingdom",
    "usa": "united states",
    "us": "united states",
    "visual studio code": "vs code",
    "vscode": "vs code",
    "mac": "macos",
    "mac os": "macos",
    "software developer": "software engineer",
    "programmer": "software engineer",
    "tenth grade": "10th grade",
    "grade 10": "10th grade",
    "early riser": "morning person",
    "early bird": "morning person",
    "night owl": "evening person",
    "night person": "evening person",
    "late riser": "evening person",
    "remotely": "from home",
    "in the office": "from the office",
    "at the office": "from the office",
    "novice": "beginner",
    "newcomer": "beginner",
}
_JOBLESS = {"unemployed", "retired", "between jobs", "out of work", "jobless"}
_AT_WORK = ("employer", "role", "workplace")
_EATING = frozenset(words.terms("eat cook order consume grill"))
_SWITCHING = frozenset(words.terms("switch change migrate move over"))
_GIVEN_UP = re.compile(r"\b(?:instead of|rather than|over|(?<=prefers )\S+ to)\b")
_PARTNERS = frozenset(words.terms("wife husband girlfriend boyfriend fiance fiancee spouse"))


def judge(new: Slot, old: Slot, *, changes: bool, texts: tuple[str, str]) -> Told | None:
    """What the two say of each other; None for slots that have nothing to do with each other.

    changes: the new statement says that something became otherwise. texts: the new one and the old one as they stand.
    """
    if new.name == "left" and not old.is_negated and _order(new.value, old.value) in ("same", "widens"):
        return "contradicts", f"It was left: {old.value}."
    if new.name != old.name:
        return None
    if new.is_negated or old.is_negated:
        return _denied(new, old)
    if order := _order(new.value, old.value):
        return order, f"Both tell the same {new.name}."
    return _excluded(new, old, changes=changes, texts=texts)


def _denied(new: Slot, old: Slot) -> Told | None:
    order = "same" if "any" in (new.value, old.value) else _order(new.value, old.value)
    if new.is_negated and old.is_negated:
        return ("same", f"Both tell the same {new.name}.") if order == "same" else None
    # "does not live in Portugal" ends "lives in Lisbon, Portugal", not the other way round.
    if order in ("same", "narrows" if old.is_negated else "widens"):
        return "contradicts", f"One denies the other: {new.name}."
    return "beside", f"Both can hold: {new.name}."


def _order(new: str, old: str) -> str:
    """Whether one value says what the other says ("same"), or more ("narrows") or less ("widens"); else empty."""
    mine, theirs = _tokens(new), _tokens(old)
    if mine == theirs:
        return "same"
    if mine > theirs:
        return "narrows"
    return "widens" if mine < theirs else ""


def _tokens(value: str) -> frozenset[str]:
    if re.match(r"(?:\d{4}-)?\d\d-\d\d\b", value):
        return frozenset(re.findall(r"^\d{4}(?=-)|\d\d-\d\d\b|(?<!\d)\d\d?:\d\d", value))
    value = re.sub(r"(?:euros?|eur|dollars?|usd|pounds?|gbp|[$€£])", " ", _ALIASES.get(value, value))
    return frozenset(re.findall(r"[^\s,/]+", value)) or frozenset({value})


def _excluded(new: Slot, old: Slot, *, changes: bool, texts: tuple[str, str]) -> Told | None:
    if new.name.endswith(("residence", "origin")) and not changes and _may_lie_within(old.value, new.value):
        return "doubtful", f"The older {new.name} may lie within the new one."
    if _SOFT.fullmatch(new.name):
        return "contradicts" if changes else "doubtful", f"Perhaps only one can hold: {new.name}."
    if _ONE.fullmatch(new.name) or _same_type(new, old, texts):
        return "contradicts", f"Only one can hold: {new.name}."
    if " " in new.value and " " in old.value:
        return "doubtful", f"Perhaps only one can hold: {new.name}."
    return "beside", f"Both can hold: {new.name}."


def _may_lie_within(inner: str, outer: str) -> bool:
    return nations.is_wide(outer) and not nations.is_wide(inner)


def _same_type(new: Slot, old: Slot, texts: tuple[str, str]) -> bool:
    """Whether both values hold numbers, or both are names (written with a capital)."""
    if all(re.search(r"\d", slot.value) for slot in (new, old)):
        return True
    return all(_is_name(slot.value, text) for slot, text in zip((new, old), texts, strict=True))


def _is_name(value: str, text: str) -> bool:
    first = value.split(" ", 1)[0]
    return any(word[:1].isupper() and words.fold(word).strip(".,'\"") == first for word in text.split()[1:])


def implied(one: Matter, other: Matter) -> list[Told]:
    """What a slot of one statement says of another matter: of what is eaten, of work, of what was given up."""
    if one.subject != other.subject:
        return []
    return [
        *_of_diet(one, other),
        *_of_diet(other, one),
        *_of_work(one, other),
        *_of_switch(one, other),
        *_of_partner(one, other),
        *_of_partner(other, one),
    ]


def _of_diet(one: Matter, other: Matter) -> list[Told]:
    eats = not other.is_negated and not other.is_past and (other.is_liking or other.verb in _EATING)
    for slot in one.slots:
        if eats and _says(slot, "diet") and kin.shut_out(slot.value) & other.objects:
            return [("contradicts", f"Somebody who is {slot.value} does not eat that.")]
    return []


def _says(slot: Slot, name: str | tuple[str, ...]) -> bool:
    return not slot.is_negated and slot.name.endswith(name)


def _of_work(one: Matter, other: Matter) -> list[Told]:
    jobless = [
        any(_says(slot, "employment") and slot.value in _JOBLESS for slot in each.slots) for each in (one, other)
    ]
    at_work = [any(_says(slot, _AT_WORK) for slot in each.slots) for each in (one, other)]
    if (jobless[0] and at_work[1]) or (at_work[0] and jobless[1]):
        return [("contradicts", "Somebody without work has no employer.")]
    return []


def _of_switch(one: Matter, other: Matter) -> list[Told]:
    """ "switched from Vim to Emacs" ends "uses Vim"; "drinks tea instead of coffee" ends "drinks coffee"."""
    if other.is_negated or not other.objects:
        return []
    for slot in one.slots:
        behind = one.objects - frozenset(words.terms(slot.value)) - _SWITCHING
        if slot.name == "switched" and other.objects <= behind:
            return [("contradicts", "It was given up for another.")]
    behind = frozenset(words.content_terms(_GIVEN_UP.split(one.text)[1])) if _GIVEN_UP.search(one.text) else frozenset()
    if one.verb == other.verb and not one.is_negated and kin.takes_in(behind, other.objects):
        is_sure = "instead" in one.text
        return [("contradicts" if is_sure else "doubtful", "It was given up for another.")]
    return []


def _of_partner(one: Matter, other: Matter) -> list[Told]:
    """ "is single" and "has a wife"."""
    alone = any(_says(slot, "marital status") and slot.value in ("single", "divorced", "widowed") for slot in one.slots)
    paired = not other.is_negated and not other.is_past and other.verb == "have" and bool(other.objects & _PARTNERS)
    return [("doubtful", "They disagree on whether there is a partner.")] if alone and paired else []


def touched(told: Matter) -> set[str]:
    """The slots in which a statement may stand that this one ends."""
    names = {slot.name for slot in told.slots}
    if names & {*_AT_WORK, "employment"}:
        names |= {*_AT_WORK, "employment"}
    if names & {"left", "switched"}:
        names |= {"employer", "school", "residence", "role", "editor", "os", "plan"}
    if any(kin.kinds(stem) != {stem} or kin.members(stem) != {stem} for stem in told.objects):
        names.add("diet")
    return names - {"left", "switched"}
