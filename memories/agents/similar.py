"""Active records that say nearly what a new one says, by their words, for the agent to judge. Nothing is merged by it.

By words alone, since a vector comes later from a worker and recording does not wait for it. Two queries, however many
are new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from accounts.models import Account
from memories import words
from memories.models import Record, WordCorpus, WordFrequency

#: The share of the words of both, rare ones first, from which two records are worth comparing.
NEAR = 0.45
MOST = 3
_RAREST = 4
_LOOKED_AT = 500
_COLUMNS = ("public_id", "text", "terms", "space_id")


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
    others = [_Other(found, rarity) for found in rows.only(*_COLUMNS).order_by("-id")[:_LOOKED_AT]]
    return {row.pk: _nearest(row, others, rarity) for row in new}


class _Other:
    """A record compared with each of the new ones: its words, and what they weigh together.

    A word that no new one has weighs as the rarest of theirs."""

    def __init__(self, row: Record, rarity: Mapping[int, float]) -> None:
        self.public_id, self.text, self.space_id = row.public_id, row.text, row.space_id
        terms = frozenset(row.terms)
        self.known = terms & rarity.keys()
        rarest = max(rarity.values())
        self.weight = sum(rarity[term] for term in self.known) + rarest * (len(terms) - len(self.known))


def _nearest(row: Record, others: Sequence[_Other], rarity: Mapping[int, float]) -> tuple[Similar, ...]:
    terms = set(row.terms)
    weight = sum(rarity[term] for term in terms)
    scored = [
        Similar(other.public_id, other.text, score)
        for other in others
        if other.space_id == row.space_id and (score := _shared(terms, weight, other, rarity)) >= NEAR
    ]
    return tuple(sorted(scored, key=lambda each: -each.score)[:MOST])


def _shared(terms: set[int], weight: float, other: _Other, rarity: Mapping[int, float]) -> float:
    """How much of the words of both is in both, by weight."""
    both = sum(rarity[term] for term in terms & other.known)
    return round(both / ((weight + other.weight - both) or 1.0), 2)


def _rarities(account: Account, terms: set[int]) -> dict[int, float]:
    texts = WordCorpus.objects.filter(account=account, corpus="record").values_list("texts", flat=True).first() or 1
    rows = WordFrequency.objects.filter(account=account, corpus="record", term__in=terms)
    counted = dict(rows.values_list("term", "texts"))
    return {term: words.rarity(counted.get(term, 0), max(texts, 1)) for term in terms}
