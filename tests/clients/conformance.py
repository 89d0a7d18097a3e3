"""The MCP conformance suite: its scenarios against a server, and what they found."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.clients.npm import HERE, Programs

RUN_SECONDS = 300
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended, and what it printed: a line for each scenario, and each failed check."""

    passed: bool
    printed: str


def baseline(revision: str) -> Path:
    """The scenarios that may fail at this revision of MCP."""
    return HERE / f"conformance-{revision}.yml"


def server(programs: Programs, url: str, revision: str, folder: Path) -> Run:
    """All the scenarios that the revision requires of a server, at the endpoint `url`; its results go into `folder`."""
    command = programs.command(
        "conformance", "server", "--url", url, "--requirements", revision,
        "--expected-failures", str(baseline(revision)), "--output-dir", str(folder),
    )  # fmt: skip
    done = subprocess.run(
        command, cwd=folder, env=programs.environment(folder), capture_output=True, text=True, timeout=RUN_SECONDS
    )
    return Run(done.returncode == 0, _COLOUR.sub("", done.stdout + done.stderr))
