"""The things that a phrase names: "trigonometry identities and the laws of motion, especially" -> two topics. Pure."""

import re

from memories import words

MOST_WORDS = 8
MOST_LETTERS = 80
# What follows one of these is when, where, why or for whom, not what.
_ADJUNCT = re.compile(
    r"\s*(?:[(\[,;:]\s*)?\b(?:because|since|when|whenever|if|so that|as|after|before|during|until|every|each|this|last"
    r"|next|for (?:the|his|her|their|an?|now|exams?|tests?|school|college)|in (?:the|his|her|their) (?:class|exams?"
    r"|tests?|school"
    r"|course|last|next|past|current)|in (?:class|school|college|general|exams?|tests?|particular)|at (?:school"
    r"|college|all"
    r"|home|the moment|first)|on (?:the|his|her|their) (?:exams?|tests?)|with (?:the )?help|under pressure|from "
    r"(?:the|a)"
    r"|even|despite|especially|particularly|most(?:ly)?|today|yesterday|tomorrow|tonight|again|yet|enough|well"
    r"|according to|compared (?:to|with)|more than|than|and (?:wants?|needs?|asks?))\b.*",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\s*,\s*(?:and|or|&)?\s*|\s+(?:and|or|as well as)\s+|\s+&\s+|\s*;\s*|\s*/\s*(?=[A-Za-z]{3})", re.IGNORECASE
)
#: Pairs that are one thing.
_PAIRS = re.compile(
    r"\b(permutations?) and (combinations?)|(profit) and (loss)|(ratio) and (proportions?)|(acids?) and (bases?)"
    r"|(work) and (energy)|(supply) and (demand)|(heat) and (thermodynamics)|(sets?) and (relations?|functions?)"
    r"|(relations?) and (functions?)|(time) and (work|distance)|(limits?) and (continuity)|(sines?) and (cosines?)"
    r"|(electricity) and (magnetism)|(waves?) and (optics|oscillations?)|(areas?) and (volumes?)"
    r"|(pros) and (cons)|(cause) and (effect)|(compare) and (contrast)|(trial) and (error)\b",
    re.IGNORECASE,
)
_JOINT = "\u2060and\u2060"
_BEFORE = re.compile(
    r"^(?:the\s+(?:topics?|concepts?|subjects?|chapters?|idea|basics|notion)\s+(?:of|on|about)\s+|the|an?|his|her"
    r"|their|its"
    r"|some|any|all|both|with|in|about|of|on|things?\s+like|topics?\s+like|such\s+as|like|including|understanding"
    r"|solving|learning|doing|concepts?\s+(?:of|in)|questions?\s+(?:on|about)|how\s+to\s+(?:do|solve|use))\s+",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s+(?:a\s+lot|very\s+much|much|topics?|subjects?|chapters?|concepts?|questions?"
    r"|(?<!word\s)(?<!story\s)problems?|exercises?|sums?|stuff"
    r"|things?|too|either|right|wrong|correctly|properly|easily|quickly|of|matters?|works?)$",
    re.IGNORECASE,
)
_NOTHING = frozenset(
    """it them this that these those him her everything something anything nothing things thing what which all both
    help time today english? more less none one ones some""".split()  # noqa: SIM905  (read as a paragraph)
)


def of(phrase: str) -> list[str]:
    """The things that `phrase` lists, in its own words, each once; [] when it names none."""
    text = _PAIRS.sub(_joined, _ADJUNCT.sub("", phrase.strip()))
    found = [clean(item.replace(_JOINT, "and")) for item in _LIST.split(text)]
    return list({key(item): item for item in found if is_thing(item)}.values())


def clean(item: str) -> str:
    """Without articles and empty words around it, and without marks at its ends."""
    item = " ".join(item.split()).strip(" .,;:!?\"'()[]-")
    before = ""
    while before != item:
        before = item
        item = _AFTER.sub("", _BEFORE.sub("", item)).strip(" .,;:!?\"'()[]-")
    return item


def is_thing(item: str) -> bool:
    return (
        1 < len(item) <= MOST_LETTERS
        and len(item.split()) <= MOST_WORDS
        and item.casefold() not in _NOTHING
        and any(map(str.isalpha, item))
    )


def key(item: str) -> str:
    """By what two names of one thing are told to be one: "Trigonometric identities", "trigonometric identity"."""
    return " ".join(sorted(set(words.content_terms(item)))) or item.casefold()


def _joined(pair: re.Match[str]) -> str:
    first, second = (group for group in pair.groups() if group)
    return f"{first} {_JOINT} {second}"


def plain_words(text: str) -> str:
    """On one line, without brackets."""
    return " ".join(re.sub(r"[()\[\]]", " ", text).split())
