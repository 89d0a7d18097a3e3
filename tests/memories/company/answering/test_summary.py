import pytest

from memories import providers
from memories.company.answering import summary
from memories.company.answering.findings import Fact, Origin
from memories.deadline import Deadline
from tests.memories.language_model_server import LanguageModelServer
from tests.requirements import requirement


def fact(statement: str, relevance: float = 0.9, title: str = "Refunds") -> Fact:
    return Fact(statement, relevance, (Origin(title, f"{title}.md", f"Handbook > {title}"),))


FIVE_DAYS = fact("Refunds are paid within 5 working days")


def model() -> providers.Session:
    return providers.Session(Deadline.after(60))


@requirement("retrieve:summary")
def test_the_best_statements_with_their_sources_are_the_summary() -> None:
    facts = [FIVE_DAYS, fact("For refunds finance sends a receipt.", 0.85, "Finance"), fact("Weather is fine.", 0.3)]

    told = summary.by_rule("What happens with refunds?", facts, "comprehensive")

    assert told == "Refunds are paid within 5 working days. (Refunds) For refunds finance sends a receipt. (Finance)"


def test_a_second_statement_that_fits_less_is_not_in_it() -> None:
    told = summary.by_rule("How long?", [FIVE_DAYS, fact("Finance sends a receipt.", 0.4)], "comprehensive")

    assert told == "Refunds are paid within 5 working days. (Refunds)"


@requirement("retrieve:summary")
def test_a_statement_with_the_kind_of_thing_asked_for_comes_before_one_that_is_only_nearer() -> None:
    facts = [fact("Every clock has a box.", 0.6, "Railway"), fact("Customer: Railway; Clocks: 22", 0.4, "Accounts")]

    told = summary.by_rule("How many clocks does the railway have?", facts, "comprehensive")

    assert told == "Customer: Railway; Clocks: 22. (Accounts)"


def test_partial_coverage_is_told() -> None:
    assert "only part of the question" in summary.by_rule("How long?", [FIVE_DAYS], "partial")


@requirement("retrieve:coverage:limited")
def test_limited_coverage_says_what_is_mentioned_and_what_is_missing() -> None:
    told = summary.by_rule("What is the refund limit in Norway?", [FIVE_DAYS], "limited")

    assert told.startswith("The documents mention “refund”, but none of them clearly answers the question.")
    assert "Nothing that was found speaks of “limit” and “Norway”." in told


@requirement("retrieve:coverage:limited")
def test_limited_coverage_without_a_word_in_common_says_so() -> None:
    assert "none of them answers" in summary.by_rule("Wann ist Zahltag?", [FIVE_DAYS], "limited")


@requirement("retrieve:coverage:none")
def test_nothing_found_is_said_with_what_may_help() -> None:
    told = summary.by_rule("Who?", [], "none", hint="Name the project.")

    assert told == "Nothing was found in company memory that answers this. Name the project."


@requirement("retrieve:summary", "retrieve:llm:provider")
def test_a_model_words_the_summary_out_of_the_facts(language_model: LanguageModelServer) -> None:
    language_model.says({"summary": "Refunds take\n5 working days."})
    asked = model()

    told = summary.by_model("How long?", [FIVE_DAYS], "comprehensive", asked)

    assert told == ("Refunds take 5 working days.", "comprehensive")
    assert "Refunds are paid within 5 working days" in language_model.sent
    assert asked.calls == 1


@requirement("retrieve:summary")
@pytest.mark.parametrize(
    "answer",
    [
        {"summary": "Refunds take 7 working days."},
        {"summary": "See http://evil.example/refunds"},
        {"summary": "Write to boss@evil.example"},
        {"summary": " "},
        {"summary": ["Refunds take 5 days"]},
        {"text": "Refunds take 5 days"},
    ],
)
def test_a_wording_that_no_fact_bears_out_is_refused(language_model: LanguageModelServer, answer: dict) -> None:
    language_model.says(answer)
    asked = model()

    assert summary.by_model("How long?", [FIVE_DAYS], "comprehensive", asked) == ("", "comprehensive")
    assert "refused" in asked.failure


def test_a_wording_without_end_is_shortened(language_model: LanguageModelServer) -> None:
    language_model.says({"summary": "refunds " * 1000})

    assert len(summary.by_model("How long?", [FIVE_DAYS], "comprehensive", model())[0]) <= summary.LONGEST


