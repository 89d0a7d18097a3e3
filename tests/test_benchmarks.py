"""The benchmarks' own arithmetic."""

from typing import Any

from benchmarks import quality
from benchmarks.quality import Answer
from tests.requirements import requirement


def question(kind: str, paths: list[str], texts: list[str]) -> dict[str, Any]:
    return {"id": kind, "question": "?", "kind": kind, "gold_paths": paths, "gold_text": texts}


def answer(paths: set[str], report: str, coverage: str = "partial", tokens: int = 100) -> Answer:
    return Answer(frozenset(paths), report, coverage, tokens)


@requirement("bench:quality")
def test_several_documents_must_all_be_there_and_else_one_is_enough() -> None:
    asked = [question("multi", ["a.md", "b.md"], ["x"]), question("fact", ["a.md", "b.md"], ["x"])]

    one = quality.score(asked, [answer({"a.md"}, "x"), answer({"a.md"}, "x")])
    both = quality.score(asked, [answer({"a.md", "b.md", "c.md"}, "x"), answer({"b.md"}, "x")])

    assert (one.documents, both.documents) == (0.5, 1.0)


@requirement("bench:quality")
def test_a_gold_text_counts_with_white_space_folded() -> None:
    asked = [question("fact", ["a.md"], ["two\n  days"])] * 2

    assert quality.score(asked, [answer(set(), "in two days flat"), answer(set(), "in two weeks")]).texts == 0.5


@requirement("bench:quality")
def test_refusals_count_for_unanswerable_questions_and_against_others() -> None:
    asked = [question("unanswerable", [], []), question("unanswerable", [], []), question("fact", ["a.md"], ["x"])]
    given = [answer(set(), "", "limited"), answer(set(), "", "partial"), answer({"a.md"}, "x", "none")]

    found = quality.score(asked, given)

    assert (found.refused, found.wrongly_refused) == (0.5, 1.0)
    assert len(quality.missed(asked, given)) == 2
