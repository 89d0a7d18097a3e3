"""The first hour with PAM, in a browser: from signing up to reading in the request log what the agent got."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Page, expect

from accounts import membership
from accounts.models import Account, User
from tests.browser.workers import work_off
from tests.cast import PASSWORD
from tests.requirements import requirement

HANDBOOK = {
    "customers/larkfield.md": "# Larkfield\n\nInes Okafor owns the Larkfield renewal. It is due on 30 June.\n",
    "team/owners.csv": "Area,Owner\nBilling,Tomas Lindqvist\nSupport,Priya Raman\n",
    "team/film.mp4": "moving pictures",
}
QUESTION = "Who owns the Larkfield renewal?"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def sign_up(page: Page) -> Account:
    page.goto("/")
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Organisation").fill("Larkfield & Sons <b>")
    page.get_by_label("Work email").fill("Dora@Example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/setup")
    return membership.of(User.objects.get(email="dora@example.com"))[0].account


def mint(page: Page, name: str) -> str:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Expires").select_option("In 90 days")
    page.get_by_role("button", name="Mint the key").click()
    return page.locator("#secret").inner_text()


def ask(url: str, key: str, prompt: str) -> dict[str, Any]:
    call = {"name": "retrieve_memory", "arguments": {"prompt": prompt}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json", "User-Agent": "claude-code/2.1"}
    answer: dict[str, Any] = httpx2.post(f"{url}/v1/mcp/memory", json=body, headers=headers, timeout=60).json()
    return answer


@requirement("pages:first-hour")
def test_from_sign_up_to_the_request_log(visit: Any, live_url: str, tmp_path: Path) -> None:
    visitor = visit()
    page: Page = visitor.page
    account = sign_up(page)
    expect(page.get_by_role("heading", name="Nothing imported yet")).to_be_visible()

    key = mint(page, "Laptop <i>")
    expect(page.get_by_text("Laptop <i>: copy the key now")).to_be_visible()
    expect(page.locator("#snippet-claude-code")).to_have_text(
        f'claude mcp add --transport http pam {live_url}/v1/mcp/memory --header "Authorization: Bearer {key}"'
    )
    page.get_by_text("VS Code", exact=True).click()
    assert json.loads(page.locator("#snippet-vs-code").inner_text())["servers"]["pam"]["url"].startswith(live_url)
    expect(page.get_by_text("Waiting for the first answered call.")).to_be_visible()

    page.get_by_role("link", name="Import documents").click()
    page.wait_for_url("**/sources")
    # The page's script listens only once it is loaded.
    page.wait_for_load_state("load")
    page.locator("#folder").set_input_files(write(tmp_path / "handbook", HANDBOOK))
    expect(page.locator("#upload-text")).to_contain_text("2 documents taken in.")
    expect(page.locator("#refused")).to_contain_text("film.mp4")
    expect(page.locator("#documents")).to_contain_text("2 queued")
    expect(page.get_by_role("heading", name="Reading your documents")).to_be_visible()

    work_off(account)
    expect(page.get_by_role("heading", name="Ready", exact=True)).to_be_visible()
    expect(page.locator("#documents")).to_contain_text("2 ready")
    expect(page.get_by_role("row", name="customers/larkfield.md")).to_contain_text("Ready")

    page.get_by_role("link", name="Setup").click()
    assert key not in page.content()
    answer = ask(live_url, key, QUESTION)
    assert "Ines Okafor" in answer["result"]["content"][0]["text"]
    expect(page.get_by_text("It works.")).to_be_visible()

    page.get_by_role("link", name="See what was answered").click()
    expect(page.locator("#prompt")).to_have_text(QUESTION)
    expect(page.locator("#report")).to_contain_text("Ines Okafor owns the Larkfield renewal.")
    expect(page.get_by_text("Where the time went")).to_be_visible()
    page.get_by_text("The answer as JSON").click()
    assert json.loads(page.locator("#raw").inner_text())["status"] == "ok"

    page.get_by_role("main").get_by_role("link", name="Request log").click()
    expect(page.get_by_role("row", name=QUESTION)).to_contain_text("Answered")
    expect(page.get_by_role("row", name=QUESTION)).to_contain_text("Laptop <i>")


@requirement("pages:setup:snippets")
def test_the_python_and_curl_snippets_run_as_they_stand(visit: Any, live_url: str, tmp_path: Path) -> None:
    page: Page = visit().page
    account = sign_up(page)
    key = mint(page, "Script")
    page.get_by_text("Python", exact=True).click()
    script = tmp_path / "ask.py"
    script.write_text(page.locator("#snippet-python").inner_text())
    page.get_by_text("curl", exact=True).click()
    command = page.locator("#snippet-curl").inner_text()

    ran = [_run([sys.executable, str(script)]), _run(["bash", "-c", command])]

    assert key in command
    assert all("This account has no documents yet." in output for output in ran)
    assert account.name == "Larkfield & Sons <b>"


def _run(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
