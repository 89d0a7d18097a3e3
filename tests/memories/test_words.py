"""How a text becomes words."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from memories import clauses, words
from tests.requirements import requirement


@requirement("search:words:identifiers")
@pytest.mark.parametrize(
    "identifier", ["ERR-4912", "holdoff_max_seconds", "docs/guide.md", "9f86d081884c", "v1.2.3", "PaymentGateway"]
)
def test_an_identifier_is_kept_whole_and_found_by_its_parts(identifier: str) -> None:
    found = words.terms(f"See {identifier}, please.")

    assert identifier.casefold() in found
    assert "pleas" in found


@requirement("search:words:identifiers")
def test_the_parts_of_an_identifier_find_it_too() -> None:
    assert {"holdoff", "max"} <= set(words.terms("holdoff_max_seconds"))
    assert {"payment", "gateway"} <= set(words.terms("PaymentGateway"))


@requirement("search:words:stems")
def test_forms_of_a_word_and_accents_are_one_term() -> None:
    assert words.terms("policies Policy") == ["polici", "polici"]
    assert words.terms("Zürich zurich ZÜRICH's") == ["zurich"] * 3


@requirement("search:words:stems")
def test_words_stemmed_by_several_threads_at_once_have_their_own_stems() -> None:
    starts = [f"{one}{two}{three}" for one in "bdfgklmnprstvz" for two in "aeiou" for three in "lnrst"]
    listed = [f"{start}{end}" for start in starts for end in ("ing", "ational", "fulness", "ies", "ousli")]
    alone = {word: words._stem(word) for word in listed}
    words._stem.cache_clear()
    usual, all_there = sys.getswitchinterval(), threading.Barrier(6)

    def stemmed(first: int) -> dict[str, str]:
        all_there.wait()
        return {word: words._stem(word) for word in listed[first:] + listed[:first]}

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as pool:
            together = list(pool.map(stemmed, range(0, 6 * 290, 290)))
    finally:
        sys.setswitchinterval(usual)
        words._stem.cache_clear()

    assert all(found == alone for found in together)


@requirement("search:words:unspaced")
@pytest.mark.parametrize(
    ("text", "question"),
    [("東京都の天気は晴れです。", "天気"), ("ร้านอาหารเปิดเวลาเจ็ดโมง", "อาหาร"), ("退款将在五个工作日内支付", "工作日")],
)
def test_scripts_without_spaces_share_terms(text: str, question: str) -> None:
    assert set(words.content_terms(question)) <= set(words.terms(text))


@requirement("search:words:question-words")
def test_function_words_carry_nothing_of_a_question() -> None:
    assert words.content_terms("Who is the owner of the billing system, and what's its SLA?") == [
        "owner",
        "bill",
        "system",
        "sla",
    ]


@requirement("search:words:rarity")
def test_a_rare_word_weighs_more_than_a_common_one_and_an_unknown_one_most() -> None:
    common, rare, unknown = (words.rarity(frequency, 1_000) for frequency in (500, 3, 0))

    assert 0 < common < rare < unknown


@requirement("search:words:numbers")
def test_a_term_has_the_same_number_in_every_process() -> None:
    # Stored in rows: a change of these would make every stored word unfindable.
    assert words.number("refund") == 32306877
    assert 1 <= min(map(words.number, "abcdefgh")) <= max(map(words.number, "abcdefgh")) <= words.TERM_SPACE


def test_markdown_is_read_without_marks_and_addresses() -> None:
    assert words.readable("See **the [form](https://example.com/f?id=9)** now").split() == ["See", "the", "form", "now"]


@requirement("search:parts")
@pytest.mark.parametrize(
    ("prompt", "parts"),
    [
        ("Who owns billing?", []),
        ("terms and conditions of the Saltmarsh contract", []),
        (
            "Who owns the billing area, and when does the contract with Saltmarsh end?",
            ["Who owns the billing area", "when does the contract with Saltmarsh end"],
        ),
        (
            "I leave in May. What happens to my unused leave? How do I return the laptop?",
            ["I leave in May", "What happens to my unused leave", "How do I return the laptop"],
        ),
        ("退款需要几天？合同什么时候结束？", ["退款需要几天？", "合同什么时候结束？"]),
    ],
)
def test_a_prompt_of_several_questions_is_taken_apart(prompt: str, parts: list[str]) -> None:
    assert clauses.split(prompt) == [part.rstrip("？") for part in parts] or clauses.split(prompt) == parts


@requirement("search:parts")
def test_a_long_prompt_keeps_to_its_questions() -> None:
    prompt = "The desk was busy all day. " * 40 + "Who approves refunds above 500 euros? When does the desk open?"

    parts = clauses.split(prompt)

    assert len(parts) <= clauses.MOST
    assert {"Who approves refunds above 500 euros", "When does the desk open"} <= set(parts)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What does ERR-4912 mean?", ["err-4912"]),
        ("Set holdoff_force in config/ring.yaml", ["holdoff_force", "config/ring.yaml"]),
        ("commit 4f2a9c1 broke it", ["4f2a9c1"]),
        ("Is the read-only mode on in 2026?", []),
        ("Who owns billing, e.g. the co-ordination?", []),
    ],
)
def test_an_identifier_is_told_from_a_word(text: str, found: list[str]) -> None:
    assert words.identifiers(text) == found
