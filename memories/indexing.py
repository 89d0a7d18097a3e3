"""What a row that can be searched is stored with: its words, and the text that its vector is made from.

Pure but for `refresh_statistics`. search.py reads what is written here; the two must agree on weights and lengths.
"""

from collections.abc import Mapping
from typing import Any

from django.db import connection
from pgvector import SparseVector

from accounts.models import Account
from memories import words
from memories.models import Fact, Section

# Words of a usual text of each kind, measured on a handbook of 239 documents. Constants, so that a text's weights do
# not depend on what else an account holds.
LENGTHS = {"fact": 18.0, "section": 110.0, "record": 18.0}
PATH_WEIGHTS = {"fact": 0.4, "section": 1.0, "record": 0.4}
# A huge code block must not make a row that fits no page.
MOST_TERMS = 700


def columns(kind: str, text: str, heading: str) -> dict[str, Any]:
    """The columns `words` and `terms` of a row, given its clean text and the headings (or topics) it stands under."""
    weights = words.weights(text, heading, average_length=LENGTHS[kind], path_weight=PATH_WEIGHTS[kind])
    heaviest = dict(sorted(weights.items(), key=lambda pair: -pair[1])[:MOST_TERMS])
    return {"words": sparse(heaviest), "terms": sorted(heaviest)}


def sparse(weights: Mapping[int, float]) -> SparseVector:
    """Weights by term number as the database holds them, and as a question's are compared with them."""
    # pgvector counts dimensions from 0 in Python, from 1 in SQL.
    return SparseVector({term - 1: weight for term, weight in weights.items()}, words.TERM_SPACE)


def input_of(row: Fact | Section) -> str:
    """What a stored row's vector is made from: its text, read under its headings."""
    if isinstance(row, Fact):
        return f"{row.heading}: {row.statement}"
    return f"{row.heading}\n{words.readable(row.text)}"


def refresh_statistics(account: Account) -> None:
    """Counts anew in how many texts the account uses each word. Stale counts only shift weights; call it after changes.

    Runs inside `isolation.account`. About 0.3 s for 15,000 facts."""
    with connection.cursor() as cursor:
        for model, kind in ((Fact, "fact"), (Section, "section")):
            cursor.execute(_COUNT.format(table=model._meta.db_table), {"account": account.pk, "kind": kind})


_COUNT = """
WITH counted AS (
    SELECT term, count(*) AS texts FROM "{table}", unnest(terms) AS term WHERE account_id = %(account)s GROUP BY term
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
FROM "{table}" WHERE account_id = %(account)s
ON CONFLICT (account_id, corpus) DO UPDATE
SET texts = excluded.texts, average_length = excluded.average_length, refreshed_at = excluded.refreshed_at
"""
