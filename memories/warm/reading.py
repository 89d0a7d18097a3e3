"""An account's facts and sections out of Postgres, as arrays."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from django.db import connection

from memories import embedding
from memories.models.searchable import VECTOR_DIMENSIONS
from memories.warm.copy import Copy, Numbers, Postings, Stamp, Table

_PAGE = 1000
# What Postgres sends before the numbers of a halfvec, and of a sparsevec (dimensions, count, unused).
_HALF_HEAD = 2
_SPARSE_HEAD = 12
_TERM, _WEIGHT = np.dtype(">i4"), np.dtype(">f4")


def read(account_id: int, stamp: Stamp) -> Copy:
    """All that the account's scan reads. Runs inside `isolation.account`, in one page of rows after another."""
    model = embedding.model_name()
    sections, section_links = _table(account_id, "memories_section", "document_id, superseded <> ''", model)
    facts, fact_links = _table(account_id, "memories_fact", "section_id, statement_hash", model)
    document_ids, document_of_section = np.unique(
        np.array([link for link, _ in section_links], dtype=np.int64), return_inverse=True
    )
    section_of_fact = np.searchsorted(sections.ids, np.array([link for link, _ in fact_links], dtype=np.int64))
    return Copy(
        stamp=stamp,
        model=model,
        facts=facts,
        sections=sections,
        section_of_fact=section_of_fact.astype(np.int32),
        document_of_section=document_of_section.astype(np.int32),
        document_ids=document_ids,
        hashes=np.array([statement_hash for _, statement_hash in fact_links], dtype="S64"),
        is_superseded=np.array([is_superseded for _, is_superseded in section_links], dtype=np.bool_),
    )


def _table(account_id: int, table: str, links: str, model: str) -> tuple[Table, list[tuple[int, Any]]]:
    """A table's rows, and of each the two columns `links`."""
    ids: list[int] = []
    linked: list[tuple[int, Any]] = []
    vectors: list[Numbers] = []
    said: list[tuple[bytes | memoryview, int]] = []
    for page in _pages(account_id, table, links, model):
        made = np.zeros((len(page), VECTOR_DIMENSIONS), dtype=np.float32)
        for at, (pk, one, other, vector, words) in enumerate(page):
            linked.append((one, other))
            if vector is not None:
                made[at] = np.frombuffer(vector, dtype=">f2")[_HALF_HEAD:]
            if words is not None:
                said.append((words, len(ids)))
            ids.append(pk)
        vectors.append(made)
    whole = np.concatenate(vectors) if vectors else np.zeros((0, VECTOR_DIMENSIONS), dtype=np.float32)
    has_vector = np.abs(whole).sum(axis=1) > 0
    return Table(np.array(ids, dtype=np.int64), whole, has_vector, _postings(said)), linked


def _pages(account_id: int, table: str, links: str, model: str) -> Iterator[list[tuple[Any, ...]]]:
    """In order of id, a thousand at a time: the whole of a large account at once would be felt."""
    after = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                _ROWS.format(table=table, links=links),
                {"account": account_id, "model": model, "after": after, "page": _PAGE},
            )
            page = cursor.fetchall()
            if not page:
                return
            after = page[-1][0]
            yield page


_ROWS = """
    SELECT id, {links}, CASE WHEN vector_model = %(model)s THEN halfvec_send(vector) END, sparsevec_send(words)
    FROM {table} WHERE account_id = %(account)s AND id > %(after)s ORDER BY id LIMIT %(page)s
"""


def _postings(said: Sequence[tuple[bytes | memoryview, int]]) -> Postings:
    counts = [(len(words) - _SPARSE_HEAD) // (_TERM.itemsize + _WEIGHT.itemsize) for words, _ in said]
    terms = np.empty(sum(counts), dtype=np.int32)
    weights = np.empty(sum(counts), dtype=np.float32)
    at = 0
    for (words, _), count in zip(said, counts, strict=True):
        terms[at : at + count] = np.frombuffer(words, dtype=_TERM, count=count, offset=_SPARSE_HEAD)
        offset = _SPARSE_HEAD + count * _TERM.itemsize
        weights[at : at + count] = np.frombuffer(words, dtype=_WEIGHT, count=count, offset=offset)
        at += count
    rows = np.repeat(np.array([row for _, row in said], dtype=np.int32), counts)
    order = np.argsort(terms, kind="stable")
    # Postgres counts dimensions from 0 on the wire; a term's number counts from 1.
    return Postings(terms[order] + 1, rows[order], weights[order])
