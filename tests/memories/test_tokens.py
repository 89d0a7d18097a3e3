from hypothesis import given, settings
from hypothesis import strategies as st

from memories import tokens

SENTENCES = "The depot opens at six. Riders collect their bikes before seven. Late returns cost nine euros an hour. "


def test_known_texts_have_their_exact_number_of_tokens():
    # Counts published for the cl100k_base encoding.
    assert tokens.count("") == 0
    assert tokens.count("tiktoken is great!") == 6
    assert tokens.count("antidisestablishmentarianism") == 6
    assert tokens.count("2 + 2 = 4") == 7
    assert tokens.count("お誕生日おめでとう") == 9


def test_special_markers_and_lone_surrogates_are_counted_as_plain_text():
    assert tokens.count("<|endoftext|>") > 1
    assert tokens.count("\ud800") >= 1


def test_a_text_that_fits_comes_back_as_it_is():
    assert tokens.truncate_to(SENTENCES, 1000) == SENTENCES


def test_a_long_text_is_cut_after_a_whole_sentence():
    short = tokens.truncate_to(SENTENCES * 20, 40)

    assert tokens.count(short) <= 40
    assert short.endswith("hour. …") or short.endswith("seven. …") or short.endswith("six. …")


def test_a_text_without_sentences_is_cut_after_a_word():
    short = tokens.truncate_to("wheel " * 500, 50)

    assert tokens.count(short) <= 50
    assert short.endswith("wheel …")


def test_no_room_leaves_nothing():
    assert tokens.truncate_to(SENTENCES, 0) == ""


@settings(deadline=None)
@given(text=st.text(max_size=400), limit=st.integers(0, 60))
def test_a_cut_text_never_exceeds_its_limit(text, limit):
    short = tokens.truncate_to(text, limit)

    assert tokens.count(short) <= limit
