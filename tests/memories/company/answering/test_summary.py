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
    facts = [FIVE_DAYS, fact("Finance sends a receipt.", 0.85, "Finance"), fact("Weather is fine.", 0.3)]

    told = summary.by_rule("What happens with refunds?", facts, "comprehensive")

    assert told == "Refunds are paid within 5 working days. (Refunds) Finance sends a receipt. (Finance)"


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
