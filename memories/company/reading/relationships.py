"""How entities are related, each edge with the statement that says so. Pure.

From tables (a row is about its first cell; the columns say who owns, leads, supplies it), from labels under a heading
(`Owner: …`), and from sentences with a verb between two names. Nothing is concluded from two names being near.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memories.company.reading import entities, lexicon
from memories.company.reading.entities import NAME, Mention
from memories.company.reading.extract import Statement
from memories.company.reading.lexicon import ORGANIZATION, PERSON, PLACE, PRODUCT, PROJECT, TEAM, TOPIC

_KIND_OF_THING = "team|squad|project|product|service|platform|program|department"


def _end(group: str) -> str:
    return rf"(?P<{group}>(?:the |our )?{NAME}(?: (?:{_KIND_OF_THING}))?)"


_FIRST, _SECOND = _end("first"), _end("second")
_VERBS = [
    (re.compile(rf" (?:{verb}) "), re.compile(rf"\b{_FIRST} (?:{verb}) {_SECOND}"), predicate, is_forward)
    for verb, predicate, is_forward in lexicon.VERBS
]
_IN_ROLE = re.compile(
    rf"\b(?P<first>{NAME}) (?:is|was|became) (?:now )?(?:the |our |a |an )?(?P<role>{lexicon.ROLE}) "
    rf"(?:of|for|at) {_SECOND}"
)
_LEADS = re.compile(rf"(?i:{lexicon.LEADING}) of (?:the )?(?P<of>[\w&-]+(?: [\w&-]+){{0,3}})$")
_LABEL = re.compile(r"^([A-Z][\w /'-]{1,40}): +(.+)$")
_SUFFIX = re.compile(rf" ({_KIND_OF_THING})$", re.IGNORECASE)
_KINDS = {
    "team": TEAM, "squad": TEAM, "department": TEAM, "project": PROJECT, "program": PROJECT, "product": PRODUCT,
    "service": PRODUCT, "platform": PRODUCT,
}  # fmt: skip
# What a verb's ends must be, if it says so.
_SUBJECTS = {"reports to": PERSON, "works for": PERSON, "founded": PERSON, "client of": ORGANIZATION}
_OBJECTS = {"reports to": PERSON, "works for": ORGANIZATION, "client of": ORGANIZATION, "located in": PLACE}


@dataclass(frozen=True)
class Relation:
    """`subject predicate object`, as the statement of this place in the list says."""

    statement: int
    subject: Mention
    predicate: str
    object: Mention


def read(statements: Sequence[Statement], mentions: Sequence[Mention] | None = None) -> list[Relation]:
    """Every edge that the statements state, each once a statement. `mentions`: what entities.read found, if at hand."""
    known = entities.read(statements, {}) if mentions is None else mentions
    types = {mention.label: mention.type for mention in reversed(known)}
    found: dict[tuple[int, str, str, str], Relation] = {}
    for at, statement in enumerate(statements):
        for relation in _of(at, statement, types):
            if relation.subject.label != relation.object.label:
                key = (at, relation.subject.label, relation.predicate, relation.object.label)
                found.setdefault(key, relation)
    return list(found.values())


def _of(at: int, statement: Statement, types: dict[str, str]) -> Iterator[Relation]:
    if len(statement.cells) > 1:
        yield from _in_row(at, statement.cells)
    else:
        yield from _labelled(at, statement)
    yield from _in_prose(at, statement.text, types)


def _in_row(at: int, cells: Sequence[tuple[str, str]]) -> Iterator[Relation]:
    subject = _subject(at, *cells[0])
    if subject is None:
        return
    for header, cell in cells[1:]:
        yield from _tied(at, subject, header, cell)
        yield from _in_charge(at, subject, header, cell)


def _subject(at: int, header: str, cell: str) -> Mention | None:
    """What a row is about: its first cell, if that is a name and not a number or a sentence."""
    kind = lexicon.holder(header) or (
        PERSON if header.casefold() == "name" and entities.is_name(cell, PERSON) else TOPIC
    )
    is_named = entities.is_name(cell, kind)
    return Mention(at, cell, kind) if is_named else None


def _tied(at: int, subject: Mention, header: str, cell: str) -> Iterator[Relation]:
    tie, kind = lexicon.tie(header), lexicon.holder(header)
    if tie is None or not kind:
        return
    predicate, is_holder_first = tie
    if subject.type == PERSON and kind == PERSON and predicate in ("manages", "leads"):
        predicate, is_holder_first = "reports to", False
    if predicate in ("member of", "works for") and subject.type != PERSON:
        predicate = "part of"
    for label in entities.named(cell, kind):
        holder = Mention(at, label, kind)
        yield Relation(at, holder, predicate, subject) if is_holder_first else Relation(at, subject, predicate, holder)


def _in_charge(at: int, subject: Mention, header: str, cell: str) -> Iterator[Relation]:
    """A person's row that says "Role: Head of workshop" or "Responsible for: Chime Box and Belfry"."""
    if subject.type != PERSON:
        return
    role = _LEADS.match(cell) if lexicon.fits("role|title|position|job", header) else None
    if role:
        yield Relation(at, subject, "leads", _thing(at, role["of"], {}))
    if lexicon.fits("responsible for|owns|in charge of|leads", header):
        for label in entities.named(cell, TOPIC):
            yield Relation(at, subject, "is responsible for", Mention(at, label, TOPIC))


