"""Which identifiers of a question stand nowhere in what was found. Pure.

An identifier (`ERR-9999`, `holdoff_force`) is spoken of only where it stands whole: a row about ERR-1150 shares a
part of it and says nothing about it. Its parts may be joined otherwise (`ERR 9999`, `err_9999`), since people
write it so.
"""

import re
from collections.abc import Collection, Iterable

from memories import grammar, words

#: "24-hour", "10am", "3rd", "100GB": a number with what it counts names nothing.
_MEASURE = re.compile(r"\d[\d.,:]*(?:-?[^\W\d_]{1,3}|(?:-[^\W\d_]+)+)(?:['’]s)?", re.ASCII)
#: "and/or", "sick/holiday": two words.
_EITHER = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)+")
#: What stands beside an identifier and is nothing that is asked about.
_SORT = frozenset(words.terms("error code message number id ticket issue setting key fault alarm warning thing"))
_PIECE = re.compile(r"[^\W\d_]+|\d+")


def named(question: str) -> list[str]:
    """The identifiers of a question as they were said, each once."""
    found = (re.sub(r"['’]s$", "", token) for token in words.tokens(question) if words.identifiers(token))
    return list(
        dict.fromkeys(token for token in found if not _MEASURE.fullmatch(token) and not _EITHER.fullmatch(token))
    )


def missing(question: str, texts: Collection[str]) -> list[str]:
    """Those that no text holds whole."""
    return [said for said in named(question) if not any(_whole(said).search(text) for text in texts)]


def asks_of_others(question: str, gone: Iterable[str]) -> bool:
    """Whether a question names something beside the identifiers in `gone`."""
    for said in gone:
        question = question.replace(said, " ")
    return any(
        not grammar.names_nothing(word) and not _SORT.issuperset(words.content_terms(word))
        for word in words.tokens(question)
    )


def _whole(said: str) -> re.Pattern[str]:
    pieces = r"[^\w\n]?_?".join(re.escape(piece) for piece in _PIECE.findall(said))
    return re.compile(rf"(?<![^\W_]){pieces}(?![^\W_]|[-_]\d)", re.IGNORECASE)
