"""Markdown to sections."""

import pytest

from memories.company.reading import outline, sentences
from tests.requirements import requirement

GUIDE = """---
title: Travel guide
owner: Maud Keane
---

Travel is booked two weeks ahead.

## Hotels

A night may cost up to 140 euros. The hotel must be within
walking distance of the terminal.

| City | Limit |
| --- | --- |
| Harwick | 140 euros |
| Skelby | 110 euros |

## Trains

Second class, always.
"""


def words_of(count: int, word: str = "gull") -> str:
    return " ".join([word] * count)


@requirement("company:outline:tree")
def test_folders_title_and_headings_make_the_tree_path() -> None:
    long = GUIDE.replace("Second class, always.", words_of(200)).replace("A night", words_of(120) + ". A night")

    read = outline.read(long, "company_context/relationships/travel-guide.md")

    assert read.sections[-1].tree_path == "Company Context > Relationships > Travel guide > Trains"
    assert read.sections[-1].heading == "Travel guide > Trains"
    assert read.fields["owner"] == "Maud Keane"


@requirement("company:outline:tree")
@pytest.mark.parametrize(
    ("source", "title"),
    [("# Refunds\n\nPaid in 5 days.", "Refunds"), ("Paid in 5 days.", "Refund Rules"), (GUIDE, "Travel guide")],
)
def test_a_document_is_titled_by_its_front_matter_its_heading_or_its_name(source: str, title: str) -> None:
    assert outline.read(source, "handbook/refund_rules.md").title == title


@requirement("company:outline:sizes")
def test_short_neighbours_are_joined_and_keep_their_headings() -> None:
    read = outline.read(GUIDE, "guide.md")

    assert len(read.sections) == 1
    assert "**Hotels**" in read.sections[0].markdown
    assert "| Harwick | 140 euros |" in read.sections[0].markdown


@requirement("company:outline:sizes")
def test_a_long_section_is_cut_between_paragraphs_into_like_parts() -> None:
    paragraphs = "\n\n".join(f"{words_of(60, f'w{number}')}." for number in range(7))

    sizes = [section.size for section in outline.read(paragraphs, "long.md").sections]

    assert sum(sizes) == 420
    assert all(60 <= size <= outline.LONG for size in sizes)


@requirement("company:outline:sizes")
def test_a_long_paragraph_is_cut_only_where_a_sentence_ends() -> None:
    text = " ".join(f"Sentence number {number} has exactly seven words." for number in range(90))

    for section in outline.read(text, "long.md").sections:
        assert section.text.startswith("Sentence number")
        assert section.text.endswith("seven words.")


@requirement("company:outline:sizes")
def test_a_code_block_is_never_cut() -> None:
    code = "\n".join(f"line_{number} = {number}" for number in range(300))

    sections = outline.read(f"Run this:\n\n```python\n{code}\n```\n\nDone.", "code.md").sections

    assert sum(code in section.markdown for section in sections) == 1


@requirement("company:outline:verbatim")
def test_a_section_holds_the_markdown_as_it_stands_with_wrapped_lines_joined() -> None:
    section = outline.read("The **fee** is _not_\nrefunded; see [the form](https://example.com/f).", "a.md").sections[0]

    assert section.markdown == "The **fee** is _not_ refunded; see [the form](https://example.com/f)."
    assert section.text == "The fee is not refunded; see the form."


@requirement("company:import:cost-follows-change")
def test_a_change_touches_only_its_own_sections() -> None:
    before = "\n\n".join(f"## Part {number}\n\n{words_of(100, f'w{number}')}." for number in range(20))

    old = {section.digest for section in outline.read(before, "a.md").sections}
    new = {section.digest for section in outline.read(before.replace("w7 w7", "w7 changed", 1), "a.md").sections}

    assert len(old) == 20
    assert len(new - old) == 1


def test_passages_that_repeat_have_digests_of_their_own() -> None:
    twice = "\n\n".join(f"## Same\n\n{words_of(100)}.\n\n## Other {number}\n\n{words_of(100)}." for number in range(3))

    sections = outline.read(twice, "a.md").sections

    assert len({section.digest for section in sections}) == len(sections)


@requirement("company:outline:templates")
def test_template_tags_and_comments_are_no_text() -> None:
    source = 'See [leave]({% page "/leave/" %}) in {% channel "people" %}.{% comment %} secret plan {% endcomment %}'

    assert outline.read(source, "a.md").sections[0].text == "See leave in people."


@requirement("company:outline:html-tables")
def test_an_html_table_becomes_rows() -> None:
    source = "<table><tr><td><b>Contact</b></td><td>Bea Holm</td></tr><tr><td>Floor</td><td>35</td></tr></table>"

    assert outline.read(source, "a.md").sections[0].text.split("\n") == ["Contact: Bea Holm", "Floor: 35"]


@pytest.mark.parametrize("source", ["", "\n\n", "---\ntitle: x\n---\n", "<!-- nothing -->", "# Only a heading"])
def test_a_document_without_text_has_no_sections(source: str) -> None:
    assert outline.read(source, "a.md").sections == ()


@requirement("company:sentences")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The desk opens at 7 a.m. and closes at 6 p.m. every day. Ask Bea.", 2),
        ("Dr. J. Holm moved to the U.S. in 2019. She leads us.", 2),
        ("See e.g. version 1.2.3 of docs.example.com. It costs 4.5 percent.", 2),
        ('He said "Stop!" and left. Did he?', 2),
        ("返金は5日以内です。窓口は7時に開きます。", 2),
        ("1. Open the form.", 1),
    ],
)
def test_sentences_end_where_a_reader_says_they_do(text: str, expected: int) -> None:
    assert len(sentences.split(text)) == expected


@requirement("company:sentences")
def test_cutting_into_sentences_loses_nothing() -> None:
    text = "One. Two?! (Three.) “Four.” No. 5 is fine… and on it goes; e.g. here."

    assert " ".join(sentences.split(text)) == text
