from memories import words
from memories.company.answering import targeting
from memories.passages import FoundFact, FoundSection, Origin
from tests.requirements import requirement

QUERY = "Who approves the refund deadline?"


def section(number: int, relevance: float, heading: str = "Other", text: str = "Nothing of note.") -> FoundSection:
    title = f"Page {number}"
    return FoundSection(
        id=number,
        document_id=number,
        path=f"{number}.md",
        title=title,
        tree_path=f"Handbook > {title} > {heading}",
        heading=heading,
        summary="",
        text=text,
        terms=frozenset(map(words.number, words.terms(text))),
        relevance=relevance,
    )


def fact(section_id: int, relevance: float) -> FoundFact:
    place = Origin(section_id, f"{section_id}.md", "Page", section_id, "Handbook > Page")
    return FoundFact(section_id, section_id, "A statement.", "Page", (place,), relevance=relevance)


@requirement("retrieve:targeting")
def test_each_section_says_in_plain_words_why_it_fits() -> None:
    sections = [
        section(1, 0.9, "Refunds", "A deadline is approved by the lead."),
        section(2, 0.8, text="Deadlines are Fridays."),
        section(3, 0.7),
    ]

    phase = targeting.phase(QUERY, sections, [fact(1, 0.91)])

    assert [(target.tree_path, target.reason) for target in phase.targets] == [
        (
            "Handbook > Page 1 > Refunds",
            "Its place in the documents names “refund”, its text speaks of “deadline”, and it holds a statement that "
            "fits by 91 %.",
        ),
        ("Handbook > Page 2 > Other", "Its text speaks of “deadline”."),
        ("Handbook > Page 3 > Other", "It is close in meaning to the question."),
    ]
    assert phase.estimated_tokens > 0


@requirement("retrieve:targeting")
def test_the_more_sections_fit_the_broader_the_search() -> None:
    def strategy(count: int) -> str:
        return targeting.phase(QUERY, [section(number, 0.9) for number in range(count)], []).strategy

    assert [strategy(count) for count in (1, 2, 3, 5, 6, 8)] == [
        "narrow", "narrow", "moderate", "moderate", "broad", "broad",
    ]  # fmt: skip


@requirement("retrieve:targeting")
def test_a_far_section_is_named_only_for_a_fact_in_it() -> None:
    sections = [section(1, 0.9), section(2, 0.1), section(3, 0.1)]

    phase = targeting.phase(QUERY, sections, [fact(3, 0.5)])

    assert [target.tree_path[:17] for target in phase.targets] == ["Handbook > Page 1", "Handbook > Page 3"]


def test_parts_of_one_long_section_are_one_target() -> None:
    first = section(1, 0.9)
    second = FoundSection(2, 1, first.path, first.title, first.tree_path, first.heading, "", "More.", relevance=0.8)

    assert len(targeting.phase(QUERY, [first, second], []).targets) == 1


def test_nothing_found_targets_nothing() -> None:
    assert targeting.phase(QUERY, [], []).structured() == {
        "search_strategy": "narrow",
        "estimated_tokens": 0,
        "targeted_sections": [],
    }
