"""The scan of end-user memory: what is remembered of one person, scored against a question in one statement.

One person has hundreds of memories, an account millions: so all that is theirs is scored in full, through the index
that begins with (account, end user), and nothing of anybody else is looked at. There is no index of nearest neighbours,
which would find rows of others and filter them afterwards, and there are no statistics: how rare a word is among this
person's own memories is counted in the statement itself. Ranking is search.py's.

A cosine means little alone: every statement about a person is a little like every question about one. So it is told by
how far it stands out among the cosines of all that is remembered of the person, of which a few are supposed beforehand
(`Weights.supposed`), so that a single memory can stand out, too.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from pgvector import HalfVector

from accounts.models import Account
from memories import candidates, embedding, words
from memories.embedders.base import Vector
from memories.matters import MANNER_TERM

#: So many are ranked, however few are asked for.
DEPTH = 120
#: What counts as hot: so important, told so often, and last within so many days (contract end_users, "Retrieve").
HOT_IMPORTANCE, HOT_COUNT, HOT_DAYS = 8, 5, 7


@dataclass(frozen=True, slots=True)
class Weights:
    """What each sign adds to the log odds that a memory is wanted.

    meaning       one standard deviation of cosine above the mean of the person's memories
    unseen        the same for a memory without a vector, for all the words of the question that it says
    words         all the words of the question, by rarity (BM25)
    about         all the matters of the question, by rarity; `touching` any of them
    importance    from 5 to 10; `on_the_matter` besides, of a memory about one of the question's matters
    recency       today; a half of it after `half_life` days
    """

    constant: float
    meaning: float
    unseen: float
    words: float
    about: float
    touching: float
    importance: float
    on_the_matter: float
    recency: float
    half_life: float = 60.0
    supposed: float = 10.0
    supposed_mean: float = 0.15
    supposed_spread: float = 0.1


@dataclass(frozen=True, slots=True)
class Question:
    """The vector (None: words only), and the terms of its words and of its matters."""

    vector: Vector | None
    words: Sequence[str]
    matters: Sequence[str]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which memories of one person count; an empty filter is none. What is archived never does.

    since     when they were created, at the earliest
    as_of     what was known at that time: each memory in the version that was then in force
    changed   the memories that said something else in that version
    """

    end_user_id: int
    categories: tuple[str, ...] = ()
    agent_id: str = ""
    since: datetime | None = None
    as_of: datetime | None = None
    changed: Sequence["Changed"] = ()


