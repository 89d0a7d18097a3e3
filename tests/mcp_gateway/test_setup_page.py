"""Setup: keys shown once, snippets that work, and who may do what."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts import keys
from accounts.models import Membership
from mcp_gateway import snippets
from tests.browsing import header, signed_in, text
from tests.cast import Person, person
from tests.mcp_gateway.logged import log
from tests.requirements import requirement

URL = "https://pam.example.com/v1/mcp/memory"
KEY = "pam_mkey_example"
WANTED = {"name": "Laptop", "days": "", "scopes": ["memory:read"]}


@pytest.fixture
def viewer(alice: Person) -> Person:
    """May look at Alice's account and change nothing."""
    return person("vera", alice.account, Membership.Role.VIEWER)


def _secret(page: str) -> str:
    """The key in a page that shows one."""
    return page.partition('<pre id="secret"')[2].partition(">")[2].partition("<")[0]


@requirement("pages:setup:minted-once")
def test_a_minted_key_works_and_is_shown_in_one_answer_only(alice: Person) -> None:
    client = signed_in(alice)

    minted = client.post("/setup/keys", WANTED)

    secret = _secret(text(minted))
    assert keys.recognise(secret) is not None
    assert "no-store" in header(minted, "Cache-Control")
    assert secret not in text(client.get("/setup"))


@requirement("pages:setup:minted-as-asked")
def test_a_key_is_minted_with_the_name_scopes_and_expiry_that_were_asked_for(alice: Person) -> None:
    page = text(signed_in(alice).post("/setup/keys", {**WANTED, "days": "30"}))

    key = keys.recognise(_secret(page))
    assert key is not None
    assert (key.name, key.scopes, key.created_by) == ("Laptop", ["memory:read"], alice.user)
    assert key.expires_at is not None
    assert (key.expires_at - key.created_at).days in (29, 30)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"name": "a\x00b"}, "Null characters are not allowed."),
        ({"scopes": []}, "Tick at least one"),
        ({"scopes": ["memory:everything"]}, "Select a valid choice."),
        ({"days": "9999"}, "Select a valid choice."),
    ],
)
@requirement("pages:setup:mint-errors")
def test_a_key_that_cannot_be_minted_is_explained_and_not_made(alice: Person, wrong: dict[str, Any], told: str) -> None:
    before = len(keys.listed(alice.caller))

    page = text(signed_in(alice).post("/setup/keys", WANTED | wrong))

    assert told in page
    assert len(keys.listed(alice.caller)) == before


@requirement("pages:setup:rotate")
def test_a_rotated_key_is_shown_once_and_the_old_secret_stops(alice: Person) -> None:
    [key] = keys.listed(alice.caller)

    page = text(signed_in(alice).post(f"/setup/keys/{key.public_id}/rotate"))

    again = keys.recognise(_secret(page))
    assert again is not None
    assert again.public_id == key.public_id
    assert keys.recognise(alice.secret) is None


@requirement("pages:setup:revoke")
def test_a_revoked_key_stops_at_once_and_cannot_be_rotated_back(alice: Person) -> None:
    [key] = keys.listed(alice.caller)
    client = signed_in(alice)

    assert header(client.post(f"/setup/keys/{key.public_id}/revoke"), "Location") == "/setup"

    assert keys.recognise(alice.secret) is None
    assert "One key that no longer works" in text(client.get("/setup"))
    assert client.post(f"/setup/keys/{key.public_id}/rotate").status_code == 400


@requirement("pages:roles:viewer")
def test_a_viewer_sees_the_keys_and_changes_none(alice: Person, viewer: Person) -> None:
    client = signed_in(viewer)
    [mine] = [key for key in keys.listed(alice.caller) if key.name == "alice's agent"]
    page = text(client.get("/setup"))
    assert mine.name.replace("'", "&#x27;") in page
    assert "Mint the key" not in page

    tried = [
        client.post("/setup/keys", WANTED),
        client.post(f"/setup/keys/{mine.public_id}/rotate"),
        client.post(f"/setup/keys/{mine.public_id}/revoke"),
    ]

    assert [response.status_code for response in tried] == [403, 403, 403]
    assert all("Your role in this account does not allow that." in text(response) for response in tried)
    assert keys.recognise(alice.secret) is not None


