"""Statements that are a heading and tell nothing: "Regilding of the dial." at the head of a paragraph. Pure."""

import re

from memories import grammar

_LONGEST = 8
_MARKS = re.compile(r"[\s*_`#:.]+")
_RUN_IN = re.compile(r"\*\*([^*\n]{1,120})\*\*|^#{1,6} +(.+)$", re.MULTILINE)


def is_bare(statement: str, headings: str, passage: str) -> bool:
    """Whether a statement is a heading alone: it has no verb and no number, and stands as one.

    `headings`: the path of headings above it, with " > " between them; `passage`: the Markdown it stands in.
    """
    if len(statement.split()) > _LONGEST or re.search(r"\d|:\s*\S|\|", statement) or grammar.has_verb(statement):
        return False
    said = _folded(statement)
    if said in {_folded(title) for title in headings.split(" > ")}:
        return True
    run_in = {_folded(bold or heading) for bold, heading in _RUN_IN.findall(passage)}
    return said in run_in and not grammar.may_have_verb(statement)


def _folded(text: str) -> str:
    return _MARKS.sub(" ", text).strip().casefold()
