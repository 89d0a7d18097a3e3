"""The Sources page: importing without scripts, the list, deleting, and who may."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts import isolation
from accounts.models import Account, Membership
from memories import wording
from memories.company import readiness
from memories.models import Document, Readiness, Source
from tests.browsing import header, signed_in, text
from tests.cast import Person, person
from tests.requirements import requirement


def document(account: Account, path: str = "notes/plan.md", **changes: Any) -> Document:
    with isolation.account(account.pk):
        source, _ = Source.objects.get_or_create(account=account, kind=Source.Kind.FOLDER, name="handbook")
        return Document.objects.create(account=account, source=source, path=path, **changes)


def paths(account: Account) -> list[str]:
    with isolation.account(account.pk):
        return sorted(Document.objects.of(account).values_list("path", flat=True))


@requirement("pages:sources:empty")
def test_an_empty_account_is_told_what_to_do_next(alice: Person) -> None:
    page = text(signed_in(alice).get("/sources"))

    assert "Nothing imported yet" in page
    assert "Drop a folder above." in page


@requirement("pages:sources:no-script")
def test_the_plain_form_takes_files_in_and_names_what_it_refuses_with_the_reason(alice: Person) -> None:
    files = [
        SimpleUploadedFile("plan.md", b"# Plan\n\nInes owns it."),
        SimpleUploadedFile("empty.md", b""),
        SimpleUploadedFile("film.mp4", b"moving pictures"),
    ]

    page = text(signed_in(alice).post("/sources/import", {"files": files}))

    assert "1 document taken in." in page
    assert "2 files refused:" in page
    assert "<strong>empty.md</strong><span>The file is empty.</span>" in page
    assert "<strong>film.mp4</strong>" in page
    assert paths(alice.account) == ["plan.md"]


@requirement("pages:sources:no-script")
def test_the_plain_form_without_a_file_says_so(alice: Person) -> None:
    client = signed_in(alice)

    assert header(client.post("/sources/import"), "Location") == "/sources"
    assert "Choose one or more files first." in text(client.get("/sources"))


@requirement("pages:sources:list")
def test_the_list_shows_state_reason_and_source_and_can_be_narrowed(alice: Person) -> None:
    document(alice.account, "plan.md", title="The plan", state="ready")
    document(alice.account, "scan.pdf", state="failed", error="This PDF is encrypted.")
    client = signed_in(alice)

    everything, failed, by_title, nothing = (
        text(client.get("/sources", wanted)) for wanted in ({}, {"state": "failed"}, {"q": "THE PLAN"}, {"q": "zebra"})
    )

    assert all(shown in everything for shown in ("plan.md", "scan.pdf", "This PDF is encrypted.", "handbook"))
    assert "scan.pdf" in failed
    assert "plan.md" not in failed
    assert "plan.md" in by_title
    assert "scan.pdf" not in by_title
    assert "No document fits" in nothing


@requirement("pages:sources:list")
def test_a_page_holds_fifty_documents_and_costs_the_same_queries(alice: Person, django_assert_num_queries: Any) -> None:
    for number in range(52):
        document(alice.account, f"note {number:02}.md")
    client = signed_in(alice)
    client.get("/sources")

    # The session and the person, 1 each; memberships and readiness 3 each, documents 4: a savepoint, the documents
    # with their sources, the counts by state, the end of the savepoint.
    with django_assert_num_queries(2 + 3 + 3 + 4):
        first = text(client.get("/sources"))
    older = first.partition("cursor=")[2].partition('"')[0]
    with django_assert_num_queries(2 + 3 + 3 + 4):
        second = text(client.get(f"/sources?cursor={older}"))

    assert first.count('<td class="name">') == 50
    assert second.count('<td class="name">') == 2


@pytest.mark.parametrize(("address", "status"), [("?state=nonsense", 400), ("?cursor=nonsense", 400), ("?q=%00", 200)])
@requirement("pages:sources:list")
def test_nonsense_in_the_address_is_explained_and_no_fault(alice: Person, address: str, status: int) -> None:
    assert signed_in(alice).get(f"/sources{address}").status_code == status


@requirement("pages:sources:delete")
def test_a_deleted_document_is_gone_at_once_and_the_search_stays(alice: Person) -> None:
    plan = document(alice.account)
    client = signed_in(alice)

    gone = client.post(f"/sources/documents/{plan.public_id}/delete?q=plan")

    assert header(gone, "Location") == "/sources?q=plan"
    assert paths(alice.account) == []
    assert "notes/plan.md is deleted." in text(client.get("/sources"))


@requirement("pages:roles:viewer")
def test_a_viewer_sees_the_documents_and_changes_none(alice: Person) -> None:
    plan = document(alice.account)
    client = signed_in(person("vera", alice.account, Membership.Role.VIEWER))
    page = text(client.get("/sources"))
    assert "notes/plan.md" in page
    assert 'action="/sources' not in page.replace('method="get" action="/sources"', "")

    tried = [
        client.post(f"/sources/documents/{plan.public_id}/delete"),
        client.post("/sources/import", {"files": SimpleUploadedFile("more.md", b"More.")}),
    ]

    assert [response.status_code for response in tried] == [403, 403]
    assert paths(alice.account) == ["notes/plan.md"]


@requirement("pages:stranger")
def test_a_stranger_can_neither_see_nor_delete_alices_document(alice: Person, charlie: Person) -> None:
    plan = document(alice.account)
    client = signed_in(charlie)

    hers, none = (
        client.post(f"/sources/documents/{public_id}/delete") for public_id in (plan.public_id, "doc_" + "0" * 20)
    )

    assert hers.status_code == none.status_code == 404
    assert text(hers) == text(none)
    assert paths(alice.account) == ["notes/plan.md"]
    assert "notes/plan.md" not in text(client.get("/sources"))


@requirement("pages:sources:escaped")
def test_names_and_titles_are_text_whatever_they_contain(alice: Person) -> None:
    document(alice.account, "<script>alert(1)</script>.md", title='"><img src=x onerror=alert(1)>', state="failed")

    page = text(signed_in(alice).get("/sources"))

    assert "<script>alert" not in page
    assert "<img" not in page


@pytest.mark.parametrize("state", Readiness.State.values)
@requirement("pages:readiness:words")
def test_every_state_of_readiness_has_words_and_a_tone(alice: Person, state: str) -> None:
    report = readiness.of(alice.account)

    said = wording.status(readiness.ReadinessReport(**{**_fields(report), "state": state}))

    assert said.title
    assert said.sentence.endswith(".")
    assert said.tone in ("ok", "busy", "bad", "off")


def _fields(report: readiness.ReadinessReport) -> dict[str, Any]:
    return {name: getattr(report, name) for name in report.__dataclass_fields__}
