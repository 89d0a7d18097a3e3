"""What workers make of documents: the cost follows the change, nothing is half visible, nobody's work is lost."""

from typing import Any

import pytest
from django.utils import timezone

from accounts import isolation
from memories import search
from memories.company.intake import documents
from memories.company.processing import claims, process, swap, vectors
from memories.models import Document, Entity, Fact, Mention, Section, Upload
from tests.cast import Person
from tests.documents import builders
from tests.memories import embedders, pipeline
from tests.memories.embedders import CountingEmbedder
from tests.requirements import requirement


@pytest.fixture(autouse=True)
def counting(settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING
    CountingEmbedder.texts.clear()


def handbook(chapters: int = 40, **changed: str) -> str:
    """A long document: chapters with two paragraphs each. `changed` puts another second paragraph, by chapter."""
    parts = ["# Depot handbook"]
    for number in range(1, chapters + 1):
        first = (
            f"Depot {number} opens at {number % 12 + 1} in the morning and keeps {number * 7} bicycles in its racks."
        )
        second = changed.get(
            f"chapter_{number}", f"Its gate code changes every {number + 2} days, on the manager's word."
        )
        parts.append(f"## Depot number {number}\n\n{first} {first.replace('opens', 'closes')}\n\n{second}")
    return "\n\n".join(parts) + "\n"


@requirement("company:import:cost-follows-change")
def test_one_changed_line_of_a_long_document_costs_its_own_section_and_nothing_else(alice: Person) -> None:
    pipeline.imported(alice, {"depots.md": handbook()})
    sections, statements = pipeline.sections(alice.account), pipeline.statements(alice.account)
    CountingEmbedder.texts.clear()

    pipeline.imported(
        alice, {"depots.md": handbook(chapter_17="Its gate code never changes, since the gate is always open.")}
    )

    now_sections, now_statements = pipeline.sections(alice.account), pipeline.statements(alice.account)
    assert len(statements) > 100
    assert {text: pk for text, pk in statements.items() if text not in now_statements} == {
        "Its gate code changes every 19 days, on the manager's word.": statements[
            "Its gate code changes every 19 days, on the manager's word."
        ]
    }
    assert all(now_statements[text] == pk for text, pk in statements.items() if text in now_statements)
    assert len(sections.keys() - now_sections.keys()) == 1
    assert all(now_sections[text] == pk for text, pk in sections.items() if text in now_sections)
    assert len(CountingEmbedder.texts) == 2  # the section and the new statement


@requirement("company:import:cost-follows-change")
def test_one_more_row_in_a_large_table_costs_a_few_sections_and_one_statement(alice: Person) -> None:
    rows = [f"{number},Bicycle {number},Depot {number % 9},{number * 3} euros" for number in range(1500)]
    pipeline.imported(alice, {"stock.csv": "\n".join(["id,item,depot,price", *rows])})
    before = pipeline.statements(alice.account)
    CountingEmbedder.texts.clear()

    rows.insert(700, "9999,Cargo bicycle,Depot 4,2400 euros")
    pipeline.imported(alice, {"stock.csv": "\n".join(["id,item,depot,price", *rows])})

    after = pipeline.statements(alice.account)
    assert {text: after[text] for text in before} == before
    assert len(after) == len(before) + 1
    assert len(CountingEmbedder.texts) <= 8


@requirement("company:import:cost-follows-change")
def test_a_section_that_moved_keeps_its_row_and_its_vector_and_stands_in_its_new_place(alice: Person) -> None:
    one = "## Leave\n\n" + "Holidays are planned by the end of January, and the team's calendar shows them. " * 6
    two = "## Travel\n\n" + "Trips are booked by the office, and paid with the company's card at the desk. " * 6
    pipeline.imported(alice, {"guide.md": f"# Guide\n\n{one}\n\n{two}"})
    before = pipeline.sections(alice.account)
    CountingEmbedder.texts.clear()

    pipeline.imported(alice, {"guide.md": f"# Guide\n\n{two}\n\n{one}"})

    with isolation.account(alice.account.pk):
        headings = list(
            Section.objects.filter(account=alice.account).order_by("position").values_list("heading", flat=True)
        )
    assert headings == ["Guide > Travel", "Guide > Leave"]
    assert pipeline.sections(alice.account) == before
    assert CountingEmbedder.texts == []


@requirement("company:import:unchanged")
def test_the_same_bytes_again_are_no_work(alice: Person) -> None:
    first = pipeline.imported(alice, {"depots.md": handbook(3), "plan.txt": "The plan is to open in May."})
    CountingEmbedder.texts.clear()

    again = pipeline.given(alice, {"depots.md": handbook(3), "plan.txt": "The plan is to open in May."})

    assert [answer.is_new for answer in first] == [True, True]
    assert [(answer.is_new, answer.state) for answer in again] == [(False, "ready")] * 2
    assert [answer.document_id for answer in again] == [answer.document_id for answer in first]
    with isolation.account(alice.account.pk):
        assert not Upload.objects.filter(account=alice.account).exists()
    assert CountingEmbedder.texts == []


@requirement("company:import:found-at-once")
def test_a_document_that_was_read_is_found_by_its_words_before_it_has_vectors(alice: Person) -> None:
    pipeline.given(alice, {"depots.md": handbook(4), "codes.md": "# Codes\n\nERR-4912 means that the gate is stuck."})

    pipeline.read_all(alice.account)

    with isolation.account(alice.account.pk):
        assert not Fact.objects.filter(account=alice.account, vector__isnull=False).exists()
        found = search.find(alice.account, search.prepare("What does ERR-4912 mean?"))
    assert found.facts[0].statement == "ERR-4912 means that the gate is stuck."


@requirement("company:import:failed-keeps-old")
def test_a_new_version_that_cannot_be_read_leaves_the_old_one_found_and_says_why(alice: Person) -> None:
    pipeline.imported(alice, {"plan.pdf": builders.pdf([[("The new depot opens in May 2027.", 12, False)]])})
    before = pipeline.statements(alice.account)

    pipeline.imported(alice, {"plan.pdf": builders.encrypted_pdf()})

    row = pipeline.document(alice.account, "plan.pdf")
    assert (row.state, row.fact_count) == ("failed", len(before))
    assert "password" in row.error.lower() or "encrypted" in row.error.lower()
    assert pipeline.statements(alice.account) == before


@requirement("company:import:failed-keeps-old")
def test_the_same_file_is_tried_again_after_a_failure_and_a_good_one_clears_the_error(alice: Person) -> None:
    pipeline.imported(alice, {"plan.docx": builders.fake_docx()})

    again = pipeline.given(alice, {"plan.docx": builders.fake_docx()})[0]
    pipeline.imported(alice, {"plan.docx": builders.docx([("Normal", "The depot opens in May.")])})

    assert again.is_new
    row = pipeline.document(alice.account, "plan.docx")
    assert (row.state, row.error) == ("ready", "")


@requirement("company:import:bad-files")
@pytest.mark.parametrize("name", sorted(builders.bad_files()))
def test_a_bad_file_fails_with_a_reason_for_people_and_its_neighbours_go_in(alice: Person, name: str) -> None:
    content = builders.bad_files()[name]

    answers = pipeline.imported(alice, {"good.md": "# Good\n\nThe neighbour is read.", name: content})

    states = pipeline.documents(alice.account)
    assert states["good.md"] == "ready"
    if name in states:
        row = pipeline.document(alice.account, name)
        assert (row.state, row.section_count) == ("failed", 0)
        assert row.error.endswith(".")
    else:
        assert answers[1].reason.endswith(".")


@requirement("company:import:deleted-stays-deleted")
def test_a_document_deleted_while_it_is_read_does_not_come_back(alice: Person) -> None:
    answer = pipeline.given(alice, {"depots.md": handbook(2)})[0]
    row = pipeline.document(alice.account, "depots.md")
    claim = claims.take(alice.account.pk, row.pk)
    version = process.read(claim)
    change = swap.plan(claim, version)
    documents.delete(alice.caller, answer.document_id)

    assert swap.put(claim, version, change) is False

    assert pipeline.documents(alice.account) == {}
    assert pipeline.statements(alice.account) == {}


@requirement("company:import:last-content-wins")
def test_content_that_comes_in_while_the_old_one_is_read_wins(alice: Person) -> None:
    pipeline.given(alice, {"plan.md": "# Plan\n\nThe old depot stays open."})
    claim = claims.take(alice.account.pk, pipeline.document(alice.account, "plan.md").pk)
    version = process.read(claim)
    change = swap.plan(claim, version)
    pipeline.given(alice, {"plan.md": "# Plan\n\nThe new depot opens in May."})

    assert swap.put(claim, version, change) is False
    pipeline.read_all(alice.account)

    assert list(pipeline.statements(alice.account)) == ["The new depot opens in May."]


@requirement("company:import:taken-over")
def test_a_document_in_living_hands_is_not_taken_and_one_in_dead_hands_is(alice: Person) -> None:
    pipeline.given(alice, {"plan.md": "# Plan\n\nThe new depot opens in May."})
    row = pipeline.document(alice.account, "plan.md")
    dead = claims.take(alice.account.pk, row.pk)
    assert claims.take(alice.account.pk, row.pk) is None
    with isolation.account(alice.account.pk):
        claims.held(dead).update(claimed_at=timezone.now() - claims.lease() * 1.01)

    assert process.document(row.pk, alice.account.pk) is True

    assert pipeline.documents(alice.account) == {"plan.md": "ready"}
    version = process.read(dead)
    assert swap.put(dead, version, swap.plan(dead, version)) is False


@requirement("company:import:three-attempts")
def test_a_document_that_kills_three_workers_is_given_up_with_a_reason(alice: Person) -> None:
    pipeline.given(alice, {"plan.md": "# Plan\n\nThe new depot opens in May."})
    row = pipeline.document(alice.account, "plan.md")
    for _ in range(claims.ATTEMPTS):
        claim = claims.take(alice.account.pk, row.pk)
        with isolation.account(alice.account.pk):
            claims.held(claim).update(claimed_at=timezone.now() - claims.lease() * 1.01)

    assert claims.take(alice.account.pk, row.pk) is None

    row = pipeline.document(alice.account, "plan.md")
    assert (row.state, row.error) == ("failed", claims.GIVEN_UP)


@requirement("company:import:secrets")
def test_secrets_are_cut_from_text_title_path_and_properties_before_anything_is_stored(alice: Person) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = (
        f"---\ntitle: Token {secret}\nowner: Ines\napi_key: {secret}\n---\n\nThe deploy token is {secret}, says Ines.\n"
    )

    pipeline.imported(alice, {f"notes/{secret}.md": text})

    with isolation.account(alice.account.pk):
        rows = [row for model in (Document, Section, Fact, Entity, Mention) for row in model.objects.values()]
    assert {row["state"] for row in rows if "state" in row} == {"ready"}
    assert secret not in repr(rows)
    assert not any(secret in text for text in CountingEmbedder.texts)


@requirement("company:import:secrets")
def test_a_text_with_nul_and_half_surrogates_is_stored_without_them(alice: Person) -> None:
    pipeline.imported(alice, {"plan.json": b'{"plan": "The depot\\u0000 opens\\ud800 in May."}'})

    assert pipeline.documents(alice.account) == {"plan.json": "ready"}
    assert any("The depot opens in May." in text for text in pipeline.statements(alice.account))


@requirement("company:import:turns")
def test_vectors_wait_for_a_full_turn_while_more_documents_are_to_be_read(alice: Person) -> None:
    pipeline.given(alice, {"a.md": handbook(2), "b.md": handbook(3)})
    first = pipeline.document(alice.account, "a.md")
    process.document(first.pk, alice.account.pk)

    assert vectors.embed(alice.account.pk) is False
    assert CountingEmbedder.texts == []

    pipeline.read_all(alice.account)
    assert vectors.embed(alice.account.pk) is True
    assert len(CountingEmbedder.texts) > 10
