"""The arithmetic of the scan over arrays: search.py's formula for every fact of one account. Knows no database."""

import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memories.candidates import DEPTH, Candidate, Query, Weights

Numbers = NDArray[np.float32]
#: How many marks of change an account has, and the newest one's id.
Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Postings:
    """Words of a table, by term: `rows` and `weights` of a term stand between its two places in `terms`."""

    terms: NDArray[np.int32]
    rows: NDArray[np.int32]
    weights: Numbers

    def shares(self, wanted: dict[int, float], count: int) -> Numbers:
        """For each of `count` rows the weight of the wanted words that it says."""
        total = np.zeros(count, dtype=np.float32)
        for term, weight in wanted.items():
            first, last = np.searchsorted(self.terms, (term, term + 1))
            total[self.rows[first:last]] += np.float32(weight) * self.weights[first:last]
        return total


@dataclass(frozen=True, slots=True)
class Table:
    """A table's rows in order of id: `vectors` (n, dimensions), zero where `has_vector` says that there is none."""

    ids: NDArray[np.int64]
    vectors: Numbers
    has_vector: NDArray[np.bool_]
    postings: Postings

    def cosines(self, vector: Numbers, shares: Numbers, unseen: float) -> Numbers:
        """With a text that has no vector taken by its words."""
        return np.where(self.has_vector, self.vectors @ vector, np.float32(unseen) * shares)


@dataclass(slots=True)
class Copy:
    """What one account's scan reads, as of `stamp`."""

    stamp: Stamp
    model: str
    facts: Table
    sections: Table
    section_of_fact: NDArray[np.int32]
    document_of_section: NDArray[np.int32]
    document_ids: NDArray[np.int64]
    hashes: NDArray[np.bytes_]
    is_superseded: NDArray[np.bool_]
    seen_at: float = field(default_factory=time.monotonic)

    @property
    def size(self) -> int:
        """Bytes, nearly all of them."""
        tables = (self.facts, self.sections)
        return sum(table.vectors.nbytes + 12 * len(table.postings.terms) for table in tables) + self.hashes.nbytes

    def scored(self, query: Query, weights: Weights) -> list[Candidate]:
        """The DEPTH best facts, best first, equal ones in order of id."""
        scores = self._fact_scores(query, weights)
        best = np.argpartition(-scores, DEPTH)[:DEPTH] if len(scores) > DEPTH else np.arange(len(scores))
        return self._candidates(best[np.lexsort((self.facts.ids[best], -scores[best]))], scores)

    def _fact_scores(self, query: Query, weights: Weights) -> Numbers:
        facts, count = self.facts, len(self.facts.ids)
        shares = facts.postings.shares(query.fact_words, count)
        cosines = np.float32(weights.unseen) * shares
        if query.vector is not None:
            cosines = facts.cosines(query.vector, shares, weights.unseen)
        own = weights.fact * cosines + weights.fact_words * shares
        around = self._section_scores(query, weights)
        total: Numbers = own + around[self.section_of_fact]
        return total

    def _section_scores(self, query: Query, weights: Weights) -> Numbers:
        sections, count = self.sections, len(self.sections.ids)
        shares = sections.postings.shares(query.section_words, count)
        cosines = np.float32(weights.unseen) * shares
        if query.vector is not None:
            cosines = sections.cosines(query.vector, shares, weights.unseen)
        total = np.bincount(self.document_of_section, weights=cosines, minlength=len(self.document_ids))
        held = np.bincount(self.document_of_section, minlength=len(self.document_ids))
        document = (total / np.maximum(held, 1)).astype(np.float32)[self.document_of_section]
        scores: Numbers = weights.section * cosines + weights.section_words * shares + weights.document * document
        return scores

    def _candidates(self, order: NDArray[np.intp], scores: Numbers) -> list[Candidate]:
        sections = self.section_of_fact[order]
        columns = (
            self.facts.ids[order],
            self.sections.ids[sections],
            self.document_ids[self.document_of_section[sections]],
            self.hashes[order].astype(str),
            scores[order],
            self.is_superseded[sections],
        )
        return list(map(Candidate, *(column.tolist() for column in columns)))
