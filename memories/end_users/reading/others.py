"""People and animals that a user tells of: who they are to the user, and who "she" is in the next sentence. Pure."""

import re
from dataclasses import dataclass

_SHE = (
    "sister|wife|girlfriend|mother|mom|mum|mam|daughter|grandmother|grandma|granny|aunt|niece|fiancée"
    "|mother-in-law|sister-in-law|ex-wife|stepmother|stepdaughter|goddaughter"
)
_HE = (
    "brother|husband|boyfriend|father|dad|son|grandfather|grandpa|uncle|nephew|fiancé|father-in-law"
    "|brother-in-law|ex-husband|stepfather|stepson|godson"
)
_EITHER = (
    "partner|spouse|fiance|fiancee|child|kid|baby|toddler|twin|cousin|friend|best friend|flatmate"
    "|roommate|housemate|neighbour|neighbor|colleague|co-worker|coworker|boss|manager|supervisor"
    "|assistant"
    "|mentor|mentee|teacher|tutor|coach|trainer|therapist|doctor|dentist|landlord|landlady|client"
    "|customer|ex|co-founder|cofounder|business partner|team lead|lead|employee|intern|student|nanny"
    "|lawyer|accountant"
)
_ONE = "oldest|youngest|eldest|middle one|other half|better half|little one|firstborn"
_ANIMAL = (
    "dog|cat|puppy|kitten|pet|horse|parrot|rabbit|hamster|bird|fish|tortoise|turtle|snake|pony|guinea"
    " pig|greyhound|labrador|poodle|terrier|retriever|collie|german shepherd|beagle|dachshund|husky"
    "|bulldog|corgi|spaniel|tabby|mare|gecko|hen|goat|budgie"
)
#: A relation's word before one of these is no person: "my customer number".
NO_PERSON = (
    r" (?:number|id|ids|no|account|service|support|portal|base|card|data|list|food|bed|park|visa|loan"
    r"|home|book|app|appointment|visit|exam|insurance)\b"
)
_MANY = (
    "parents|kids|children|sons|daughters|sisters|brothers|siblings|twins|grandparents|friends"
    "|cousins|colleagues|coworkers|dogs|cats|pets|in-laws|neighbours|neighbors|flatmates|roommates"
    "|family|grandchildren|nieces|nephews"
)
RELATION = rf"(?:{_MANY}|{_SHE}|{_HE}|{_EITHER}|{_ANIMAL}|{_ONE})"
_ADJECTIVE = (
    r"(?:(?:older|younger|elder|little|big|eldest|oldest|youngest|twin|late|best|old|new|ex|former"
    r"|current|only|first|second|middle|step|half|close|good|adopted|\d+[- ]year[- ]old|[a-z]+) )??"
)
_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’-]+"
_MENTION = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?P<who>{_ADJECTIVE}(?P<relation>{RELATION}))\b(?!'s|-|{NO_PERSON}| (?:and|or) (?:I|my)\b)"
    rf"(?:,? (?:is (?:called|named) |named |called )?(?P<name>{_NAME}))?"
)
_HAVE = re.compile(
    rf"\b(?:I|[Ww]e) (?:\w+ly )?(?:have|adopted|got|bought|rescued|own) (?:a|an|one)"
    rf" (?P<who>{_ADJECTIVE}(?P<relation>{RELATION}))(?:,? (?:who is )?(?:named "
    rf"|called )(?P<name>{_NAME}))?"
)
_OWN_NAME = re.compile(rf"^(?:his|her|their|its) name is (?P<name>{_NAME})", re.IGNORECASE)
_PRONOUN = re.compile(r"^(she|he|they|it|her|his|their|its)\b(?= )", re.IGNORECASE)
_POSSESSIVE = frozenset({"her", "his", "their", "its"})
_PLURAL_VERBS = {"are": "is", "have": "has", "do": "does", "were": "was"}


@dataclass(frozen=True)
class Other:
    """who: "sister" or "younger sister"; name: empty where it was not told."""

    who: str
    relation: str
    name: str = ""

    @property
    def label(self) -> str:
        return f"my {self.who} {self.name}".strip()

    def is_meant_by(self, pronoun: str) -> bool:
        pronoun = pronoun.casefold()
        if pronoun in ("she", "her"):
            return not re.fullmatch(f"{_HE}|{_MANY}", self.relation)
        if pronoun in ("he", "his"):
            return not re.fullmatch(f"{_SHE}|{_MANY}", self.relation)
        if pronoun in ("it", "its"):
            return bool(re.fullmatch(_ANIMAL, self.relation))
        return not re.fullmatch(_ANIMAL, self.relation)


class Company:
    """Those whom the user has told of so far, the last one last."""

    def __init__(self) -> None:
        self.known: list[Other] = []

    def meet(self, clause: str) -> None:
        """Takes note of whom a clause tells of."""
        for pattern in (_MENTION, _HAVE):
            for found in pattern.finditer(clause):
                self._add(Other(found["who"], found["relation"].casefold(), found["name"] or ""))
        if named := re.match(
            rf"my (?P<who>{_ADJECTIVE}(?P<relation>{RELATION}))(?:'s name is|(?: is)? (?:called|named))"
            rf" (?P<name>{_NAME})",
            clause,
            re.I,
        ):
            self._add(Other(named["who"], named["relation"].casefold(), named["name"]))

    def _add(self, other: Other) -> None:
        same = [
            one
            for one in self.known
            if one.relation == other.relation and (not other.name or one.name in ("", other.name))
        ]
        if same:
            self.known.remove(same[-1])
            other = Other(other.who, other.relation, other.name or same[-1].name)
        self.known.append(other)

    def resolved(self, clause: str) -> str:
        """ "She works in Faro" after "my sister Ana …" is "my sister Ana works in Faro"; else the clause as it is."""
        if named := self._by_name(clause):
            return named
        found = _PRONOUN.match(clause)
        other = next((one for one in reversed(self.known) if found and one.is_meant_by(found[1])), None)
        if not found or other is None:
            return clause
        rest = clause[found.end() :]
        if found[1].casefold() not in _POSSESSIVE:
            return other.label + rest
        if name := _OWN_NAME.match(clause):
            self._add(Other(other.who, other.relation, name["name"]))
        return f"{other.label}'s{rest}"

    def _by_name(self, clause: str) -> str:
        for other in reversed(self.known):
            if other.name and re.match(rf"{re.escape(other.name)}\b", clause):
                return f"my {other.who} {clause}"
        return ""
