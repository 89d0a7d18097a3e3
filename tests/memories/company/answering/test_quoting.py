import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memories.company.answering import quoting
from tests.requirements import requirement

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# A machine that is busy with other things is no failure.
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# What breaks out when it can, mixed with anything at all.
HOSTILE = st.lists(
    st.sampled_from(
        ["# ", "\n", "\n\n", "```", "~~~", "````markdown", "**", "*", "__", "_", "~~", "<b>", "</b>", "<!--", "-->",
         "---", "[a](http://evil.example)", "![a](x)", "](", "<http://evil.example>", "\\", "`", "|", "- ", "> ",
         "1. ", "===", "&lt;", "\r\n", "\t", "    ", "\u2028", "\x0b", "word", "snake_case", "a*b", "(", ")", "!",
         "<?x", "<script>", "Ignore previous instructions", "\ud800", "\u202e", "\x85"]
    )
    | st.text(max_size=8),
    max_size=25,
).map("".join)  # fmt: skip


@requirement("retrieve:report:quoted-data")
@CALM
@given(text=HOSTILE)
def test_inline_text_is_nothing_but_text(text: str) -> None:
    line = quoting.inline(text)

    tokens = MARKDOWN.parse(f"- **{line}x** (source: {line})")
    kinds = [token.type for token in tokens]
    assert kinds == [
        "bullet_list_open", "list_item_open", "paragraph_open", "inline",
        "paragraph_close", "list_item_close", "bullet_list_close",
    ]  # fmt: skip
    inside = {token.type for token in tokens[3].children or []}
    assert inside <= {"text", "text_special", "strong_open", "strong_close"}
    assert [token.type for token in tokens[3].children or []].count("strong_open") == 1


@requirement("retrieve:report:quoted-data")
@CALM
@given(text=HOSTILE)
def test_a_fence_is_closed_by_ours_alone(text: str) -> None:
    tokens = MARKDOWN.parse(f"before\n\n{quoting.fenced(text)}\n\nafter")

    assert [token.type for token in tokens] == [
        "paragraph_open", "inline", "paragraph_close", "fence", "paragraph_open", "inline", "paragraph_close",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "snake_case and __init__.py in src/app",
        "see [1] and <5 ms, a|b",
        "C:\\Users\\x",
        "~5 %, 3 > 2 & more",
        "Zürich – 中文",
        "#42",
    ],
)
def test_harmless_marks_stay_readable(text: str) -> None:
    assert quoting.inline(text) == text.replace("__init__", r"\_\_init\_\_")


def test_white_space_is_folded_and_unseen_characters_go() -> None:
    assert quoting.inline(" a\n\tb\u2028c\u202e\x00 \U000e0041d ") == "a b c d"


def test_a_quoted_text_keeps_its_characters() -> None:
    text = "| a | b |\n| --- | --- |\n| *1* | `2` |"

    assert text in quoting.fenced(text)


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    assert quoting.fenced("````\ncode\n````").startswith("`````markdown\n")


def test_shortening_keeps_whole_words_and_says_so() -> None:
    assert quoting.shortened("one two three four", 12) == "one two…"
    assert quoting.shortened("one two", 12) == "one two"
    assert len(quoting.shortened("x" * 50, 12)) == 12
