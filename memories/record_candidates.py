"""The scan of agent memory: records scored against a question in one statement. Ranking is search.py's.

As in candidates.py a few hundred candidates are chosen first and these are scored in full:

    the records whose windows are nearest in meaning: by the signs of the windows' vectors, which lie in a narrow index;
    in an account of more than PAM_EXACT_SCAN_FACTS records by HNSW, unless one space is asked for
    the records with a rare word of the question
    the newest that have no vector yet: what was just recorded is found by its words

A record is read by its window (memories/agents/windows.py) and its session, where a fact is read by its section and its
document. What the reader may not read, and what is hidden, is no candidate.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection
from pgvector import HalfVector

from accounts.models import Account
from memories import candidates, embedding, indexing
from memories.candidates import Statistics, Weights
from memories.embedders.base import Vector

DEPTH = 200
NEAREST = 500
WITH_RARE_WORDS = 300
NEWEST = 200
KINDS = ("record",)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which records count. `spaces`: those by key; `whole`: also what belongs to the account as a whole.

    Of what a record says of itself an empty `kinds`, `status`, `agent`, `session` or `topic` means any; a status goes
    before `include_inactive`. `in_one_space` that one space was asked for.
    """

    spaces: tuple[int, ...] = ()
    whole: bool = True
    kinds: tuple[str, ...] = ()
    include_inactive: bool = False
    in_one_space: bool = False
    status: str = ""
    agent: str = ""
    session: str = ""
    topic: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether few records may be meant: an index over all of them would find others first, and few of these."""
        return self.in_one_space or any((self.agent, self.session, self.topic))

    def condition(self) -> str:
        space = "r.space_id = ANY(%(spaces)s)" if self.spaces or not self.whole else "r.space_id IS NULL"
        if self.spaces and self.whole:
            space = f"(r.space_id IS NULL OR {space})"
        kind = " AND r.kind = ANY(%(kinds)s)" if self.kinds else ""
        any_status = "" if self.include_inactive else " AND r.status = 'active'"
        status = " AND r.status = %(status)s" if self.status else any_status
        own = "".join(f" AND r.{name} = %({name})s" for name in ("agent", "session") if getattr(self, name))
        topic = " AND r.topics @> ARRAY[%(topic)s]::varchar[]" if self.topic else ""
        return f"r.account_id = %(account)s AND r.hidden_at IS NULL AND {space}{kind}{status}{own}{topic}"


@dataclass(frozen=True, slots=True)
class Query:
    """A vector (None: the embedder did not answer), what each term weighs, and its share of all the question says."""

    vector: Vector | None
    weights: Mapping[int, float]
    shares: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """`is_near`: its meaning was compared; `is_said`: it says a word of the question itself."""

    record_id: int
    score: float
    is_near: bool
    is_said: bool


def scored(account: Account, query: Query, scope: Scope, weights: Weights, known: Statistics) -> list[Candidate]:
    """The DEPTH best records: active ones first, then by score, then the newest. Runs inside `isolation.account`."""
    is_large = known.facts > settings.PAM_EXACT_SCAN_FACTS and not scope.is_narrow
    sql = _statement(scope, is_large=is_large, has_vector=query.vector is not None)
    with candidates.pinned_plan(), connection.cursor() as cursor:
        cursor.execute(sql, _arguments(account, query, scope, weights, known))
        return [Candidate(*row) for row in cursor.fetchall()]


def _arguments(account: Account, query: Query, scope: Scope, weights: Weights, known: Statistics) -> dict[str, Any]:
    return {
        "account": account.pk,
        "model": embedding.model_name(),
        "spaces": list(scope.spaces),
        "kinds": list(scope.kinds),
        **{name: getattr(scope, name) for name in ("status", "agent", "session", "topic")},
        "vector": None if query.vector is None else HalfVector(query.vector).to_text(),
        "words": indexing.sparse(query.weights).to_text(),
        # Without a vector there is nothing else to go by.
        "rare": candidates.array(query.weights)
        if query.vector is None
        else candidates.rare_terms(query.weights, known.holders),
        "terms": list(query.shares),
        "shares": list(query.shares.values()),
        "depth": DEPTH,
        "nearest": NEAREST,
        "with_rare_words": WITH_RARE_WORDS,
        "newest": NEWEST,
        **{f"w_{name}": value for name, value in vars(weights).items()},
    }


def _statement(scope: Scope, *, is_large: bool, has_vector: bool) -> str:
    arms = [_WITH_RARE_WORDS, _NEWEST]
    if has_vector:
        wheres = candidates.in_and_out("memories_record")
        arms += [f"{_BY_INDEX} {where} {_NEAREST}" for where in wheres] if is_large else [_BY_SIGNS]
    reach = scope.condition()
    return _SCORES.format(arms=" UNION ".join(f"({arm.format(reach=reach)})" for arm in arms))


_BY_SIGNS = """
    SELECT r.id FROM memories_record r WHERE {reach} AND r.near_signs IS NOT NULL
    ORDER BY r.near_signs <~> binary_quantize(%(vector)s::halfvec(384))::bit(384) LIMIT %(nearest)s"""
_BY_INDEX = "SELECT r.id FROM memories_record r WHERE {reach} AND r.vector_model = %(model)s AND"
_NEAREST = "ORDER BY r.near_vector <#> %(vector)s::halfvec(384) LIMIT %(nearest)s"
_WITH_RARE_WORDS = """
    SELECT r.id FROM memories_record r WHERE {reach} AND r.terms && %(rare)s::int[]
    ORDER BY r.words <#> %(words)s::sparsevec LIMIT %(with_rare_words)s"""
