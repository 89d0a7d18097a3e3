"""What a statement is about, taken apart so that two can be held against each other. Pure.

"User no longer likes black coffee." is of the user, denied, a liking, and its matter is {black, coffee}.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memories import words
from memories.end_users import polarity, slot_sentences, slot_values, slots


def _class(listed: str) -> frozenset[str]:
    return frozenset(words.terms(listed))


_LIKING = _class("like love enjoy prefer fan keen adore favour favourite fond appreciate crave interested into")
_TAKING = _class("eat drink consume order cook")
_HAVING = _class("have own keep get")
_USING = _class("use work code write program run")
_SPEAKING = _class("speak know understand")
#: Of these several hold beside one another, so that a new object takes no old one's place.
_MANY = (
    _LIKING
    | _TAKING
    | _HAVING
    | _USING
    | _SPEAKING
    | _class(
        """play visit want need learn study read watch plan hope try attend travel collect buy help ask complain mention
        organise organize teach build make create train practice practise prepare support follow listen suffer
        allergic afraid good bad familiar experienced worried happy be is are was feel think believe"""
    )
)
#: Degrees and fillings: with or without them a statement is about the same.
_WEAK = _class(
    """fluent very really much lot bit quite often sometimes usually generally always ever again eat drink kind type
    sort user still regularly frequently twice week day daily weekly big fan every anything like"""
) | {"ani"}
#: Words of grammar. What a question may leave out ("in", "own") can make the difference here.
_GRAMMAR = _class(
    """a an the is are am was were be been being has had do does did will would can could of to in on at for by with
    from and or as his her their my its user he she they it this that these those"""
) - _class("have")
_LINKS = frozenset("to from with without for against by after before".split())  # noqa: SIM905
_NUMBER = re.compile(r"\b(?:\d+(?:[.,:]\d+)*)\b")
_HAS = re.compile(r"\b(?:has|had|having)\b")
_CHANGE = re.compile(
    r"\b(?:now|no longer|any ?more|moved|switched|changed|upgraded|downgraded|became|started|turned|new|quit|stopped"
    r"|left|joined|relocated|instead|since (?:last|this)|gave up|again)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Matter:
    """subject     whom it is about; empty for the user
    verb           the stem of the first telling word
    objects        the stems of what it is about, without the verb, likings and words of degree
    numbers        those that it holds, in order
    slots          what it fills (memories.end_users.slots)
    links          the prepositions in it: who flies to Rome does not fly from Rome
    text           folded, without negation and words like "now"
    changes        it says that something became otherwise ("now", "moved", "switched")
    """

    subject: str
    verb: str
    objects: frozenset[str]
    numbers: tuple[str, ...]
    slots: tuple[slots.Slot, ...]
    links: frozenset[str]
    text: str
    is_negated: bool
    is_past: bool
    changes: bool

    @property
    def is_liking(self) -> bool:
        return self.verb in _LIKING

    @property
    def holds_many(self) -> bool:
        """Whether another object of the same verb usually holds beside this one."""
        return self.verb in _MANY or not self.verb


@lru_cache(maxsize=8_192)
def of(content: str) -> Matter:
    """The statement taken apart."""
    said = polarity.of(content)
    subject, attribute, predicate = slot_sentences.split(said.affirmed)
    filled = tuple(slots.every(content))
    attribute = "" if filled else attribute
    text = slot_values.digits(_HAS.sub("have", words.fold(f"{attribute} {predicate}")))
    told = [stem for stem in words.terms(_NUMBER.sub(" ", text)) if stem not in _GRAMMAR]
    verb = told[0] if told and not attribute else ""
    return Matter(
        subject=subject,
        verb=verb,
        objects=frozenset(told[1:] if verb else told) - _WEAK,
        numbers=tuple(slot_values.numbers(text)),
        slots=filled,
        links=_LINKS.intersection(text.split()),
        text=slot_values.digits(words.fold(said.affirmed)),
        is_negated=said.is_negated,
        is_past=said.is_past,
        changes=bool(_CHANGE.search(content)),
    )


_DAYS = _class("monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays")
_HOURS = _class("morning noon afternoon evening night midnight lunch mornings afternoons evenings nights")
_AROUND = _class("early late before after work school stand up breakfast dinner")


def when(told: Matter) -> tuple[frozenset[str], frozenset[str]]:
    """The days and times of day that a statement names, and its other objects."""
    days = told.objects & (_DAYS | _HOURS)
    return days, told.objects - days - _AROUND


def same_kind(one: Matter, other: Matter) -> bool:
    """Whether the verbs say comparable things: liking and taking (likes steak, eats steak), or the same verb."""
    if one.verb == other.verb:
        return True
    return any({one.verb, other.verb} <= group for group in (_LIKING | _TAKING, _HAVING, _USING, _SPEAKING | _HAVING))
