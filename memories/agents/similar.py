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
    others = list(rows.order_by("-id").values("public_id", "text", "terms", "space_id")[:_LOOKED_AT])
    return {row.pk: _nearest(row, others, rarity) for row in new}


def _nearest(row: Record, others: Sequence[Mapping[str, Any]], rarity: dict[int, float]) -> tuple[Similar, ...]:
    scored = [
        Similar(other["public_id"], other["text"], round(_shared(row.terms, other["terms"], rarity), 2))
        for other in others
        if other["space_id"] == row.space_id
    ]
    near = sorted((each for each in scored if each.score >= NEAR), key=lambda each: -each.score)
    return tuple(near[:MOST])


def _shared(one: Sequence[int], other: Sequence[int], rarity: dict[int, float]) -> float:
    """How much of the words of both is in both, by weight. A word of the other only weighs as the rarest."""
    rarest = max(rarity.values())
    both, either = set(one) & set(other), set(one) | set(other)
    return sum(rarity[term] for term in both) / (sum(rarity.get(term, rarest) for term in either) or 1.0)


def _rarities(account: Account, terms: set[int]) -> dict[int, float]:
    texts = WordCorpus.objects.filter(account=account, corpus="record").values_list("texts", flat=True).first() or 1
    rows = WordFrequency.objects.filter(account=account, corpus="record", term__in=terms)
    counted = dict(rows.values_list("term", "texts"))
    return {term: words.rarity(counted.get(term, 0), max(texts, 1)) for term in terms}
