"""Access in a browser: a key's life from minting to the refusal of its client, and a program that is disconnected."""

from typing import Any

import httpx2
from playwright.sync_api import Page, expect

from tests.browser.test_first_hour import ask, mint
from tests.cast import Person
from tests.connecting import connection, token
from tests.requirements import requirement


def ping(url: str, secret: str) -> int:
    headers = {"Authorization": f"Bearer {secret}", "User-Agent": "web-agent/1.0"}
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    return httpx2.post(f"{url}/v1/mcp/memory", json=message, headers=headers, timeout=60).status_code


@requirement("pages:access:life-of-a-key")
def test_a_key_is_minted_used_seen_with_its_client_and_revoked(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    page.locator("summary", has_text="New key").click()
    secret = mint(page, "Laptop")
    ask(visitor.url, secret, "Who owns billing?")

    page.get_by_role("link", name="Access").click()
    row = page.get_by_role("row", name="Laptop")
    expect(row).to_contain_text("by claude-code/2.1")

    row.get_by_role("button", name="Revoke Laptop").click()
    page.get_by_role("dialog", name="Revoke Laptop?").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Laptop is revoked.")).to_be_visible()
    assert ping(visitor.url, secret) == 401


@requirement("pages:access:disconnect")
def test_a_connected_program_is_seen_and_disconnected(alice: Person, visit: Any) -> None:
    visitor = visit()
    connected = connection(alice, "Claude")
    secret = token(connected)
    page: Page = visitor.sign_in(alice)
    page.goto("/access")
    row = page.get_by_role("row", name="Claude")
    expect(row).to_contain_text("Never")

    assert ping(visitor.url, secret) == 200
    # The page looks again by itself.
    expect(row).not_to_contain_text("Never")
    row.get_by_role("button", name="Revoke Claude").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Revoke Claude?").get_by_role("button", name="Revoke").press("Enter")

    expect(page.get_by_text("Claude is disconnected.")).to_be_visible()
    expect(page.get_by_text("No program is connected")).to_be_visible()
    assert ping(visitor.url, secret) == 401


@requirement("pages:phone")
def test_access_and_setup_fit_a_phone(alice: Person, visit: Any) -> None:
    connection(alice, "A program with a rather long name", scopes=["mcp:read", "mcp:write", "decisions:write"])
    page: Page = visit(viewport={"width": 390, "height": 844}).sign_in(alice)

    for address in ("/access", "/setup"):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


@requirement("pages:setup:web-clients")
def test_setup_tells_step_by_step_how_claude_and_chatgpt_are_connected(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)

    for name, id in (("Claude web", "claude-web"), ("ChatGPT", "chatgpt")):
        page.get_by_role("radio", name=name).check()
        expect(page.locator(f"#address-{id}")).to_have_text(f"{visitor.url}/v1/mcp/memory")
        expect(page.locator(f".tab-{id} .how li")).to_have_count(4)
        expect(page.locator(f".tab-{id}").get_by_text("wants https")).to_be_visible()
    expect(page.get_by_text("Put your key where it says")).to_be_hidden()


@requirement("pages:access:api-keys")
def test_an_api_key_is_minted_used_by_a_product_and_revoked(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    page.goto("/access")
    page.locator("summary", has_text="New API key").click()
    page.get_by_label("Name").fill("Shop")
    page.get_by_role("button", name="Mint the API key").click()
    secret = page.locator("#api-secret").inner_text()

    def ask() -> int:
        url = f"{visitor.url}/v1/memories?external_user_id=pat"
        return httpx2.get(url, headers={"Authorization": f"ApiKey {secret}"}, timeout=60).status_code

    assert ask() == 200
    page.reload()
    expect(page.get_by_text(secret)).to_have_count(0)
    row = page.get_by_role("row", name="Shop")
    expect(row).not_to_contain_text("Never")
    row.get_by_role("button", name="Revoke Shop").click()
    page.get_by_role("dialog", name="Revoke Shop?").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Shop is revoked.")).to_be_visible()
    assert ask() == 401
