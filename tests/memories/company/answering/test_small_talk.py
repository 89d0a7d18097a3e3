import pytest

from memories.company.answering import small_talk
from tests.requirements import requirement


@requirement("retrieve:triage:skip")
@pytest.mark.parametrize(
    "prompt",
    ["hi", "Hi!", "Thanks!", "ok great, bye", "hi team!", "Hello there :)", "👍", "???", "how are you today?", "你好",
     "guten Morgen!", "thanks for all the help!", "That’s all, thanks", "Good morning everyone", "yes", "“thank you”"],
)  # fmt: skip
def test_pleasantries_are_small_talk(prompt: str) -> None:
    assert small_talk.is_small_talk(prompt)


@requirement("retrieve:triage:in-doubt")
@pytest.mark.parametrize(
    "prompt",
    ["Who owns billing?", "hi, who owns billing?", "no, the Berlin one", "team", "ping", "thanks, and the deadline?",
     "Good morning Vietnam project", "hi-vis jackets", "OK Computer", "42", "ERR-4912", "hello " * 50],
)  # fmt: skip
def test_whatever_asks_for_something_is_not(prompt: str) -> None:
    assert not small_talk.is_small_talk(prompt)


@requirement("retrieve:triage:skip")
@pytest.mark.parametrize(
    "prompt",
    ["reverse a list in Python", "How do I reverse a list in Python?", "center a div in CSS",
     "write a regex that matches email addresses", "implement quicksort in Rust", "undo the last commit in git",
     "What is the difference between let and var in JavaScript?", "Explain Python decorators", "c++ pointer syntax",
     "write a Python function that returns the nth fibonacci number", "Why does my React component render twice?"],
)  # fmt: skip
def test_plain_coding_questions_are_seen(prompt: str) -> None:
    assert small_talk.is_coding_question(prompt)
    assert small_talk.unfamiliar(prompt) == []


@requirement("retrieve:triage:in-doubt")
@pytest.mark.parametrize(
    "prompt",
    ["Which Python version do we use?", "What does Relay do in Python?", "Who wrote the Python style guide?", "Python",
     "sort the list of customers in SQL", "What does sync_orders() do in Python?", "fix src/app.py, a Python file",
     "reverse the list in our Python client", "sort an array in the language of team Blue", "ERR-4912 in Python loop"],
)  # fmt: skip
def test_a_coding_question_with_a_name_an_identifier_or_an_us_is_not_plain(prompt: str) -> None:
    assert not small_talk.is_coding_question(prompt)


def test_words_outside_the_trade_are_told_for_looking_up() -> None:
    assert small_talk.is_coding_question("parse the tandem manifest in python")
    assert small_talk.unfamiliar("parse the tandem manifest in python") == ["tandem", "manifest"]
