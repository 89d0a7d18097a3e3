"""Who and what statements speak of: people, organizations, teams, products, projects, places. Pure.

Precision before recall: a name counts when something says that it is one (a column or label, a role beside it, an
e-mail address made of it, a legal suffix, a verb that people do); from then on it is found wherever it is written the
same. Capitals alone are no evidence. A provider of names (spaCy, where installed) may add to them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memories.company.reading import lexicon
from memories.company.reading.extract import Statement
from memories.company.reading.lexicon import ORGANIZATION, PERSON, PLACE, PRODUCT, PROJECT, TEAM

_WORD = r"[A-ZÀ-ÖØ-Þ][\w'’&-]*"
NAME = rf"{_WORD}(?: (?:de|van|von|der|di|al|la|le|da|of|and|for|&|{_WORD})){{0,4}}"
_PLAIN = r"(?:Mc|Mac|O['’]|D['’])?[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+(?:-[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+)*"
_PARTICLE = r"(?:de|van|von|der|di|al|la|da)"
_PERSON_NAME = re.compile(rf"^{_PLAIN}(?: [A-Z]\.)?(?: {_PARTICLE})*(?: {_PLAIN}){{1,2}}$")
_SMALL = frozenset({"of", "and", "for", "the", "de", "&", "la", "van", "von"})
_LABEL = re.compile(r"^([A-Z][\w /'-]{1,40}): +(.+)$")
_DASHED = re.compile(rf"(?:^|[:.] )(?P<left>[A-Z][\w &/'-]{{1,40}}) [-–—] (?P<right>{NAME})\.?$")
_MAILED = re.compile(rf"\b(?P<name>{_WORD}(?: {_WORD}){{1,2}}),? [(<]?(?P<mail>[a-z][a-z0-9_.-]*@[\w.-]+\.\w+)")
_WITH_ROLE = re.compile(
    rf"\b(?P<name>{_WORD}(?: {_WORD}){{1,2}}) ?(?:,|\(|,? (?:is|was|as|became) (?:the|our|a|an|currently)?) ?"
    rf"(?:the |our |a |an )?(?P<role>{lexicon.ROLE})\b",
)
_ROLE_BEFORE = re.compile(rf"\b(?P<role>{lexicon.ROLE}),? (?:is |- |: )?(?P<name>{_WORD}(?: {_WORD}){{1,2}})\b")
_ACTING = re.compile(
    rf"\b(?P<name>{_WORD} {_WORD}) (?:leads?|heads|manages|owns|founded|joined|reports to|oversees|maintains|wrote"
    r"|chairs|approved|decided|started|works? (?:for|at|on|with))\b"
)
_COMPANY = re.compile(rf"\b(?P<name>(?:{_WORD} ){{1,4}}{lexicon.ORGANIZATION_SUFFIX})\b\.?")
_TO_US = re.compile(
    rf"\b(?P<name>{_WORD}(?: {_WORD}){{0,3}}) (?:is|was|became) (?:a|an|our|the)(?: [\w-]+){{0,2}} "
    rf"(?P<relation>{lexicon.RELATION_TO_US})\b"
)
# "Encourage team members …": one capital at a sentence's start is none of a name, unless "Team" has one too.
_TEAM = re.compile(
    rf"(?:(?<=[a-z,;] )|\b(?=(?:{_WORD} ){{2}}|{_WORD} [TSG]))"
    rf"(?P<name>(?:{_WORD} ){{1,3}})(?:[Tt]eam|[Ss]quad|[Gg]uild)\b"
)
_PROJECT = re.compile(rf"\b(?P<name>Project {_WORD}(?: {_WORD})?)\b")
_PLACED = re.compile(
    rf"\b(?:based|located|headquartered|office|offices|warehouse|plant) in (?P<name>{_WORD}(?: {_WORD}){{0,2}})"
)
LONGEST_PROPERTY = 80
_CUTS = re.compile(r"\s*(?:[,;/]| and | & |<br>|\n)\s*")


@dataclass(frozen=True)
class Mention:
    """That the statement of this place in the list speaks of an entity, and what it tells of it."""

    statement: int
    label: str
    type: str
    properties: dict[str, str] = field(default_factory=dict, hash=False)


def read(statements: Sequence[Statement], fields: Mapping[str, str]) -> list[Mention]:
    """Every entity of every statement, once a statement. `fields`: the document's front matter."""
    told = [mention for at, statement in enumerate(statements) for mention in evident(at, statement)]
    told += [Mention(0, label, kind) for label, kind in _in_fields(fields)] if statements else []
    return _once([*told, *_again(statements, told)])


def evident(at: int, statement: Statement) -> Iterator[Mention]:
    """What the statement itself shows to be an entity."""
    if statement.cells:
        yield from _in_cells(at, statement.cells)
    else:
        yield from _labelled(at, statement.text)
    yield from _in_prose(at, statement.text)


def named(cell: str, kind: str) -> list[str]:
    """The names in a cell that holds entities of `kind`: one, or several with commas, slashes or "and" between."""
    parts = [re.sub(r"\s*[(<].*$", "", part).strip(" .@#*") for part in _CUTS.split(cell)]
    return [part for part in parts if is_name(part, kind)]


