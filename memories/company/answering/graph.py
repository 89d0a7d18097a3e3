"""The entities and relationships that a few facts speak of. Two queries; nothing here ranks: an entity is as relevant
as the best fact that names it.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from accounts.models import Account
from memories.company.answering import asked
from memories.company.answering.findings import Entity, Fact, Relationship

MOST_ENTITIES = 8
MOST_RELATIONSHIPS = 8
_MOST_PROPERTIES = 8
_LONGEST_VALUE = 200


def entities(account: Account, query: str, facts: Sequence[Fact]) -> tuple[Entity, ...]:
    """Those that the question names come first, then those of the best facts; properties are put together."""
    by_pk = _by_pk(facts)
    found: dict[int, Entity] = {}
    for fact_pk, entity_pk, label, kind, properties in _rows(_MENTIONS, account, by_pk):
        relevance = by_pk[fact_pk].relevance
        known = found.get(entity_pk)
        told = {**_told(json.loads(properties)), **(known.properties if known else {})}
        best = max(relevance, known.relevance if known else 0.0)
        found[entity_pk] = Entity(label, kind, dict(list(told.items())[:_MOST_PROPERTIES]), best)
    said = asked.said_words(query)
    ordered = sorted(found.values(), key=lambda entity: (not asked.spoken_of(said, entity.label), -entity.relevance))
    return tuple(ordered[:MOST_ENTITIES])


def relationships(account: Account, facts: Sequence[Fact]) -> tuple[Relationship, ...]:
    """The edges that the facts state, those of the best facts first; an edge stated twice is one."""
    by_pk = _by_pk(facts)
    found: dict[tuple[str, str, str], Relationship] = {}
    for fact_pk, subject, subject_type, predicate, target, target_type in _rows(_EDGES, account, by_pk):
        fact = by_pk[fact_pk]
        edge = Relationship(
            subject=subject,
            predicate=predicate,
            object=target,
            fact=fact.statement,
            origin=fact.origins[0],
            relevance=fact.relevance,
            subject_type=subject_type,
            object_type=target_type,
        )
        known = found.get((subject, predicate, target))
        if known is None or known.relevance < edge.relevance:
            found[subject, predicate, target] = edge
    return tuple(sorted(found.values(), key=lambda edge: -edge.relevance)[:MOST_RELATIONSHIPS])


def _rows(sql: str, account: Account, facts: Iterable[int]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [account.pk, list(facts)])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _by_pk(facts: Sequence[Fact]) -> dict[int, Fact]:
    return {pk: fact for fact in facts for pk in fact.pks}


def _told(properties: dict[str, object]) -> dict[str, str]:
    return {str(name)[:_LONGEST_VALUE]: str(value)[:_LONGEST_VALUE] for name, value in properties.items() if value}


# Written out: building these two in Python takes longer than Postgres takes to answer them, at every retrieval.
_MENTIONS = """
    SELECT m.fact_id, e.id, e.label, e.type, m.properties::text
    FROM memories_mention m JOIN memories_entity e ON e.id = m.entity_id
    WHERE m.account_id = %s AND m.fact_id = ANY(%s) ORDER BY m.id
"""
_EDGES = """
    SELECT r.fact_id, s.label, s.type, r.predicate, o.label, o.type
    FROM memories_relationship r
    JOIN memories_entity s ON s.id = r.subject_id JOIN memories_entity o ON o.id = r.object_id
    WHERE r.account_id = %s AND r.fact_id = ANY(%s) ORDER BY r.id
"""
