"""The consent page, and where it leads."""

import logging
import re
from itertools import combinations
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from bs4 import BeautifulSoup

from accounts import isolation
from accounts.models import Membership, OAuthClient, OAuthConnection
from accounts.oauth import resources
from mcp_gateway.surfaces import MOUNTED
from tests.accounts.oauth.conftest import sign_in
from tests.accounts.oauth.test_registration import CHATGPT, CURSOR, VS_CODE
from tests.cast import Person
from tests.requirements import requirement
from tests.web_client import Browser, WebClient, answered


def policy(page: httpx2.Response) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in page.headers["Content-Security-Policy"].split(";"))
    return {name: value for name, _, value in parts}


@requirement("oauth:consent:page")
def test_the_page_says_who_asks_where_the_answer_goes_for_whom_and_what_for(web: WebClient, browser: Browser) -> None:
    page = browser.visit(web.authorization_url())

    assert page.status_code == 200
    for said in ("Agent", "agent.example", "Not verified", "alice@example.com", "Alice&#x27;s company"):
        assert said in page.text
    assert "Ask questions of company memory" in page.text
    assert "no-store" in page.headers["Cache-Control"]
    assert page.headers["X-Frame-Options"] == "DENY"


@requirement("oauth:consent:page")
def test_the_policy_opens_the_form_for_the_way_back_only(web: WebClient, browser: Browser, settings: Any) -> None:
    settings.PAM_OAUTH_APP_SCHEMES = ["cursor"]
    page = policy(browser.visit(web.authorization_url()))

    assert page["form-action"] == "'self' https://agent.example http://127.0.0.1:* http://localhost:* cursor:"
    assert page["default-src"] == "'none'"
    assert page["frame-ancestors"] == "'none'"


@requirement("oauth:consent:page")
def test_the_window_that_opened_the_page_is_not_cut_off(web: WebClient, http: httpx2.Client) -> None:
    """ChatGPT and the Inspector open a window and are told the answer by it."""
    login = http.get(web.authorization_url(), follow_redirects=True)

    assert login.status_code == 200
    assert "Cross-Origin-Opener-Policy" not in login.headers


@requirement("oauth:consent:never-skipped")
@pytest.mark.parametrize("change", [{}, {"approval_prompt": "auto"}, {"prompt": "none"}])
def test_whoever_approved_before_is_asked_again(connected: WebClient, browser: Browser, change: dict[str, str]) -> None:
    assert "Approve" in browser.visit(connected.authorization_url(**change)).text


@requirement("oauth:consent:answers")
def test_cancel_goes_back_with_the_state_and_gives_nothing(web: WebClient, browser: Browser) -> None:
    told = answered(browser.decide(web.authorization_url(), "Cancel"))

    assert told["error"] == "access_denied"
    assert told["state"] == web.state
    assert told["iss"] == web.server["issuer"]
    with isolation.every_account():
        assert not OAuthConnection.objects.exists()


@requirement("oauth:consent:account")
def test_a_person_with_several_accounts_chooses_one(
    web: WebClient, http: httpx2.Client, alice: Person, charlie: Person
) -> None:
    with isolation.account(alice.account.pk):
        Membership.objects.create(account=alice.account, user=charlie.user, role="member")
    browser = sign_in(http, charlie)

    assert "Alice&#x27;s company" in browser.visit(web.authorization_url()).text
    web.redeem(web.received(browser.decide(web.authorization_url(), account=alice.account.public_id)))
    with isolation.every_account():
        assert OAuthConnection.objects.get().account == alice.account


@requirement("oauth:consent:account")
def test_an_account_of_strangers_cannot_be_chosen(web: WebClient, browser: Browser, charlie: Person) -> None:
    page = browser.visit(web.authorization_url())
    answer = browser.press(page, "Approve", account=charlie.account.public_id)

    assert answer.status_code == 400
    with isolation.every_account():
        assert not OAuthConnection.objects.exists()


@requirement("oauth:consent:login")
def test_whoever_is_signed_out_signs_in_and_comes_back(web: WebClient, http: httpx2.Client, alice: Person) -> None:
    web.redeem(web.received(Browser(http, alice.user.email).decide(web.authorization_url())))

    assert web.send("ping").status_code == 200


@requirement("oauth:consent:login")
def test_whoever_is_new_signs_up_and_comes_back(web: WebClient, http: httpx2.Client) -> None:
    login = http.get(web.authorization_url(), follow_redirects=True)
    link = BeautifulSoup(login.text, "lxml").find("a", string="Sign up", href=re.compile("next="))
    assert link is not None
    form = http.get(str(link["href"]))
    newcomer = Browser(http, "dora@example.com")
    asked = {"organisation": "Dora's", "email": newcomer.email, "password1": newcomer.password}
    page = newcomer.press(form, "Sign up", **asked)

    assert "Dora&#x27;s" in page.text
    web.redeem(web.received(newcomer.press(page, "Approve").headers["Location"]))
    assert web.send("ping").status_code == 200


