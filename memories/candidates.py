"""The scan: what an account holds, scored against a question in one SQL statement. Ranking is search.py's.

Up to PAM_EXACT_SCAN_FACTS facts an account is scored whole, which no index can beat for recall; above that, the nearest
by vector (HNSW, iterative), the facts of the nearest sections and the facts with a rare word are scored, by the same
formula. Either way the statement's plan is pinned: it must be the same on a table that was never analysed and in the
eleventh run of a prepared statement.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.db import connection
from pgvector import HalfVector

from accounts.models import Account
from memories import embedding, indexing, words
from memories.embedders.base import Vector
from memories.models import WordCorpus, WordFrequency

# So many candidates are ranked, however few facts are asked for.
DEPTH = 200
KINDS = ("fact", "section")
# Above the exact size: how many of the nearest facts, nearest sections, and facts with a rare word are scored.
NEAREST_FACTS = 400
NEAREST_SECTIONS = 80
WITH_RARE_WORDS = 400
RARE_WORDS = 4


@dataclass(frozen=True)
class Weights:
    """What each part of the score is worth. `unseen`: the cosine that a text without a vector is taken to have, for
    each unit of its share of the question's words."""

    fact: float = 1.0
    section: float = 0.8
    document: float = 0.4
    fact_words: float = 0.2
    section_words: float = 0.2
    unseen: float = 0.6


@dataclass(frozen=True)
class Query:
    """A vector (None: the embedder did not answer) and the terms' shares for facts and for sections."""

    vector: Vector | None
    fact_words: dict[int, float]
    section_words: dict[int, float]

    def mixed(self, other: "Query", share: float) -> "Query":
        """This one with a share of another."""
        both = self.vector is not None and other.vector is not None
        return Query(
            cast(Vector, self.vector) + share * cast(Vector, other.vector) if both else None,
            _mixed(self.fact_words, other.fact_words, share),
            _mixed(self.section_words, other.section_words, share),
        )


@dataclass(frozen=True)
class Candidate:
    """One fact with its score, and where it stands."""

    fact_id: int
    section_id: int
    document_id: int
    statement_hash: str
    score: float


def _mixed(one: dict[int, float], other: dict[int, float], share: float) -> dict[int, float]:
    return {term: one.get(term, 0.0) + share * other.get(term, 0.0) for term in {**one, **other}}


@dataclass(frozen=True)
class Statistics:
    """By the account's last count: how many facts it holds, and kind -> term -> inverse document frequency."""

    facts: int
    rarities: dict[str, dict[str, float]]


def statistics(account: Account, terms: Iterable[str]) -> Statistics:
    """What is known of a question's terms; a term never counted is the rarest."""
    wanted = {words.number(term): term for term in terms}
    totals = dict(WordCorpus.objects.filter(account=account).values_list("corpus", "texts"))
    counted: dict[str, dict[int, int]] = {kind: {} for kind in KINDS}
    rows = WordFrequency.objects.filter(account=account, corpus__in=KINDS, term__in=list(wanted))
    for kind, number, texts in rows.values_list("corpus", "term", "texts"):
        counted[kind][number] = texts
    rarities = {
        kind: {
            term: words.rarity(counted[kind].get(number, 0), max(totals.get(kind, 0), 1))
            for number, term in wanted.items()
        }
        for kind in KINDS
    }
    return Statistics(totals.get("fact", 0), rarities)


def scored(account: Account, queries: Sequence[Query], weights: Weights, known: Statistics) -> list[list[Candidate]]:
    """For each query the DEPTH best facts of the account, best first."""
    is_large = known.facts > settings.PAM_EXACT_SCAN_FACTS
    with _pinned_plan(), connection.cursor() as cursor:
        found = []
        for query in queries:
            cursor.execute(_statement(query, is_large=is_large), _arguments(account, query, weights))
            found.append([Candidate(*row) for row in cursor.fetchall()])
    return found


@contextmanager
def _pinned_plan() -> Iterator[None]:
    """No nested loops (a table never analysed looks empty), no generic plan, no start-up costs for parallel workers."""
    with connection.cursor() as cursor:
        cursor.execute(_PIN)
        try:
            yield
        finally:
            if not connection.needs_rollback:
                cursor.execute(_UNPIN)


_SETTINGS = {
    "enable_nestloop": "off",
    "plan_cache_mode": "force_custom_plan",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "hnsw.iterative_scan": "relaxed_order",
}
_PIN = "; ".join(f"SET LOCAL {name} = {value}" for name, value in _SETTINGS.items())
_UNPIN = "; ".join(f"SET LOCAL {name} = DEFAULT" for name in _SETTINGS)


