"""What a clause says of somebody's schooling: grade, board, subjects. Pure; English, with the names of several
countries."""

import re

from memories.end_users.domains.sayings import things
from memories.end_users.domains.sayings.clauses import Clause

_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
_ORDINALS = {name: number for number, name in enumerate(_ORDINAL_WORDS.split(), 1)}
_ROMAN_WORDS = "i ii iii iv v vi vii viii ix x xi xii"
_ROMAN = {name: number for number, name in enumerate(_ROMAN_WORDS.split(), 1)}
_STEP = r"grade|class|year|standard|std|form|semester"
_NUMBER = rf"\d{{1,2}}(?:st|nd|rd|th)?|{'|'.join(_ORDINALS)}"
_MOST = 13
_LEVEL = re.compile(
    rf"(?:(?P<step>{_STEP})\.?\s+(?P<number>{_NUMBER}|[IVX]+)\b|(?P<ordinal>{_NUMBER})[\s-]+(?P<of>{_STEP}"
    rf"|grader)s?\b)",
    re.IGNORECASE,
)
_IN = re.compile(
    r"(?:(?:(?:is|be)\s+)?(?:(?:a\s+student|studying|enrolled)\s+)?in\s+(?:the\s+)?"
    r"|(?:is|be)\s+(?:an?\s+)(?=(?:\S+\s+){0,3}?(?:\S+[\s-]grader|\S+\s+(?:\S+\s+)?student|student))"
    r"|(?:studies|learns|reads)\s+in\s+(?:the\s+)?|(?:goes|went\s+up|moved\s+up|moved|(?:was|got"
    r"|has\s+been)\s+promoted)\s+(?:in)?to\s+(?:the\s+)?"
    r"|(?:started|starts|entered|began|attends|joined|repeats|is\s+repeating)\s+(?:the\s+)?"
    r"|(?:(?:grade|class|current|year|school)\s+)*(?:level|grade|class|standard|year"
    r"|semester)\s+is\s+(?:now\s+)?(?:the\s+)?)",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?:grade|class|standard|year)(?:\s+level)?\s+is\s+(?P<number>{_NUMBER}|[IVX]+)\b", re.IGNORECASE)
_STAGE = re.compile(
    r"(?:(?:is|be)\s+(?:an?\s+|in\s+(?:the\s+)?)?)(?P<stage>(?:high[- ]school|college|university)?\s*"
    r"(?:freshman|sophomore|junior|senior)(?!\s+\w*(?:engineer|developer|manager|designer|analyst))(?:\s+(?:in"
    r"|at)\s+(?:high\s+school|college|university))?"
    r"|(?:first|second|third|fourth|final|last)[- ]year\s+(?:[\w.]+\s+){0,3}?student|(?:kindergarten|primary school"
    r"|elementary school|middle school|high school|sixth form|junior college|college|university|undergrad(?:uate)?"
    r"|postgraduate|graduate student|phd student|master's student)\b)",
    re.IGNORECASE,
)

# Names in capitals only where written so: "ib" and "isc" are syllables elsewhere.
_BOARD_NAME = (
    r"(?:CBSE|ICSE|ISC|CISCE|NIOS|NCERT|IGCSE|GCSEs?|AQA|OCR|(?:IB|International Baccalaureate)(?:\s+(?:MYP|PYP|DP"
    r"|Diploma"
    r"(?:\s+Programme)?))?|(?:Cambridge|Pearson)?\s?Edexcel|Cambridge(?:\s+International)?|Common Core"
    r"|A[- ][Ll]evels?|Abitur"
    r"|Baccalauréat|Matura|(?:[A-Z]\w+\s+){0,2}[Ss]tate [Bb]oard|Montessori)"
)
_BOARD_NAMES = re.compile(rf"\b{_BOARD_NAME}(?:\s+{_BOARD_NAME})*(?=\W|$)")
_BOARD_IS = re.compile(
    r"(?:(?:school|exam|examination|education|educational|state)\s+)?(?:board|curriculum|syllabus)"
    r"(?:\s+of\s+education)?\s+(?:is|changed\s+(?:from\s+.+\s+)?to)\s+(?:the\s+)?(?P<board>.+)",
    re.IGNORECASE,
)
_BOARD_OF = re.compile(
    r"(?:follows?|is\s+(?:following|on|in|under|with)|studies\s+(?:under|in|with)|uses|has|takes)\s+(?:the\s+)?"
    r"(?P<board>[\w .'-]{2,60}?)\s+(?:board|curriculum|syllabus)\b",
    re.IGNORECASE,
)
_BOARD_AT = re.compile(
    r"(?:is|be|studies|study|follows?|attends?|goes|takes?|has|does|switched|moved|changed|prepares?|sits?|in|at)\b",
    re.IGNORECASE,
)
_SWITCHED = re.compile(r"(?:switched|moved|changed)\b.*?\bto\s+(?P<rest>.+)", re.IGNORECASE)

