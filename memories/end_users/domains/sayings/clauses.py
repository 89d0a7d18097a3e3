"""A statement about the user, taken apart into clauses that each say one thing of them. Pure; English.

"User is good at algebra but doesn't understand logarithms." -> "is good at algebra" and, negated, "understand
logarithms". What is said of somebody else ("User's sister is in grade 4", "Anna is in grade 4") keeps its subject in
front, so that a rule which begins with the verb does not take it for the user's.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memories.company.reading import sentences

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_ROLE = "user|student|learner|pupil|customer|client|caller"
_SUBJECT = re.compile(rf"(?:the\s+)?(?:{_ROLE})(?P<owns>'s)?\s+", re.IGNORECASE)
_THEIRS = re.compile(r"(?P<owns>their|his|her)\s+|(?:they|he|she)\s+", re.IGNORECASE)
_LONG = tuple(
    (re.compile(short, re.IGNORECASE), long)
    for short, long in (
        (r"\b(?:can't|cannot)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should)n't\b", r"\1 not"),
        (r"\b(they|we|you)'(?:re)\b", r"\1 are"),
        (r"\b(it|that|he|she|there)'s\b", r"\1 is"),
    )
)
# A verb after "and" begins a clause of its own; a noun goes on with the list.
_VERBS = (
    "is|are|was|has|had|does|do|did|can|could|will|would|wants?|needs?|likes?|loves?|prefers?|finds?|struggles?"
    "|understands?|knows?|learns?|stud(?:y|ies)|uses?|lives?|speaks?|enjoys?|hates?|gets?|keeps?|forgets?|confuses?"
    "|excels?|scored|failed|passed|mastered|bought|ordered|reported|contacted|asked|no\\s+longer|never|not|used\\s+to"
)
_BORDER = re.compile(
    rf"\s*;\s*|\s*,?\s+(?:but|however|although|though|while|whereas|yet)\s+|\s+[—–]\s+"
    rf"|\s*,\s*(?:and\s+)?(?=(?:(?:the\s+)?(?:{_ROLE})|they|he|she|it|{_VERBS})\b)"
    rf"|\s+and\s+(?=(?:also\s+|now\s+|still\s+|then\s+)?(?:(?:the\s+)?(?:{_ROLE})(?:'s)?|they|he|she|it|{_VERBS})\b)",
    re.IGNORECASE,
)
_ADVERBS = re.compile(
    r"\b(?:also|currently|presently|now|really|still|often|usually|generally|mostly|especially|particularly|already"
    r"|recently|just|finally|actually|definitely|always|sometimes|quite|very|so|too|extremely|somewhat|rather|pretty"
    r"|fairly|fully|completely|totally|at\s+all|a\s+(?:lot|bit)|right\s+now|at\s+the\s+moment|these\s+days|lately"
    r"|any\s?more|any\s+longer)\b,?\s*",
    re.IGNORECASE,
)
_TIMES_NO = re.compile(
    r"\b(?:does|do|did)\s+not\b\s*|\b(?:no\s+longer|not|never)\b\s*"
    r"|\bused\s+to\b\s*",
    re.IGNORECASE,
)
#: "User's sister …", "Anna is …": what follows without a subject of its own is said of them, too.
_KIN = re.compile(
    r"(?:\w+\s+){0,2}?(?:brother|sister|sibling|son|daughter|mother(?!\s+tongue)|father|mum|mom|dad|parents?"
    r"|friends?|wife|husband"
    r"|partner|spouse|cousin|uncle|aunt|nephew|niece|grand\w+|teacher|tutor|classmates?|colleagues?|boss|manager|child"
    r"|children|kids?|room-?mate|flat-?mate|neighbou?r|girlfriend|boyfriend|fianc\w+|twin)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(r"[A-Z][\w-]*'s\s")
_NAMED = re.compile(rf"(?!(?:{_VERBS})\b)[A-Z][\w'-]*(?:\s+[\w'-]+)?\s+(?:{_VERBS})\b")
#: How far into a clause its verb may be denied; a "not" further on belongs to what is told ("knows when not to stop").
_HEAD = re.compile(r"(?:\S+\s+){0,4}\S*")


@dataclass(frozen=True)
class Clause:
    """text         without its subject, its adverbs and the "not" of its verb: "is in grade 10", "board is CBSE"
    is_negated   that it is not so (any more)
    said         the clause as it was said, without its subject: "board is not CBSE any more" """

    text: str
    is_negated: bool
    said: str = ""


def plain(text: str) -> str:
    """In one Unicode form, on one line, with straight quotes and long forms ("does not")."""
    text = " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).split())
    if "'" in text or "annot" in text:
        for short, long in _LONG:
            text = short.sub(long, text)
    return text


def split(content: str, *, is_negated: bool = False) -> list[Clause]:
    """The clauses of a memory's text, in order. `is_negated`: that the memory as a whole says no, which counts for its
    first clause where the words themselves do not show it."""
    made = [_clause(part) for sentence in sentences.split(plain(content)) for part in _parts(sentence)]
    made = [clause for clause in made if clause.text]
    if is_negated and made and not any(clause.is_negated for clause in made):
        made[0] = replace(made[0], is_negated=True)
    return made


def _parts(sentence: str) -> Iterator[str]:
    """The clauses of a sentence that are said of the user or name what they speak of ("board is CBSE").

    A clause without a subject has that of the one before it."""
    of_user, of_other = False, False
    for part in _BORDER.split(sentence.rstrip(".!? ")):
        subject = _SUBJECT.match(part) or (_THEIRS.match(part) if of_user else None)
        text = part[subject.end() :] if subject else part
        if subject is not None:
            of_user, of_other = True, bool(subject["owns"] and _KIN.match(text))
        elif not of_user and _OF_ANOTHER.match(part):
            of_other = True
        if not of_other:
            yield text
        # Said of somebody by name; the clause itself begins with that name, which no rule takes for the user's.
        of_other = of_other or (not of_user and bool(_NAMED.match(part)))


def _clause(part: str) -> Clause:
    text = " ".join(_ADVERBS.sub("", part).split())
    head = _HEAD.match(text)
    end = head.end() if head else 0
    kept, times = _TIMES_NO.subn("", text[:end])
    return Clause(" ".join(f"{kept}{text[end:]}".split()).strip(" ,:"), times % 2 == 1, part.strip(" ,:"))
