"""mcp-remote lists and calls, by key."""

import pytest

from tests.cast import Person
from tests.clients import MARKS, mcp_remote
from tests.clients.desk import Desk
from tests.requirements import requirement

pytestmark = MARKS


@requirement("mcp:clients:mcp-remote")
@pytest.mark.parametrize("form", ["{}", "Bearer {}"], ids=["raw", "bearer"])
def test_mcp_remote_lists_and_calls_with_a_header(url: str, sam: Person, desk: Desk, form: str) -> None:
    tools, answer = mcp_remote.through(
        desk, url, "--header", "Authorization:${PAM_AUTH}", PAM_AUTH=form.format(sam.secret)
    )

    assert tools == ["retrieve_memory"]
    assert "Ines Okafor" in answer.content[0].text
