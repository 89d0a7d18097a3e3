"""The consent page in a browser: whether its answer really leaves, under the page's own policy, and who is asked."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from playwright.sync_api import Page, expect

from accounts import isolation
from accounts.models import Membership
from tests.cast import PASSWORD, Person
from tests.requirements import requirement
from tests.web_client import answered

CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class _Callback(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Done</title><link rel=icon href=data:,><p>You may close this window.")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def callback() -> Iterator[str]:
    """The address of a program on the person's own machine that waits for the answer."""
    with HTTPServer(("127.0.0.1", 0), _Callback) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/callback"
        server.shutdown()


def consent_url(live_url: str, redirect_uri: str, name: str = "Agent") -> str:
    body = {"redirect_uris": [redirect_uri], "client_name": name, "token_endpoint_auth_method": "none"}
    registered = httpx2.post(f"{live_url}/v1/oauth/register", json=body, timeout=60).json()
    asked = {
        "response_type": "code",
        "client_id": registered["client_id"],
        "redirect_uri": redirect_uri,
        "state": "here and back",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return f"/v1/oauth/authorize?{urlencode(asked)}"


def sign_in(page: Page, person: Person) -> None:
    page.get_by_label("Email").fill(person.user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


@requirement("oauth:consent:browser")
def test_by_keyboard_from_the_login_to_the_program_that_asked(
    alice: Person, visit: Any, live_url: str, callback: str
) -> None:
    page = visit().page
    page.goto(consent_url(live_url, callback))
    sign_in(page, alice)

    expect(page.get_by_role("heading", name="Agent wants to connect to PAM")).to_be_visible()
    page.get_by_role("button", name="Approve").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_title("Done")
    told = answered(page.url)
    assert told["code"]
    assert told["state"] == "here and back"


@requirement("oauth:consent:browser")
def test_cancel_leaves_as_well_and_a_choice_of_accounts_is_offered(
    alice: Person, charlie: Person, visit: Any, live_url: str, callback: str
) -> None:
    with isolation.account(alice.account.pk):
        Membership.objects.create(account=alice.account, user=charlie.user, role="member")
    page = visit(viewport={"width": 360, "height": 740}, color_scheme="dark").page
    page.goto(consent_url(live_url, callback))
    sign_in(page, charlie)

    page.get_by_label("Connect it to").select_option(label="Alice's company (member)")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_title("Done")
    assert answered(page.url)["error"] == "access_denied"
