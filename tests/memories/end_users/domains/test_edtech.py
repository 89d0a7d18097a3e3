"""What a student's statements come to: each field from the words people use, newest first, and nobody else's."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from memories.end_users.domains.base import Said
from memories.end_users.domains.sayings import dates
from tests.memories.end_users.domains.gathered import FIRST, lines, shown
from tests.requirements import requirement


@requirement("end-users:edtech:fields")
@pytest.mark.parametrize(
    ("content", "field", "value"),
    [
        ("User is in grade 10.", "grade_level", "Grade 10"),
        ("User is in the 10th grade.", "grade_level", "Grade 10"),
        ("User is a tenth grader.", "grade_level", "Grade 10"),
        ("User is a class 12 student.", "grade_level", "Class 12"),
        ("User studies in class XII.", "grade_level", "Class 12"),
        ("User's grade is 11.", "grade_level", "Grade 11"),
        ("User moved up to year 9.", "grade_level", "Year 9"),
        ("User is a high school sophomore.", "grade_level", "high school sophomore"),
        ("User's board is CBSE.", "board_or_curriculum", "CBSE"),
        ("User is a CBSE student.", "board_or_curriculum", "CBSE"),
        ("User follows the Cambridge IGCSE curriculum.", "board_or_curriculum", "Cambridge IGCSE"),
        ("User switched from ICSE to CBSE.", "board_or_curriculum", "CBSE"),
        ("User's school board is Maharashtra State Board.", "board_or_curriculum", "Maharashtra State Board"),
        ("User studies physics, chemistry and maths.", "subjects", ["physics", "chemistry", "maths"]),
        ("User's favourite subject is marine biology.", "subjects", ["marine biology"]),
        ("User struggles with trigonometry identities.", "weak_topics", ["trigonometry identities"]),
        ("User is struggling with organic chemistry and optics.", "weak_topics", ["optics", "organic chemistry"]),
        ("User finds the laws of motion very difficult.", "weak_topics", ["laws of motion"]),
        ("User isn't good at geometry.", "weak_topics", ["geometry"]),
        ("User can't solve word problems.", "weak_topics", ["word problems"]),
        ("User has trouble with permutations and combinations.", "weak_topics", ["permutations and combinations"]),
        ("User scored 15 out of 50 on the chemistry test.", "weak_topics", ["chemistry"]),
        ("Trigonometry is User's weakest topic.", "weak_topics", ["Trigonometry"]),
        ("User has mastered quadratic equations.", "strong_topics", ["quadratic equations"]),
        ("User finds algebra easy.", "strong_topics", ["algebra"]),
        ("User scored 92% in physics.", "strong_topics", ["physics"]),
        ("User doesn't understand logarithms.", "concept_gaps", ["logarithms"]),
        ("User mixes up mitosis and meiosis.", "concept_gaps", ["mitosis and meiosis"]),
        ("User is confused about the unit circle.", "concept_gaps", ["unit circle"]),
        ("User prefers step-by-step explanations.", "explanation_style", "step-by-step explanations"),
        ("User learns best with diagrams.", "explanation_style", "diagrams"),
        ("User is a visual learner.", "explanation_style", "visual learner"),
    ],
)
def test_a_statement_fills_its_field(content: str, field: str, value: Any) -> None:
    assert shown("edtech", content)[field] == value


@requirement("end-users:edtech:fields")
@pytest.mark.parametrize(
    ("content", "kind", "value"),
    [
        ("User prefers explanations in Hinglish.", "preferred", "Hinglish"),
        ("User's mother tongue is Tamil.", "native", "Tamil"),
        ("User studies in a Hindi-medium school.", "medium", "Hindi"),
        ("User speaks hindi and English.", "speaks", ["Hindi", "English"]),
    ],
)
def test_languages_are_told_apart_by_their_use(content: str, kind: str, value: Any) -> None:
    assert shown("edtech", content)["language_profile"][kind] == value


@requirement("end-users:edtech:exams")
@pytest.mark.parametrize(
    ("content", "name", "on"),
    [
        ("User has a board exam on 2027-03-02.", "board exam", "2027-03-02"),
        ("User's maths final is on 12 December 2026.", "maths final", "2026-12-12"),
        ("User's exam is on March 2.", None, "2027-03-02"),
        ("User is preparing for NEET in May 2027.", "NEET", "2027-05"),
        ("User is studying for the JEE Main exam.", "JEE Main exam", None),
        ("User has a physics test on 03/02/2027.", "physics test", None),
    ],
)
def test_an_exam_keeps_its_name_and_its_day_to_the_letter(content: str, name: str | None, on: str | None) -> None:
    answer = shown("edtech", content)
    assert (answer["exam_name"], answer["exam_date"]) == (name, on)


@requirement("end-users:edtech:exams")
def test_the_next_exam_is_told_and_one_that_moved_on_its_new_day() -> None:
    said = [
        "User has a board exam on 2027-03-02.",
        "User's maths final is on 2026-12-12.",
        "User's maths final was moved to 2026-12-19.",
    ]
    assert shown("edtech", *said)["exam_date"] == "2026-12-19"
    after = shown("edtech", *said, now=datetime(2026, 12, 20, tzinfo=UTC))
    assert (after["exam_name"], after["exam_date"]) == ("board exam", "2027-03-02")
    assert (
        shown("edtech", *said, "User passed the board exam.", "User's maths final was cancelled.")["exam_name"] is None
    )


@requirement("end-users:edtech:newest-wins")
@pytest.mark.parametrize(
    ("contents", "field", "value"),
    [
        (["User is in grade 9.", "User is in grade 10."], "grade_level", "Grade 10"),
        (["User's board is ICSE.", "User's board is CBSE."], "board_or_curriculum", "CBSE"),
        (["User struggles with algebra.", "User no longer struggles with algebra."], "weak_topics", []),
        (["User struggles with algebra.", "User is good at algebra now."], "strong_topics", ["algebra"]),
        (["User struggles with algebra.", "User practised algebra."], "weak_topics", ["algebra"]),
        (["User doesn't understand vectors.", "User understands vectors."], "concept_gaps", []),
        (["User prefers long explanations.", "User does not like long explanations."], "explanation_style", None),
        (["User is in grade 9.", "User is no longer in grade 9."], "grade_level", None),
        (["User studies Latin.", "User no longer studies Latin."], "subjects", []),
    ],
)
def test_the_newest_statement_wins_and_a_denial_takes_away(contents: list[str], field: str, value: Any) -> None:
    assert shown("edtech", *contents)[field] == value


@requirement("end-users:edtech:nobody-elses")
@pytest.mark.parametrize(
    "content",
    [
        "User's sister is in grade 4.",
        "User's sister is in grade 4 and struggles with fractions.",
        "Anna is in grade 4 and struggles with fractions.",
        "Anna's exam is on 2027-03-02.",
        "User's brother studies physics.",
        "User was in grade 9.",
        "User used to be weak in algebra.",
        "User is a senior engineer.",
        "User studies at night.",
        "User likes Italian food.",
        "User works for the examination board.",
        "User does not have an exam.",
    ],
)
def test_what_is_said_of_others_of_the_past_or_of_other_things_fills_no_field(content: str) -> None:
    answer = shown("edtech", content)
    assert {name: value for name, value in answer.items() if value and name != "forgetting_stages"} == {}


@requirement("end-users:edtech:newest-wins")
def test_a_memory_that_says_no_as_a_whole_counts_as_a_denial() -> None:
    assert shown("edtech", Said("User is good at algebra.", FIRST, is_negated=True))["strong_topics"] == []


@requirement("end-users:edtech:fields")
def test_several_clauses_of_a_statement_each_count() -> None:
    answer = shown(
        "edtech", "User is in grade 10, studies physics and is good at algebra but doesn't understand limits."
    )
    assert answer["grade_level"] == "Grade 10"
    assert answer["subjects"] == ["physics"]
    assert (answer["strong_topics"], answer["concept_gaps"]) == (["algebra"], ["limits"])


@requirement("end-users:edtech:block")
def test_what_the_query_names_comes_first_and_an_exam_that_is_over_is_not_told() -> None:
    said = [
        f"User struggles with {topic}."
        for topic in ("trigonometry", "optics", "vectors", "acids", "cells", "waves", "logic")
    ]
    said.append("User has a board exam on 2027-03-02.")
    weak = next(line for line in lines("edtech", *said, query="teach trigonometry identities") if "Weak" in line)
    assert weak.index("trigonometry") < weak.index("logic")
    told = " ".join(lines("edtech", *said, now=datetime(2027, 2, 28, tzinfo=UTC)))
    assert "board exam on 2027-03-02 (in 2 days)" in told
    assert "board exam" not in " ".join(lines("edtech", *said, now=datetime(2027, 3, 3, tzinfo=UTC)))


@requirement("end-users:edtech:exams")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2nd of March 2027", "2027-03-02"),
        ("March 2, 2027", "2027-03-02"),
        ("25/12/2026", "2026-12-25"),
        ("02/02/2027", "2027-02-02"),
        ("02/03/2027", None),
        ("31 June 2027", None),
        ("Feb 29", "2028-02-29"),
        ("2 November", "2026-11-02"),
        ("1 November", "2027-11-01"),
        ("she may take it", None),
    ],
)
def test_a_date_is_read_in_the_one_way_there_is_or_not_at_all(text: str, found: str | None) -> None:
    assert dates.find(text, date(2026, 11, 2)) == found


@requirement("end-users:edtech:fields")
def test_very_many_statements_stay_within_bounds() -> None:
    said = [Said(f"User struggles with topic {number}x.", FIRST + timedelta(hours=number)) for number in range(300)]
    assert len(shown("edtech", *said)["weak_topics"]) == 60
    assert max(map(len, lines("edtech", *said))) < 700
