"""docs/clients.md and the Setup page tell people the same."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from mcp_gateway import snippets, surfaces
from tests.requirements import requirement

PAGE = (Path(settings.BASE_DIR) / "docs" / "clients.md").read_text()
OFFERED = snippets.for_clients("https://pam.example.com" + surfaces.MEMORY.path)


def section(name: str) -> str:
    """The page's words on one client."""
    return PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


@requirement("mcp:clients:documented")
@pytest.mark.parametrize("snippet", OFFERED, ids=lambda snippet: snippet.id)
def test_the_page_shows_each_snippet_of_setup_word_for_word(snippet: snippets.Snippet) -> None:
    blocks = re.findall(r"```\w+\n(.*?)\n```", section(snippet.name), re.DOTALL)

    assert snippet.text in blocks
    assert snippet.where.rstrip(".") in section(snippet.name).replace("`", "").replace("\n", " ")


@requirement("mcp:clients:documented")
@pytest.mark.parametrize("client", snippets.WEB_CLIENTS, ids=lambda client: client.id)
def test_the_page_shows_each_step_of_setup_for_clients_in_the_browser(client: snippets.WebClient) -> None:
    assert [line.removeprefix("- ") for line in section(client.name).strip().splitlines()] == list(client.steps)
