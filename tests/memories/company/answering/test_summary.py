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

    told = summary.by_rule("How long do refunds take?", facts, "comprehensive")

    assert told == "Refunds are paid within 5 working days. (Refunds) Finance sends a receipt. (Finance)"


def test_a_second_statement_that_fits_less_is_not_in_it() -> None:
    told = summary.by_rule("How long?", [FIVE_DAYS, fact("Finance sends a receipt.", 0.4)], "comprehensive")

    assert told == "Refunds are paid within 5 working days. (Refunds)"


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

    assert summary.by_model("How long?", [FIVE_DAYS], "comprehensive", asked) == "Refunds take 5 working days."
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

    assert summary.by_model("How long?", [FIVE_DAYS], "comprehensive", asked) == ""
    assert "refused" in asked.failure


def test_a_wording_without_end_is_shortened(language_model: LanguageModelServer) -> None:
    language_model.says({"summary": "refunds " * 1000})

    assert len(summary.by_model("How long?", [FIVE_DAYS], "comprehensive", model())) <= summary.LONGEST