_SUBJECTS = re.compile(
    r"\b(?:maths?|mathematics|further maths|applied maths|pure maths|physics|chemistry|biology|botany|zoology"
    r"|sciences?"
    r"|computer science|computing|informatics|history|geography|civics|economics|english(?: literature| language)?"
    r"|literature|hindi|sanskrit|tamil|telugu|bengali|marathi|urdu|french|german|spanish|latin|mandarin|japanese"
    r"|accountancy|accounting|business studies|commerce|political science|politics|sociology|psychology|philosophy"
    r"|statistics|environmental (?:science|studies)|social (?:science|studies)|music|art|drama|physical education"
    r"|religious studies|biotechnology|entrepreneurship|law|media studies|design and technology|engineering "
    r"drawing)\b",
    re.IGNORECASE,
)
_SUBJECTS_ARE = re.compile(
    r"(?:(?:main|school|current|chosen|favou?rite|best|elective|optional|core|strong(?:est)?|weak(?:est)?|worst"
    r"|hardest)\s+){0,2}"
    r"subjects?\s+(?:is|are|includes?)\s+(?P<x>.+)",
    re.IGNORECASE,
)
_STUDIES = re.compile(
    r"(?:(?:is|be)\s+)?(?:stud(?:y|ies|ying)|tak(?:es?|ing)|learn(?:s|ing)?|enrolled\s+in|chose|picked|dropped"
    r"|majors?\s+in"
    r"|likes?|loves?|enjoys?|has|does|opted\s+for)\s+(?P<x>.+)",
    re.IGNORECASE,
)


def grade(clause: Clause) -> str | None:
    """ "Grade 10", "Class 12", "Year 9", "high school sophomore"; None where the clause does not tell one."""
    lead = _IN.match(clause.text)
    level = _LEVEL.search(clause.text, lead.end()) if lead else None
    if lead and level and not clause.text[lead.end() : level.start()].strip("aA "):
        return _level(level["step"] or level["of"], level["number"] or level["ordinal"])
    if lead and level and "student" in clause.text[lead.end() :].casefold():
        return _level(level["step"] or level["of"], level["number"] or level["ordinal"])
    bare = _BARE.match(clause.text)
    if bare:
        return _level(clause.text.split()[0], bare["number"])
    stage = _STAGE.match(clause.text)
    return re.sub(r"\s+student$", "", stage["stage"].strip()) if stage else None


def _level(step: str, number: str) -> str | None:
    plain = re.sub(r"(?:st|nd|rd|th)$", "", number.casefold()) if number[0].isdigit() else number.casefold()
    value = int(plain) if plain.isdigit() else _ORDINALS.get(plain) or _ROMAN.get(plain) or 0
    name = {"grader": "grade", "std": "standard"}.get(step.casefold(), step.casefold())
    return f"{name.capitalize()} {value}" if 1 <= value <= _MOST else None


def board(clause: Clause) -> str | None:
    """ "CBSE", "IB Diploma", "Maharashtra State Board"; None where the clause does not tell one."""
    own = _BOARD_IS.match(clause.text) or _BOARD_OF.match(clause.text)
    if own:
        return _named_board(own["board"]) or things.clean(own["board"])
    if not _BOARD_AT.match(clause.text):
        return None
    switched = _SWITCHED.match(clause.text)
    return _named_board(switched["rest"] if switched else clause.text)


def _named_board(text: str) -> str | None:
    found = _BOARD_NAMES.search(text)
    return " ".join(found.group().split()) if found else None


def subjects(clause: Clause) -> list[str]:
    """School subjects of the user: all that "subjects are …" lists, and the known ones that "studies …" does."""
    listed = _SUBJECTS_ARE.match(clause.text)
    if listed:
        return things.of(listed["x"])
    taken = _STUDIES.match(clause.text)
    if not taken:
        return []
    return [subject for thing in things.of(taken["x"]) if (subject := subject_of(thing))]


def subject_of(thing: str) -> str | None:
    """The thing itself, if it is a known school subject and nothing more ("physics"; not "physics of sound")."""
    return thing if _SUBJECTS.fullmatch(thing) else None
