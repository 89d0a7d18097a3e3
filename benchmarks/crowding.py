"""Records in bulk, for measurements. Needs a Django that is set up; crowd.py imports it then."""

from collections.abc import Sequence

import numpy as np
from django.db import connection
from pgvector import HalfVector

from accounts import isolation, membership
from memories import embedding, indexing, sameness, words
from memories.agents import windows
from memories.models import Record, Summary
from memories.models.searchable import VECTOR_DIMENSIONS


def invented(account_id: str, texts: Sequence[str], *, session: int, batch: int) -> None:
    """One record a text, `session` of them in a session, with the mean of random vectors of their words."""
    account = membership.account_named(account_id)
    for at in range(0, len(texts), batch):
        with isolation.account(account.pk):
            summary = Summary.objects.create(account=account, session=f"crowd {at}", content_hash=str(at))
            some = [_row(summary, text, at + place, session) for place, text in enumerate(texts[at : at + batch])]
            Record.objects.bulk_create(some)
            windows.renew(account.pk, [row.pk for row in some])
    _counted(account.pk)


def copied(account_id: str, count: int, like: str) -> None:
    account, other = membership.account_named(account_id), membership.account_named(like)
    columns = [
        str(field.column)
        for field in Record._meta.concrete_fields
        if not field.generated and field.column not in ("id", "account_id", "public_id", "text_hash", "summary_id")
    ]
    with isolation.every_account(), connection.cursor() as cursor:
        present = Record.objects.filter(account=other).count()
        cursor.execute(
            f"INSERT INTO memories_record (account_id, public_id, text_hash, {', '.join(columns)})"
            f" SELECT %s, 'rec_' || md5(random()::text), md5(random()::text), {', '.join(columns)}"
            " FROM memories_record CROSS JOIN generate_series(1, %s) WHERE account_id = %s",
            [account.pk, count // present, other.pk],
        )
    _counted(account.pk)


def _counted(account_pk: int) -> None:
    with isolation.account(account_pk):
        indexing.count_words(account_pk, "record")
    with connection.cursor() as cursor:
        # As autovacuum does within a minute: without it the first look reads whole rows instead of the index.
        cursor.execute("VACUUM (ANALYZE) memories_record")


def _row(summary: Summary, text: str, place: int, session: int) -> Record:
    return Record(
        account_id=summary.account_id,
        summary=summary,
        session=f"session {place // session}",
        kind=Record.Kind.FACT,
        text=text,
        text_hash=sameness.text_hash(f"{text} {place}"),
        topics=[f"file:depot/part{place % 500}.py"] if place % 5 == 0 else [],
        terms=indexing.terms("record", text, ""),
        vector=HalfVector(_vector(text)),
        vector_model=embedding.model_name(),
    )


def _vector(text: str) -> list[float]:
    parts = [np.random.default_rng(words.number(word)).normal(size=VECTOR_DIMENSIONS) for word in text.split()]
    mean = np.mean(parts, axis=0)
    unit: list[float] = (mean / np.linalg.norm(mean)).tolist()
    return unit
