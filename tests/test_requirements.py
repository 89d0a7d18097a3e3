"""The manifest and the tests agree, in both directions."""

import ast
from pathlib import Path

from tests.requirements import promises

TESTS = Path(__file__).parent


def _named_in(path: Path) -> set[str]:
    calls = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
    marks = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "requirement")
    return {arg.value for mark in marks for arg in mark.args if isinstance(arg, ast.Constant)}


def _named() -> set[str]:
    return set().union(*(_named_in(path) for path in TESTS.rglob("test_*.py")))


def test_every_promise_has_a_test() -> None:
    assert set(promises()) - _named() == set()


def test_every_test_names_a_promise_that_was_made() -> None:
    assert _named() - set(promises()) == set()
