"""Importing and deleting in a browser: dropped files, many files, refused files, no scripts, hostile names."""

import base64
import json
import zipfile
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Dialog, Page, expect

from accounts import isolation
from accounts.models import Account
from memories.models import Document
from tests.browser.workers import work_off
from tests.cast import Person
from tests.requirements import requirement

#: Builds a DataTransfer as a browser does for files dragged out of a file manager, and drops it on the page.
DROP = """(files) => {
  const transfer = new DataTransfer();
  for (const [name, content] of files) {
    transfer.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
  }
  for (const kind of ["dragenter", "dragover", "drop"]) {
    document.getElementById("import").dispatchEvent(
      new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""
HOSTILE = '"><img src=x onerror=alert(1)>'


def drop(page: Page, files: dict[str, bytes]) -> None:
    page.evaluate(DROP, [[name, base64.b64encode(content).decode()] for name, content in files.items()])


def paths(account: Account) -> list[tuple[str, str]]:
    with isolation.account(account.pk):
        return sorted(Document.objects.of(account).values_list("source__name", "path"))


@requirement("pages:sources:drop")
def test_dropped_files_go_in_and_refused_ones_are_named_with_their_reasons(alice: Person, visit: Any) -> None:
    page: Page = visit().sign_in(alice)
    page.goto("/sources")

    drop(page, {"plan.md": b"# Plan\n\nInes owns it.", "empty.md": b"", "film.mp4": b"x", ".DS_Store": b"x"})

    told = page.locator("#upload-text")
    expect(told).to_have_text(
        "1 document taken in. They can be found as soon as they are read. 2 files refused. 1 hidden file left out."
    )
    expect(page.locator("#refused li")).to_have_count(2)
    expect(page.locator("#refused")).to_contain_text("empty.mdThe file is empty.")
    assert paths(alice.account) == [("Uploads", "plan.md")]


@requirement("pages:sources:folder")
def test_a_folder_of_hundreds_of_files_goes_in_with_its_tree(alice: Person, visit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    for number in range(239):
        file = folder / f"chapter {number % 7}" / f"page {number:03}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Page {number}\n\nRoom {number} belongs to team {number % 9}.\n")
    page: Page = visit().sign_in(alice)
    page.goto("/sources")

    page.locator("#folder").set_input_files(folder)

    expect(page.locator("#upload-text")).to_contain_text("239 documents taken in.")
    expect(page.locator("#upload-bar")).to_be_hidden()
    expect(page.locator("#documents")).to_contain_text("239 queued")
    found = paths(alice.account)
    assert len(found) == 239
    assert found[0] == ("handbook", "chapter 0/page 000.md")
    page.get_by_role("link", name="Older documents").click()
    expect(page.locator("#documents tbody tr")).to_have_count(50)


@requirement("pages:sources:archive")
def test_an_archive_is_unpacked_and_its_bad_entries_are_named(alice: Person, visit: Any, tmp_path: Path) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("notes/plan.md", "# Plan\n\nInes owns it.")
        packed.writestr("../outside.md", "# Out")
    page: Page = visit().sign_in(alice)
    page.goto("/sources")

    page.locator("#files").set_input_files(archive)

    expect(page.locator("#upload-text")).to_contain_text("1 document taken in.")
    expect(page.locator("#refused")).to_contain_text("outside.md")
    assert paths(alice.account) == [("export.zip", "notes/plan.md")]


@requirement("pages:sources:interrupted")
def test_an_import_that_was_interrupted_goes_on_where_it_stopped(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    page.goto("/sources")
    page.route("**/v1/memory/documents", lambda route: route.fulfill(status=502, body="proxy"))

    drop(page, {"plan.md": b"# Plan\n\nInes owns it.", "team.md": b"# Team\n\nPriya leads support."})
    expect(page.locator("#upload-text")).to_have_text("The server answered 502. 2 files not sent yet.")
    page.unroute("**/v1/memory/documents")
    visitor.forgive("502")
    page.get_by_role("button", name="Go on").click()

    expect(page.locator("#upload-text")).to_contain_text("2 documents taken in.")
    assert paths(alice.account) == [("Uploads", "plan.md"), ("Uploads", "team.md")]


@requirement("pages:sources:interrupted")
def test_an_import_goes_on_after_signing_in_again_in_another_tab(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    page.goto("/sources")
    visitor.context.clear_cookies()

    drop(page, {"plan.md": b"# Plan\n\nInes owns it."})
    expect(page.locator("#upload-text")).to_contain_text("You are signed out.")
    visitor.page = visitor.context.new_page()
    visitor.sign_in(alice)
    page.get_by_role("button", name="Go on").click()

    expect(page.locator("#upload-text")).to_contain_text("1 document taken in.")


@requirement("pages:sources:no-script")
def test_without_scripts_files_are_imported_by_the_plain_form(alice: Person, visit: Any, tmp_path: Path) -> None:
    for name, content in {"plan.md": "# Plan\n\nInes owns it.", "empty.md": ""}.items():
        (tmp_path / name).write_text(content)
    page: Page = visit(java_script_enabled=False).sign_in(alice)
    page.goto("/sources")

    page.get_by_label("Files to import").set_input_files([tmp_path / "plan.md", tmp_path / "empty.md"])
    page.get_by_role("button", name="Import", exact=True).click()

    expect(page.locator("#imported")).to_contain_text("1 document taken in.")
    expect(page.locator("#imported")).to_contain_text("The file is empty.")
    assert paths(alice.account) == [("Uploads", "plan.md")]


@requirement("pages:sources:delete")
def test_a_document_is_deleted_after_a_question_and_no_answer_mentions_it(
    alice: Person, visit: Any, live_url: str
) -> None:
    page: Page = visit().sign_in(alice)
    page.goto("/sources")
    drop(page, {"plan.md": b"# Plan\n\nInes Okafor owns the Larkfield renewal.", "team.md": b"# Team\n\nPriya leads."})
    expect(page.locator("#upload-text")).to_contain_text("2 documents taken in.")
    work_off(alice.account)
    assert "Ines Okafor" in answer(live_url, alice.secret)

    page.get_by_role("button", name="Delete plan.md").click()
    question = page.get_by_role("dialog", name="Delete plan.md?")
    question.get_by_role("button", name="Delete").click()

    expect(page.get_by_text("plan.md is deleted.")).to_be_visible()
    expect(page.get_by_role("row", name="plan.md")).to_have_count(0)
    assert "Ines Okafor" not in answer(live_url, alice.secret)


def answer(url: str, key: str) -> str:
    """The whole answer of an agent's call."""
    call = {"name": "retrieve_memory", "arguments": {"prompt": "Who owns the renewal of the customer contract?"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Authorization": key, "Accept": "application/json"}
    return json.dumps(httpx2.post(f"{url}/v1/mcp/memory", json=body, headers=headers, timeout=60).json())


@requirement("pages:sources:question-stays")
def test_an_open_question_is_not_taken_away_by_the_page_keeping_itself_fresh(alice: Person, visit: Any) -> None:
    page: Page = visit().sign_in(alice)
    page.goto("/sources")
    drop(page, {"plan.md": b"# Plan\n\nInes owns it."})
    page.get_by_role("button", name="Delete plan.md").click()
    question = page.get_by_role("dialog", name="Delete plan.md?")
    expect(question).to_be_visible()

    # What a poll of htmx does, without waiting for its clock.
    for _ in range(3):
        page.evaluate("htmx.trigger('#documents', 'htmx:abort'); htmx.ajax('GET', '/sources', {source: '#documents'})")

    expect(question).to_be_visible()


@requirement("pages:sources:escaped")
def test_hostile_names_titles_and_prompts_are_shown_and_never_run(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    alarms: list[str] = []

    def alarmed(dialog: Dialog) -> None:
        alarms.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", alarmed)
    page.goto("/sources")

    drop(page, {f"{HOSTILE}.md": f"# {HOSTILE}\n\n{HOSTILE} owns billing.".encode(), f"{HOSTILE}.mp4": b"x"})
    expect(page.locator("#refused")).to_contain_text(HOSTILE)
    work_off(alice.account)
    expect(page.locator("#documents")).to_contain_text("1 ready")
    expect(page.locator("#documents")).to_contain_text(HOSTILE)
    httpx2.post(
        f"{visitor.url}/v1/memory/retrieve",
        json={"prompt": f"{HOSTILE} who owns billing? <script>alert(1)</script>"},
        headers={"Authorization": alice.secret},
        timeout=60,
    )
    page.goto("/request-log")
    page.get_by_role("link", name="who owns billing?").click()

    expect(page.locator("#prompt")).to_contain_text("<script>alert(1)</script>")
    expect(page.locator("main img")).to_have_count(0)
    assert alarms == []


@requirement("pages:stranger")
def test_charlie_gets_the_page_for_nothing_here(alice: Person, charlie: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    httpx2.post(
        f"{visitor.url}/v1/memory/retrieve",
        json={"prompt": "Who owns billing?"},
        headers={"Authorization": alice.secret},
        timeout=60,
    )
    page.goto("/request-log")
    address = page.get_by_role("link", name="Who owns billing?").get_attribute("href")

    hers = visit().sign_in(charlie)
    response = hers.goto(address)

    assert response is not None
    assert response.status == 404
    expect(hers.get_by_text("There is nothing under that id.")).to_be_visible()
