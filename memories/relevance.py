"""How well a fact answers, as a number that means the same for every account.

0.9 means that nine of ten such facts stand in a passage with the answer. Three signs, each from 0 to about 1, go into
one logistic model with fixed coefficients. benchmarks/calibration.py fits them on questions over two unlike companies
and prints how they hold on questions left out; change them there, not here.

    cosine of the fact, cosine of its section     nearness of meaning, above what the nearest of so many strangers has:
                                                  in a large account something is always near by chance
    implied by its section                        the share of the question's words, rare ones first, that it says,
                                                  where a near-synonym counts by its nearness

Pure, but for the vectors of single words, which the embedder gives.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np

from memories import coverage, embedding, kinds, words
from memories.embedders.base import Vector
from memories.passages import FoundFact, FoundSection

# A fact below this is not shown.
SHOWN = 0.015
# What a passage said is worth of its relevance once something else took its place: most questions ask for the present.
OUTDATED = 0.5
# The cosine that a text without a vector is taken to have for each unit of its share of the question's words.
UNSEEN = 0.6
# Two unrelated words are about so near, and two that mean the same.
STRANGERS, SYNONYMS = 0.1, 0.7
# The cosines of a question with unrelated facts spread by so much (18F handbook: 0.089, and much the same elsewhere).
SPREAD = 0.09


@dataclass(frozen=True)
class Signs:
    """The cosines are None where one side has no vector."""

    fact_cosine: float | None
    section_cosine: float | None
    implied: float
    named: float = 0.0


@dataclass(frozen=True)
class Coefficients:
    constant: float
    fact_cosine: float
    section_cosine: float
    implied: float


Found = TypeVar("Found", FoundFact, FoundSection)


class Text:
    """A fact or section as relevance sees it: its terms, its vector, and (of a section) what its words mean."""

    def __init__(self, terms: frozenset[int], vector: Vector | None, source: str = "") -> None:
        self.terms = terms
        self.vector = vector
        vocabulary = _vocabulary(source)
        self.meanings = embedding.word_vectors(vocabulary) if vocabulary else None


# The same sections answer again and again.
@lru_cache(maxsize=4_000)
def _vocabulary(source: str) -> tuple[str, ...]:
    return tuple(word for word in words.surface(words.readable(source)) if word not in words.STOP_WORDS)


# Set by hand: too few questions name an identifier to fit it. A fact that says it is most likely meant.
NAMED = 1.5
# Fitted by benchmarks/calibration.py.
WITH_VECTORS = Coefficients(-4.49, 1.75, 4.42, 3.84)
BY_WORDS_ALONE = Coefficients(-4.55, 0.0, 0.0, 4.95)


class Question:
    """One question's words with their rarity, and its vector (None: the embedder did not answer).

    `facts`: how many the account holds. The highest of n random values lies about sqrt(2 ln n) spreads above the mean.
    """

    def __init__(self, text: str, rarities: Mapping[str, float], vector: Vector | None, facts: int) -> None:
        self.vector = vector
        self._implied: dict[Text, float] = {}
        self.by_chance = SPREAD * math.sqrt(2 * math.log(max(facts, 2)))
        terms = words.content_terms(text)
        surface = {term: word for word in words.surface(text) for term in words.terms(word)}
        self.numbers = [words.number(term) for term in terms]
        self.rarity = np.array([rarities[term] for term in terms], dtype=np.float64)
        self.total = float(self.rarity.sum()) or 1.0
        self.names = {words.number(term): rarities[term] for term in coverage.named_terms(text) & set(terms)}
        self.kind = kinds.asked(text)
        self.identifiers = [words.number(term) for term in words.identifiers(text)]
        # Of words that the account has never seen, not one, no meaning is to be guessed from their letters.
        is_known = bool(terms) and self.rarity.min() < words.rarity(0, max(facts, 1))
        self.meanings = embedding.word_vectors([surface.get(term, term) for term in terms]) if is_known else None

    @property
    def is_telling(self) -> bool:
        """A single word ("… and when is it paid?") is found everywhere and tells nothing."""
        return len(self.numbers) > 1

    def implied(self, text: Text) -> float:
        """The share of this question's words, weighed by rarity, that a text says or nearly says."""
        # Several facts stand in one section.
        if text not in self._implied:
            self._implied[text] = self._worked_out(text)
        return self._implied[text]

    def _worked_out(self, text: Text) -> float:
        worth = np.array([number in text.terms for number in self.numbers], dtype=np.float64)
        if self.meanings is not None and text.meanings is not None and not worth.all():
            nearest = (self.meanings @ text.meanings.T).max(axis=1)
            worth = np.maximum(worth, np.clip((nearest - STRANGERS) / (SYNONYMS - STRANGERS), 0, 1))
        return float(self.rarity @ worth) / self.total

    def cosine(self, text: Text) -> float | None:
        """How much nearer in meaning than by chance; None where one side has no vector."""
        if self.vector is None or text.vector is None:
            return None
        return float(self.vector @ text.vector) - self.by_chance

    def nearness(self, fact: Vector | None, section: Vector | None, implied: float) -> float:
        """Cosine of a fact and a share of its section's; what has no vector counts as near as its words say."""
        if self.vector is None:
            return implied
        unseen = UNSEEN * implied
        of_fact, of_section = (unseen if v is None else float(self.vector @ v) for v in (fact, section))
        return of_fact + coverage.SECTION_SHARE * of_section

    def named_share(self, text: Text) -> float:
        """The share of what this question names, by rarity, that a text says; 1 where it names nothing."""
        total = sum(self.names.values())
        said = sum(rarity for number, rarity in self.names.items() if number in text.terms)
        return said / total if total else 1.0

    def named(self, text: Text) -> float:
        """How far the identifiers of this question stand in a text: 1 all, -1 none of them, 0 where it has none."""
        if not self.identifiers:
            return 0.0
        return 2 * sum(number in text.terms for number in self.identifiers) / len(self.identifiers) - 1

    def signs(self, fact: Text, section: Text) -> Signs:
        return Signs(self.cosine(fact), self.cosine(section), self.implied(section), self.named(fact))


