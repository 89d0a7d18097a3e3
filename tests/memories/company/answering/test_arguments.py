import pytest

from accounts.errors import InvalidArguments
from memories.company.answering import arguments
from tests.requirements import requirement


def refused(check, value: str) -> InvalidArguments:
    with pytest.raises(InvalidArguments) as caught:
        check(value)
    return caught.value


@requirement("retrieve:arguments:prompt")
@pytest.mark.parametrize("character", ["x", "é", "中", "𝕏", "👍"])
def test_a_prompt_of_exactly_8000_characters_is_taken(character: str) -> None:
    assert arguments.prompt(f"  {character * 8000}\n") == character * 8000


@requirement("retrieve:arguments:prompt")
@pytest.mark.parametrize("character", ["x", "中", "👍"])
def test_one_character_more_is_refused_with_both_numbers(character: str) -> None:
    error = refused(arguments.prompt, character * 8001)

    assert error.argument == "prompt"
    assert "8,001" in error.message
    assert "8,000" in error.message


@requirement("retrieve:arguments:prompt")
@pytest.mark.parametrize("blank", ["", " ", "\n\t ", "\u00a0", "\u200b\u200d", "\ufeff"])
def test_a_prompt_without_anything_visible_is_refused(blank: str) -> None:
    error = refused(arguments.prompt, blank)

    assert error.argument == "prompt"
    assert "empty" in error.message


@requirement("retrieve:arguments:prompt")
@pytest.mark.parametrize(
    ("value", "reason"),
    [("who\x00 owns", "NUL character at position 4"), ("a\ud800b", "surrogate"), ("\udfff", "surrogate")],
)
def test_what_no_database_can_keep_is_refused_by_name(value: str, reason: str) -> None:
    error = refused(arguments.prompt, value)

    assert error.argument == "prompt"
    assert reason in error.message
    assert error.message.isprintable()


@requirement("retrieve:arguments:session-id")
@pytest.mark.parametrize("value", ["s", "s" * 200, "mémoire-中"])
def test_session_ids_of_1_to_200_characters_are_taken(value: str) -> None:
    assert arguments.session_id(value) == value


@requirement("retrieve:arguments:session-id")
@pytest.mark.parametrize("value", ["", "  ", "s" * 201, "a\x00", "\ud800"])
def test_other_session_ids_are_refused_by_name(value: str) -> None:
    error = refused(arguments.session_id, value)

    assert error.argument == "session_id"
    assert "session_id" in error.message