@requirement("oauth:consent:open-redirect")
@pytest.mark.parametrize(
    "uri",
    [
        "https://evil.example/callback",
        "https://agent.example/callback/../other",
        "https://agent.example/callback?more=1",
        "https://agent.example/callback#part",
        "https://agent.example:444/callback",
        "http://agent.example/callback",
        "https://agent.example@evil.example/callback",
        "https://agent.example/call\x00back",
        "//agent.example/callback",
        "javascript:alert(1)",
        "https://agent.example:99999/callback",
        "http://[::1/",
    ],
)
def test_an_address_that_was_not_registered_is_never_gone_to(web: WebClient, browser: Browser, uri: str) -> None:
    for change in ({}, {"response_type": "token"}, {"resource": "https://evil.example"}, {"scope": "%"}):
        answer = browser.http.get(web.authorization_url(redirect_uri=uri, **change))

        assert (answer.status_code, answer.headers.get("Location")) == (400, None)
        assert "evil" not in answer.text


@requirement("oauth:consent:open-redirect")
def test_what_is_changed_in_the_form_is_looked_at_anew(web: WebClient, browser: Browser) -> None:
    page = browser.visit(web.authorization_url())
    stolen = web.authorization_url(redirect_uri="https://evil.example/")

    for button in ("Approve", "Cancel"):
        answer = browser.press(page, button, query=urlsplit(stolen).query)
        assert (answer.status_code, answer.headers.get("Location")) == (400, None)
        location = browser.press(page, button, redirect_uri="https://evil.example/", client_id="x").headers["Location"]
        assert location.startswith("https://agent.example/callback?")


@requirement("oauth:consent:open-redirect")
@pytest.mark.parametrize("client_id", ["never-was", "", "a" * 5000, "\x00", None])
def test_a_client_that_is_not_known_gets_a_page(web: WebClient, browser: Browser, client_id: str | None) -> None:
    answer = browser.http.get(web.authorization_url(client_id=client_id))

    assert (answer.status_code, answer.headers.get("Location")) == (400, None)
    assert "This connection can" in answer.text


@requirement("oauth:consent:answers")
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": "a" * 500}, "invalid_request"),
        ({"response_type": "token"}, "unauthorized_client"),
        ({"response_type": None}, "invalid_request"),
        ({"resource": "https://evil.example/v1/mcp/memory"}, "invalid_target"),
    ],
)
def test_an_error_goes_back_before_anybody_is_asked_with_iss_and_state(
    web: WebClient, change: dict[str, str | None], error: str
) -> None:
    location = web.http.get(web.authorization_url(**change)).headers["Location"]

    assert location.startswith("https://agent.example/callback?")
    told = answered(location)
    assert (told["error"], told["state"]) == (error, web.state) or error == "unauthorized_client"
    assert told["iss"] == web.server["issuer"]


@requirement("oauth:resource:forms")
@pytest.mark.parametrize(
    ("form", "path"),
    [
        (None, "/v1/mcp/memory"),
        ("http://127.0.0.1:8000/v1/mcp/memory", "/v1/mcp/memory"),
        ("http://127.0.0.1:8000/v1/mcp/memory/", "/v1/mcp/memory"),
        ("HTTP://127.0.0.1:8000/v1/mcp/memory", "/v1/mcp/memory"),
        ("http://127.0.0.1:8000/v1/mcp/memory?session=1", "/v1/mcp/memory"),
        ("http://127.0.0.1:8000", "/v1/mcp/memory"),
        ("http://127.0.0.1:8000/", "/v1/mcp/memory"),
        ("http://127.0.0.1:8000/v1/mcp", "/v1/mcp"),
        ("http://127.0.0.1:8000/v1/mcp/", "/v1/mcp"),
        ("http://127.0.0.1:8000/v1/dev", "/v1/dev"),
    ],
)
def test_every_form_of_an_endpoints_address_binds_to_the_canonical_one(
    web: WebClient, browser: Browser, settings: Any, form: str | None, path: str
) -> None:
    web.received(browser.decide(web.authorization_url(resource=form)))

    with isolation.every_account():
        assert OAuthConnection.objects.get().resource == settings.PUBLIC_URL + path


@requirement("oauth:resource:forms")
def test_the_host_may_be_in_capitals(web: WebClient, browser: Browser, settings: Any) -> None:
    settings.PUBLIC_URL = "https://pam.example"
    web.received(browser.decide(web.authorization_url(resource="HTTPS://PAM.Example:443/v1/mcp")))

    with isolation.every_account():
        assert OAuthConnection.objects.get().resource == "https://pam.example/v1/mcp"