def probability(signs: Signs) -> float:
    """0 to 1: how likely a fact with these signs answers."""
    with_vectors = signs.fact_cosine is not None and signs.section_cosine is not None
    c = WITH_VECTORS if with_vectors else BY_WORDS_ALONE
    logit = (
        c.constant
        + c.fact_cosine * (signs.fact_cosine or 0.0)
        + c.section_cosine * (signs.section_cosine or 0.0)
        + c.implied * signs.implied
        + NAMED * signs.named
    )
    return 1 / (1 + math.exp(-logit))


@dataclass(frozen=True)
class Judgement:
    """Facts and sections with their relevance, in the order given, without those that hardly answer; and the label."""

    facts: list[FoundFact]
    sections: list[FoundSection]
    coverage: str


def covered(question: Question, facts: Sequence[FoundFact], texts: Mapping[int, Text]) -> coverage.Signs | None:
    """The signs of whether `question` is answered by `facts`, whose sections are in `texts`."""
    beside = [_beside(question, fact, texts[fact.section_id]) for fact in facts]
    return coverage.signs(beside, None if question.vector is None else question.by_chance)


def _beside(question: Question, fact: FoundFact, section: Text) -> coverage.Candidate:
    implied = question.implied(section)
    return coverage.Candidate(
        nearness=question.nearness(fact.vector, section.vector, implied),
        words=implied,
        named=question.named_share(section),
        holds_kind=question.kind is None or question.kind.is_in(fact.statement),
    )


def _answered(
    questions: Sequence[Question], facts: Sequence[FoundFact], texts: Mapping[int, Text]
) -> tuple[float, list[float]]:
    whole, *parts = (coverage.probability(covered(question, facts, texts)) for question in questions)
    return whole, parts


def judge(
    questions: Sequence[Question],
    facts: Sequence[FoundFact],
    sections: Mapping[int, FoundSection],
    *,
    at_most: str = coverage.COMPREHENSIVE,
) -> Judgement:
    """How well each fact answers the question that it answers best, and how well each question is answered.

    `sections` holds the section of every fact, and may hold more. The label is `at_most` that one.
    """
    questions = [questions[0], *(part for part in questions[1:] if part.is_telling)]
    embedding.learn(_vocabulary(section.text) for section in sections.values())
    texts = {key: Text(section.terms, section.vector, section.text) for key, section in sections.items()}
    of_facts = [
        [probability(question.signs(Text(fact.terms, fact.vector), texts[fact.section_id])) for question in questions]
        for fact in facts
    ]
    of_sections = {
        key: max(probability(question.signs(text, text)) for question in questions) for key, text in texts.items()
    }
    judged = [_judged(fact, max(row)) for fact, row in zip(facts, of_facts, strict=True)]
    shown = [fact for fact in judged if fact.relevance >= SHOWN]
    label = coverage.label(*_answered(questions, facts, texts)) if shown else coverage.NONE
    label = coverage.lower(label, at_most)
    if label == coverage.NONE:
        return Judgement([], [], label)
    return Judgement(shown, [_judged(section, of_sections[key]) for key, section in sections.items()], label)


def _judged(found: Found, relevance: float) -> Found:
    return replace(found, relevance=relevance * (OUTDATED if found.superseded else 1))
