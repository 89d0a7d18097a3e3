"""Programs that are installed when the first test wants them, and a company with a small library behind a server."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests import npm
from tests.cast import Person
from tests.clients import proxy
from tests.clients.desk import Desk
from tests.clients.inspector import Inspector
from tests.mcp_gateway.clients import PATH
from tests.mcp_gateway.library import shelve
from tests.mcp_gateway.server import Making, committed, url
from tests.web_client import Browser

__all__ = ["committed", "url"]

#: Claude Code then neither updates itself nor reports home.
QUIET = "DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"
#: Claude Code's own `bin` is put in place by an install script; none is run here.
PROGRAMS = {"claude": "@anthropic-ai/claude-code/cli-wrapper.cjs", "codex": "codex", "gemini": "gemini"}


@pytest.fixture(scope="module")
def sam(committed: Making) -> Person:
    """Owns an account whose handbook says that Ines Okafor owns billing."""
    sam = committed("sam")
    shelve(sam.account)
    return sam


@pytest.fixture(scope="session")
def connectors() -> npm.Programs:
    return npm.installed("clients/connectors")


@pytest.fixture(scope="session")
def agents() -> npm.Programs:
    return npm.installed("clients/agents")


@pytest.fixture
def desk(connectors: npm.Programs, tmp_path: Path) -> Desk:
    return Desk(connectors, tmp_path)


@pytest.fixture
def agent_desk(agents: npm.Programs, desk: Desk) -> Desk:
    """A desk with `claude`, `codex` and `gemini` on its path."""
    for name, program in PROGRAMS.items():
        desk.script(name, f'{QUIET} exec {shlex.join(agents.command(program))} "$@"')
    return desk


@pytest.fixture
def inspector(desk: Desk) -> Inspector:
    return Inspector(desk)


@pytest.fixture
def browser(sam: Person) -> Iterator[Browser]:
    """Sam's, who has to sign in first."""
    with httpx2.Client(timeout=60) as http:
        yield Browser(http, sam.user.email)


@pytest.fixture(scope="module")
def open_url(url: str, sam: Person) -> Iterator[str]:
    """The endpoint for clients that can't send a header: whatever comes is Sam's."""
    with proxy.authorized(url.removesuffix(PATH), f"Bearer {sam.secret}") as base:
        yield base + PATH
