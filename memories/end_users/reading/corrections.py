"""What is taken back: "actually it's Lisbon", "no, I meant the 4th", "I live in Berlin, sorry, Lisbon". Pure.

The new value takes the place of what it corrects: the value that was denied by name, else that of the statement's slot,
else the last thing of the same look: a number for a number, a name for a name.
"""

import re
from collections.abc import Sequence

from memories.end_users import slots
from memories.end_users.reading import verbs

_MARK = (
    r"(?:no|nope|wait|sorry|oops|oh|actually|correction|scratch that|hold on|hmm+|ah|my mistake|my bad"
    r"|I mean|I meant(?: to say)?|rather|or rather|make that|I misspoke|not quite|wrong|well|apologies"
    r"|typo)"
)
_LEAD = re.compile(
    rf"^(?:(?:and|but) )?(?:{_MARK}(?:[,.!:;*-]+ *| +- +)|{_MARK} (?=it\b|that\b|in |at |the |I meant?\b|make|not "
    rf"|(?-i:[A-Z0-9])))+",
    re.IGNORECASE,
)
_IS = re.compile(
    r"^(?:it(?: is| was|'s)|that(?: is| should be| would be|'s)|it should (?:be|say|read)|they are|I"
    r" meant?(?: to (?:say|write))?|make (?:that|it)|should be)(?: now| really)?,? ",
    re.IGNORECASE,
)
_NOT_OLD = re.compile(r"^(?P<new>.{1,60}?),? (?:and )?(?:not|instead of|rather than) (?P<old>.{1,40})$", re.IGNORECASE)
_OLD_FIRST = re.compile(
    r"^(?:it is |that is )?not (?!any ?more|yet|really|at all|now|me\b|sure"
    r"|today)(?P<old>[^,;]{1,40})[,;]+ (?:but |it is |that is |rather"
    r" )?(?P<new>.{1,60})$",
    re.IGNORECASE,
)
_MARKED_AFTER = re.compile(r"^(?P<new>[^,;]{1,40}?),? (?:actually|sorry|I mean|rather)[.! ]*$", re.IGNORECASE)
_REPAIRED = re.compile(
    r"^(?P<old>.{4,200}?)[,.;]? ?(?:-+ ?|– ?|— ?)?(?:,|\.\.\.|…|-|–|—|\() ?(?:no,? |oh |wait,? |oops,?"
    r" )*(?:sorry,?|I mean,?|I meant,?|no,|wait,|or rather,?|make that|correction:?|oops,"
    r"|actually,?(?: no,)?) ?(?P<new>[^,;]{1,60})\)?$",
    re.IGNORECASE,
)
_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty"
    r"|fifty|sixty|hundred)"
)
_NUMBER = re.compile(
    rf"\b(?:\d[\d.,:/-]*\d|\d)(?:st|nd|rd|th)?(?: ?(?:%|am|pm|kg|km|cm|euros?|dollars?))?"
    rf"|\b{_NUMBER_WORD}\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![.!?] )(?<!^)\b(?!I\b|User\b)[A-ZÀ-ÖØ-Þ][\w'’&.+#-]*(?: (?:de|la|of|the|van|von|\d+"
    r"|[A-ZÀ-ÖØ-Þ][\w'’&.+#-]*))*(?<!\.)"
)
_LAST_PHRASE = re.compile(
    r"\b(?:is|are|am|was|in|at|on|to|for|as|from|with|of|prefer|like|love|use|have|the|an?|my|own|eat"
    r"|drink|speak|hate) (?P<value>[^,;]+)$",
    re.IGNORECASE,
)
_MOST_WORDS = 7


def parsed(sentence: str) -> tuple[str, str] | None:
    """(new value, old value or empty) of a sentence that takes back an earlier one; None where it is none."""
    if found := _MARKED_AFTER.match(sentence):
        return (found["new"], "") if _is_value(found["new"]) else None
    lead = _LEAD.match(sentence)
    rest = sentence[lead.end() if lead else 0 :].strip(" .!")
    is_marked = bool(lead)
    is_it = False
    if (found := _IS.match(rest)) and not _OLD_FIRST.match(rest):
        is_it = True
        is_marked = is_marked or bool(re.search(r"meant|make|should", found[0], re.IGNORECASE))
        rest = rest[found.end() :].strip()
        rest = rest if _is_value(rest) or _NOT_OLD.match(rest) else rest.split(", ")[0]
    for pattern in (_OLD_FIRST, _NOT_OLD):
        if found := pattern.match(rest):
            new, old = found["new"].strip(" ,."), found["old"].strip(" ,.")
            is_one = is_marked or is_it or pattern is _OLD_FIRST
            return (new, old) if _is_value(new) and _is_value(old) and is_one else None
    rest = re.sub(r"(?<=\w) (?:now|instead|actually|then|please)$", "", rest)
    return (rest, "") if is_marked and _is_value(rest) else None