@pytest.mark.parametrize("deed", ["rotate", "revoke"])
@requirement("pages:stranger")
def test_a_stranger_gets_the_same_answer_for_alices_key_as_for_one_that_never_was(
    alice: Person, charlie: Person, deed: str
) -> None:
    [key] = keys.listed(alice.caller)
    client = signed_in(charlie)

    hers, none = (
        client.post(f"/setup/keys/{public_id}/{deed}") for public_id in (key.public_id, "key_00000000000000000000")
    )

    assert hers.status_code == none.status_code == 404
    assert text(hers) == text(none)
    assert keys.recognise(alice.secret) is not None


@requirement("pages:setup:first-call")
def test_the_mark_turns_green_with_the_first_answered_call_and_not_with_a_refused_one(alice: Person) -> None:
    client = signed_in(alice)

    log(alice.agent, error_code="no_sources_connected")
    assert "Waiting for the first answered call." in text(client.get("/setup"))

    log(alice.agent)
    assert "It works." in text(client.get("/setup"))


@requirement("pages:setup:queries")
def test_setup_asks_the_database_a_fixed_number_of_questions(alice: Person, django_assert_num_queries: Any) -> None:
    client = signed_in(alice)
    client.get("/setup")
    for number in range(5):
        keys.mint(alice.caller, name=f"key {number}")

    # The session and the person, 1 each; memberships, readiness, keys and the latest answered call, 3 each: a
    # savepoint, the rows, and the end of the savepoint.
    with django_assert_num_queries(2 + 4 * 3):
        client.get("/setup")


@requirement("pages:setup:snippets")
def test_every_snippet_carries_the_address_and_the_key() -> None:
    offered = snippets.for_clients(URL, KEY)

    assert [snippet.name for snippet in offered] == [
        "Claude Code", "Cursor", "VS Code", "Codex CLI", "Gemini CLI", "Python", "TypeScript", "curl",
    ]  # fmt: skip
    assert all(URL in snippet.text and KEY in snippet.text for snippet in offered)


@requirement("pages:setup:snippets")
def test_settings_files_are_the_json_that_their_client_reads() -> None:
    by_id = {snippet.id: snippet.text for snippet in snippets.for_clients(URL, KEY)}
    server = {"url": URL, "headers": {"Authorization": f"Bearer {KEY}"}}

    assert json.loads(by_id["cursor"]) == {"mcpServers": {"pam": server}}
    assert json.loads(by_id["vs-code"]) == {"servers": {"pam": {"type": "http", **server}}}


@requirement("pages:login-first")
def test_whoever_is_not_signed_in_is_asked_to_and_comes_back(db: None, client: Client) -> None:
    assert header(client.get("/setup?x=1"), "Location") == "/accounts/login/?next=/setup%3Fx%3D1"
    assert header(client.post("/setup/keys", WANTED), "Location") == "/accounts/login/?next=/setup"


@requirement("pages:login-first")
def test_a_part_of_a_page_that_asks_again_after_the_session_ended_leads_to_the_login(db: None, client: Client) -> None:
    polled = client.get(
        "/setup", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/setup", "Accept": "*/*"}
    )

    assert header(polled, "HX-Redirect") == "/accounts/login/?next=/setup"


@requirement("pages:csrf")
def test_a_form_without_its_token_is_refused_in_the_house_style(alice: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice.user)

    refused = client.post("/setup/keys", WANTED)

    assert refused.status_code == 403
    assert "This form is too old" in text(refused)
    assert len(keys.listed(alice.caller)) == 1
