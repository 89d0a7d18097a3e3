"""Which exams somebody has ahead of them, and when; and which are over. Pure; English."""

import re
from dataclasses import dataclass
from datetime import date

from memories.end_users.domains.sayings import dates, things
from memories.end_users.domains.sayings.clauses import Clause

_KNOWN = (
    r"JEE(?:[- ](?:Mains?|Advanced))?|NEET(?:[- ](?:UG|PG))?|CUET|GATE|UPSC|CLAT|NDA|KVPY|NTSE|SAT|ACT|PSAT|GRE|GMAT"
    r"|LSAT|MCAT"
    r"|IELTS|TOEFL|GCSEs?|IGCSEs?|A[- ][Ll]evels?|Abitur|Gaokao|Matura|DELF|DELE|JLPT|AP\s+[A-Z]\w+"
)
_NOUN = (
    r"exam(?:ination)?s?|tests?|finals?|mid-?terms?|quiz(?:zes)?|olympiads?|boards|entrance|papers?"
    r"|unit\s+tests?|mocks?"
)
_EXAM = re.compile(rf"\b(?:{_NOUN})\b", re.IGNORECASE)
_KNOWN_EXAM = re.compile(rf"\b(?:{_KNOWN})\b")
_AHEAD = re.compile(
    r"(?:(?:(?:is|be)\s+)?(?:preparing|prepares?|studying|studies|revising|practi[sc]ing|getting\s+ready|training"
    r"|aiming|aims)\s+(?:for|to\s+(?:take|pass|crack|clear|sit))"
    r"|(?:is|be)\s+(?:taking|sitting|writing|appearing\s+(?:for|in)|targeting|giving|due\s+to\s+take"
    r"|going\s+to\s+(?:take|sit|write|have))"
    r"|has|takes|sits|writes|will\s+(?:take|sit|write|have|appear\s+(?:for|in)|be\s+(?:taking|sitting))"
    r"|(?:wants|plans|hopes|needs|intends)\s+to\s+(?:pass|crack|clear|ace|take|sit|do\s+well\s+(?:in|on)|write"
    r"|score\s+.*?\s(?:in|on))"
    r"|targets|rescheduled|moved|postponed|registered\s+for|signed\s+up\s+for|(?:next|upcoming|target)\s+(?:exam"
    r"|test)\s+is|exam\s+is)\s+(?:for\s+)?(?P<x>.+)",
    re.IGNORECASE,
)
_FALLS = re.compile(
    r"(?P<x>.*?)\s*\b(?:is|are|falls?|takes?\s+place|starts?|begins?|comes?|(?:was|were|has\s+been|have\s+been|is"
    r"|are|got)\s+"
    r"(?:moved|postponed|rescheduled|scheduled|set|brought\s+forward|pushed)|moved|will\s+be(?:\s+held)?)\b\s*(?:to"
    r"|on|in|for|at|by|from)?\s*(?P<when>.*)",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"(?:has\s+|have\s+)?(?:passed|failed|finished|completed|cleared|cracked|took|taken|wrote|written|sat|aced|dropped"
    r"|cancelled|canceled|skipped|withdrew\s+from|given|gave|is\s+done\s+with)\s+(?P<x>.+)",
    re.IGNORECASE,
)
_CALLED_OFF = re.compile(
    r"(?P<x>.+?)\s+(?:(?:is|are|was|were|has\s+been|have\s+been|got)\s+)?(?:cancelled|canceled|called\s+off|over|done"
    r"|finished|behind\s+(?:him|her|them))$",
    re.IGNORECASE,
)
_ALONE = re.compile(r"^(?:exams?|tests?|examinations?)(?:\s+dates?)?$|^dates?$", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:the|an?|his|her|their|this|next|upcoming|target|big|important|date\s+of)\s+)+", re.IGNORECASE
)
_TAIL = re.compile(
    r"\s+(?:date|in|on|at|for|next\s+\w+|this\s+\w+|in\s+\d+\s+\w+|coming\s+up|soon|tomorrow|today|because\b.*"
    r"|with\b.*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Exam:
    """name     as told, without its date; empty where only "exam" was said
    on       ISO 8601, a day or a month; None where it was not told
    is_over  taken, passed, called off
    """

    name: str
    on: str | None
    is_over: bool = False


def told(clause: Clause, said_on: date) -> Exam | None:
    """The exam that the clause tells of; None for none."""
    over = _OVER.match(clause.text) or _CALLED_OFF.match(clause.text)
    if over and _names_exam(over["x"]):
        return None if clause.is_negated else Exam(_name(over["x"]), None, True)
    for form in (_AHEAD, _FALLS):
        match = form.match(clause.text)
        if match and _names_exam(match["x"]) and _is_dated(match, clause, said_on):
            return Exam(_name(match["x"]), dates.find(clause.text, said_on), clause.is_negated)
    return None


def _is_dated(match: re.Match[str], clause: Clause, said_on: date) -> bool:
    """ "Board exam is hard" names no day; "has a board exam" needs none."""
    return match.re is _AHEAD or dates.find(clause.text, said_on) is not None


def _names_exam(text: str) -> bool:
    return bool(_EXAM.search(text) or _KNOWN_EXAM.search(text))


def _name(text: str) -> str:
    name = dates.without(things.plain_words(text))
    before = ""
    while before != name:
        before = name
        name = _TAIL.sub("", _LEAD.sub("", name)).strip(" .,;:-()")
    return "" if _ALONE.match(name) else name[: things.MOST_LETTERS]
