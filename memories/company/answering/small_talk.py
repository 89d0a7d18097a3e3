"""Prompts that company memory has nothing to say to: pleasantries, and plain coding questions. Pure.

Narrow on purpose: what is in doubt is asked (contract company memory, `triage.decision`). Whether a coding question
names something of the company after all is for the caller to look up: `unfamiliar` says which words to look for.
"""

import re

from memories import words
from memories.company.answering import vocabulary

_PHRASE = "|".join(vocabulary.PLEASANTRIES).replace(" ", r"\s+")
_PLEASANTRIES = re.compile(rf"(?:(?:{_PHRASE})(?![^\W_])[^\w]*)+", re.IGNORECASE)
_AROUND = re.compile(r"^[\W_]+")
_LONGEST_PLEASANTRY = 120

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+|\+\+|#)*")
_IDENTIFIER = re.compile(r"\w_\w|[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]-?\d|\w[/\\]\w|\w\.\w|```|\(\)")
LONGEST_CODING_QUESTION = 30


def is_small_talk(prompt: str) -> bool:
    """Pleasantries and nothing else: "hi", "thanks!", "ok great, bye", or no word at all."""
    if not re.search(r"[^\W_]", prompt):
        return True
    said = _AROUND.sub("", prompt).replace("’", "'")
    return len(prompt) <= _LONGEST_PLEASANTRY and bool(_PLEASANTRIES.fullmatch(said))


def is_coding_question(prompt: str) -> bool:
    """A question about a programming language or its usual matters, with no name, identifier or "our" in it."""
    spoken = _WORD.findall(prompt)
    if len(spoken) > LONGEST_CODING_QUESTION or _names_something(spoken) or _has_identifier(prompt):
        return False
    said = {word.casefold().replace("’", "'") for word in spoken}
    return (
        not said & vocabulary.OURS
        and bool(said & vocabulary.LANGUAGES)
        and any(_is_of_the_trade(word) for word in said - vocabulary.LANGUAGES)
    )


def unfamiliar(prompt: str) -> list[str]:
    """The words of a coding question that are neither of the trade nor of the language."""
    plain = (word.casefold() for word in _WORD.findall(prompt))
    return [
        word for word in plain if word not in vocabulary.LANGUAGES | words.STOP_WORDS and not _is_of_the_trade(word)
    ]


def _is_of_the_trade(word: str) -> bool:
    return bool(set(words.terms(word)) & (vocabulary.MATTERS | vocabulary.DEEDS))


def _has_identifier(prompt: str) -> bool:
    """`JavaScript` is none, though it is written like one."""
    rest = _WORD.sub(lambda word: "" if word.group().casefold() in vocabulary.LANGUAGES else word.group(), prompt)
    return bool(_IDENTIFIER.search(rest))


def _names_something(spoken: list[str]) -> bool:
    """A capital letter inside a sentence that no programming language explains: a name, and perhaps one of ours."""
    return any(
        word[:1].isupper() and word.casefold() not in vocabulary.LANGUAGES and word != "I" for word in spoken[1:]
    )
