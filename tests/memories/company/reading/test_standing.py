"""What documents say of themselves, or of a part: that something else took its place."""

import pytest

from memories.company.reading import convert, outline, standing
from tests.requirements import requirement


def marks(markdown: str) -> dict[str, str]:
    """The last heading of each section with its mark."""
    converted = convert.to_markdown("page.md", markdown.encode())
    read = outline.read(converted.markdown, "page.md", converted.title)
    return {section.path[-1]: mark for section, mark in zip(read.sections, standing.read(read), strict=True)}


def long(text: str) -> str:
    return " ".join([text, *["Words that only make the passage long enough to stand alone."] * 6])


@requirement("company:superseded")
@pytest.mark.parametrize(
    ("said", "mark"),
    [
        ("- Status: superseded by D-014 since 1 January 2026\n", "superseded by D-014"),
        ("Status: Replaced by the page “Caves and affinage”.\n", "superseded by the page Caves and affinage"),
        ("**Status:** deprecated\n", "deprecated"),
        ("Superseded by: ADR-12\n", "superseded by ADR-12"),
        ("This policy has been replaced by the travel guide in 2024.\n", "superseded by the travel guide"),
        ("> Note: This page is no longer in force.\n", "no longer in force"),
        ("Obsolete! See the new price list instead.\n", "superseded by the new price list"),
        ("Status: in force\n", ""),
        ("Supersedes: D-003\n", ""),
        ("Status: will be superseded by D-020\n", ""),
        ("Superseded by: none\n", ""),
        ("The old receivers were replaced by satellite ones.\n", ""),
        ("Outdated: no\n", ""),
    ],
)
def test_a_line_under_the_title_speaks_of_the_whole_document(said: str, mark: str) -> None:
    page = f"# Radio time\n\n{said}\n{long('How it is.')}\n\n## Reasons\n\n{long('Because.')}\n"

    assert set(marks(page).values()) == {mark}


@requirement("company:superseded")
def test_front_matter_speaks_of_the_whole_document() -> None:
    page = (
        f"---\ntitle: Labels\nstatus: superseded\nsuperseded_by: ADR-06\n---\n# Labels\n\n## Why\n\n{long('Pens.')}\n"
    )

    assert set(marks(page).values()) == {"superseded by ADR-06"}


@requirement("company:superseded")
def test_a_heading_speaks_of_what_stands_below_it() -> None:
    page = (
        f"# Storage\n\n## Cave 3 (withdrawn)\n\n{long('Twelve degrees.')}\n\n### Turning\n\n{long('Daily.')}\n\n"
        f"## Cave 4\n\n{long('Nine degrees.')}\n"
    )

    assert marks(page) == {"Cave 3 (withdrawn)": "withdrawn", "Turning": "withdrawn", "Cave 4": ""}


@requirement("company:superseded")
def test_a_heading_named_status_speaks_of_the_one_above() -> None:
    page = f"# ADR 2\n\n## Status\n\n{long('Superseded by ADR 9.')}\n\n## Context\n\n{long('Pens are cheap.')}\n"

    assert set(marks(page).values()) == {"superseded by ADR 9"}


@requirement("company:superseded")
def test_a_passage_of_several_parts_is_marked_only_when_all_of_them_are() -> None:
    page = "# Rules\n\n## Old rule (obsolete)\n\nNobody whistles.\n\n## New rule\n\nEverybody may whistle.\n"

    assert set(marks(page).values()) == {""}
