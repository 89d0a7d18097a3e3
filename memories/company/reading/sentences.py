"""Cutting running text into sentences, without breaking "U.S.", "e.g.", "v1.2", "7 a.m." or a name's initial. Pure."""

import re

_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[」』”’）]*")
_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof sr jr st mt ft no nos vol vs etc eg ie cf al approx dept est fig figs inc ltd co corp gov
    gen sen rep rev hon pres min max tel ext art sec ch pp ed eds jan feb mar apr jun jul aug sep sept oct nov
    dec mon tue wed thu fri sat sun u.s u.k e.g i.e a.m p.m ph.d u.n d.c bzw ca usw z.b d.h nr str abs""".split()  # noqa: SIM905  (read as a paragraph, not as a column)
)
# After these a capital letter may still start a new sentence.
_MAY_END = frozenset({"etc", "inc", "ltd", "co", "corp", "a.m", "p.m", "u.s", "u.k", "d.c", "no", "al"})
_STARTER = re.compile(r"\s+[\"'“‘(\[]*([^\W\d_])")


def split(text: str) -> list[str]:
    """The sentences of `text` with white space folded, in order; nothing is lost and nothing is reordered."""
    text = " ".join(text.split())
    sentences: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if _ends(text, end):
            sentences.append(text[start : end.end()].strip())
            start = end.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _ends(text: str, mark: re.Match[str]) -> bool:
    if mark.group()[0] in "。！？":
        return True
    following = _STARTER.match(text, mark.end())
    if following and following.group(1).islower():
        return False
    if mark.group()[0] != ".":
        return True
    word = text[: mark.start()].rsplit(None, 1)[-1].lstrip("\"'“‘([").casefold() if mark.start() else ""
    if len(word) == 1 and word.isalpha() and word != "i":
        return False
    if word in _ABBREVIATIONS:
        return word in _MAY_END and following is not None and following.group(1).isupper()
    # "1. Open the page": a number that opens the text is a counter, not a sentence.
    return not (word.isdigit() and text[: mark.start()].strip() == word)
