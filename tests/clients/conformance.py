"""The MCP conformance suite: its scenarios against a server, and what it says of them."""

import re
from dataclasses import dataclass

from tests.clients.desk import Desk
from tests.clients.npm import HERE

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended, and what it printed: a line for each scenario, and each failed check."""

    passed: bool
    printed: str


def server(desk: Desk, url: str, revision: str) -> Run:
    """All the scenarios that the revision of MCP requires of a server, at the endpoint `url`.

    It passes only if what failed is in the revision's list of exceptions, and nothing in the list passed.
    """
    exceptions = HERE / f"conformance-{revision}.yml"
    ended = desk.ended(
        "conformance", "server", "--url", url, "--requirements", revision, "--expected-failures", str(exceptions)
    )
    return Run(ended.returncode == 0, _COLOUR.sub("", ended.stdout + ended.stderr))
