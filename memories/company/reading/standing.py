"""Whether a passage still holds: documents say of themselves, or of a part, that something else took their place. Pure.

Where that is said decides how far it reaches: the title and a status line under it (front matter is read as such lines)
speak of the whole document, a heading and a line under it of what stands below that heading.
"""

import re
from collections.abc import Iterator, Mapping

from memories.company.reading.markdown import Block
from memories.company.reading.outline import Outline, Section

LONGEST = 200
_LONGEST_SUCCESSOR = 120
_GONE = (
    r"superseded|obsoleted?|deprecated|withdrawn|replaced|rescinded|revoked|repealed|outdated|out of date"
    r"|no longer (?:in force|in effect|in use|valid|current|applicable|maintained|applies)"
)
_OF_THIS = (
    r"page|document|policy|section|chapter|guide|guideline|decision|record|version|procedure|process|plan|handbook"
    r"|memo|note|rule|proposal|list|article|instruction|standard|template|adr|rfc"
)
# "superseded", "has been replaced by D-014 since 1 January", but not "will be replaced" and not "not superseded".
_STATUS = re.compile(rf"(?:(?:is|was|has been|have been|now)\s+)*(?P<gone>{_GONE})\b(?P<rest>.*)", re.I | re.S)
_LABELLED = re.compile(r"(?:status|state|standing|lifecycle)\s*[:|]\s*(?P<value>.+)", re.I | re.S)
_SUCCEEDED = re.compile(r"(?:superseded|replaced|obsoleted|succeeded)[ _-]by\s*:\s*(?P<value>.+)", re.I | re.S)
_SENTENCE = re.compile(
    rf"(?:note|warning|attention|important)?\W*this (?:[\w-]+ )?(?:{_OF_THIS}) (?P<value>(?:is|was|has been|have been)"
    rf"\s+(?:(?:now|formally|hereby)\s+)?(?:{_GONE})\b.*)",
    re.I | re.S,
)
# Front matter has it as a flag: "outdated: true".
_FLAG = re.compile(rf"(?P<gone>{_GONE})\s*:\s*(?P<value>yes|true|no|false)\W*$", re.I)
_BANNER = re.compile(rf"(?P<value>(?:{_GONE})\s*(?:[:!.\u2013\u2014-]|$).*)", re.I | re.S)
_NAMED = re.compile(
    rf"[\[(]\s*(?P<inside>(?:{_GONE})\b[^\])]*)[\])]|^(?P<before>{_GONE})\s*[:\u2013\u2014-]|[:\u2013\u2014-]\s*(?P<after>(?:{_GONE})\b.*)$",
    re.I,
)
_BY = re.compile(r"\b(?:by|with|in favou?r of|see|use)\s+(?P<successor>\S.*)", re.I | re.S)
# What follows the successor's name: when, and the rest of the sentence.
_AFTER = re.compile(
    r"\s+(?:since|as of|as from|effective|instead|on \d+|from \d+|in \d+)\b.*|[.;,!](?:\s.*|$)|\s*\n.*", re.S
)
_QUOTES = re.compile('["“”„«»]')
_NOTHING = frozenset(("", "-", "none", "n/a", "no", "nobody", "nothing", "null", "~"))
_STATUS_HEADINGS = ("status", "state")


def read(outline: Outline) -> list[str]:
    """For each section what took its place ("superseded by D-014"), or that nothing did ("withdrawn"); empty: it holds.

    A section that is made of several parts is marked only when all of them are.
    """
    marks: dict[tuple[str, ...], str] = {}
    for path, told in _marks(outline):
        if " by " not in marks.get(path, ""):
            marks[path] = told
    return [_of(section, marks) for section in outline.sections] if marks else [""] * len(outline.sections)


def _of(section: Section, marks: Mapping[tuple[str, ...], str]) -> str:
    found = [_above(block.path, marks) for block in section.blocks]
    return found[0] if found and all(found) else ""


def _above(path: tuple[str, ...], marks: Mapping[tuple[str, ...], str]) -> str:
    """The mark of the nearest heading at or above `path`."""
    return next((marks[path[:size]] for size in range(len(path), 0, -1) if path[:size] in marks), "")


def _marks(outline: Outline) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each marked path, the narrower ones too."""
    if told := _in_name(outline.title):
        yield outline.path, told
    for section in outline.sections:
        for block in section.blocks:
            yield from _in_block(block, len(outline.path))


def _in_block(block: Block, depth: int) -> Iterator[tuple[tuple[str, ...], str]]:
    for size in range(depth + 1, len(block.path) + 1):
        if told := _in_name(block.path[size - 1]):
            yield block.path[:size], told
    if block.kind not in ("paragraph", "item", "pair", "quote"):
        return
    if len(block.path) > depth and block.path[-1].casefold() in _STATUS_HEADINGS:
        if told := _in_status(block.text):
            yield block.path[:-1], told
    elif told := _in_line(block.text):
        yield block.path, told


def _in_line(text: str) -> str:
    if found := _SUCCEEDED.match(text):
        value = found["value"].strip()
        return "" if value.casefold() in _NOTHING else _worded("superseded", f"by {value}")
    if flag := _FLAG.match(text):
        return _worded(flag["gone"], "") if flag["value"].casefold() in ("yes", "true") else ""
    found = _LABELLED.match(text) or _SENTENCE.match(text) or _BANNER.match(text)
    return _in_status(found["value"]) if found else ""


def _in_status(value: str) -> str:
    found = _STATUS.match(value.strip())
    return _worded(found["gone"], found["rest"]) if found else ""


def _in_name(name: str) -> str:
    """A title or heading: "Radio time (superseded by D-007)", "OBSOLETE: Radio time"."""
    found = _NAMED.search(name)
    return _in_status(found["inside"] or found["before"] or found["after"]) if found else ""


def _worded(gone: str, rest: str) -> str:
    by = _BY.search(rest)
    successor = _AFTER.sub("", _QUOTES.sub("", by["successor"])).strip(" .:") if by else ""
    if not successor or len(successor) > _LONGEST_SUCCESSOR:
        return " ".join(gone.lower().split())
    return f"superseded by {' '.join(successor.split())}"[:LONGEST]
