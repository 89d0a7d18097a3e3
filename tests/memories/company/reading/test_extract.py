"""Sections to statements."""

from memories.company.reading import extract, outline
from tests.requirements import requirement


def statements(source: str) -> list[str]:
    sections = outline.read(source, "a.md").sections
    return [statement.text for section in sections for statement in extract.statements(section)]


@requirement("company:facts:kinds")
def test_a_sentence_is_a_fact_in_plain_words() -> None:
    assert statements("Refunds are **never** paid in [cash](https://example.com). Ask `Bea` first.") == [
        "Refunds are never paid in cash.",
        "Ask Bea first.",
    ]


@requirement("company:facts:kinds")
def test_a_list_item_is_read_with_its_lead_in() -> None:
    assert statements("The client must send:\n\n- the signed form\n- a copy of the ticket\n") == [
        "The client must send: the signed form",
        "The client must send: a copy of the ticket",
    ]


@requirement("company:facts:kinds")
def test_a_nested_item_is_read_with_the_item_above_it() -> None:
    found = statements("- Bring to the desk on the first day of work:\n  - passport\n  - bank card\n")

    assert "Bring to the desk on the first day of work: passport" in found


@requirement("company:facts:kinds")
def test_a_table_row_is_read_with_its_header() -> None:
    assert statements("| Region | Owner |\n| --- | --- |\n| Berlin | Ada Holm |\n| Oslo | |\n") == [
        "Region: Berlin; Owner: Ada Holm",
        "Region: Oslo",
    ]


@requirement("company:facts:kinds")
def test_labels_under_each_other_are_facts_of_their_own() -> None:
    assert statements("Owner: Ada Holm\nTeam: Platform\n") == ["Owner: Ada Holm", "Team: Platform"]


@requirement("company:facts:kinds")
def test_a_code_block_is_one_fact_with_the_sentence_before_it() -> None:
    assert statements("Restart the box with:\n\n```\nbelfry restart --all\nbelfry status\n```\n") == [
        "Restart the box with: belfry restart --all belfry status"
    ]


@requirement("company:facts:headings")
def test_a_fact_knows_the_headings_above_it() -> None:
    sections = outline.read("# Guide\n\n## Hotels\n\nUp to 140 euros.\n\n## Trains\n\nSecond class.", "g.md").sections

    headings = [statement.heading for section in sections for statement in extract.statements(section)]

    assert headings == ["Guide > Hotels", "Guide > Trains"]


@requirement("company:facts:once")
def test_a_statement_hash_ignores_form_but_not_content() -> None:
    assert extract.statement_hash("Use  Redis 6.") == extract.statement_hash("use redis 6")
    assert extract.statement_hash("Use Redis 6.") != extract.statement_hash("Use Redis 7.")


def test_what_says_nothing_is_no_fact() -> None:
    assert statements("***\n\n-\n\n!\n\n§ 5\n") == ["§ 5"]
