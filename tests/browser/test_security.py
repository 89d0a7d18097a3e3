"""The second step and passkeys in a real browser, by what its pages say, under their own policy."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.test_every_page import axe, faults
from tests.cast import PASSWORD, Person
from tests.requirements import requirement
from tests.second_step import Phone, forget_attempts

__all__ = ["axe"]
BOTH = ("light", "dark")


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_attempts()


@pytest.fixture
def localhost(live_url: str, settings: Any) -> str:
    """The server by a name, which passkeys want."""
    settings.PUBLIC_URL = live_url.replace("127.0.0.1", "localhost")
    return str(settings.PUBLIC_URL)


def with_a_finger(visitor: Visitor) -> None:
    """Gives the browser a device that keeps passkeys and takes every finger for the right one."""
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    wire = visitor.context.new_cdp_session(visitor.page)
    wire.send("WebAuthn.enable")
    wire.send("WebAuthn.addVirtualAuthenticator", {"options": device})


def fill_in(page: Page, who: Person) -> None:
    page.get_by_label("Email").fill(who.user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


def to_security(page: Page) -> None:
    page.locator("details.menu summary").click()
    page.get_by_role("link", name="Security").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Security")


def confirm(page: Page) -> None:
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


@requirement("login:second-step:set-up")
def test_somebody_turns_the_second_step_on_from_their_menu_and_signs_in_with_it(
    alice: Person, visit: Any, axe: str
) -> None:
    visitor = visit(viewport={"width": 375, "height": 812})
    page = visitor.sign_in(alice)
    to_security(page)
    page.get_by_role("link", name="Set up an app").click()
    confirm(page)
    page.get_by_text("It can’t scan").click()
    phone = Phone(page.locator("#totp-secret").inner_text().strip())
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    found = faults(page, axe, BOTH)
    page.get_by_label("Code from the app").fill(phone.code(-1))
    page.get_by_role("button", name="Switch it on").click()

    found += faults(page, axe, BOTH)
    code = page.locator("#codes").inner_text().split()[0]
    page.get_by_role("link", name="I have kept them").click()
    expect(page.get_by_text("10 left")).to_be_visible()
    found += faults(page, axe, BOTH)
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Sign out", exact=True).click()

    page.goto("/sources")
    fill_in(page, alice)
    found += faults(page, axe, BOTH)
    page.get_by_label("Code", exact=True).fill(phone.code())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sources")

    elsewhere = visit()
    elsewhere.page.goto("/accounts/login/")
    fill_in(elsewhere.page, alice)
    elsewhere.page.get_by_label("Code", exact=True).fill(code)
    elsewhere.page.keyboard.press("Enter")
    elsewhere.page.wait_for_url("**/setup")
    assert found == []


@requirement("login:passkeys")
def test_a_passkey_is_added_and_signs_in_alone_and_after_the_password(
    alice: Person, visit: Any, localhost: str
) -> None:
    visitor = visit()
    page = visitor.page
    with_a_finger(visitor)
    page.goto(f"{localhost}/accounts/login/?next=/security")
    fill_in(page, alice)
    page.get_by_role("link", name="Add a passkey").click()
    confirm(page)
    page.get_by_label("Name").fill("My laptop")
    page.get_by_role("button", name="Add it").click()
    page.get_by_role("link", name="I have kept them").click()
    expect(page.get_by_text("no password needed")).to_be_visible()

    visitor.context.clear_cookies()
    page.goto(f"{localhost}/accounts/login/?next=/sources")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sources")

    visitor.context.clear_cookies()
    page.goto(f"{localhost}/accounts/login/?next=/access")
    fill_in(page, alice)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Access")


@requirement("login:passkeys")
def test_a_passkey_that_is_not_there_is_told_in_words(alice: Person, visit: Any, localhost: str) -> None:
    visitor = visit()
    with_a_finger(visitor)
    visitor.page.goto(f"{localhost}/accounts/login/")
    visitor.page.get_by_role("button", name="Sign in with a passkey").click()

    expect(visitor.page.get_by_role("alert")).to_contain_text("Nothing came of it")


@requirement("login:sessions")
def test_a_page_that_is_open_goes_to_sign_in_by_itself_once_its_session_is_ended(alice: Person, visit: Any) -> None:
    left_open, here = visit().sign_in(alice), visit().sign_in(alice)
    to_security(here)
    here.get_by_role("button", name="Sign out everywhere else").click()
    expect(here.get_by_text("Every other browser is signed out.")).to_be_visible()

    left_open.wait_for_url("**/accounts/login/?next=/setup")
