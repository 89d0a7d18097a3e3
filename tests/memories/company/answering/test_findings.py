from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memories.company.answering.findings import (
    Entity,
    Excerpt,
    Fact,
    Findings,
    Origin,
    Phase,
    Relationship,
    Target,
    shown_path,
)
from tests.memories.company.answering.test_quoting import CALM
from tests.requirements import requirement

PLACE = Origin("Refunds", "refunds.md", "Handbook > Refunds")


def findings(scores: list[float]) -> Findings:
    return Findings(
        facts=tuple(Fact(f"Fact {score}", score, (PLACE,)) for score in scores),
        excerpts=tuple(Excerpt(f"Excerpt {score}", score, PLACE) for score in scores),
        relationships=tuple(Relationship("a", "owns", "b", "a owns b", PLACE, score) for score in scores),
        entities=tuple(Entity(f"Entity {score}", "person", {}, score) for score in scores),
    )


@requirement("retrieve:result:left-out")
@CALM
@given(scores=st.lists(st.floats(0, 1), max_size=6, unique=True), count=st.integers(0, 30))
def test_what_goes_is_never_more_relevant_than_what_stays(scores: list[float], count: int) -> None:
    whole = findings(scores)
    less = whole.without_least(count)

    assert less.left_out == min(count, len(whole.items))
    assert len(less.items) + less.left_out == len(whole.items)
    gone = [item.relevance for item in whole.items if item not in less.items]
    kept = [item.relevance for item in less.items]
    assert not gone or not kept or max(gone) <= min(kept)


@requirement("retrieve:result:left-out")
def test_of_equally_relevant_items_facts_stay_longest() -> None:
    less = findings([0.5]).without_least(3)

    assert [type(item) for item in less.items] == [Fact]


def test_what_was_left_out_adds_up() -> None:
    assert findings([0.5, 0.6]).without_least(2).without_least(3).left_out == 5


def test_the_average_is_over_facts_and_excerpts() -> None:
    assert findings([0.2, 0.6]).average_relevance == 0.4
    assert Findings().average_relevance == 0


def test_a_long_path_keeps_both_ends() -> None:
    path = " > ".join(f"Level {number}" for number in range(100))

    assert shown_path("Handbook > Refunds") == "Handbook > Refunds"
    assert len(shown_path(path)) <= 200
    assert shown_path(path).startswith("Level 0 > ")
    assert shown_path(path).endswith("Level 99")


def test_a_statement_in_many_documents_names_some_and_counts_the_rest() -> None:
    places = tuple(Origin(f"Page {number}", f"{number}.md", "Pages") for number in range(30))

    told = Fact("Be kind.", 0.9, places).structured()
    assert len(told["sources"]) == 4
    assert told["further_sources"] == 26


def test_a_narrowed_phase_keeps_its_first_section() -> None:
    phase = Phase("broad", 9, tuple(Target(str(number), "x") for number in range(8)))

    assert [target.tree_path for target in phase.narrowed(0.5).targets] == ["0", "1", "2", "3"]
    assert [target.tree_path for target in phase.narrowed(0.01).targets] == ["0"]


@requirement("retrieve:coverage:nearest")
def test_where_nothing_answers_only_the_nearest_facts_are_told() -> None:
    faint = replace(findings([0.02, 0.09, 0.05, 0.04]), coverage="limited")

    assert faint.is_thin
    told = faint.nearest()
    assert [fact.relevance for fact in told.facts] == [0.09, 0.05, 0.04]
    assert told.items == told.facts
    assert told.left_out == 13


@requirement("retrieve:coverage:nearest")
def test_what_may_answer_is_told_whole() -> None:
    assert not replace(findings([0.02, 0.3]), coverage="limited").is_thin
    assert not replace(findings([0.02]), coverage="partial").is_thin
