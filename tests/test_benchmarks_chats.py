"""What counts as right when chats are read for the benchmark."""

from pathlib import Path

import pytest
import yaml

from benchmarks import chats
from memories.end_users.statements import Statement
from memories.redaction import cut
from tests.memories.embedders import DOWN
from tests.requirements import requirement

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples/chats").glob("*.yaml"))
UNSEEN = [ROOT / "benchmarks/data" / f"{name}_chats.yaml" for name in ("fresh", "later")]


def expected(content: str) -> dict[str, str]:
    return {"content": content, "category": "fact"}


def found(content: str) -> Statement:
    return Statement(content, "fact")


@requirement("bench:extraction")
@pytest.mark.parametrize(
    "other",
    [
        "User lives in Porto with 3 cats.",
        "User lives in Lisbon with 2 cats.",
        "User does not live in Lisbon with 3 cats.",
        "User's sister lives in Lisbon with 3 cats.",
        "User once sold 3 old wooden boats in Lisbon.",
    ],
)
def test_another_name_number_negation_subject_or_matter_is_not_the_same(other: str) -> None:
    assert chats.alike("User lives in Lisbon with 3 cats.", "User is living in Lisbon with 3 cats.") >= chats.LIKE
    assert chats.alike("User lives in Lisbon with 3 cats.", other) < chats.LIKE


@requirement("bench:extraction")
def test_one_statement_answers_one_expected_and_the_rest_count_as_missed_and_wrong() -> None:
    outcome = chats.matched(
        [expected("User likes green tea."), expected("User likes tea.")],
        [found("User likes tea."), found("User plays chess.")],
    )

    assert [one["content"] for one, _ in outcome.right] == ["User likes tea."]
    assert [one["content"] for one in outcome.missed] == ["User likes green tea."]
    assert [one.content for one in outcome.wrong] == ["User plays chess."]


@requirement("bench:extraction")
def test_the_example_chats_are_read_as_expected(settings) -> None:
    settings.PAM_EMBEDDER = DOWN
    outcomes = [chats.outcome(chat) for file in EXAMPLES for chat in yaml.safe_load(file.read_text())]

    assert len(outcomes) == 30
    assert list(chats.faults(outcomes)) == []


@requirement("bench:extraction")
def test_the_chats_have_their_form_and_hold_no_address_of_anybody() -> None:
    written = [chat for file in [*EXAMPLES, *UNSEEN] for chat in yaml.safe_load(file.read_text())]

    assert len(written) == len({chat["id"] for chat in written}) == 60
    assert all(
        set(turn) <= {"user", "assistant"} and isinstance(said, str)
        for chat in written
        for turn in chat["messages"]
        for said in turn.values()
    )
    assert all(one["content"].strip() and one["category"] for chat in written for one in chat["remembered"])
    assert sum(cut(file.read_text()).count for file in [*EXAMPLES, *UNSEEN]) <= 1  # one chat tells a password