@requirement("oauth:resource:foreign")
@pytest.mark.parametrize(
    "resource",
    [
        "https://evil.example/v1/mcp/memory",
        "http://127.0.0.1:8001/v1/mcp/memory",
        "http://127.0.0.1:8000/v1/mcp/other",
        "http://127.0.0.1:8000/v1/mcp/memory#x",
        "http://x@127.0.0.1:8000/v1/mcp/memory",
        "https://127.0.0.1:8000/v1/mcp/memory",
        "urn:pam",
        "http://[::1/",
        "",
    ],
)
def test_a_foreign_resource_is_refused(web: WebClient, browser: Browser, resource: str) -> None:
    assert answered(browser.decide(web.authorization_url(resource=resource)))["error"] == "invalid_target"


@requirement("oauth:scopes")
@pytest.mark.parametrize(
    ("path", "asked", "granted"),
    [
        ("/v1/mcp/memory", None, "memory:read"),
        ("/v1/mcp/memory", "memory:read offline_access", "memory:read"),
        ("/v1/mcp/memory", "offline_access", "memory:read"),
        ("/v1/mcp/memory", "mcp:write account:manage", "memory:read"),
        ("/v1/mcp", "mcp:read", "mcp:read"),
        ("/v1/mcp", None, "mcp:read mcp:write decisions:read decisions:write"),
        ("/v1/dev", "account:manage", "account:manage"),
        (None, "account:manage", "account:manage"),
    ],
)
def test_scopes_that_the_endpoint_lacks_are_dropped_and_none_means_all_of_it(
    web: WebClient, browser: Browser, settings: Any, path: str | None, asked: str | None, granted: str
) -> None:
    resource = settings.PUBLIC_URL + path if path else None
    code = web.received(browser.decide(web.authorization_url(resource=resource, scope=asked)))

    assert web.exchange(code, resource=resource).json()["scope"] == granted


@requirement("oauth:scopes:too-little")
@pytest.mark.parametrize("resource", resources.ALL, ids=lambda resource: resource.path)
def test_the_page_says_when_what_is_asked_opens_nothing(
    resource: resources.Resource, web: WebClient, browser: Browser
) -> None:
    tools = next((surface.tools for surface in MOUNTED if surface.path == resource.path), ())
    for count in range(1, len(resource.scopes) + 1):
        for granted in combinations(resource.scopes, count):
            opens = not tools or any(set(tool.scopes) <= set(granted) for tool in tools)
            assert resource.opens_nothing(list(granted)) is not opens

    for scope in (resource.scopes[0], None):
        page = browser.visit(web.authorization_url(resource=resource.uri, scope=scope)).text
        assert ("opens nothing" in page) is resource.opens_nothing(resource.granted([scope] if scope else []))


@requirement("oauth:registration:known-clients")
@pytest.mark.parametrize(
    ("body", "redirect_uri", "source"),
    [
        (VS_CODE, "http://127.0.0.1:50321/", "http://127.0.0.1:50321"),
        (VS_CODE, "https://vscode.dev/redirect", "https://vscode.dev"),
        (CURSOR, "cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"),
        (CURSOR, "http://localhost:9999/callback", "http://localhost:9999"),
        (CHATGPT, "https://chatgpt.com/connector/oauth/k7Qw2mX9", "https://chatgpt.com"),
    ],
)
def test_the_clients_of_today_come_all_the_way(
    web: WebClient, browser: Browser, body: dict[str, Any], redirect_uri: str, source: str
) -> None:
    web.register(body)
    web.redirect_uri = redirect_uri
    page = browser.visit(web.authorization_url())

    assert policy(page)["form-action"].split()[:2] == ["'self'", source]
    web.redeem(web.received(browser.press(page, "Approve").headers["Location"]))
    assert web.send("ping").status_code == 200


@requirement("oauth:consent:page")
def test_a_client_that_the_operator_entered_is_verified(web: WebClient, browser: Browser) -> None:
    OAuthClient.objects.filter(client_id=web.client["client_id"]).update(registration_source="manual")

    page = browser.visit(web.authorization_url()).text
    assert "Not verified" not in page
    assert "Approve" in page


@requirement("oauth:consent:page")
def test_a_name_is_text_whatever_is_in_it(web: WebClient, browser: Browser) -> None:
    web.register({"redirect_uris": [web.redirect_uri], "client_name": "<script>x</script>\u202eevil\r\n"})

    page = browser.visit(web.authorization_url()).text
    assert "&lt;script&gt;x&lt;/script&gt; evil" in page
    assert "<script>x" not in page


@requirement("oauth:secrets")
def test_no_code_or_token_comes_into_a_log_or_a_title(
    web: WebClient, browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    page = browser.visit(web.authorization_url())
    code = web.received(browser.press(page, "Approve").headers["Location"])
    web.redeem(code)
    spent = web.tokens["refresh_token"]
    web.renew()
    web.refresh(spent)

    title = page.text.partition("<title>")[2].partition("</title>")[0]
    assert title == "Connect a program · PAM"
    said = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("httpx2"))
    for secret in (
        code,
        web.state,
        web.verifier,
        spent,
        *(web.tokens[name] for name in ("access_token", "refresh_token")),
    ):
        assert secret not in said