_NEWEST = """
    SELECT r.id FROM memories_record r WHERE {reach} AND r.vector IS NULL ORDER BY r.id DESC LIMIT %(newest)s"""
# OFFSET 0 keeps each distance from being computed twice.
_SCORES = """
WITH candidate AS MATERIALIZED ({arms}),
scored AS (
    SELECT id, space_id, session, terms, is_active, cosine IS NOT NULL AS is_near, share,
           %(w_section)s * coalesce(cosine, %(w_unseen_base)s + %(w_unseen)s * share) + %(w_section_words)s * share
           AS score
    FROM (
        SELECT r.id, r.space_id, r.session, r.terms, r.status = 'active' AS is_active,
               CASE WHEN r.vector_model = %(model)s THEN -(r.near_vector <#> %(vector)s::halfvec(384)) END AS cosine,
               coalesce(-(r.words <#> %(words)s::sparsevec), 0) AS share
        FROM memories_record r
        WHERE r.account_id = %(account)s AND r.id = ANY(ARRAY(SELECT id FROM candidate)) OFFSET 0
    ) AS read
), best AS MATERIALIZED (
    SELECT * FROM scored WHERE is_near OR share > 0 ORDER BY is_active DESC, score DESC, id DESC LIMIT %(depth)s
), asked AS MATERIALIZED (
    SELECT * FROM unnest(%(terms)s::int[], %(shares)s::float8[]) AS asked (term, share)
), said AS (
    SELECT DISTINCT space_id, session, term FROM best CROSS JOIN unnest(terms) AS term
    WHERE term = ANY(%(terms)s::int[])
), covered AS (
    SELECT coalesce(space_id, 0) AS space, session, sum(asked.share) AS coverage FROM said JOIN asked USING (term)
    GROUP BY space_id, session
)
SELECT best.id, best.score + %(w_coverage)s * coalesce(covered.coverage, 0) AS score, is_near,
       best.terms && %(terms)s::int[]
FROM best LEFT JOIN covered ON covered.session = best.session AND covered.space = coalesce(best.space_id, 0)
ORDER BY is_active DESC, 2 DESC, best.id DESC
"""
