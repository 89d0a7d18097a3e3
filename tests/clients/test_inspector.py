"""Inspector's command line lists, calls and load-tests, by key."""

from typing import Any

import pytest

from tests.cast import Person
from tests.clients import MARKS
from tests.clients.inspector import Inspector
from tests.requirements import requirement

pytestmark = MARKS
ERAS = ["legacy", "auto", "modern"]


@requirement("mcp:clients:inspector")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("form", ["{}", "Bearer {}"], ids=["raw", "bearer"])
def test_inspector_lists_and_calls(url: str, sam: Person, inspector: Inspector, era: str, form: str) -> None:
    def run(*arguments: str) -> Any:
        return inspector(url, form.format(sam.secret), "--protocol-era", era, "--method", *arguments)

    assert [tool["name"] for tool in run("tools/list", "--strict")["tools"]] == ["retrieve_memory"]
    answer = run("tools/call", "--tool-name", "retrieve_memory", "--tool-arg", "prompt=Who owns billing?")
    assert "Ines Okafor" in answer["content"][0]["text"]


@requirement("mcp:clients:inspector")
def test_inspector_finds_no_resources_and_no_prompts(url: str, sam: Person, inspector: Inspector) -> None:
    assert inspector(url, sam.secret, "--method", "resources/list") == {"resources": []}
    assert inspector(url, sam.secret, "--method", "resources/templates/list") == {"resourceTemplates": []}
    assert inspector(url, sam.secret, "--method", "prompts/list") == {"prompts": []}


@requirement("mcp:clients:inspector")
def test_inspectors_load_test_meets_no_error(url: str, sam: Person, inspector: Inspector) -> None:
    call = ("--method", "tools/call", "--tool-name", "retrieve_memory", "--tool-arg", "prompt=Who owns billing?")

    summary = inspector(url, sam.secret, *call, "--load", "--load-requests", "30", "--load-concurrency", "16")

    assert (summary["ok"], summary["errors"], summary["toolErrors"]) == (30, 0, 0)
