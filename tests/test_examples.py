"""The example company is imported by every `make up`: it has to be readable, and its figures have to add up."""

import csv
import json
import re
from pathlib import Path

import pytest

from memories import redaction
from memories.company.intake import folders
from memories.company.reading import convert

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
PATHS = sorted(incoming.path for incoming in folders.files(EXAMPLES))
QUESTIONS = [
    json.loads(line) for line in (ROOT / "benchmarks/data/example_questions.jsonl").read_text().splitlines() if line
]


def read(path: str) -> str:
    return convert.to_markdown(path, (EXAMPLES / path).read_bytes()).markdown


def folded(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("path", PATHS)
def test_an_example_is_converted_and_holds_no_secret(path):
    converted = convert.to_markdown(path, (EXAMPLES / path).read_bytes())

    assert converted.title
    assert len(converted.markdown.split()) >= 80
    assert redaction.cut(converted.markdown).count == 0


def test_there_are_documents_of_many_formats():
    assert len(PATHS) >= 15
    assert {Path(path).suffix for path in PATHS} >= {".md", ".csv", ".html", ".json", ".eml", ".docx", ".xlsx"}
    assert not re.search(r"@(?!\w+\.example\b)\w+\.\w", "".join(map(read, PATHS)))


def test_the_clocks_add_up_by_plan_by_kind_and_by_account():
    accounts = list(csv.DictReader((EXAMPLES / "customers/accounts.csv").read_text().splitlines()))
    plans = {plan: sum(int(row[plan]) for row in accounts) for plan in ("watch", "keep", "keep_plus")}
    kinds = {row["kind"]: 0 for row in accounts}
    for row in accounts:
        assert int(row["clocks"]) == sum(int(row[plan]) for plan in plans)
        kinds[row["kind"]] += int(row["clocks"])

    assert plans == {"watch": 104, "keep": 149, "keep_plus": 59}
    assert sum(plans.values()) == 312
    assert (kinds["church"], kinds["council"], kinds["station"]) == (171, 96, 22)
    assert 104 * 540 + 149 * 1180 + 59 * 2340 == 370_040
    assert "370,040" in read("product/service-plans.md")


@pytest.mark.parametrize(
    ("path", "together"),
    [
        ("finance/budget-2026.md", "**Together**"),
        ("finance/figures-2025.xlsx", "Together"),
        ("meetings/2026-06-30-quarterly-review.md", "**Income**"),
    ],
)
def test_each_column_of_figures_adds_up_to_its_last_line(path, together):
    tables = re.findall(r"(?:^\|.*\n)+", read(path), re.MULTILINE)
    summed = 0
    for table in tables:
        rows = [[cell.strip(" *") for cell in line.strip("| \n").split("|")] for line in table.splitlines()]
        totals = [at for at, line in enumerate(table.splitlines()) if line.startswith(f"| {together} ")]
        for at in totals:
            summed += 1
            for column in range(1, len(rows[0])):
                figures = [float(row[column].replace(",", "")) for row in rows[2:at]]
                assert sum(figures) == pytest.approx(float(rows[at][column].replace(",", "")), abs=0.05)

    assert summed


def test_every_question_has_its_answer_in_the_documents_it_names():
    assert len(QUESTIONS) == 60
    assert len({each["id"] for each in QUESTIONS}) == 60
    for each in QUESTIONS:
        texts = {path: folded(read(path)) for path in each["gold_paths"]}
        for span in each["gold_text"]:
            assert any(folded(span) in text for text in texts.values()), (each["id"], span)
        if each["kind"] == "unanswerable":
            assert each["gold_paths"] == []
        else:
            for path, text in texts.items():
                assert any(folded(span) in text for span in each["gold_text"]), (each["id"], path)


def test_at_least_fifteen_questions_have_no_answer():
    assert sum(each["kind"] == "unanswerable" for each in QUESTIONS) >= 15
