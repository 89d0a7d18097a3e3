"""Keys in a browser: asked before something stops, and shown once."""

from typing import Any

from playwright.sync_api import Page, expect

from accounts import keys
from accounts.models import Membership
from tests.cast import Person, person
from tests.requirements import requirement


@requirement("pages:setup:rotate")
def test_rotating_asks_first_and_then_shows_the_new_secret_once(alice: Person, visit: Any) -> None:
    page: Page = visit().sign_in(alice)

    page.get_by_role("button", name="Rotate alice's agent").click()
    question = page.get_by_role("dialog", name="Rotate alice's agent?")
    question.get_by_role("button", name="Leave it").click()
    expect(question).to_be_hidden()
    assert keys.recognise(alice.secret) is not None

    page.get_by_role("button", name="Rotate alice's agent").click()
    question.get_by_role("button", name="Rotate").click()
    secret = page.locator("#secret").inner_text()
    assert keys.recognise(secret) is not None
    assert keys.recognise(alice.secret) is None
    page.reload()
    expect(page.locator("#secret")).to_have_count(0)


@requirement("pages:setup:revoke")
def test_revoking_asks_first_and_stops_the_key(alice: Person, visit: Any) -> None:
    page: Page = visit().sign_in(alice)

    page.get_by_role("button", name="Revoke alice's agent").click()
    page.get_by_role("dialog", name="Revoke alice's agent?").get_by_role("button", name="Revoke").click()

    expect(page.get_by_text("alice's agent is revoked.")).to_be_visible()
    expect(page.get_by_text("One key that no longer works")).to_be_visible()
    assert keys.recognise(alice.secret) is None


@requirement("pages:setup:mint-errors")
def test_a_key_without_a_right_is_refused_beside_the_boxes(alice: Person, visit: Any) -> None:
    page: Page = visit().sign_in(alice)
    page.locator("summary", has_text="New key").click()
    page.get_by_label("Name").fill("Useless")
    for box in page.locator("input[name=scopes]").all():
        box.uncheck()

    page.get_by_role("button", name="Mint the key").click()

    expect(page.get_by_text("Tick at least one")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Useless")


@requirement("pages:setup:copy")
def test_the_copy_button_copies_the_key_and_says_so(alice: Person, visit: Any) -> None:
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    page: Page = visitor.sign_in(alice)
    page.locator("summary", has_text="New key").click()
    page.get_by_label("Name").fill("Laptop")
    page.get_by_role("button", name="Mint the key").click()
    button = page.get_by_role("button", name="Copy the key")
    expect(button).to_be_focused()

    button.click()

    expect(button).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#secret").inner_text()


@requirement("pages:roles:viewer")
def test_a_viewer_is_offered_nothing_that_would_be_refused(alice: Person, visit: Any) -> None:
    page: Page = visit().sign_in(person("vera", alice.account, Membership.Role.VIEWER))

    expect(page.get_by_text("You look at this account as a viewer.")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke")).to_have_count(0)
    page.goto("/sources")
    expect(page.locator("#import")).to_have_count(0)
    expect(page.get_by_text("Ask a member of this account to import some.")).to_be_visible()


@requirement("pages:keyboard")
def test_keys_are_managed_with_the_keyboard_alone(alice: Person, visit: Any) -> None:
    page: Page = visit().sign_in(alice)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()

    page.get_by_role("button", name="Rotate alice's agent").focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("dialog", name="Rotate alice's agent?")
    expect(question).to_be_visible()
    page.keyboard.press("Escape")

    expect(question).to_be_hidden()
    page.get_by_role("radio", name="Claude Code").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#snippet-cursor")).to_be_visible()
