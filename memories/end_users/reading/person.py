"""From the first person to the third: "I live with my sister" is "User lives with their sister". Pure.

The first mention is "User", every later one "they", whose verb needs no other form. Goes in: a clause with its short
forms written out.
"""

import re

from memories.end_users.reading import verbs

USER = "User"
_AND_I = re.compile(r"\b[Mm]y ((?:[\w-]+ ){0,2}[\w-]+) and I\b|\b[Mm]e and my ((?:[\w-]+ )?[\w-]+)(?= \w)")
_PIECE = re.compile(r"\w[\w'’-]*|\s+|[^\w\s]+")
_LATER = {
    "i": "they",
    "we": "they",
    "me": "them",
    "us": "them",
    "my": "their",
    "our": "their",
    "mine": "theirs",
    "ours": "theirs",
    "myself": "themselves",
    "ourselves": "themselves",
}
_FIRST = {"my": "User's", "our": "User's", "me": USER, "us": USER, "mine": "User's", "ours": "User's"}
_TO_YOU = {"your": "the assistant's", "yours": "the assistant's", "you": "the assistant", "yourself": "itself"}
_OBJECT = frozenset(
    {"a", "an", "the", "my", "our", "it", "them", "on", "in", "at", "to", "up", "out", "with", "for", "every", "as"}
)
_JOINS = frozenset({"and", "or", "but", "then"})
_SUBJECTS = frozenset({"i", "we", "you", "he", "she", "it", "they", "who", "which", "that", "because", "so", "to"})


def is_first(text: str) -> bool:
    """Whether a clause speaks of who says it."""
    return any(word.casefold() in _LATER for word in re.findall(r"[^\W\d_]+", text)) and bool(_MINE.search(text))


_MINE = re.compile(r"\bI\b|\b(?:my|me|we|our|us|mine|ours|myself|ourselves)\b", re.IGNORECASE)


def third(clause: str) -> str:
    """The clause about "User"; one that speaks of nobody comes back as it is."""
    clause = _AND_I.sub(lambda found: f"{USER} and their {found[1] or found[2]}", clause)
    tokens = _PIECE.findall(clause)
    named = clause.startswith(USER)
    subject = next((at for at, token in enumerate(tokens) if token in ("I", "we", "We")), None)
    if not named and subject is not None:
        tokens[subject] = USER
        _conjugate(tokens, subject + 1)
        named = True
    return "".join(_others(tokens, named)).strip()


def _others(tokens: list[str], named: bool) -> list[str]:
    said = list[str]()
    for at, token in enumerate(tokens):
        word = token.casefold()
        if word in _TO_YOU:
            said.append(_TO_YOU[word])
        elif word not in _LATER or (word in ("i", "us") and token not in ("I", "us")):
            said.append(token)
        elif named:
            said.append(_LATER[word])
            if word in ("i", "we"):
                _agree(tokens, at + 1)
        else:
            said.append(_FIRST.get(word, _LATER[word]))
            named = True
    return said


def _agree(tokens: list[str], start: int) -> None:
    """The verb of "they": only "am" and "was" change."""
    at = _next_word(tokens, start)
    if at is not None and tokens[at].casefold() in ("am", "was"):
        tokens[at] = {"am": "are", "was": "were"}[tokens[at].casefold()]


def _conjugate(tokens: list[str], start: int) -> None:
    """The verb after "User", and those joined to it that have no subject of their own."""
    at = _verb(tokens, start)
    if at is None:
        return
    first = tokens[at].casefold()
    tokens[at] = verbs.third(tokens[at])
    if first in verbs.MODALS or first in verbs.BE or first == "do" or verbs.is_past(first):
        return
    for join in range(at + 1, len(tokens)):
        word = tokens[join].casefold()
        if word in _SUBJECTS:
            return
        if word in _JOINS:
            following = _verb(tokens, join + 1)
            if following is not None and _is_joined_verb(tokens, following):
                tokens[following] = verbs.third(tokens[following])


def _is_joined_verb(tokens: list[str], at: int) -> bool:
    """A verb beyond doubt, or a word that may be one and has an object or place behind it: "freeze on Fridays"."""
    word = tokens[at].casefold()
    if word in verbs.PLAIN:
        return True
    after = _next_word(tokens, at + 1)
    return word in verbs.BASE and after is not None and tokens[after].casefold() in _OBJECT


def _verb(tokens: list[str], start: int) -> int | None:
    """Where the verb stands: the first word that is no adverb."""
    at = _next_word(tokens, start)
    while at is not None and (verbs.is_adverb(tokens[at].casefold()) or _is_no_longer(tokens, at)):
        at = _next_word(tokens, at + 1)
    return at


def _is_no_longer(tokens: list[str], at: int) -> bool:
    """ "no longer" and "no more", word by word."""
    around = "".join(tokens[max(0, at - 2) : at + 3]).casefold()
    return tokens[at].casefold() in ("no", "longer") and "no longer" in around


def _next_word(tokens: list[str], start: int) -> int | None:
    """The next word, as long as only white space or a comma stands before it."""
    for at in range(start, len(tokens)):
        if tokens[at][0].isalnum():
            return at
        if tokens[at].strip(" ,\n\t"):
            return None
    return None
