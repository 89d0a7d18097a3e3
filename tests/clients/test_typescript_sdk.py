"""The TypeScript SDK lists and calls, by key."""

import json
from pathlib import Path

import pytest

from tests.cast import Person
from tests.clients import MARKS
from tests.clients.desk import Desk
from tests.requirements import requirement

pytestmark = MARKS
SCRIPTS = Path(__file__).parent / "scripts"


@requirement("mcp:clients:typescript-sdk")
@pytest.mark.parametrize("form", ["{}", "Bearer {}"], ids=["raw", "bearer"])
def test_the_typescript_sdk_lists_and_calls(url: str, sam: Person, desk: Desk, form: str) -> None:
    got = json.loads(desk.node((SCRIPTS / "by_key.mjs").read_text(), url, form.format(sam.secret)))

    assert got["tools"] == ["retrieve_memory"]
    assert "Ines Okafor" in got["answer"]["content"][0]["text"]
    assert got["refused"]["isError"] is True
    assert got["refused"]["structuredContent"]["error_code"] == "invalid_arguments"
