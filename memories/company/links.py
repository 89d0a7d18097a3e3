"""Keeping which entities a document's facts speak of, and how these are related. Reads no text.

An entity is one row of its account however many documents name it, and goes with the last fact that does. While a
document that names it is stored, its row is held, so that nobody drops it in that moment.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import Exists, OuterRef

from accounts import public_ids
from memories.company import entities, relationships
from memories.models import Entity, Mention, Relationship

LONGEST_LABEL = 200
LONGEST_TYPE = 40
LONGEST_PREDICATE = 60

Key = tuple[str, str]


def put(
    account_id: int,
    facts: Sequence[int],
    mentions: Sequence[entities.Mention],
    relations: Sequence[relationships.Relation],
) -> None:
    """Stores what was read in the statements of `facts` (by place in it), in the transaction that stores these."""
    named = [*mentions, *(relation.subject for relation in relations), *(relation.object for relation in relations)]
    ids = _ids(account_id, named)
    spoken: dict[tuple[int, int], Mention] = {}
    for mention in named:
        pair = (facts[mention.statement], ids[_key(mention)])
        row = spoken.setdefault(pair, Mention(account_id=account_id, fact_id=pair[0], entity_id=pair[1]))
        row.properties = {**mention.properties, **row.properties}
    Mention.objects.bulk_create(spoken.values(), batch_size=1000)
    Relationship.objects.bulk_create(
        [
            Relationship(
                account_id=account_id,
                fact_id=facts[relation.statement],
                subject_id=ids[_key(relation.subject)],
                predicate=relation.predicate[:LONGEST_PREDICATE],
                object_id=ids[_key(relation.object)],
            )
            for relation in relations
        ],
        batch_size=1000,
        ignore_conflicts=True,
    )


def cut(account_id: int, facts: Sequence[int]) -> None:
    """Forgets what these facts speak of; they are read anew."""
    Relationship.objects.filter(account_id=account_id, fact_id__in=facts).delete()
    Mention.objects.filter(account_id=account_id, fact_id__in=facts).delete()


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


def _ids(account_id: int, mentions: Iterable[entities.Mention]) -> dict[Key, int]:
    """The row of each entity, made where there is none, and held until the transaction ends."""
    labels = {_key(mention): mention.label[:LONGEST_LABEL] for mention in mentions}
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
        "labels": [labels[key] for key in keys],
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
