"""What the Setup page tells people to paste works as it stands."""

import shutil

import pytest

from mcp_gateway import snippets
from tests.cast import Person
from tests.clients import MARKS
from tests.clients.desk import Desk
from tests.requirements import requirement

pytestmark = MARKS


@pytest.fixture
def texts(url: str, sam: Person) -> dict[str, str]:
    """The snippets for Sam's key, by id."""
    return {snippet.id: snippet.text for snippet in snippets.for_clients(url, sam.secret)}


@requirement("mcp:clients:snippets")
def test_the_python_snippet_prints_a_report(desk: Desk, texts: dict[str, str]) -> None:
    assert "Ines Okafor" in desk.python(texts["python"])


@requirement("mcp:clients:snippets")
def test_the_typescript_snippet_prints_a_report(desk: Desk, texts: dict[str, str]) -> None:
    assert "Ines Okafor" in desk.node(texts["typescript"])


@requirement("mcp:clients:snippets")
def test_the_curl_snippet_prints_a_report(desk: Desk, texts: dict[str, str]) -> None:
    assert shutil.which("curl"), "This test needs curl. Install it (on Debian: apt-get install curl) and run it again."

    assert "Ines Okafor" in desk.shell(texts["curl"])
