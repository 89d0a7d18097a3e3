"""Which identifiers stand where, whole."""

import pytest

from memories import mentions
from tests.requirements import requirement


@requirement("retrieve:identifiers")
@pytest.mark.parametrize(
    "text",
    ["see ERR-4912.", "err 4912 again", "ERR_4912", "ERR4912", "(ERR-4912)", "ERR-4912/ERR-4913", "**ERR-4912**"],
)
def test_an_identifier_stands_in_a_text_however_it_is_joined(text: str) -> None:
    assert mentions.missing("What does ERR-4912 mean?", [text]) == []


@requirement("retrieve:identifiers")
@pytest.mark.parametrize(
    "text", ["ERR-7731", "an error", "4912", "ERR-49121", "XERR-4912", "ERR-4912-07", "ERR and 4912"]
)
def test_neither_a_part_nor_a_longer_one_is_the_identifier(text: str) -> None:
    assert mentions.missing("What does ERR-4912 mean?", [text]) == ["ERR-4912"]


@requirement("retrieve:identifiers")
@pytest.mark.parametrize(
    "question",
    [
        "Who is on the 24-hour watch?",
        "Is it open at 10am on the 14th?",
        "Sick and/or holiday pay?",
        "Read-only or 100GB?",
    ],
)
def test_measures_and_alternatives_are_no_identifiers(question: str) -> None:
    assert mentions.named(question) == []


@requirement("retrieve:identifiers")
@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("What does ERR-9999 mean?", False),
        ("How does error code ERR-9999 happen?", False),
        ("What does ERR-9999 mean for Coastline Rail?", True),
    ],
)
def test_what_is_asked_beside_an_identifier_is_something_else_only_where_it_names_something(
    question: str, others: bool
) -> None:
    assert mentions.asks_of_others(question, ["ERR-9999"]) is others
