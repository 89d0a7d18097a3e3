"""Access: the page and the Developer API for keys and connections, by role."""

from typing import Any

import pytest
from django.test import Client

from accounts import api_keys, isolation, keys
from accounts.models import Membership, OAuthConnection
from accounts.oauth import resources
from tests.browsing import header, signed_in, text
from tests.cast import Person, person
from tests.connecting import connection, token
from tests.mcp_gateway.clients import Wire
from tests.requirements import requirement

CONNECTIONS = "/v1/dev/oauth-connections"


@requirement("pages:access:address")
@pytest.mark.parametrize(
    ("url", "said"),
    [
        (
            "https://pam.example",
            "Claude and ChatGPT on the web, and editors that sign in by themselves, need this address",
        ),
        ("http://127.0.0.1:8000", "they need PAM behind a public https address"),
    ],
)
def test_an_address_that_web_clients_cannot_reach_is_not_offered_to_them(
    alice: Person, settings: Any, url: str, said: str
) -> None:
    settings.PUBLIC_URL = url

    assert said in text(signed_in(alice).get("/access"))


@requirement("pages:access:shown")
def test_access_shows_keys_with_their_last_client_and_connections(alice: Person) -> None:
    Wire(alice.secret).request("initialize", {"clientInfo": {"name": "claude-code", "version": "2.1"}})
    connection(alice, "Claude")

    page = text(signed_in(alice).get("/access"))

    for shown in (
        "alice&#x27;s agent",
        "by claude-code 2.1",
        "Claude",
        "agent.example",
        "Name not verified",
        "memory:read",
    ):
        assert shown in page


@requirement("pages:access:empty")
def test_without_keys_and_connections_access_says_what_to_do_next(alice: Person, settings: Any) -> None:
    [key] = keys.listed(alice.caller)
    keys.revoke(alice.caller, key.public_id)

    page = text(signed_in(alice).get("/access"))

    assert "No key works at the moment" in page
    assert "No program is connected" in page
    assert settings.PUBLIC_URL + "/v1/mcp/memory" in page


@requirement("pages:access:queries")
def test_access_asks_the_database_a_fixed_number_of_questions(alice: Person, django_assert_num_queries: Any) -> None:
    client = signed_in(alice)
    client.get("/access")
    for number in range(5):
        keys.mint(alice.caller, name=f"key {number}")
        api_keys.mint(alice.caller, name=f"product {number}")
        connection(alice, f"program {number}")

    # The session and the person, 1 each; memberships, connections, keys and API keys, 3 each: a savepoint, the rows,
    # and its end.
    with django_assert_num_queries(2 + 4 * 3):
        client.get("/access")


@requirement("pages:access:keys")
def test_a_key_is_rotated_and_revoked_on_access_and_stays_there(alice: Person) -> None:
    client, [key] = signed_in(alice), keys.listed(alice.caller)

    rotated = text(client.post(f"/access/keys/{key.public_id}/rotate"))

    secret = rotated.partition('<pre id="secret"')[2].partition(">")[2].partition("<")[0]
    assert keys.recognise(secret) is not None
    assert keys.recognise(alice.secret) is None
    assert header(client.get(f"/access/keys/{key.public_id}/rotate"), "Location") == "/access"
    assert header(client.post(f"/access/keys/{key.public_id}/revoke"), "Location") == "/access"
    assert keys.recognise(secret) is None


@requirement("pages:access:api-keys")
def test_an_api_key_is_minted_shown_once_and_revoked_on_access(alice: Person) -> None:
    client = signed_in(alice)
    asked = {"name": "Shop", "rate_limit_per_minute": "600", "permissions": ["read", "write"], "days": "30"}

    page = text(client.post("/access/api-keys", asked))

    secret = page.partition('<pre id="api-secret"')[2].partition(">")[2].partition("<")[0]
    key = api_keys.recognise(secret)
    assert key is not None
    assert (key.name, key.permissions, key.rate_limit_per_minute) == ("Shop", ["read", "write"], 600)
    assert key.expires_at is not None
    assert secret not in text(client.get("/access"))
    assert header(client.get("/access/api-keys"), "Location") == "/access"
    done = text(client.post(f"/access/api-keys/{key.public_id}/revoke", follow=True))
    assert "Shop is revoked." in done
    assert api_keys.recognise(secret) is None


@requirement("pages:access:api-keys")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 81),
        ("rate_limit_per_minute", "0"),
        ("rate_limit_per_minute", "1000001"),
        ("rate_limit_per_minute", "many"),
        ("permissions", []),
        ("permissions", ["own"]),
        ("days", "5"),
    ],
)
def test_a_wrong_field_is_told_beside_itself_and_nothing_is_minted(alice: Person, field: str, value: Any) -> None:
    asked = {"name": "Shop", "rate_limit_per_minute": "60", "permissions": ["read"], "days": "", field: value}

    page = text(signed_in(alice).post("/access/api-keys", asked))

    assert 'class="wrong-why"' in page
    assert [key.name for key in api_keys.listed(alice.caller)] == ["alice's product"]


