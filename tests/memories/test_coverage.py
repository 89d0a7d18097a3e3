"""Whether a question is answered at all, from signs."""

import pytest

from memories import coverage
from memories.coverage import Candidate
from tests.requirements import requirement

CHANCE = 0.3
ANSWER = Candidate(nearness=1.2, words=0.9, named=1.0, holds_kind=True)


def probability(*candidates: Candidate, by_chance: float | None = CHANCE) -> float:
    return coverage.probability(coverage.signs(candidates, by_chance))


@requirement("retrieve:coverage:near-misses")
@pytest.mark.parametrize(
    "near_miss",
    [
        Candidate(nearness=1.2, words=0.9, named=0.0, holds_kind=True),
        Candidate(nearness=1.2, words=0.9, named=1.0, holds_kind=False),
        Candidate(nearness=1.2, words=0.4, named=1.0, holds_kind=True),
        Candidate(nearness=0.6, words=0.9, named=1.0, holds_kind=True),
    ],
)
def test_a_near_miss_is_less_covered_than_an_answer(near_miss: Candidate) -> None:
    assert probability(near_miss) < probability(ANSWER)


def test_the_kind_asked_for_counts_where_it_stands_near_the_best() -> None:
    first = Candidate(nearness=1.2, words=0.9, named=1.0, holds_kind=False)
    near, far = (Candidate(nearness, 0.9, 1.0, True) for nearness in (1.15, 0.7))

    assert probability(first, near) > probability(first, far)


def test_nothing_found_is_no_answer() -> None:
    assert probability() == 0


def test_without_vectors_words_decide() -> None:
    one, none = (Candidate(words, words, 1.0, True) for words in (1.0, 0.0))

    assert coverage.label(probability(one, by_chance=None)) == coverage.COMPREHENSIVE
    assert coverage.label(probability(none, by_chance=None)) == coverage.NONE


def test_a_prompt_is_covered_in_full_only_when_each_part_is() -> None:
    assert coverage.label(0.9, [0.9, 0.8]) == coverage.COMPREHENSIVE
    assert coverage.label(0.9, [0.9, 0.1]) == coverage.PARTIAL
    assert coverage.label(0.3, [0.3, 0.1]) == coverage.LIMITED


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who reports to Ines Okafor?", {"ine", "okafor"}),
        ("What did it cost in 2025?", {"2025"}),
        ("We met on Monday in March. Anything urgent?", set()),
        ("who owns billing", set()),
    ],
)
def test_what_a_question_names_has_a_capital_or_a_digit(question: str, named: set[str]) -> None:
    assert coverage.named_terms(question) == named
