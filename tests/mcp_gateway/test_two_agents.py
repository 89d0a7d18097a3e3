"""The worked example of docs/agent-memory.md, run as anybody would: a script, the official client, a running server."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cast import Person
from tests.mcp_gateway.clients import PATH
from tests.mcp_gateway.server import Making, committed, url
from tests.requirements import requirement

__all__ = ["committed", "url"]

SCRIPT = Path(__file__).parents[2] / "docs" / "two_agents.py"
PRESENT = [
    "Name the unit in every field: level_mm, not level",
    "Which harbour gets the next gauge?",
    "Tide readings are kept in Postgres at the harbour office",
    "Only the harbour master changes the alarm levels",
    "gauge/upload.py tries again for six hours, and a test cuts the line",
    "Alarms go out by text message and by the siren on the pier",
    "Readings are kept for ten years",
    "A power cut loses at most one reading",
    "The gauge writes 40 readings a minute",
]
PAST = [
    "SQLite on the gauge",
    "Who may change the alarm levels?",
    "still lacks retries",
    "For how many years",
]


@pytest.fixture(scope="module")
def crew(committed: Making) -> Person:
    return committed("crew")


@requirement("knowledge:example")
def test_after_ten_sessions_the_second_agent_is_told_the_present_truth_only(url: str, crew: Person) -> None:
    memory = url.removesuffix(PATH) + "/v1/mcp"
    run = subprocess.run(
        [sys.executable, SCRIPT, memory, crew.secret], capture_output=True, text=True, timeout=300, check=False
    )

    assert run.returncode == 0, run.stderr
    sessions, _, briefing = run.stdout.partition("\n\n")
    assert len(sessions.splitlines()) == 15
    assert "seen_again fact       The gauge writes 40 readings a minute" in sessions
    assert [said for said in PRESENT if said not in briefing] == []
    assert [said for said in PAST if said in briefing] == []
    # The decision in force says it, and the one that it replaced said nothing else.
    assert briefing.count("Alarms go out by text message") == 1
