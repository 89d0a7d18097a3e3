"""The conformance suite of MCP finds nothing wrong, but for scenarios that want what PAM does not have."""

from pathlib import Path

import pytest

from tests.clients import MARKS, conformance
from tests.clients.npm import Programs
from tests.requirements import requirement

pytestmark = MARKS
REVISIONS = ["2025-11-25", "2026-07-28"]


@requirement("mcp:conformance")
@pytest.mark.parametrize("revision", REVISIONS)
def test_every_scenario_passes_but_those_that_want_fixtures(
    connectors: Programs, open_url: str, tmp_path: Path, revision: str
) -> None:
    run = conformance.server(connectors, open_url, revision, tmp_path)

    # The suite ends well only if what failed is in the list of exceptions, and nothing in the list passed.
    assert run.passed, run.printed
