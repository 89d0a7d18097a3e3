import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.company.answering import follow_ups, small_talk, triage
from memories.deadline import Deadline
from tests.cast import Person
from tests.memories.company.answering.test_quoting import CALM, HOSTILE
from tests.requirements import requirement

PAGE = "The morning was grey and the harbour quiet. "


@requirement("retrieve:long-prompt")
def test_of_a_long_prompt_the_questions_and_both_ends_are_searched_for() -> None:
    page = f"This is about the lease. {PAGE * 60}Who signs it? {PAGE * 60}Is rent due? {PAGE * 40}Thank you, Maud."

    assert triage.salient(page).split("\n") == [
        "This is about the lease.", "Who signs it?", "Is rent due?", "Thank you, Maud.",
    ]  # fmt: skip


@requirement("retrieve:long-prompt")
def test_of_a_long_prompt_without_a_question_both_ends_are_searched_for() -> None:
    page = "Sum this up. " + "".join(f"Sentence number {number} says nothing. " for number in range(150)) + "Be brief."
    told = triage.salient(page).split("\n")

    assert told[:3] == ["Sum this up.", "Sentence number 0 says nothing.", "Sentence number 1 says nothing."]
    assert told[-2:] == ["Sentence number 149 says nothing.", "Be brief."]
    assert 900 < len("\n".join(told)) <= triage.LONGEST_QUERY


def test_a_prompt_of_usual_length_is_searched_for_as_it_is() -> None:
    prompt = PAGE * 20

    assert triage.salient(prompt) == prompt


@requirement("retrieve:long-prompt")
def test_of_many_questions_the_latest_that_fit_are_taken() -> None:
    query = triage.salient(PAGE * 20 + " ".join(f"What about item number {number}?" for number in range(200)))

    assert "item number 199?" in query
    assert "item number 12?" not in query
    assert len(query) <= triage.LONGEST_QUERY


@requirement("retrieve:long-prompt")
@pytest.mark.parametrize(
    "prompt",
    ["x" * 8000, "? " * 4000, "?" + " " * 7990 + "?", "ok " * 2600, "A" + "!" * 7990, "Ab " * 2600, "中" * 8000,
     "and " * 2000, "it " * 2600, "more " * 1600, "'" * 8000, "(" * 4000 + ")" * 4000, "a.b" * 2600, "\n" * 4000 + "x"],
)  # fmt: skip
def test_no_prompt_takes_long_to_understand(alice: Person, prompt: str) -> None:
    began = time.thread_time()
    triage.by_rule(alice.account, prompt=prompt, earlier=[prompt, "Who?", prompt], deadline=Deadline.after(60))

    assert time.thread_time() - began < 1


@CALM
@given(prompt=HOSTILE, earlier=st.lists(HOSTILE, max_size=4))
def test_any_text_can_be_understood(prompt: str, earlier: list[str]) -> None:
    small_talk.is_small_talk(prompt)
    small_talk.is_coding_question(prompt)
    query = triage.salient(follow_ups.resolved(prompt, earlier))

    assert query or not prompt.strip()


@requirement("retrieve:triage:in-doubt")
def test_without_documents_a_coding_question_is_still_plain(alice: Person) -> None:
    decided = triage.by_rule(
        alice.account, prompt="parse a timetable in Python", earlier=[], deadline=Deadline.after(60)
    )

    assert decided.decision == "skip"
    assert "general programming question" in decided.reasoning
