"""The scan: what an account holds, scored against a question and its parts in one statement. Ranking is search.py's.

Scoring every fact in full would read every vector and word of the account. So a few hundred candidates are chosen
first, and these are scored by the whole formula:

    all sections are scored in full: they are few, and weigh more than the fact's own vector
    up to PAM_EXACT_SCAN_FACTS facts each fact is looked at: its section's score, and its own cosine as far as the signs
    of its vector tell it, which lie in a narrow index; above that the nearest by vector (HNSW, iterative) and the
    facts of the nearest sections are taken
    either way the facts with a rare word of the question

The statement's plan is pinned: it must be the same on a table that was never analysed and in the eleventh run of a
prepared statement.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.db import connection
from pgvector import HalfVector

from accounts.models import Account
from accounts.postgres import ahead
from memories import embedding, indexing, words
from memories.embedders.base import Vector

# So many candidates are ranked, however few facts are asked for.
DEPTH = 200
KINDS = ("fact", "section")
# How many of the nearest facts, (above the exact size) nearest sections, and facts with a rare word are scored.
NEAREST_FACTS = 500
NEAREST_SECTIONS = 80
WITH_RARE_WORDS = 300


@dataclass(frozen=True)
class Weights:
    """What each part of the score is worth, of a kind of row, of what stands around it and of the group it is in.

    `coverage` is of the share of the question's words that the group says. A text without a vector is taken to have
    the cosine `unseen_base`, and `unseen` more for each unit of its share of the question's words.
    """

    fact: float = 1.0
    section: float = 0.8
    document: float = 0.4
    fact_words: float = 0.2
    section_words: float = 0.2
    coverage: float = 0.0
    unseen_base: float = 0.0
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


class Candidate(NamedTuple):
    """One fact with its score, and where it stands. `is_superseded`: its section says that something took its place."""

    fact_id: int
    section_id: int
    document_id: int
    statement_hash: str
    score: float
    is_superseded: bool


def _mixed(one: dict[int, float], other: dict[int, float], share: float) -> dict[int, float]:
    return {term: one.get(term, 0.0) + share * other.get(term, 0.0) for term in {**one, **other}}


@dataclass(frozen=True)
class Statistics:
    """By the account's last count: how many facts it holds, kind -> term -> inverse document frequency, and how many
    facts hold a term, by its number. Of records where these were asked for."""

    facts: int
    rarities: dict[str, dict[str, float]]
    holders: dict[int, int]


def statistics(account: Account, terms: Iterable[str], kinds: Sequence[str] = KINDS) -> Statistics:
    """What is known of a question's terms; a term never counted is the rarest."""
    wanted = {words.number(term): term for term in terms}
    totals = dict.fromkeys(kinds, 0)
    counted: dict[str, dict[int, int]] = {kind: {} for kind in kinds}
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED, {"account": account.pk, "kinds": list(kinds), "terms": list(wanted)})
        for kind, number, texts in cursor.fetchall():
            if number is None:
                totals[kind] = texts
            else:
                counted[kind][number] = texts
    rarities = {
        kind: {
            term: words.rarity(counted[kind].get(number, 0), max(totals[kind], 1)) for number, term in wanted.items()
        }
        for kind in kinds
    }
    return Statistics(totals[kinds[0]], rarities, counted[kinds[0]])


_COUNTED = """
SELECT corpus, NULL AS term, texts FROM memories_wordcorpus WHERE account_id = %(account)s AND corpus = ANY(%(kinds)s)
UNION ALL
SELECT corpus, term, texts FROM memories_wordfrequency
WHERE account_id = %(account)s AND corpus = ANY(%(kinds)s) AND term = ANY(%(terms)s::int[])
"""


def scored(account: Account, queries: Sequence[Query], weights: Weights, known: Statistics) -> list[list[Candidate]]:
    """For each query the DEPTH best facts of the account, best first."""
    found: list[list[Candidate]] = [[] for _ in queries]
    sql = _statement(queries, is_large=known.facts > settings.PAM_EXACT_SCAN_FACTS)
    with pinned_plan(), connection.cursor() as cursor:
        cursor.execute(sql, _arguments(account, queries, weights, known))
        for number, *row in cursor.fetchall():
            found[number - 1].append(Candidate(*row))
    return found


