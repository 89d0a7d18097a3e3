from dataclasses import replace
from datetime import UTC, datetime

from memories import tokens
from memories.company.answering import excerpts
from memories.passages import FoundFact, FoundSection, Origin
from tests.requirements import requirement


def section(number: int, relevance: float = 0.5, text: str = "") -> FoundSection:
    words = text or f"Section {number} says something. "
    return FoundSection(number, number, f"{number}.md", "Page", "Page", "Page", "", words, relevance=relevance)


def quoted(*sections: FoundSection, facts: tuple[FoundFact, ...] = ()) -> list[str]:
    return [excerpt.origin.source_path for excerpt in excerpts.of(sections, facts)]


def test_the_best_sections_are_quoted_in_the_order_of_search() -> None:
    assert quoted(*(section(number) for number in range(9))) == ["0.md", "1.md", "2.md", "3.md", "4.md"]


def test_a_section_far_from_the_best_is_quoted_only_for_a_fact_in_it() -> None:
    place = Origin(3, "3.md", "Page", 3, "Page")
    fact = FoundFact(1, 3, "A statement.", "Page", (place,), relevance=0.4)

    assert quoted(section(1, 0.8), section(2, 0.1), section(3, 0.1), facts=(fact,)) == ["1.md", "3.md"]


def test_the_same_text_is_quoted_once() -> None:
    assert quoted(section(1, text="Be kind."), section(2, text="Be kind.")) == ["1.md"]


@requirement("retrieve:report:length")
def test_all_excerpts_together_stay_within_their_tokens() -> None:
    long = [section(number, text=f"{number} " + "The counter opens at six. " * 90) for number in range(5)]
    small = section(9, text="Small.")
    told = excerpts.of([*long, small], ())

    assert sum(tokens.count(excerpt.text) for excerpt in told) <= excerpts.MOST_TOKENS
    assert [excerpt.origin.source_path for excerpt in told] == ["0.md", "1.md", "9.md"]


def test_a_huge_section_is_cut_after_a_sentence_and_says_so() -> None:
    (excerpt,) = excerpts.of([section(1, text="The counter opens at six. " * 500)], ())

    assert excerpt.truncated
    assert tokens.count(excerpt.text) <= excerpts.LONGEST
    assert excerpt.text.endswith("six. …")


def test_the_date_of_the_document_comes_along() -> None:
    date = datetime(2026, 3, 1, tzinfo=UTC)

    (excerpt,) = excerpts.of([replace(section(1), observed_at=date)], ())
    assert excerpt.structured()["observed_at"] == "2026-03-01T00:00:00+00:00"
    assert excerpts.of([section(1)], ())[0].structured()["observed_at"] is None
