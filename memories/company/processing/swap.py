"""Putting a new version of a document in the place of the old one, in one transaction: it is never half visible.

Cost follows the change: a section whose content is the same keeps its row, its vector and its facts; in a section that
changed, a statement that is the same under the same headings keeps its row and its vector. What is new is found by its
words at once, and by its meaning when a worker has embedded it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection, models

from accounts import isolation
from memories import indexing
from memories.company import readiness
from memories.company.processing import claims, links, order, rows
from memories.company.processing.claims import Claim
from memories.company.reading import entities, extract, outline, relationships, standing
from memories.company.reading.extract import Statement
from memories.models import Document, Fact, Section, Upload


@dataclass(frozen=True, slots=True)
class _Present:
    """A stored section that stays, with the ids of its facts in order."""

    pk: int
    position: int
    superseded: str
    facts: list[int]


@dataclass(frozen=True, slots=True)
class Version:
    """A document as it was read: what is to be stored."""

    title: str
    text: str
    outline: outline.Outline
    observed_at: datetime | None = None
    properties: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to change, worked out before the transaction that does it.

    gone         sections that are not in the new version
    moved        sections that stay, with their new place
    restated     sections that stay, by what is newly said to have taken their place (empty: they hold again)
    sections     new rows, not stored yet
    facts        for each statement of the document its fact: the id of one that stays where it is, or a row, which
                 is new (no pk) or goes from a section that is gone into a new one
    mentions, relations
                 of the whole document, since what one passage says of a name counts in all others
    """

    gone: list[int]
    moved: dict[int, int]
    restated: dict[str, list[int]]
    sections: list[Section]
    facts: list[int | Fact]
    mentions: list[entities.Mention]
    relations: list[relationships.Relation]


def plan(claim: Claim, version: Version) -> Plan:
    """Compares the new version with what is stored. Only the holder of the claim changes that, so it stays true."""
    told = [(section, extract.statements(section)) for section in version.outline.sections]
    standings = standing.read(version.outline)
    with isolation.account(claim.account_id):
        present = _present(claim, told)
        stored = Section.objects.filter(account_id=claim.account_id, document_id=claim.document_id)
        kept = {row.pk for row in present.values()}
        gone = [pk for pk in stored.values_list("pk", flat=True) if pk not in kept]
        reusable = _facts_of(claim.account_id, gone)
    before = [present[section.digest].position if section.digest in present else None for section, _ in told]
    places = order.positions(before)
    sections: list[Section] = []
    facts: list[int | Fact] = []
    for (section, statements), place, superseded in zip(told, places, standings, strict=True):
        if section.digest in present:
            facts += present[section.digest].facts
        else:
            sections.append(_section(claim, section, place, superseded))
            facts += [_fact(claim, sections[-1], statement, reusable) for statement in statements]
    every = [statement for _, statements in told for statement in statements]
    mentions = entities.read(every, version.outline.fields)
    return Plan(
        gone=gone,
        moved=_moved(present, told, places),
        restated=_restated(present, told, standings),
        sections=sections,
        facts=facts,
        mentions=mentions,
        relations=relationships.read(every, mentions),
    )


def put(claim: Claim, version: Version, change: Plan) -> bool:
    """Stores the new version. False, and nothing is stored, when the document was deleted, renewed or taken over.

    Should the database fall in this moment, the document's bytes and its claim are back, and it is read again."""
    with isolation.account(claim.account_id, is_lasting=False):
        document = claims.held(claim).select_for_update(of=("self",)).first()
        if document is None:
            return False
        _put_rows(claim, change)
        document.section_count = len(version.outline.sections)
        document.fact_count = len(change.facts)
        _set_ready(document, version)
        Upload.objects.filter(account_id=claim.account_id, document=document).delete()
        readiness.refresh(claim.account_id)
    return True


def _present(claim: Claim, told: Sequence[tuple[outline.Section, list[Statement]]]) -> dict[str, _Present]:
    """The stored sections that the new version has too, by digest, with their facts in order.

    One whose statements are told in another number (by an earlier release) counts as changed.
    """
    wanted = {section.digest: len(statements) for section, statements in told}
    stored = Section.objects.filter(account_id=claim.account_id, document_id=claim.document_id)
    columns = stored.values_list("pk", "content_hash", "position", "superseded")
    found = {pk: (digest, place, superseded) for pk, digest, place, superseded in columns}
    facts: dict[int, list[int]] = defaultdict(list)
    ids = Fact.objects.filter(account_id=claim.account_id, document_id=claim.document_id).order_by("position")
    for pk, section_id in ids.values_list("pk", "section_id"):
        facts[section_id].append(pk)
    return {
        digest: _Present(pk, place, superseded, facts[pk])
        for pk, (digest, place, superseded) in found.items()
        if wanted.get(digest) == len(facts[pk])
    }


