"""Memories of end users in bulk, for measurements. Needs a Django that is set up; recall_rows.py imports it then."""

import random
from collections.abc import Sequence

import numpy as np
from django.db import connection
from pgvector import HalfVector

from accounts import isolation, membership
from accounts.models import Account
from memories import embedding, indexing, sameness, words
from memories.models import EndUser, Memory
from memories.models.searchable import VECTOR_DIMENSIONS

CATEGORIES = tuple(Memory.Category.values)
#: As many at a time are copied, so that no statement runs for minutes.
BATCH = 200


def fill(account_id: str, user: str, memories: int, foreign: int) -> None:
    """`memories` statements about `user`, and `foreign` ones about others of the same account who are told the same."""
    account = membership.account_named(account_id)
    with isolation.account(account.pk):
        somebody = EndUser.objects.create(account=account, external_id=user)
        Memory.objects.bulk_create([_row(somebody, at, text) for at, text in enumerate(_texts(memories))])
    others = foreign // memories
    for first in range(0, others, BATCH):
        _copied(account, somebody, range(first, min(first + BATCH, others)))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) memories_memory")


def waiting() -> bool:
    """Whether a memory has no vector yet."""
    with isolation.every_account():
        return Memory.objects.filter(vector=None, is_archived=False).exists()


def _copied(account: Account, somebody: EndUser, numbers: Sequence[int]) -> None:
    """What is known of somebody, known of others, too."""
    columns = [
        str(field.column)
        for field in Memory._meta.concrete_fields
        if not field.generated and field.column not in ("id", "public_id", "end_user_id")
    ]
    with isolation.account(account.pk), connection.cursor() as cursor:
        names = [EndUser(account=account, external_id=f"other {number}") for number in numbers]
        others = [row.pk for row in EndUser.objects.bulk_create(names)]
        cursor.execute(
            f"INSERT INTO memories_memory (public_id, end_user_id, {', '.join(columns)})"
            f" SELECT gen_random_uuid(), other, {', '.join(columns)} FROM memories_memory"
            " CROSS JOIN unnest(%s::bigint[]) AS other WHERE account_id = %s AND end_user_id = %s",
            [others, account.pk, somebody.pk],
        )


def _texts(count: int) -> list[str]:
    """Sentences about a user out of 900 words, the same at every run."""
    chance = random.Random(11)
    vocabulary = [_word(chance) for _ in range(900)]
    return [f"User {' '.join(chance.choices(vocabulary, k=chance.randint(5, 12)))}." for _ in range(count)]


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))


def _row(somebody: EndUser, at: int, text: str) -> Memory:
    return Memory(
        account_id=somebody.account_id,
        end_user=somebody,
        content=text,
        content_hash=sameness.text_hash(f"{text} {at}"),
        category=CATEGORIES[at % len(CATEGORIES)],
        importance_score=1 + at % 10,
        vector=HalfVector(_vector(text)),
        vector_model=embedding.model_name(),
        **indexing.of_memory(text),
    )


def _vector(text: str) -> list[float]:
    parts = [np.random.default_rng(words.number(word)).normal(size=VECTOR_DIMENSIONS) for word in text.split()]
    mean = np.mean(parts, axis=0)
    unit: list[float] = (mean / np.linalg.norm(mean)).tolist()
    return unit