@requirement("pages:access:api-keys")
@pytest.mark.parametrize("role", [Membership.Role.VIEWER, Membership.Role.MEMBER])
def test_members_and_viewers_see_api_keys_and_change_none(alice: Person, role: str) -> None:
    vera = person("vera", alice.account, role)
    client, hers = signed_in(vera), api_keys.listed(alice.caller)[1]

    page = text(client.get("/access"))

    assert "alice&#x27;s product" in page
    assert "New API key" not in page
    assert (
        client.post("/access/api-keys", {"name": "x", "rate_limit_per_minute": 1, "permissions": "read"}).status_code
        == 403
    )
    assert client.post(f"/access/api-keys/{hers.public_id}/revoke").status_code == 403
    assert len(api_keys.listed(alice.caller)) == 2


@requirement("pages:access:connections")
def test_a_connection_is_revoked_on_access_with_all_its_tokens(alice: Person) -> None:
    connected = connection(alice, "Claude")
    secret = token(connected)
    assert Wire(secret).request("ping").status_code == 200

    page = text(signed_in(alice).post(f"/access/connections/{connected.public_id}/revoke", follow=True))

    assert "Claude is disconnected." in page
    assert Wire(secret).request("ping").status_code == 401


@requirement("pages:roles:viewer")
def test_a_viewer_sees_the_keys_changes_none_and_ends_their_own_connection_only(alice: Person) -> None:
    vera = person("vera", alice.account, Membership.Role.VIEWER)
    hers, own = connection(alice, "Program of alice"), connection(vera, "Program of vera")
    client = signed_in(vera)

    page = text(client.get("/access"))
    assert "Rotate" not in page
    assert "Program of vera" in page
    assert "Program of alice" not in page
    assert client.post(f"/access/connections/{hers.public_id}/revoke").status_code == 404
    assert header(client.post(f"/access/connections/{own.public_id}/revoke"), "Location") == "/access"


@requirement("oauth:connections:api")
def test_the_api_lists_connections_and_ends_the_whole_family(
    alice: Person, charlie: Person, django_assert_num_queries: Any
) -> None:
    connected, client = connection(alice, "Claude"), signed_in(alice)
    tokens = [token(connected), token(connected)]
    connection(charlie, "Program of charlie")
    client.get(CONNECTIONS)

    # The session and the person, 1 each; memberships and connections, 3 each.
    with django_assert_num_queries(2 + 2 * 3):
        [told] = client.get(CONNECTIONS).json()["items"]
    ended = client.post(f"{CONNECTIONS}/{connected.public_id}/revoke").json()

    assert (told["client_name"], told["status"], told["redirect_host"]) == ("Claude", "active", "agent.example")
    assert (ended["id"], ended["status"]) == (told["id"], "revoked")
    assert [Wire(each).request("ping").status_code for each in tokens] == [401, 401]
    again = client.post(f"{CONNECTIONS}/{connected.public_id}/revoke")
    assert (again.status_code, again.json()["status"]) == (200, "revoked")


@requirement("oauth:connections:api")
@pytest.mark.parametrize("path", [CONNECTIONS, "/v1/dev/keys"])
def test_a_token_to_manage_the_account_opens_it_and_a_key_or_another_token_does_not(alice: Person, path: str) -> None:
    manager = connection(alice, scopes=["account:manage"], resource=resources.DEVELOPER.uri)
    reader = connection(alice)

    def asked(secret: str) -> int:
        return Client(headers={"Authorization": f"Bearer {secret}"}).get(path).status_code

    assert asked(token(manager, resource=resources.DEVELOPER)) == 200
    assert asked(token(reader)) == 401
    assert asked(alice.secret) == 401


@requirement("oauth:connections:api")
@pytest.mark.parametrize("path", ["rotate-key", "revoke-key", "oauth-connections/con_00000000000000000000/revoke"])
def test_changing_by_session_keeps_csrf(alice: Person, path: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice.user)

    assert strict.post(f"/v1/dev/{path}").status_code == 403


@requirement("accounts:keys:sole")
def test_an_account_with_one_key_rotates_and_revokes_it_without_naming_it(alice: Person) -> None:
    client = signed_in(alice)

    rotated = client.post("/v1/dev/rotate-key")

    told = rotated.json()
    assert set(told) == {"api_key", "key_prefix", "rotated_at"}
    assert told["api_key"].startswith(told["key_prefix"])
    assert rotated.headers["Cache-Control"] == "no-store"
    assert keys.recognise(told["api_key"]) is not None
    assert keys.recognise(alice.secret) is None
    assert client.post("/v1/dev/revoke-key").status_code == 204
    assert keys.recognise(told["api_key"]) is None
    assert client.post("/v1/dev/revoke-key").status_code == 404
    assert keys.recognise(client.post("/v1/dev/rotate-key").json()["api_key"]) is not None


@requirement("accounts:keys:sole")
def test_with_several_keys_it_has_to_be_said_which(alice: Person) -> None:
    keys.mint(alice.caller, name="Another")

    answers = [signed_in(alice).post(f"/v1/dev/{path}") for path in ("rotate-key", "revoke-key")]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert "several active keys" in answers[0].json()["message"]
    assert keys.recognise(alice.secret) is not None


@requirement("oauth:connections:api")
def test_revoking_leaves_nothing_alive_of_the_connection(alice: Person) -> None:
    connected = connection(alice)
    signed_in(alice).post(f"{CONNECTIONS}/{connected.public_id}/revoke")

    with isolation.account(alice.account.pk):
        assert not OAuthConnection.objects.living().filter(pk=connected.pk).exists()
