import pytest

from memories.company.answering import follow_ups
from tests.requirements import requirement

REFUND = "What is our refund policy?"

# (earlier prompts, oldest first), prompt, what is searched for
LEANING = [
    ([REFUND], "and who owns it?", "Who owns our refund policy?"),
    ([REFUND], "And how long does that take?", "How long does our refund policy take?"),
    ([REFUND], "and the deadline?", "The deadline? (What is our refund policy?)"),
    ([REFUND], "What happened to that?", "What happened to our refund policy?"),
    (
        ["What are the opening hours of the depot in Hamburg?"],
        "what about Berlin?",
        "What are the opening hours of the depot in Berlin?",
    ),
    (["What was the revenue in 2023?"], "and in 2024?", "What was the revenue in 2024?"),
    (["What were our sales in Q1 2025?"], "how about Q2 2025?", "What were our sales in Q2 2025?"),
    (
        ["How many vacation days do full-time employees get?"],
        "What about part-time employees?",
        "How many vacation days do part-time employees get?",
    ),
    (["How many vacation days do full-time employees get?"], "who approves them?", "Who approves vacation days?"),
    (["Who owns billing?"], "what's her email?", "What's her email? (Who owns billing?)"),
    (["Who owns billing?"], "since when?", "Who owns billing: since when?"),
    (["Who owns billing?"], "why?", "Who owns billing: why?"),
    (["Who leads the Berlin depot?"], "and who works there?", "Who works there? (Who leads the Berlin depot?)"),
    (["When does the Northwind contract end?"], "what are its terms?", "What are the Northwind contract's terms?"),
    (["When does the Northwind contract end?"], "Can we cancel it?", "Can we cancel the Northwind contract?"),
    (
        ["How do I get a replacement battery for a cargo bike?", "thanks!"],
        "and who approves it?",
        "Who approves a replacement battery for a cargo bike?",
    ),
    (["What is Relay?", "and who owns it?"], "when did they start?", "When did Relay start?"),
    (
        ["What did we decide about pricing for the Basic plan?"],
        "and the Pro plan?",
        "What did we decide about pricing for the Pro plan?",
    ),
    (["Who is our contact at Northwind?"], "and at Harbour Foods?", "Who is our contact at Harbour Foods?"),
    (["Tell me about Project Lighthouse"], "is it on track?", "Is Project Lighthouse on track?"),
    (
        ["Tell me about Project Lighthouse"],
        "what's the budget for that project?",
        "What's the budget for that project? (Tell me about Project Lighthouse?)",
    ),
    (["What is the on-call rotation?"], "how often does it change?", "How often does the on-call rotation change?"),
    (["What is the on-call rotation?"], "who else?", "What is the on-call rotation: who else?"),
    (["What is the on-call rotation?"], "for weekends?", "For weekends? (What is the on-call rotation?)"),
    # Over the example company.
    (["Who runs the Old Tannery?"], "and the Castle Orrin depot?", "Who runs the Castle Orrin depot?"),
    (
        ["How long does the Coastline Rail contract run?"],
        "what penalties does it have?",
        "What penalties does the Coastline Rail contract have?",
    ),
    (
        ["How long does the Coastline Rail contract run?"],
        "and who is our owner there?",
        "Who is our owner there? (How long does the Coastline Rail contract run?)",
    ),
    (["What does Keep Plus cost?"], "and Keep?", "What does Keep cost?"),
    (["What is a Lineside card?"], "how long is it valid?", "How long is a Lineside card valid?"),
    (["What is a Lineside card?"], "who needs one?", "What is a Lineside card: who needs one?"),
    (["Why did we move to three plans?"], "when?", "Why did we move to three plans: when?"),
    (
        ["Who leads field service?", "and the workshop?"],
        "how do I reach her?",
        "How do I reach her? (The workshop? (Who leads field service?))",
    ),
    (
        ["What happened in the incident of March 2026?"],
        "what did we change after that?",
        "What did we change after the incident of March 2026?",
    ),
    (
        ["What is the goal for Chime Boxes in 2026?"],
        "who owns that goal?",
        "Who owns that goal? (What is the goal for Chime Boxes in 2026?)",
    ),
    (
        ["What did Anton Brevik ask for?"],
        "did we promise it to him?",
        "Did we promise it to him? (What did Anton Brevik ask for?)",
    ),
    (["What does error E-104 mean?"], "and E-207?", "What does error E-207 mean?"),
    (["What does error E-104 mean?"], "what should I do about it?", "What should I do about error E-104?"),
    (["What are the quiet weeks?"], "do they apply to schools?", "Do the quiet weeks apply to schools?"),
    (
        ["Tell me about St Brannoc's Cathedral"],
        "Any open issues?",
        "Any open issues? (Tell me about St Brannoc's Cathedral?)",
    ),
    (
        ["Why is Brackwater leaving?"],
        "When did they tell us, and who wrote that letter?",
        "When did Brackwater tell us, and who wrote that letter?",
    ),
    (["Is Brackwater still a customer?"], "since when do they pay?", "Since when do Brackwater pay?"),
    (
        ["Why did we move to three plans?"],
        "who approved it?",
        "Who approved it? (Why did we move to three plans?)",
    ),
    (
        ["When does the Northwind contract renew?"],
        "who signed it?",
        "Who signed it? (When does the Northwind contract renew?)",
    ),
    (["Tell me about St Brannoc's Cathedral"], "more details please", "Tell me about St Brannoc's Cathedral"),
]