def _labelled(at: int, statement: Statement) -> Iterator[Relation]:
    """`Owner: Ada Lovelace` under a heading is about what the heading names."""
    label = _LABEL.match(statement.text)
    heading = statement.heading.rsplit(" > ", 1)[-1]
    if label and lexicon.holder(label.group(1)) in (PERSON, TEAM) and entities.is_name(heading, TOPIC):
        yield from _tied(at, _thing(at, heading, {}), label.group(1), label.group(2))


def _in_prose(at: int, text: str, types: dict[str, str]) -> Iterator[Relation]:
    for verb, pattern, predicate, is_forward in _VERBS:
        # The verb alone is found fast; the names around it are looked at only then.
        for found in pattern.finditer(text) if verb.search(text) else ():
            first, second = _thing(at, found["first"], types), _thing(at, found["second"], types)
            yield from _sound(
                Relation(at, first, predicate, second) if is_forward else Relation(at, second, predicate, first)
            )
    for found in _IN_ROLE.finditer(text):
        person, thing = _thing(at, found["first"], types), _thing(at, found["second"], types)
        leading = re.search(lexicon.LEADING, found["role"], re.IGNORECASE)
        predicate = "leads" if leading else "works for"
        yield from _sound(Relation(at, person, predicate, thing))


def _thing(at: int, text: str, types: dict[str, str]) -> Mention:
    label = re.sub(r"^(?:the|our|The|Our) |(?: (?:of|and|for|the|&))+$", "", text.strip())
    suffix = _SUFFIX.search(label)
    known = types.get(label) or types.get(_SUFFIX.sub("", label), "")
    kind = known or (_KINDS[suffix.group(1).lower()] if suffix else TOPIC)
    return Mention(at, label, kind)


def _sound(relation: Relation) -> Iterator[Relation]:
    """Only between names, one of which at least is known to be one, and of the kinds that the verb asks for."""
    subject, thing = relation.subject, relation.object
    if not (entities.is_name(subject.label, TOPIC) and entities.is_name(thing.label, TOPIC)):
        return
    if subject.type == TOPIC and thing.type == TOPIC:
        return
    wanted = (_SUBJECTS.get(relation.predicate), _OBJECTS.get(relation.predicate))
    if any(kind and end.type not in (kind, TOPIC) for kind, end in zip(wanted, (subject, thing), strict=True)):
        return
    typed = [Mention(end.statement, end.label, kind if kind and end.type == TOPIC else end.type)
             for kind, end in zip(wanted, (subject, thing), strict=True)]  # fmt: skip
    yield Relation(relation.statement, typed[0], relation.predicate, typed[1])
