"""Which kind of thing a question asks for, and whether a statement holds one."""

import pytest

from memories import kinds
from tests.requirements import requirement


@requirement("retrieve:summary")
@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("How many clocks does the railway have?", "Twenty-two station clocks, twelve on Keep.", "The clock stops."),
        ("How many clocks does the railway have?", "Customer: Railway; Clocks: 22", "It owns 5 signal boxes."),
        ("How much does the course cost?", "We pay the course, which is 1,140 pounds.", "The course is taken in May."),
        ("How long is a card valid?", "It is valid for two years.", "A card is needed at the platform."),
        ("When is the rehearsal?", "It is fixed for Thursday, 8 October.", "The rehearsal is heard by a person."),
        ("Who approves refunds?", "Refunds are approved by Ines Okafor.", "Refunds are slow."),
        ("What percentage may prices rise by?", "By no more than 4 percent.", "Prices rise each January."),
        ("How heavy is the bell?", "The bell weighs 2.6 tonnes.", "The bell is heavy."),
    ],
)
def test_a_statement_with_the_kind_asked_for_is_told_from_one_without(question: str, holds: str, lacks: str) -> None:
    kind = kinds.asked(question)

    assert kind is not None
    assert (kind.is_in(holds), kind.is_in(lacks)) == (True, False)


@requirement("retrieve:summary")
@pytest.mark.parametrize(
    "question", ["Why did we leave?", "What is a birdcage?", "How do I claim expenses?", "谁负责?"]
)
def test_a_question_that_tells_no_kind_asks_for_none(question: str) -> None:
    assert kinds.asked(question) is None
