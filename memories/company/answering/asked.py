"""The words of a question as they were said, and which of them a text speaks of. Pure."""

import re
from collections.abc import Iterable, Sequence, Set

from memories import grammar, words
from memories.company.answering import quoting

_SAID = re.compile(r"[^\W_]+(?:[-_./:@#+'’][^\W_]+)*")
_SHOWN = 4
_LONGEST_WORD = 40


def said_words(question: str) -> dict[str, frozenset[str]]:
    """Each word that names what is asked about -> its terms. "Who owns billing?" -> billing.

    An identifier has one term, itself: `ERR-9999` is not spoken of where there is an error.
    """
    said: dict[str, frozenset[str]] = {}
    for word in _SAID.findall(question):
        terms = frozenset(words.identifiers(word) or words.content_terms(word))
        if terms and not grammar.names_nothing(word) and terms not in said.values():
            said[word] = terms
    return said


def spoken_of(said: dict[str, frozenset[str]], text: str) -> list[str]:
    """The words of `said` that `text` has too, whatever their ending, in the order of the question."""
    terms = set(words.terms(text))
    return [word for word, its_terms in said.items() if its_terms & terms]


def among(said: dict[str, frozenset[str]], numbers: Set[int]) -> list[str]:
    """The same for a text that is stored as the numbers of its terms."""
    return [word for word, its_terms in said.items() if any(words.number(term) in numbers for term in its_terms)]


def listed(said: Sequence[str] | Iterable[str]) -> str:
    """ "a", "b" and "c": a few words, quoted, for a sentence."""
    quoted = [f"“{quoting.shortened(word, _LONGEST_WORD)}”" for word in said][:_SHOWN]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else "".join(quoted)
