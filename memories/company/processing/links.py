"""Keeping which entities a document's facts speak of, and how these are related. Reads no text.

An entity is one row of its account however many documents name it, and goes with the last fact that does. While a
document that names it is stored, its row is held, so that nobody drops it in that moment.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from django.db import connection
from django.db.models import Exists, OuterRef

from accounts import public_ids
from memories.company.processing import rows
from memories.company.reading import entities, relationships
from memories.models import Entity, Mention, Relationship

LONGEST_LABEL = 200
LONGEST_TYPE = 40
LONGEST_PREDICATE = 60

# An entity by its type and normalized label; an edge by its fact, subject, predicate and object.
Key = tuple[str, str]
Edge = tuple[int, Key, str, Key]


def put(
    account_id: int,
    document_id: int,
    facts: Sequence[int],
    mentions: Sequence[entities.Mention],
    relations: Sequence[relationships.Relation],
) -> None:
    """Makes what is stored of a document's mentions and edges equal to what was read in its statements.

    `facts` are the rows of the statements, by their place. Writes only what differs. Runs in the transaction that
    stores the facts.
    """
    spoken = _spoken(facts, mentions, relations)
    stored = _stored_mentions(account_id, document_id)
    _delete(Mention, account_id, [pk for place, (pk, told) in stored.items() if spoken.get(place) != told])
    added = {place: told for place, told in spoken.items() if place not in stored or stored[place][1] != told}
    edges = {_edge(facts, relation) for relation in relations}
    stored_edges = _stored_edges(account_id, document_id)
    _delete(Relationship, account_id, [pk for edge, pk in stored_edges.items() if edge not in edges])
    new_edges = edges - stored_edges.keys()
    labels = {_key(mention): mention.label for mention in _named(mentions, relations)}
    wanted = {key for _, key in added} | {key for _, subject, _, object_ in new_edges for key in (subject, object_)}
    ids = _ids(account_id, {key: labels[key] for key in labels if key in wanted})
    rows.insert(
        [
            Mention(account_id=account_id, fact_id=fact, entity_id=ids[key], properties=told)
            for (fact, key), told in added.items()
        ]
    )
    rows.insert(
        [
            Relationship(
                account_id=account_id, fact_id=fact, subject_id=ids[one], predicate=predicate, object_id=ids[other]
            )
            for fact, one, predicate, other in new_edges
        ]
    )


def _named(
    mentions: Sequence[entities.Mention], relations: Sequence[relationships.Relation]
) -> Iterator[entities.Mention]:
    yield from mentions
    for relation in relations:
        yield from (relation.subject, relation.object)


def _spoken(
    facts: Sequence[int], mentions: Sequence[entities.Mention], relations: Sequence[relationships.Relation]
) -> dict[tuple[int, Key], dict[str, str]]:
    """Which fact names which entity, and what it tells of it. The ends of an edge are named, too."""
    found: dict[tuple[int, Key], dict[str, str]] = {}
    for mention in _named(mentions, relations):
        told = found.setdefault((facts[mention.statement], _key(mention)), {})
        told.update({name: value for name, value in mention.properties.items() if name not in told})
    return found


def _stored_mentions(account_id: int, document_id: int) -> dict[tuple[int, Key], tuple[int, dict[str, str]]]:
    stored = Mention.objects.filter(account_id=account_id, fact__document_id=document_id)
    columns = ("fact_id", "entity__type", "entity__normalized", "pk", "properties")
    return {(fact, (type_, name)): (pk, told) for fact, type_, name, pk, told in stored.values_list(*columns)}


def _stored_edges(account_id: int, document_id: int) -> dict[Edge, int]:
    stored = Relationship.objects.filter(account_id=account_id, fact__document_id=document_id)
    ends = ("subject__type", "subject__normalized", "object__type", "object__normalized")
    return {
        (fact, (type_, name), predicate, (other_type, other)): pk
        for fact, predicate, pk, type_, name, other_type, other in stored.values_list(
            "fact_id", "predicate", "pk", *ends
        )
    }


def _edge(facts: Sequence[int], relation: relationships.Relation) -> Edge:
    predicate = relation.predicate[:LONGEST_PREDICATE]
    return facts[relation.statement], _key(relation.subject), predicate, _key(relation.object)


def _delete(model: type[Mention] | type[Relationship], account_id: int, pks: Sequence[int]) -> None:
    if pks:
        model.objects.filter(account_id=account_id, pk__in=pks).delete()


def spoken_of(account_id: int, document_id: int) -> list[int]:
    """The entities that the document's facts name."""
    mentions = Mention.objects.filter(account_id=account_id, fact__document_id=document_id)
    return list(mentions.values_list("entity_id", flat=True).distinct())


def drop_unspoken(account_id: int, among: Sequence[int] | None = None) -> None:
    """Deletes the account's entities that no fact names any more: those `among` these ids, or all of them."""
    alone = Entity.objects.filter(~Exists(Mention.objects.filter(entity=OuterRef("pk"))), account_id=account_id)
    if among is not None:
        alone = alone.filter(id__in=among)
    # Locked first and looked at again, because a document that names one may have been stored in between. One that is
    # held right now is being named.
    locked = list(alone.select_for_update(of=("self",), skip_locked=True).values_list("id", flat=True))
    if locked:
        alone.filter(id__in=locked).delete()


def normalized(label: str) -> str:
    """What tells two labels apart: not case, white space or the form of Unicode."""
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())[:LONGEST_LABEL]


def _key(mention: entities.Mention) -> Key:
    return mention.type[:LONGEST_TYPE], normalized(mention.label)


def _ids(account_id: int, labels: dict[Key, str]) -> dict[Key, int]:
    """The row of each entity, made where there is none, and held until the transaction ends."""
    ids: dict[Key, int] = {}
    with connection.cursor() as cursor:
        for statement in (_HOLD, _ADD):
            missing = [key for key in labels if key not in ids]
            if missing:
                cursor.execute(statement, _columns(account_id, missing, labels))
                ids.update({(type_, name): pk for pk, type_, name in cursor.fetchall()})
    return ids


def _columns(account_id: int, keys: Sequence[Key], labels: dict[Key, str]) -> dict[str, int | list[str]]:
    return {
        "account": account_id,
        "types": [type_ for type_, _ in keys],
        "names": [name for _, name in keys],
        "labels": [labels[key][:LONGEST_LABEL] for key in keys],
        "ids": [public_ids.new("ent") for _ in keys],
    }


_HOLD = """
    SELECT id, type, normalized FROM memories_entity
    WHERE account_id = %(account)s
        AND (type, normalized) IN (SELECT * FROM unnest(%(types)s::text[], %(names)s::text[]))
    FOR KEY SHARE
"""

# In one order everywhere, so that two documents with the same new entities wait for each other instead of locking up.
_ADD = """
    INSERT INTO memories_entity AS e (account_id, public_id, type, normalized, label)
    SELECT %(account)s, new.public_id, new.type, new.normalized, new.label
    FROM unnest(%(ids)s::text[], %(types)s::text[], %(names)s::text[], %(labels)s::text[])
        AS new (public_id, type, normalized, label)
    ORDER BY new.type, new.normalized
    ON CONFLICT (account_id, type, normalized) DO UPDATE SET label = e.label
    RETURNING e.id, e.type, e.normalized
"""