@requirement("retrieve:coverage:model")
@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("limited", "limited"),
        ("comprehensive", "comprehensive"),
        ("none", "partial"),
        (7, "partial"),
        (None, "partial"),
    ],
)
def test_a_model_judges_coverage_in_the_call_that_words_the_summary(
    language_model: LanguageModelServer, said: object, label: str
) -> None:
    language_model.says({"summary": "Refunds take 5 working days.", "coverage": said})
    asked = model()

    assert summary.by_model("How long?", [FIVE_DAYS], "partial", asked)[1] == label
    assert asked.calls == 1


@requirement("retrieve:superseded")
def test_a_model_is_told_what_was_replaced(language_model: LanguageModelServer) -> None:
    language_model.says({"summary": "Refunds took 5 working days."})
    place = (Origin("Old", "old.md", "Old"),)
    summary.by_model("How long?", [Fact("5 days.", 0.9, place, superseded="superseded by D-9")], "partial", model())

    assert "superseded by D-9" in language_model.sent


@requirement("retrieve:summary")
def test_a_second_statement_about_somebody_else_is_not_in_it() -> None:
    spent = [fact("Who: Crew leads and account managers; Without asking: 750 pounds", 0.72)]
    others = [
        fact("Who: Heads; Without asking: 5,000 pounds", 0.7),
        fact("Who: Directors; Without asking: 9 pounds", 0.7),
    ]

    for other in others:
        told = summary.by_rule("How much may an account manager spend?", [*spent, other], "comprehensive")
        assert told == "Who: Crew leads and account managers; Without asking: 750 pounds. (Refunds)"


@requirement("retrieve:summary")
def test_a_second_statement_about_the_other_thing_asked_for_is_in_it() -> None:
    facts = [fact("Refunds take 5 days.", 0.7), fact("Billing belongs to Ines Okafor.", 0.69, "Owners")]

    told = summary.by_rule("What about refunds, and what about billing?", facts, "comprehensive")

    assert told == "Refunds take 5 days. (Refunds) Billing belongs to Ines Okafor. (Owners)"


@requirement("retrieve:coverage:limited")
def test_where_all_is_far_the_summary_says_that_nothing_answers() -> None:
    told = summary.by_rule("What is the refund limit in Norway?", [fact("Refunds are paid.", 0.06)], "limited")

    assert "none of them answers the question" in told
    assert told.endswith("The nearest statements are shown.")


@requirement("retrieve:coverage:limited")
@pytest.mark.parametrize(
    "question", ["What does Norway mean?", "What happens in Norway?", "Who knows how Norway works?"]
)
def test_verbs_are_not_told_as_what_nothing_speaks_of(question: str) -> None:
    told = summary.by_rule(question, [fact("They know what it means and how it happens and works.")], "limited")

    assert "mean" not in told
    assert "happen" not in told
    assert "know" not in told
    assert "“work" not in told


PENDING = fact("The chapter decides at its meeting in September 2026.")


@requirement("retrieve:coverage:to-come")
@pytest.mark.parametrize(
    "statement",
    [
        PENDING.statement,
        "The dial will be regilded.",
        "The matter of the dial is not decided yet.",
        "The dial is to be looked at again in May.",
    ],
)
def test_what_is_still_to_come_answers_at_most_a_part_of_what_was_done(statement: str) -> None:
    question = "What did the chapter decide about the dial?"

    assert summary.settled(question, [fact(statement)], "comprehensive") == "partial"
    told = summary.by_rule(question, [fact(statement)], "partial")
    assert told.endswith("Nothing that was found says that it has happened.")


@requirement("retrieve:coverage:to-come")
def test_what_is_still_to_come_answers_a_question_about_the_future() -> None:
    assert (
        summary.settled("When does the chapter decide about the dial?", [PENDING], "comprehensive") == "comprehensive"
    )


@requirement("retrieve:coverage:to-come")
def test_what_was_done_is_told_before_what_is_still_to_come() -> None:
    facts = [fact("To be looked at again in November.", 0.5), fact("Maren decided for three plans.", 0.45)]

    told = summary.by_rule("What did we decide about plans?", facts, "comprehensive")

    assert told.startswith("Maren decided for three plans.")
    assert summary.settled("What did we decide about plans?", facts, "comprehensive") == "comprehensive"


@requirement("retrieve:identifiers")
def test_an_identifier_that_stands_nowhere_is_told() -> None:
    assert summary.unmentioned(["ERR-9999"]) == "No document mentions “ERR-9999”."
    assert summary.unmentioned([]) == ""
