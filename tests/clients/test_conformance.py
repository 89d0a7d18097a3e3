"""The conformance suite of MCP finds nothing wrong, but for scenarios that want what PAM does not have."""

import pytest

from tests.clients import MARKS, conformance
from tests.clients.desk import Desk
from tests.requirements import requirement

pytestmark = MARKS
REVISIONS = ["2025-11-25", "2026-07-28"]


@requirement("mcp:conformance")
@pytest.mark.parametrize("revision", REVISIONS)
def test_every_scenario_passes_but_those_that_want_fixtures(desk: Desk, open_url: str, revision: str) -> None:
    run = conformance.server(desk, open_url, revision)
    assert run.passed, run.printed