def is_name(text: str, kind: str) -> bool:
    """Whether this can be the name of such a thing: capitals where they belong, no sentence, address or number."""
    words = text.split()
    if not 0 < len(words) <= 5 or len(text) > 50 or "@" in text or any(mark in text for mark in ":?!;|"):
        return False
    folded = [word.casefold() for word in words]
    if folded[0] in lexicon.NO_NAME or words[-1] in _SMALL or any(word.endswith(("'s", "’s")) for word in words):
        return False
    if kind == PERSON:
        is_function = not lexicon.NO_PERSON.isdisjoint(folded) or not lexicon.NO_NAME.isdisjoint(folded)
        return bool(_PERSON_NAME.match(text)) and not is_function
    if kind == PLACE:
        return all(word[0].isupper() or word in _SMALL for word in words) and not re.search(r"\d", text)
    if kind == PROJECT and folded[0] == "project":
        return len(words) > 1 and folded[1] not in lexicon.NO_PERSON and not folded[1].endswith("s")
    return all(word[0].isupper() or word[0].isdigit() or word in _SMALL or _is_brand(word) for word in words)


def _is_brand(word: str) -> bool:
    """`iPhone`, `cloud.gov`, `billing-api`: small letters, but no word of a sentence."""
    return bool(re.search(r"[A-Z0-9._-]", word.strip(".-_")))


def _in_cells(at: int, cells: Sequence[tuple[str, str]]) -> Iterator[Mention]:
    told = {
        re.sub(r"\W+", "_", header.casefold()).strip("_"): cell
        for header, cell in cells[1:]
        if header and cell and len(cell) <= LONGEST_PROPERTY and not lexicon.holder(header)
    }
    for place, (header, cell) in enumerate(cells):
        kind = lexicon.holder(header) or (PERSON if header.casefold() in ("name", "full name") else "")
        if kind == PLACE and re.search(r"\d", cell):  # an address, not a place's name
            continue
        for label in named(cell, kind) if kind else []:
            # What a row's other columns say is said of its first.
            yield Mention(at, label, kind, told if place == 0 else {})


def _labelled(at: int, text: str) -> Iterator[Mention]:
    """`Owner: Ada Lovelace`, `Director - Star Name`."""
    label = _LABEL.match(text)
    if label and (kind := lexicon.holder(label.group(1))):
        for name in named(label.group(2), kind):
            yield Mention(at, name, kind)
    dashed = _DASHED.search(text)
    for name, other in ((dashed["right"], dashed["left"]), (dashed["left"], dashed["right"])) if dashed else ():
        if is_name(name, PERSON):
            yield Mention(at, name, PERSON, {"role": other})
            return


def _in_prose(at: int, text: str) -> Iterator[Mention]:
    for pattern, kind, extra in (
        (_MAILED, PERSON, "mail"),
        (_WITH_ROLE, PERSON, "role"),
        (_ROLE_BEFORE, PERSON, "role"),
        (_ACTING, PERSON, ""),
        (_COMPANY, ORGANIZATION, ""),
        (_TO_US, ORGANIZATION, "relation"),
        (_TEAM, TEAM, ""),
        (_PROJECT, PROJECT, ""),
        (_PLACED, PLACE, ""),
    ):
        for found in pattern.finditer(text):
            label = _trimmed(found.group() if kind == TEAM else found["name"])
            if is_name(label, kind) and (extra != "mail" or _is_of(found["mail"], label)):
                yield Mention(at, label, kind, _property(extra, found))


def _trimmed(label: str) -> str:
    """Without words that only open the sentence or hang over: "The Payments Team and" is "Payments Team"."""
    words = label.strip().split()
    while words and words[0].casefold() in lexicon.NO_NAME:
        words.pop(0)
    while words and words[-1] in _SMALL:
        words.pop()
    return " ".join(words)


def _is_of(mail: str, name: str) -> bool:
    """An address that repeats a part of the name says that it is a person's."""
    return any(len(part) > 2 and part.casefold() in mail.split("@")[0] for part in name.split())


def _property(extra: str, found: re.Match[str]) -> dict[str, str]:
    names = {"mail": "email", "role": "role", "relation": "relationship_to_company"}
    return {names[extra]: found[extra].strip()} if extra else {}


def _in_fields(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key, value in fields.items():
        kind = lexicon.holder(key) if key not in ("title", "description") else ""
        for label in named(value.strip("[]"), kind) if kind else []:
            yield label, kind


def _again(statements: Sequence[Statement], told: Iterable[Mention]) -> Iterator[Mention]:
    """Where a name that is known by now stands in other statements, written the same."""
    types: dict[str, str] = {}
    for mention in told:
        # A single plain word ("Platform") is a name only where something says so.
        if " " in mention.label or not mention.label.istitle() or mention.type in (ORGANIZATION, PRODUCT):
            types.setdefault(mention.label, mention.type)
    if not types:
        return
    longest_first = sorted(types, key=len, reverse=True)
    pattern = re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, longest_first)) + r")(?![\w-])")
    for at, statement in enumerate(statements):
        for found in pattern.finditer(statement.text):
            yield Mention(at, found.group(), types[found.group()])


def _once(mentions: Iterable[Mention]) -> list[Mention]:
    """One mention a statement and entity, with all that is told; a label has one type in a document, its first."""
    types: dict[str, str] = {}
    merged: dict[tuple[int, str], Mention] = {}
    for mention in mentions:
        kind = types.setdefault(mention.label, mention.type)
        key = (mention.statement, mention.label)
        before = merged[key].properties if key in merged else {}
        merged[key] = Mention(mention.statement, mention.label, kind, {**mention.properties, **before})
    return sorted(merged.values(), key=lambda mention: mention.statement)