@contextmanager
def pinned_plan() -> Iterator[None]:
    """No nested loops (a table never analysed looks empty), no generic plan, no start-up costs for parallel workers."""
    ahead.send(*_PIN)
    yield
    ahead.send(*_UNPIN)


_SETTINGS = {
    "enable_nestloop": "off",
    "enable_seqscan": "off",
    "plan_cache_mode": "force_custom_plan",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "hnsw.iterative_scan": "relaxed_order",
}
_PIN = [f"SET LOCAL {name} = {value}" for name, value in _SETTINGS.items()]
_UNPIN = [f"SET LOCAL {name} = DEFAULT" for name in _SETTINGS]


def _arguments(account: Account, queries: Sequence[Query], weights: Weights, known: Statistics) -> dict[str, Any]:
    return {
        "account": account.pk,
        "model": embedding.model_name(),
        "vectors": [None if query.vector is None else HalfVector(query.vector).to_text() for query in queries],
        "fact_words": [indexing.sparse(query.fact_words).to_text() for query in queries],
        "section_words": [indexing.sparse(query.section_words).to_text() for query in queries],
        "rare": [rare_terms(query.fact_words, known.holders) for query in queries],
        "depth": DEPTH,
        "nearest_facts": NEAREST_FACTS,
        "nearest_sections": NEAREST_SECTIONS,
        "with_rare_words": WITH_RARE_WORDS,
        **{f"w_{name}": value for name, value in vars(weights).items()},
    }


def rare_terms(weights: Mapping[int, float], holders: Mapping[int, int]) -> str:
    """The rarest terms, as many as WITH_RARE_WORDS facts hold, as an array."""
    chosen: list[int] = []
    room = WITH_RARE_WORDS
    for term in sorted(weights, key=lambda term: holders.get(term, 0)):
        room -= holders.get(term, 0)
        if chosen and room < 0:
            break
        chosen.append(term)
    return array(chosen)


def array(numbers: Iterable[int]) -> str:
    """As Postgres writes an array."""
    return "{" + ",".join(map(str, numbers)) + "}"


def _statement(queries: Sequence[Query], *, is_large: bool) -> str:
    if not is_large:
        steps = [_SECTIONS.format(only=""), _AROUND, _candidates(_NEAREST_BY_SIGNS, _WITH_RARE_WORDS)]
    else:
        nearest = [] if queries[0].vector is None else _nearest_by_index()
        steps = [_candidates(*nearest, _WITH_RARE_WORDS), _SECTIONS.format(only=_OF_CANDIDATES), _AROUND]
    return f"WITH {_QUESTIONS}, {', '.join(steps)} {_SCORES}"


def _nearest_by_index() -> list[str]:
    facts, sections = (
        [_NEAREST_BY_INDEX.format(table=table, where=where, most=most) for where in in_and_out(table)]
        for table, most in (("memories_fact", "nearest_facts"), ("memories_section", "nearest_sections"))
    )
    return [*facts, _IN_SECTIONS.format(sections=" UNION ".join(sections))]


def in_and_out(table: str) -> tuple[str, str]:
    """The conditions on rows that stand in the table's index of nearest neighbours, and on those that do not yet.

    The latter (an account has just grown large) are compared row by row. Mostly there are none, and the small index
    over them says so by itself: asked for ids alone, Postgres looks at no row.
    """
    return "is_indexed", _OUTSIDE.format(table=table)


def _candidates(*arms: str) -> str:
    return f"candidate AS MATERIALIZED ({' UNION '.join(arms)})"


