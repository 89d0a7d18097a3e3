"""What a row that can be searched is stored with: its words, and the text that its vector is made from.

Pure but for `refresh_statistics`. search.py reads what is written here; the two must agree on weights and lengths.
"""

from collections.abc import Mapping
from typing import Any

from django.db import connection
from pgvector import SparseVector

from accounts.models import Account
from memories import matters, words
from memories.models import Fact, Memory, Record, Section

# Words of a usual text of each kind, measured on a handbook of 239 documents. Constants, so that a text's weights do
# not depend on what else an account holds. A memory of an end user is one short sentence.
LENGTHS = {"fact": 18.0, "section": 110.0, "record": 70.0, "memory": 9.0}
PATH_WEIGHTS = {"fact": 0.4, "section": 1.0, "record": 1.0, "memory": 1.0}
# A huge code block must not make a row that fits no page.
MOST_TERMS = 700


def columns(kind: str, text: str, heading: str) -> dict[str, Any]:
    """The columns `words` and `terms` of a row, given its clean text and the headings (or topics) it stands under."""
    weights = words.weights(text, heading, average_length=LENGTHS[kind], path_weight=PATH_WEIGHTS[kind])
    kept = heaviest(weights)
    return {"words": sparse(kept), "terms": sorted(kept)}


def of_memory(content: str) -> dict[str, Any]:
    """The same columns of a memory of an end user: its words, and what it is about (memories/matters.py)."""
    weights = words.weights(content, average_length=LENGTHS["memory"])
    kept = heaviest(weights) | {words.number(matter): 1.0 for matter in matters.terms(content)}
    return {"words": sparse(kept), "terms": sorted(kept)}


def terms(kind: str, text: str, heading: str) -> list[int]:
    """The column `terms` alone."""
    weights = words.weights(text, heading, average_length=LENGTHS[kind], path_weight=PATH_WEIGHTS[kind])
    return sorted(heaviest(weights))


def heaviest(weights: Mapping[int, float]) -> dict[int, float]:
    """The MOST_TERMS terms that weigh most."""
    return dict(sorted(weights.items(), key=lambda pair: -pair[1])[:MOST_TERMS])


def sparse(weights: Mapping[int, float]) -> SparseVector:
    """Weights by term number as the database holds them, and as a question's are compared with them."""
    # pgvector counts dimensions from 0 in Python, from 1 in SQL.
    return SparseVector({term - 1: weight for term, weight in weights.items()}, words.TERM_SPACE)


def input_of(row: Fact | Section | Record | Memory) -> str:
    """What a stored row's vector is made from: its text, read under its headings; a record's or a memory's alone."""
    if isinstance(row, Record):
        return row.text
    if isinstance(row, Memory):
        return row.content
    if isinstance(row, Fact):
        return f"{row.heading}: {row.statement}"
    return f"{row.heading}\n{words.readable(row.text)}"


def refresh_statistics(account: Account) -> None:
    """Counts anew in how many texts the account uses each word. Stale counts only shift weights; call it after changes.

    Runs inside `isolation.account`. About 0.3 s for 15,000 facts."""
    for kind in ("fact", "section"):
        count_words(account.pk, kind)


def count_words(account_id: int, kind: str) -> None:
    """The same for the rows of one kind alone."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT.format(**_COUNTED[kind]), {"account": account_id, "kind": kind})


# Each kind's table, and which of its rows count: what is hidden is searched by nobody.
_COUNTED = {
    "fact": {"table": Fact._meta.db_table, "only": ""},
    "section": {"table": Section._meta.db_table, "only": ""},
    "record": {"table": Record._meta.db_table, "only": "AND hidden_at IS NULL"},
}


_COUNT = """
WITH counted AS (
    SELECT term, count(*) AS texts FROM "{table}", unnest(terms) AS term WHERE account_id = %(account)s {only}
    GROUP BY term
), gone AS (
    DELETE FROM memories_wordfrequency old
    WHERE account_id = %(account)s AND corpus = %(kind)s AND NOT EXISTS (SELECT FROM counted WHERE term = old.term)
), changed AS (
    INSERT INTO memories_wordfrequency AS old (account_id, corpus, term, texts)
    SELECT %(account)s, %(kind)s, term, texts FROM counted
    ON CONFLICT (account_id, corpus, term) DO UPDATE SET texts = excluded.texts WHERE old.texts <> excluded.texts
)
INSERT INTO memories_wordcorpus (account_id, corpus, texts, average_length, refreshed_at)
SELECT %(account)s, %(kind)s, count(*), coalesce(avg(cardinality(terms)), 0), now()
FROM "{table}" WHERE account_id = %(account)s {only}
ON CONFLICT (account_id, corpus) DO UPDATE
SET texts = excluded.texts, average_length = excluded.average_length, refreshed_at = excluded.refreshed_at
"""
