"""The MCP conformance suite: its scenarios against a server, and what it says of them."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.clients.desk import Desk
from tests.web_client import Browser, WebClient

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
    exceptions = Path(__file__).parent / f"conformance-{revision}.yml"
    ended = desk.ended(
        "conformance", "server", "--url", url, "--requirements", revision, "--expected-failures", str(exceptions)
    )
    return Run(ended.returncode == 0, _COLOUR.sub("", ended.stdout + ended.stderr))


def authorization(desk: Desk, client: WebClient, browser: Browser) -> Run:
    """What the suite requires of an authorization server, as the registered `client` and with a person who approves.

    It prints the address that it wants opened, and waits on the client's redirect URI.
    """
    issuer, port = client.server["issuer"], str(urlsplit(client.redirect_uri).port)
    command = desk.programs.command(
        "conformance", "authorization", "--url", issuer, "--client-id", client.client["client_id"],
        "--resource", client.endpoint, "--port", port,
    )  # fmt: skip
    lines = []
    with subprocess.Popen(
        command, cwd=desk.folder, env=desk.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as suite:
        assert suite.stdout
        for line in suite.stdout:
            lines.append(_COLOUR.sub("", line))
            if lines[-1].startswith(client.server["authorization_endpoint"]):
                desk.approve(browser, lines[-1].strip())
    return Run(suite.returncode == 0, "".join(lines))
