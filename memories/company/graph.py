"""The entities and relationships that a few facts speak of. Two queries; nothing here ranks: an entity is as relevant
as the best fact that names it.
"""

from collections.abc import Sequence

from accounts.models import Account
from memories.company import asked
from memories.company.findings import Entity, Fact, Relationship
from memories.models import Mention
from memories.models import Relationship as Edge

MOST_ENTITIES = 8
MOST_RELATIONSHIPS = 8
_MOST_PROPERTIES = 8
_LONGEST_VALUE = 200


def entities(account: Account, query: str, facts: Sequence[Fact]) -> tuple[Entity, ...]:
    """Those that the question names come first, then those of the best facts; properties are put together."""
    by_pk = _by_pk(facts)
    mentions = (
        Mention.objects.filter(account=account, fact_id__in=by_pk)
        .order_by("id")
        .values_list("fact_id", "entity_id", "entity__label", "entity__type", "properties")
    )
    found: dict[int, Entity] = {}
    for fact_pk, entity_pk, label, kind, properties in mentions:
        relevance = by_pk[fact_pk].relevance
        known = found.get(entity_pk)
        told = {**_told(properties), **(known.properties if known else {})}
        best = max(relevance, known.relevance if known else 0.0)
        found[entity_pk] = Entity(label, kind, dict(list(told.items())[:_MOST_PROPERTIES]), best)
    said = asked.said_words(query)
    ordered = sorted(found.values(), key=lambda entity: (not asked.spoken_of(said, entity.label), -entity.relevance))
    return tuple(ordered[:MOST_ENTITIES])


def relationships(account: Account, facts: Sequence[Fact]) -> tuple[Relationship, ...]:
    """The edges that the facts state, those of the best facts first; an edge stated twice is one."""
    by_pk = _by_pk(facts)
    edges = (
        Edge.objects.filter(account=account, fact_id__in=by_pk)
        .order_by("id")
        .values_list("fact_id", "subject__label", "subject__type", "predicate", "object__label", "object__type")
    )
    found: dict[tuple[str, str, str], Relationship] = {}
    for fact_pk, subject, subject_type, predicate, target, target_type in edges:
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


def _by_pk(facts: Sequence[Fact]) -> dict[int, Fact]:
    return {pk: fact for fact in facts for pk in fact.pks}


def _told(properties: dict[str, object]) -> dict[str, str]:
    return {str(name)[:_LONGEST_VALUE]: str(value)[:_LONGEST_VALUE] for name, value in properties.items() if value}