def _moved(
    present: Mapping[str, _Present], told: Sequence[tuple[outline.Section, list[Statement]]], places: Sequence[int]
) -> dict[int, int]:
    pairs = [(present.get(section.digest), place) for (section, _), place in zip(told, places, strict=True)]
    return {row.pk: place for row, place in pairs if row is not None and row.position != place}


def _restated(
    present: Mapping[str, _Present], told: Sequence[tuple[outline.Section, list[Statement]]], standings: Sequence[str]
) -> dict[str, list[int]]:
    changed: dict[str, list[int]] = defaultdict(list)
    for (section, _), superseded in zip(told, standings, strict=True):
        row = present.get(section.digest)
        if row is not None and row.superseded != superseded:
            changed[superseded].append(row.pk)
    return changed


def _facts_of(account_id: int, sections: Sequence[int]) -> dict[tuple[str, str], list[int]]:
    """The facts of these sections by their headings and statement: all that their words and vector are made from."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    stored = Fact.objects.filter(account_id=account_id, section_id__in=sections).order_by("-id")
    for pk, heading, statement in stored.values_list("pk", "heading", "statement"):
        found[heading, statement].append(pk)
    return found


def _section(claim: Claim, section: outline.Section, place: int, superseded: str) -> Section:
    heading = _fitting(Section, "heading", section.heading)
    return Section(
        account_id=claim.account_id,
        document_id=claim.document_id,
        position=place,
        tree_path=_fitting(Section, "tree_path", section.tree_path),
        heading=heading,
        summary=_fitting(Section, "summary", section.summary),
        superseded=_fitting(Section, "superseded", superseded),
        text=section.markdown,
        content_hash=section.digest,
        **indexing.columns("section", section.text, heading),
    )


def _fact(claim: Claim, section: Section, statement: Statement, reusable: dict[tuple[str, str], list[int]]) -> Fact:
    heading = _fitting(Fact, "heading", statement.heading)
    same = reusable.get((heading, statement.text))
    if same:
        return Fact(pk=same.pop(), section=section, position=statement.position)
    return Fact(
        account_id=claim.account_id,
        document_id=claim.document_id,
        section=section,
        position=statement.position,
        heading=heading,
        statement=statement.text,
        statement_hash=extract.statement_hash(statement.text),
        **indexing.columns("fact", statement.text, heading),
    )


def _fitting(model: type[models.Model], column: str, text: str) -> str:
    field = model._meta.get_field(column)
    return text[: field.max_length] if isinstance(field, models.CharField) else text


def _put_rows(claim: Claim, change: Plan) -> None:
    made = [fact for fact in change.facts if isinstance(fact, Fact)]
    rows.insert(change.sections)
    _move_facts(claim.account_id, [fact for fact in made if fact.pk is not None])
    Section.objects.filter(account_id=claim.account_id, pk__in=change.gone).delete()
    _move_sections(claim.account_id, change.moved)
    for superseded, pks in change.restated.items():
        Section.objects.filter(account_id=claim.account_id, pk__in=pks).update(superseded=superseded)
    for fact in made:
        fact.section_id = fact.section.pk
    rows.insert([fact for fact in made if fact.pk is None])
    facts = [fact.pk if isinstance(fact, Fact) else fact for fact in change.facts]
    links.put(claim.account_id, claim.document_id, facts, change.mentions, change.relations)


def _move_facts(account_id: int, facts: Sequence[Fact]) -> None:
    """Facts that stay, into the new sections that they stand in now, before their old ones go and take them along."""
    places = [(fact.pk, fact.section.pk, fact.position) for fact in facts]
    if places:
        with connection.cursor() as cursor:
            cursor.execute(_MOVE_FACTS, [*map(list, zip(*places, strict=True)), account_id])


def _move_sections(account_id: int, moved: dict[int, int]) -> None:
    if moved:
        with connection.cursor() as cursor:
            cursor.execute(_MOVE_SECTIONS, [list(moved), list(moved.values()), account_id])


def _set_ready(document: Document, version: Version) -> None:
    document.title, document.text = _fitting(Document, "title", version.title), version.text
    document.observed_at, document.properties = version.observed_at, version.properties
    document.state, document.error = Document.State.READY, ""
    document.attempts, document.claim, document.claimed_at = 0, None, None
    document.save()


_MOVE_FACTS = """
    UPDATE memories_fact f SET section_id = new.section_id, position = new.position
    FROM unnest(%s::bigint[], %s::bigint[], %s::int[]) AS new (id, section_id, position)
    WHERE f.id = new.id AND f.account_id = %s
"""

_MOVE_SECTIONS = """
    UPDATE memories_section s SET position = new.position
    FROM unnest(%s::bigint[], %s::int[]) AS new (id, position)
    WHERE s.id = new.id AND s.account_id = %s
"""
