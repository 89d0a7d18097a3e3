"""What agents and people recorded for the account as a whole, as facts and passages beside those of documents.

A record is a fact whose passage is its window. Ids are negative, so that they never meet those of facts and sections.
Source: contract company memory, "Agent memories count too".
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import BinaryField, Func

from accounts.models import Account
from memories import embedding
from memories.embedders.base import Vector
from memories.models import Record
from memories.passages import FoundFact, FoundSection, Origin, Passages
from memories.record_candidates import Scope

#: What is told beside documents: in force, and of nobody's space.
SCOPE = Scope(kinds=(Record.Kind.DECISION, Record.Kind.FACT))
TREE = "Agent memory"
_COUNTS = 4


def are_there(account: Account) -> bool:
    """Whether the account has any record in SCOPE."""
    with connection.cursor() as cursor:
        cursor.execute(
            _ARE_THERE.format(condition=SCOPE.condition()), {"account": account.pk, "kinds": list(SCOPE.kinds)}
        )
        found: bool = cursor.fetchone()[0]
    return found


# Written out: asked at every retrieval, and Python takes longer to build it than Postgres to answer.
_ARE_THERE = "SELECT EXISTS (SELECT 1 FROM memories_record r WHERE {condition})"


def read(account: Account, ids: Sequence[int]) -> Passages:
    """The records as facts, in the order asked for, each with the passage around it. One query."""
    rows = Record.objects.filter(account=account, pk__in=list(ids), hidden_at=None, status=Record.Status.ACTIVE)
    rows = rows.only(
        "public_id", "kind", "text", "topics", "agent", "decided_by", "created_at", "terms", "vector_model"
    )
    by_key = {row.pk: row for row in rows.annotate(own=_sent("vector"), near=_sent("near_vector"))}
    found = [by_key[key] for key in ids if key in by_key]
    return Passages([_fact(row) for row in found], {-row.pk: _section(row) for row in found})


def _sent(column: str) -> Func:
    return Func(column, function="halfvec_send", output_field=BinaryField())


def _fact(row: Any) -> FoundFact:
    origin = Origin(-row.pk, row.public_id, _title(row), -row.pk, TREE, row.created_at)
    return FoundFact(
        id=-row.pk,
        section_id=-row.pk,
        statement=row.text,
        heading="",
        sources=(origin,),
        terms=frozenset(row.terms),
        vector=_vector(row, row.own),
        kind=row.kind,
    )


def _section(row: Any) -> FoundSection:
    return FoundSection(
        id=-row.pk,
        document_id=-row.pk,
        path=row.public_id,
        title=_title(row),
        tree_path=TREE,
        heading="",
        summary="",
        text=" ".join([row.text, *row.topics]),
        observed_at=row.created_at,
        terms=frozenset(row.terms),
        vector=_vector(row, row.near),
    )


def _title(row: Any) -> str:
    who = row.decided_by or row.agent
    return f"{row.kind} of {who}" if who else f"recorded {row.kind}"


def _vector(row: Any, sent: Any) -> Vector | None:
    if sent is None or row.vector_model != embedding.model_name():
        return None
    return np.frombuffer(sent, dtype=">f2", offset=_COUNTS).astype(np.float32)