STANDING_ALONE = [
    "What is the travel policy and who owns it?",
    "How long does it take to get a new laptop?",
    "Can contractors expense their travel?",
    "Who owns billing?",
    "When is payday?",
    "If my laptop breaks, who fixes it?",
    "Is there a rule that contractors must badge in?",
    "Berlin office opening hours",
    "ERR-4912",
    "So what is our travel policy for contractors?",
    "Is it true that we closed the Bremen depot?",
    "In Berlin, who owns the depot keys?",
    "and what is the travel policy for contractors?",
    "Summarise the incident of March 3 and say which follow-ups are still open, who owns them, when they are due",
    "What did Gina find in her neighbourhood?",
    "How many clocks do we look after this year?",
    "What do we do in these days before Christmas?",
    "what's the default of drift_alarm_seconds?",
    "谁负责账单系统？",
]


@requirement("retrieve:triage:rewrite")
@pytest.mark.parametrize(("earlier", "prompt", "whole"), LEANING)
def test_a_prompt_that_leans_on_the_session_is_made_whole(earlier: list[str], prompt: str, whole: str) -> None:
    assert follow_ups.resolved(prompt, earlier) == whole


@requirement("retrieve:triage:rewrite")
@pytest.mark.parametrize("prompt", STANDING_ALONE)
def test_a_prompt_that_stands_alone_is_left_to_the_letter(prompt: str) -> None:
    assert follow_ups.resolved(prompt, [REFUND]) == prompt


@requirement("retrieve:triage:rewrite")
def test_only_the_last_three_prompts_count() -> None:
    thanks = ["thanks!"] * 3

    assert follow_ups.resolved("and who owns it?", [REFUND, *thanks[:2]]) == "Who owns our refund policy?"
    assert follow_ups.resolved("and who owns it?", [REFUND, *thanks]) == "and who owns it?"


def test_the_first_prompt_of_a_session_is_left_as_it_is() -> None:
    assert follow_ups.resolved("and who owns it?", []) == "and who owns it?"


def test_a_long_earlier_prompt_does_not_swallow_the_new_one() -> None:
    whole = follow_ups.resolved("and who owns it?", ["What is " + "the very long story " * 300])

    assert whole.startswith("Who owns it?")
    assert len(whole) < 300


@requirement("retrieve:triage:rewrite")
@pytest.mark.parametrize("before", ["Why is Brackwater leaving?", "Why did Brackwater quit?", "Was Brackwater closed?"])
def test_only_the_name_of_an_earlier_question_takes_the_place_of_a_pronoun(before: str) -> None:
    assert follow_ups.resolved("When did they tell us?", [before]) == "When did Brackwater tell us?"