_QUESTIONS = """
question AS MATERIALIZED (
    SELECT n, vector, binary_quantize(vector)::bit(384) AS signs, fact_words, section_words, rare::int[]
    FROM unnest(
        %(vectors)s::text[]::halfvec[], %(fact_words)s::text[]::sparsevec[], %(section_words)s::text[]::sparsevec[],
        %(rare)s::text[]
    ) WITH ORDINALITY AS asked (vector, fact_words, section_words, rare, n)
)"""
_SECTIONS = """
section AS MATERIALIZED (
    SELECT q.n, s.id, s.document_id, CASE WHEN s.vector_model = %(model)s THEN -(s.vector <#> q.vector) END AS cosine,
           coalesce(-(s.words <#> q.section_words), 0) AS share, s.superseded <> '' AS is_superseded
    FROM memories_section s CROSS JOIN question q WHERE s.account_id = %(account)s {only}
)"""
_AROUND = """
document AS MATERIALIZED (
    SELECT n, document_id, avg(coalesce(cosine, %(w_unseen)s * share)) AS cosine FROM section GROUP BY n, document_id
), around AS MATERIALIZED (
    SELECT s.n, s.id, s.is_superseded, %(w_section)s * coalesce(s.cosine, %(w_unseen)s * s.share)
           + %(w_section_words)s * s.share + %(w_document)s * document.cosine AS score
    FROM section s JOIN document USING (n, document_id)
)"""
# OFFSET 0 keeps each distance from being computed twice without storing the rows between.
_SCORES = """
SELECT n, id, section_id, document_id, statement_hash, score, is_superseded FROM (
    SELECT *, row_number() OVER (PARTITION BY n ORDER BY score DESC, id) AS place FROM (
        SELECT fact.*, %(w_fact)s * coalesce(fact.cosine, %(w_unseen)s * fact.share) + %(w_fact_words)s * fact.share
               + around.score AS score, around.is_superseded
        FROM (
            SELECT q.n, f.id, f.section_id, f.document_id, f.statement_hash,
                   CASE WHEN f.vector_model = %(model)s THEN -(f.vector <#> q.vector) END AS cosine,
                   coalesce(-(f.words <#> q.fact_words), 0) AS share
            FROM memories_fact f CROSS JOIN question q
            WHERE f.account_id = %(account)s AND f.id = ANY(ARRAY(SELECT id FROM candidate)) OFFSET 0
        ) AS fact JOIN around ON around.n = fact.n AND around.id = fact.section_id
    ) AS scored
) AS placed WHERE place <= %(depth)s ORDER BY n, place
"""
# The angle between two vectors is about the share of numbers whose signs differ, times pi.
_NEAREST_BY_SIGNS = """
    SELECT near.id FROM question q CROSS JOIN LATERAL (
        SELECT f.id FROM memories_fact f JOIN around ON around.id = f.section_id
        WHERE f.account_id = %(account)s AND around.n = q.n
        ORDER BY %(w_fact)s * coalesce(cos(pi() / 384 * (f.signs <~> q.signs)), 0) + around.score DESC
        LIMIT %(nearest_facts)s
    ) AS near"""
_NEAREST_BY_INDEX = """
    SELECT near.id FROM question q CROSS JOIN LATERAL (
        SELECT id FROM {table} WHERE account_id = %(account)s AND vector_model = %(model)s AND {where}
        ORDER BY vector <#> q.vector LIMIT %({most})s
    ) AS near"""
# Arrays instead of joins: with nested loops forbidden, a join would read the whole table.
_IN_SECTIONS = """
    SELECT id FROM memories_fact WHERE account_id = %(account)s AND section_id = ANY(ARRAY({sections}))"""
_OUTSIDE = """id = ANY(ARRAY(
            SELECT id FROM {table} WHERE account_id = %(account)s AND NOT is_indexed AND vector IS NOT NULL))"""
_OF_CANDIDATES = """AND s.document_id = ANY(ARRAY(
    SELECT DISTINCT f.document_id FROM memories_fact f
    WHERE f.account_id = %(account)s AND f.id = ANY(ARRAY(SELECT id FROM candidate))))"""
_WITH_RARE_WORDS = """
    SELECT worded.id FROM question q CROSS JOIN LATERAL (
        SELECT id FROM memories_fact WHERE account_id = %(account)s AND terms && q.rare
        ORDER BY words <#> q.fact_words LIMIT %(with_rare_words)s
    ) AS worded"""
