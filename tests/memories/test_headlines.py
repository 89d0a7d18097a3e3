"""Headings that were taken for statements."""

import pytest

from memories import headlines
from tests.requirements import requirement

PASSAGE = (
    "1. **Regilding of the dial.** Our estimate went out. **Call the desk.** **Open: 3**\n\n## Quiet night\n\nSleep."
)


@requirement("retrieve:facts:headings")
@pytest.mark.parametrize("statement", ["Regilding of the dial.", "Quiet night", "Money matters", "Cathedral"])
def test_a_heading_without_a_verb_or_a_number_is_bare(statement: str) -> None:
    assert headlines.is_bare(statement, "Cathedral > Money matters", PASSAGE)


@requirement("retrieve:facts:headings")
@pytest.mark.parametrize(
    "statement", ["Call the desk.", "Open: 3", "Our estimate went out.", "No mention to customers."]
)
def test_what_tells_something_is_not_bare(statement: str) -> None:
    assert not headlines.is_bare(statement, "Cathedral > Money matters", PASSAGE)