def _arguments(account: Account, query: Query, weights: Weights) -> dict[str, Any]:
    return {
        "account": account.pk,
        "model": embedding.model_name(),
        "vector": None if query.vector is None else HalfVector(query.vector).to_text(),
        "fact_words": indexing.sparse(query.fact_words).to_text(),
        "section_words": indexing.sparse(query.section_words).to_text(),
        "rare": sorted(query.fact_words, key=lambda term: -query.fact_words[term])[:RARE_WORDS],
        "depth": DEPTH,
        "nearest_facts": NEAREST_FACTS,
        "nearest_sections": NEAREST_SECTIONS,
        "with_rare_words": WITH_RARE_WORDS,
        **{f"w_{name}": value for name, value in vars(weights).items()},
    }


def _statement(query: Query, *, is_large: bool) -> str:
    nearest = _WORDS_ONLY if query.vector is None else _NEAREST
    cosine = "CASE WHEN {0}.vector_model = %(model)s THEN -({0}.vector <#> %(vector)s::halfvec) END"
    if query.vector is None:
        cosine = "NULL::float8"
    return _SCORES.format(
        candidates=nearest.format(rare=_WITH_RARE_WORDS) if is_large else "",
        fact_filter="AND f.id = ANY(ARRAY(SELECT id FROM candidate))" if is_large else "",
        section_filter=_SECTIONS_OF_CANDIDATES if is_large else "",
        fact_cosine=cosine.format("f"),
        section_cosine=cosine.format("s"),
    )


# OFFSET 0 keeps each distance from being computed twice without storing the rows between.
_SCORES = """
WITH {candidates} section AS MATERIALIZED (
    SELECT s.id, s.document_id, {section_cosine} AS cosine,
           coalesce(-(s.words <#> %(section_words)s::sparsevec), 0) AS share
    FROM memories_section s WHERE s.account_id = %(account)s {section_filter}
), document AS MATERIALIZED (
    SELECT document_id, avg(coalesce(cosine, %(w_unseen)s * share)) AS cosine FROM section GROUP BY document_id
), neighbourhood AS MATERIALIZED (
    SELECT section.id, %(w_section)s * coalesce(section.cosine, %(w_unseen)s * share)
           + %(w_section_words)s * share + %(w_document)s * document.cosine AS score
    FROM section JOIN document USING (document_id)
)
SELECT fact.id, fact.section_id, fact.document_id, fact.statement_hash,
       %(w_fact)s * coalesce(fact.cosine, %(w_unseen)s * share) + %(w_fact_words)s * share + n.score AS score
FROM (
    SELECT f.id, f.section_id, f.document_id, f.statement_hash, {fact_cosine} AS cosine,
           coalesce(-(f.words <#> %(fact_words)s::sparsevec), 0) AS share
    FROM memories_fact f WHERE f.account_id = %(account)s {fact_filter} OFFSET 0
) AS fact JOIN neighbourhood n ON n.id = fact.section_id
ORDER BY score DESC, fact.id LIMIT %(depth)s
"""
# Arrays instead of joins: with nested loops forbidden, a join would read the whole table.
_SECTIONS_OF_CANDIDATES = """AND s.document_id = ANY(ARRAY(
    SELECT DISTINCT f.document_id FROM memories_fact f
    WHERE f.account_id = %(account)s AND f.id = ANY(ARRAY(SELECT id FROM candidate))))"""
_WITH_RARE_WORDS = """
    SELECT id FROM (
        SELECT id, -(words <#> %(fact_words)s::sparsevec) AS share FROM memories_fact
        WHERE account_id = %(account)s AND terms && %(rare)s::int[] ORDER BY share DESC LIMIT %(with_rare_words)s
    ) AS by_words"""
_WORDS_ONLY = "candidate AS MATERIALIZED ({rare}),"
# What is not in the index yet (an account that has just grown large) is compared row by row.
_NEAREST = """
candidate AS MATERIALIZED (
    SELECT id FROM (
        SELECT id FROM memories_fact WHERE account_id = %(account)s AND vector_model = %(model)s AND is_indexed
        ORDER BY vector <#> %(vector)s::halfvec LIMIT %(nearest_facts)s
    ) AS by_meaning
    UNION SELECT id FROM (
        SELECT id FROM memories_fact WHERE account_id = %(account)s AND vector_model = %(model)s
            AND NOT is_indexed AND vector IS NOT NULL
        ORDER BY vector <#> %(vector)s::halfvec LIMIT %(nearest_facts)s
    ) AS by_meaning_outside
    UNION SELECT f.id FROM memories_fact f WHERE f.account_id = %(account)s AND f.section_id = ANY(ARRAY(
        SELECT id FROM memories_section WHERE account_id = %(account)s AND vector_model = %(model)s AND is_indexed
        ORDER BY vector <#> %(vector)s::halfvec LIMIT %(nearest_sections)s
    ) || ARRAY(
        SELECT id FROM memories_section WHERE account_id = %(account)s AND vector_model = %(model)s
            AND NOT is_indexed AND vector IS NOT NULL
        ORDER BY vector <#> %(vector)s::halfvec LIMIT %(nearest_sections)s
    ))
    UNION {rare}
),"""
