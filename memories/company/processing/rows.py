"""Storing new rows in bulk: each column goes to Postgres as one array, whatever the number of rows.

Django's own bulk insert binds every value of every row, and each number of an array by itself, which took a quarter of
the time that a handbook's documents were worked on. Knows no rules: what is to be stored was decided before.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from django.db import connection

from memories.models import Fact, Mention, Relationship, Section

Row = TypeVar("Row", Section, Fact, Mention, Relationship)

# So many a statement: a few megabytes at most.
_AT_ONCE = 1000

_SEARCHABLE = {"words": "sparsevec", "terms": "int[]", "vector_model": "text"}
_COLUMNS: Mapping[type, Mapping[str, str]] = {
    Section: {
        "account_id": "bigint",
        "document_id": "bigint",
        "position": "int",
        "tree_path": "text",
        "heading": "text",
        "summary": "text",
        "superseded": "text",
        "text": "text",
        "content_hash": "text",
        **_SEARCHABLE,
    },
    Fact: {
        "account_id": "bigint",
        "document_id": "bigint",
        "section_id": "bigint",
        "position": "int",
        "heading": "text",
        "statement": "text",
        "statement_hash": "text",
        **_SEARCHABLE,
    },
    Mention: {"account_id": "bigint", "entity_id": "bigint", "fact_id": "bigint", "properties": "jsonb"},
    Relationship: {
        "account_id": "bigint",
        "subject_id": "bigint",
        "predicate": "text",
        "object_id": "bigint",
        "fact_id": "bigint",
    },
}
# What an array cannot hold (arrays in arrays would have to be of one length) goes as text and is read by Postgres.
_AS_TEXT: Mapping[str, Callable[[Any], str]] = {
    "sparsevec": lambda words: str(words.to_text()),
    "int[]": lambda terms: "{" + ",".join(map(str, terms)) + "}",
    "jsonb": json.dumps,
}


def insert(rows: Sequence[Row]) -> None:
    """Stores rows of one kind, in their order, and tells each its id. Runs in the transaction of the caller."""
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        kind = type(some[0])
        with connection.cursor() as cursor:
            cursor.execute(_statement(kind), [_array(some, *column) for column in _COLUMNS[kind].items()])
            for row, (pk,) in zip(some, cursor.fetchall(), strict=True):
                row.pk = pk


def _array(rows: Sequence[Row], column: str, type_: str) -> list[Any]:
    values = [getattr(row, column) for row in rows]
    told = _AS_TEXT.get(type_)
    return [told(value) for value in values] if told else values


def _statement(kind: type[Row]) -> str:
    columns = _COLUMNS[kind]
    arrays = ", ".join("%s::text[]" if type_ in _AS_TEXT else f"%s::{type_}[]" for type_ in columns.values())
    read = ", ".join(f"{name}::{type_}" if type_ in _AS_TEXT else name for name, type_ in columns.items())
    # Tables, columns and types are those above; values are bound.
    return f"""
        INSERT INTO {kind._meta.db_table} ({", ".join(columns)})
        SELECT {read} FROM unnest({arrays}) AS new ({", ".join(columns)}) RETURNING id
    """  # noqa: S608
