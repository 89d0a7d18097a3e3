"""Active records that say nearly what a new one says, by their words, for the agent to judge. Nothing is merged by it.

By words alone, since a vector comes later from a worker and recording does not wait for it. Two queries, however many
are new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from accounts.models import Account
from memories import words
from memories.models import Record, WordCorpus, WordFrequency

#: The share of the words of both, rare ones first, from which two records are worth comparing.
NEAR = 0.45
MOST = 3
_RAREST = 4
_LOOKED_AT = 500
_COLUMNS = ("public_id", "text", "terms", "space_id")

Shares = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Similar:
    """`score` is from 0 to 1."""

    id: str
    text: str
    score: float

    def structured(self) -> dict[str, Any]:
        return {"id": self.id, "text": self.text, "score": self.score}


def to(account: Account, new: Sequence[Record]) -> dict[int, tuple[Similar, ...]]:
    """For the key of each of the `new` records its near ones, nearest first. Runs inside `isolation.account`."""
    if not new:
        return {}
    rarity = _rarities(account, {term for row in new for term in row.terms})
    rarest = {term for row in new for term in sorted(row.terms, key=lambda term: -rarity[term])[:_RAREST]}
    spaces = {row.space_id for row in new}
    in_space = Q(space__in=[pk for pk in spaces if pk]) | (Q(space=None) if None in spaces else Q(pk=None))
    rows = Record.objects.filter(in_space, account=account, status=Record.Status.ACTIVE, hidden_at=None)
    rows = rows.filter(terms__overlap=list(rarest)).exclude(pk__in=[row.pk for row in new])
    others = list(rows.order_by("-id").values_list(*_COLUMNS, named=True)[:_LOOKED_AT])
    if not others:
        return {row.pk: () for row in new}
    scores = _scores(new, others, rarity)
    return {row.pk: _nearest(others, of_row) for row, of_row in zip(new, scores, strict=True)}


def _scores(new: Sequence[Any], others: Sequence[Any], rarity: Mapping[int, float]) -> Shares:
    """How much of the words of both is in both, by weight: (new, others), zero for those of another space.

    A word that no new one has weighs as the rarest of theirs.
    """
    weights = np.array(list(rarity.values()))
    places = {term: place for place, term in enumerate(rarity)}
    ours, theirs = _said(new, places), _said(others, places)
    strange = np.array([len(set(other.terms)) for other in others]) - theirs.sum(axis=1)
    both = (ours * weights) @ theirs.T
    either = (ours @ weights)[:, None] + (theirs @ weights + weights.max() * strange)[None, :] - both
    is_beside = np.equal.outer([row.space_id or 0 for row in new], [other.space_id or 0 for other in others])
    shares: Shares = np.round(both / np.where(either > 0, either, 1.0), 2) * is_beside
    return shares


def _said(rows: Sequence[Any], places: Mapping[int, int]) -> Shares:
    """1 where a row says a term."""
    said = np.zeros((len(rows), len(places)))
    for at, row in enumerate(rows):
        said[at, [places[term] for term in row.terms if term in places]] = 1
    return said


def _nearest(others: Sequence[Any], scores: Shares) -> tuple[Similar, ...]:
    order = [int(at) for at in np.argsort(-scores, kind="stable")[:MOST] if scores[at] >= NEAR]
    return tuple(Similar(others[at].public_id, others[at].text, float(scores[at])) for at in order)


def _rarities(account: Account, terms: set[int]) -> dict[int, float]:
    texts = WordCorpus.objects.filter(account=account, corpus="record").values_list("texts", flat=True).first() or 1
    rows = WordFrequency.objects.filter(account=account, corpus="record", term__in=terms)
    counted = dict(rows.values_list("term", "texts"))
    return {term: words.rarity(counted.get(term, 0), max(texts, 1)) for term in terms}
