"""What was known of somebody at an earlier time: each memory in the version that was in force then.

What was deleted for good is gone from the past, too. A memory that said something else then is searched by what it
said: its words are made anew, and so is its vector, of the newest such memories.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection
from pgvector import HalfVector

from memories import embedding, indexing
from memories.errors import EmbedderUnavailable
from memories.memory_candidates import Changed
from memories.models import EndUser, Memory

#: So many earlier texts are embedded for one question.
MOST_EMBEDDED = 50


def reworded(end_user: EndUser, moment: datetime) -> list[tuple[int, str]]:
    """Key and text of the memories that said something else then, the newest first. One query, inside
    `isolation.account`."""
    with connection.cursor() as cursor:
        cursor.execute(_REWORDED, {"account": end_user.account_id, "end_user": end_user.pk, "moment": moment})
        return [(int(key), str(text)) for key, text in cursor]


def indexed(texts: Sequence[tuple[int, str]], *, by_words: bool) -> list[Changed]:
    """The same with their words, and vectors unless `by_words`. Outside of a transaction: it may take its time."""
    vectors = [] if by_words else _vectors([text for _, text in texts[:MOST_EMBEDDED]])
    vectors += [None] * (len(texts) - len(vectors))
    return [_changed(key, text, vector) for (key, text), vector in zip(texts, vectors, strict=True)]


def _vectors(texts: list[str]) -> list[str | None]:
    try:
        return [HalfVector(vector).to_text() for vector in embedding.documents(texts)]
    except EmbedderUnavailable:
        return []


def _changed(key: int, text: str, vector: str | None) -> Changed:
    columns = indexing.of_memory(text)
    return Changed(key, columns["words"].to_text(), f"{{{','.join(map(str, columns['terms']))}}}", vector)


_REWORDED = f"""
SELECT memory.id, past.content FROM "{Memory._meta.db_table}" memory JOIN (
    SELECT DISTINCT ON (memory_id) memory_id, content, is_archived FROM memories_memoryversion
    WHERE account_id = %(account)s AND end_user_id = %(end_user)s AND created_at <= %(moment)s
    ORDER BY memory_id, version DESC
) AS past ON past.memory_id = memory.id
WHERE memory.account_id = %(account)s AND memory.end_user_id = %(end_user)s
  AND NOT past.is_archived AND past.content <> memory.content
ORDER BY memory.id DESC
"""  # noqa: S608
