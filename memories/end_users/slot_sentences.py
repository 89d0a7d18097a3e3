"""Of whom a statement speaks, and what it says of them. Pure."""

import re

from memories import words
from memories.end_users import slot_names, slot_words

_USER = r"(?:the )?(?:user|customer|client|student|patient|member|person|i|they|he|she)"
_VERB = (
    r"(?:is|are|was|were|am|has|have|had|lives?|living|resides?|works?|working|studies|study|goes|moved"
    r"|relocated|prefers?"
    r"|likes?|loves?|enjoys?|eats?|speaks?|uses?|drives?|plays?|wants?|needs?|became|turned|joined|started"
    r"|weighs?|earns?|went|rose|fell|dropped|increased|rescheduled|raised|reduced|banks|reports|commutes"
    r"|owns?|changed|switched|can|does|do|will|would|comes?|runs?|sleeps?|drinks?|takes?|=)"
)
_OWNED = re.compile(rf"(?:{_USER}'s|my|his|her|their) (?P<what>.+?)(?= {_VERB}\b)", re.I)
_SAID = re.compile(rf"{_USER}\b(?!')", re.I)
_NAMED = re.compile(r"(?P<who>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?=(?:is|has|lives|works|likes|prefers|eats|speaks)\b)")
_CLAUSE = re.compile(
    r",? (?:and|but) (?=(?:(?:he|she|they) )?(?:no longer |does not |is |has |lives |works |prefers |likes "
    r"|speaks |owns |uses "
    r"|eats |studies ))|; |(?<=[.!]) (?=[A-Z])"
)


def clauses(text: str) -> list[str]:
    """A statement cut where it goes on to say another thing of the same person; each part names the person."""
    parts = _CLAUSE.split(text)
    head = re.match(rf"(?:{_USER}(?:'s [\w -]+?(?= {_VERB}\b))?|[A-Z]\w+)", parts[0], re.I)
    who = head[0] if head else "User"
    rest = (re.sub(r"^(?:he|she|they|user) ", "", part, flags=re.I) for part in parts[1:])
    return [parts[0], *(part if part.startswith("User's ") else f"{who} {part}" for part in rest)]


def split(affirmed: str) -> tuple[str, str, str]:
    """Whose matter it is (empty: the user's own), which attribute of theirs ("budget" in "User's budget is …"), and
    what is said."""
    if owned := _OWNED.match(affirmed):
        return _owned(owned["what"], affirmed[owned.end() :].strip())
    if said := _SAID.match(affirmed):
        return "", "", affirmed[said.end() :].strip()
    if named := _NAMED.match(affirmed):
        return words.fold(named["who"]), "", affirmed[named.end() :].strip()
    return "", "", affirmed


def _owned(what: str, predicate: str) -> tuple[str, str, str]:
    relative = re.match(
        rf"(?P<who>(?:[\w-]+ )??(?:{slot_words.RELATION})s?)(?P<name>(?: [A-Z][\w-]+)*)(?:'s? (?P<attribute>.+))?$",
        what,
    )
    if not relative:
        return "", words.fold(what), predicate
    scope = words.fold(relative["who"] + relative["name"])
    if slot_names.is_attribute(scope) and predicate.startswith(("is ", "was ")):
        return "", scope, predicate
    return scope, words.fold(relative["attribute"] or ""), predicate