@dataclass(frozen=True, slots=True)
class Changed:
    """What a memory said at an earlier time, as text that Postgres reads: sparsevec, int[], halfvec or None."""

    memory_id: int
    words: str
    terms: str
    vector: str | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory as it was told, with the log odds that it is wanted.

    is_near      its meaning was compared
    is_said      it says a word of the question, or is about one of its matters
    is_manner    it says how answers should be
    is_hot       it is important, and was told often of late
    is_held      its text came from where it was held, not from the row
    vector       its numbers as halfvec_send gives them; None without one
    """

    memory_id: int
    public_id: uuid.UUID
    content: str
    category: str
    importance: float
    last_accessed_at: datetime | None
    access_count: int
    score: float
    is_near: bool
    is_said: bool
    is_manner: bool
    is_hot: bool
    is_held: bool
    vector: bytes | None


def scored(
    account: Account,
    question: Question,
    scope: Scope,
    weights: Weights,
    *,
    manner: float,
    held: Mapping[int, str] | None = None,
) -> list[Candidate]:
    """The DEPTH best memories of one person, best first, where those on manner count `manner` more.

    held: texts of memories, by key, which are not read from their rows again. One statement. Runs inside
    `isolation.account`.
    """
    texts = held or {}
    arguments = {**_arguments(account, question, scope, weights, manner), "held": list(texts)}
    with candidates.pinned_plan(), connection.cursor() as cursor:
        cursor.execute(_statement(scope), arguments)
        return [Candidate(key, public_id, content or texts[key], *row) for key, public_id, content, *row in cursor]


def _arguments(account: Account, question: Question, scope: Scope, weights: Weights, manner: float) -> dict[str, Any]:
    asked = {words.number(term): False for term in question.words}
    asked |= {words.number(term): True for term in question.matters}
    return {
        "account": account.pk,
        "end_user": scope.end_user_id,
        "categories": list(scope.categories),
        "agent": scope.agent_id,
        "since": scope.since,
        "as_of": scope.as_of,
        "changed": [each.memory_id for each in scope.changed],
        "changed_words": [each.words for each in scope.changed],
        "changed_terms": [each.terms for each in scope.changed],
        "changed_vectors": [each.vector for each in scope.changed],
        "model": embedding.model_name(),
        "vector": None if question.vector is None else HalfVector(question.vector).to_text(),
        "terms": list(asked),
        "are_matters": list(asked.values()),
        "manner": words.number(MANNER_TERM),
        "w_manner": manner,
        "depth": DEPTH,
        "space": words.TERM_SPACE,
        "hot_importance": HOT_IMPORTANCE,
        "hot_count": HOT_COUNT,
        "hot_days": HOT_DAYS,
        **{f"w_{name}": value for name, value in asdict(weights).items()},
    }


def _statement(scope: Scope) -> str:
    fits = ["true"]
    if scope.categories:
        fits.append("category = ANY(%(categories)s)")
    if scope.agent_id:
        fits.append("agent_id = %(agent)s")
    if scope.since is not None:
        fits.append("created_at >= %(since)s")
    return _SCORES.format(known=_NOW if scope.as_of is None else _THEN, fits=" AND ".join(fits))


# What is remembered now, and what was known then, in the same columns.
_NOW = """
    SELECT m.id, m.public_id, m.content, m.category, m.importance_score, m.last_accessed_at, m.access_count,
           m.created_at, m.agent_id, m.words, m.terms, m.vector, m.vector_model
    FROM memories_memory m
    WHERE m.account_id = %(account)s AND m.end_user_id = %(end_user)s AND NOT m.is_archived"""
_THEN = """
    SELECT m.id, m.public_id, past.content, past.category, past.importance_score,
           CASE WHEN m.last_accessed_at <= %(as_of)s THEN m.last_accessed_at END AS last_accessed_at, m.access_count,
           m.created_at, m.agent_id,
           CASE WHEN changed.id IS NULL THEN m.words ELSE changed.words::sparsevec END AS words,
           CASE WHEN changed.id IS NULL THEN m.terms ELSE changed.terms::int[] END AS terms,
           CASE WHEN changed.id IS NULL THEN m.vector ELSE changed.vector::halfvec END AS vector,
           CASE WHEN changed.id IS NULL THEN m.vector_model ELSE %(model)s END AS vector_model
    FROM memories_memory m JOIN (
        SELECT DISTINCT ON (memory_id) memory_id, content, category, importance_score, is_archived
        FROM memories_memoryversion
        WHERE account_id = %(account)s AND end_user_id = %(end_user)s AND created_at <= %(as_of)s
        ORDER BY memory_id, version DESC
    ) AS past ON past.memory_id = m.id
    LEFT JOIN unnest(
        %(changed)s::bigint[], %(changed_words)s::text[], %(changed_terms)s::text[], %(changed_vectors)s::text[]
    ) AS changed (id, words, terms, vector) ON changed.id = m.id
    WHERE m.account_id = %(account)s AND m.end_user_id = %(end_user)s AND NOT past.is_archived"""
# The questions' terms are weighed by how rare each is among this person's memories, as a share of all of its kind.
# OFFSET 0 keeps each distance from being computed twice.
_SCORES = """
WITH known AS MATERIALIZED ({known}),
asked AS MATERIALIZED (
    SELECT * FROM unnest(%(terms)s::int[], %(are_matters)s::bool[]) AS asked (term, is_matter)
), held AS MATERIALIZED (
    SELECT term, count(*) AS texts FROM known CROSS JOIN unnest(known.terms) AS term
    WHERE term = ANY(%(terms)s::int[]) GROUP BY term
), weighed AS MATERIALIZED (
    SELECT asked.term, asked.is_matter,
           ln(1 + (total - coalesce(held.texts, 0) + 0.5) / (coalesce(held.texts, 0) + 0.5)) AS rarity
    FROM asked LEFT JOIN held USING (term) CROSS JOIN (SELECT count(*) AS total FROM known) AS counted
), question AS MATERIALIZED (
    SELECT is_matter, ('{{' || string_agg(term || ':' || (rarity / total), ',' ORDER BY term) || '}}/'
            || %(space)s::text)::sparsevec AS words
    FROM (SELECT *, sum(rarity) OVER (PARTITION BY is_matter) AS total FROM weighed) AS shared GROUP BY is_matter
), compared AS MATERIALIZED (
    SELECT known.id, {fits} AS fits, importance_score, created_at, terms, CASE WHEN vector_model = %(model)s
               THEN -(vector <#> %(vector)s::halfvec(384)) END AS cosine,
           least(1, coalesce(-(words <#> (SELECT words FROM question WHERE NOT is_matter)), 0)) AS share,
           least(1, coalesce(-(words <#> (SELECT words FROM question WHERE is_matter)), 0)) AS about,
           importance_score >= %(hot_importance)s AND access_count >= %(hot_count)s
           AND coalesce(last_accessed_at >= now() - make_interval(days => %(hot_days)s), false) AS is_hot
    FROM known OFFSET 0
), usual AS MATERIALIZED (
    SELECT (coalesce(sum(cosine), 0) + %(w_supposed)s * %(w_supposed_mean)s) / (count(cosine) + %(w_supposed)s) AS mean
    FROM compared
), spread AS MATERIALIZED (
    SELECT sqrt((coalesce(sum((cosine - mean) ^ 2), 0) + %(w_supposed)s * %(w_supposed_spread)s ^ 2)
                / (count(cosine) + %(w_supposed)s)) AS spread
    FROM compared CROSS JOIN usual
), best AS MATERIALIZED (
    SELECT * FROM (SELECT compared.id, cosine IS NOT NULL AS is_near, share > 0 OR about > 0 AS is_said,
           %(manner)s = ANY(terms) AS is_manner, is_hot,
           %(w_constant)s
           + coalesce(%(w_meaning)s * (cosine - mean) / spread, %(w_unseen)s * share)
           + %(w_words)s * share + %(w_about)s * about + %(w_touching)s * (about > 0)::int
           + (%(w_importance)s + %(w_on_the_matter)s * (about > 0)::int) * (importance_score - 5) / 5
           + %(w_recency)s * exp(-greatest(0, extract(epoch FROM coalesce(%(as_of)s, now()) - created_at))
                                 / 86400 * ln(2) / %(w_half_life)s) AS score
    FROM compared CROSS JOIN usual CROSS JOIN spread WHERE fits) AS scored
    ORDER BY score + %(w_manner)s * is_manner::int DESC, id DESC LIMIT %(depth)s
)
SELECT known.id, known.public_id, CASE WHEN held.id IS NULL THEN known.content END, known.category,
       known.importance_score, known.last_accessed_at, known.access_count, best.score, best.is_near, best.is_said,
       best.is_manner, best.is_hot, held.id IS NOT NULL AS is_held,
       CASE WHEN best.is_near THEN halfvec_send(known.vector) END
FROM best JOIN known USING (id) LEFT JOIN unnest(%(held)s::bigint[]) AS held (id) ON held.id = known.id
ORDER BY best.score DESC, known.id DESC
"""