def repaired(sentence: str) -> str:
    """ "I live in Berlin, sorry, Lisbon." -> "I live in Lisbon"; another sentence comes back as it is."""
    found = _REPAIRED.match(sentence.rstrip(" .!"))
    if not found or not _is_value(found["new"]):
        return sentence
    return applied(found["old"].rstrip(" ,"), found["new"], "") or sentence


def is_marked(sentence: str) -> bool:
    """Whether a whole statement is said to take another's place: "Actually, I live in Lisbon"."""
    return bool(re.match(rf"^{_MARK}\b", sentence, re.IGNORECASE)) and not re.match(
        r"^(?:well|oh|ah|hmm+|sorry)\b", sentence, re.IGNORECASE
    )


def unmarked(sentence: str) -> str:
    """A statement without its "Correction:" and "No, wait,"."""
    found = _LEAD.match(sentence)
    return sentence[found.end() :] if found else sentence


def target(said: Sequence[str], new: str, old: str) -> int | None:
    """Which of the clauses said so far is meant: the last that has the old value, or one of the new value's look."""
    for at in range(len(said) - 1, -1, -1):
        if old and old.casefold() in said[at].casefold():
            return at
        if not old and applied(said[at], new, ""):
            return at
    return None


def applied(clause: str, new: str, old: str) -> str:
    """The clause with the new value in the old one's place; empty where there is no such place."""
    new = new.strip(" .,!")
    if old:
        return _swapped(clause, old, new)
    bare = re.sub(r"^(?:in|at|on|to|from|for|as|with) (?=\S)", "", new)
    thing = re.sub(r"^(?:an?|the) ", "", bare)
    if re.search(rf"\b{re.escape(thing)}\b", clause):
        return clause
    for pattern in (_NUMBER, _NAMED):
        if not pattern.search(f"it {bare}"):
            continue
        found = list(pattern.finditer(clause))
        if found:
            return _placed(clause, found[-1], bare, pattern)
        if pattern is _NUMBER:
            return ""
    value = slots.of(clause).value
    if value and value in clause.casefold():
        return _swapped(clause, value, bare)
    found_phrase = _LAST_PHRASE.search(clause)
    if not found_phrase or bare[:1].isupper():
        return ""
    return clause[: found_phrase.start("value")] + bare


def _placed(clause: str, place: re.Match[str], new: str, pattern: re.Pattern[str]) -> str:
    """A number alone takes the number's place; one with its noun ("three kids") the noun's too."""
    end = place.end()
    noun = new.split()[-1] if len(new.split()) > 1 else ""
    if pattern is _NUMBER and noun and (same := re.match(rf" (?:[\w-]+ )?{re.escape(noun)}\b", clause[end:])):
        end += same.end()
    elif pattern is _NUMBER and noun and (word := re.match(r" [A-Z][a-z]+\b", clause[end:])) and noun[0].isupper():
        end += word.end()
    if pattern is _NUMBER and new.isdigit() and (unit := re.search(r"(?<=\d)\D+$", place[0])):
        end -= len(unit[0])
    before = clause[: place.start()]
    if re.search(r"\b(?:an?|the) $", before):
        new = re.sub(r"^(?:an?|the) ", "", new)
    return before + new + clause[end:]


def _swapped(clause: str, old: str, new: str) -> str:
    at = clause.casefold().rfind(old.casefold())
    if at < 0 or len(clause.casefold()) != len(clause):
        return ""
    return clause[:at] + new + clause[at + len(old) :]


def _is_value(text: str) -> bool:
    """A few words without a verb of their own."""
    said = text.split()
    if not 0 < len(said) <= _MOST_WORDS or text.endswith("?"):
        return False
    if re.match(
        r"(?:for (?:my|a|an|the|me|her|him|our)|because|about|just|only|still|always|to|I|my|we|you|she|he"
        r"|they|it|the (?:answer|problem|code)|that|this|there|what|why|how|please"
        r"|thanks?|ok|yes|no|good|great|fine|right|really|never mind)\b",
        text,
        re.IGNORECASE,
    ):
        return False
    return not any(word.casefold() in verbs.BE | verbs.MODALS for word in said)
