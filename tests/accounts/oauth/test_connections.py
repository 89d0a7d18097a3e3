"""What people see of connections, and ending them."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import isolation
from accounts.errors import NotFound
from accounts.models import OAuthClient, OAuthConnection, User
from accounts.oauth import connections, pruning
from tests.cast import PASSWORD, Person
from tests.requirements import requirement
from tests.web_client import Browser, WebClient


@requirement("oauth:connections:list")
def test_a_connection_is_told_with_all_that_people_need(
    connected: WebClient, alice: Person, settings: Any, django_assert_num_queries: Any
) -> None:
    # One that reads, and the two ends of a savepoint.
    with django_assert_num_queries(3):
        [told] = connections.of(alice.caller)

    assert told.id.startswith("con_")
    assert told.client_name == "Agent"
    assert told.redirect_host == "agent.example"
    assert told.scopes == ("memory:read",)
    assert told.resource == settings.PUBLIC_URL + "/v1/mcp/memory"
    assert told.status == "active"
    assert told.person == "alice@example.com"
    assert told.is_verified is False
    assert told.last_used_at is None
    assert told.expires_at - timezone.now() > timedelta(days=29)


@requirement("oauth:connections:list")
def test_its_use_is_noted(connected: WebClient, alice: Person) -> None:
    connected.send("ping", **{"User-Agent": "agent/1.0"})

    [told] = connections.of(alice.caller)
    assert told.last_used_at is not None


@requirement("oauth:connections:list")
def test_a_consent_whose_code_was_never_redeemed_is_none(web: WebClient, browser: Browser, alice: Person) -> None:
    web.received(browser.decide(web.authorization_url()))

    assert connections.of(alice.caller) == []


@requirement("oauth:connections:revoke")
def test_revoking_works_at_once_and_for_good(connected: WebClient, alice: Person) -> None:
    [told] = connections.of(alice.caller)

    assert connections.revoke(alice.caller, told.id).status == "revoked"
    assert connected.send("ping").status_code == 401
    assert connected.refresh().json()["error"] == "invalid_grant"
    assert connections.revoke(alice.caller, told.id).status == "revoked"


@requirement("oauth:connections:strangers")
def test_strangers_and_members_without_the_right_find_nothing(
    connected: WebClient, alice: Person, bob: Person, charlie: Person
) -> None:
    [told] = connections.of(alice.caller)

    for other in (bob, charlie):
        assert connections.of(other.caller) == []
        with pytest.raises(NotFound) as foreign:
            connections.revoke(other.caller, told.id)
        with pytest.raises(NotFound) as never_was:
            connections.revoke(other.caller, "con_00000000000000000000")
        assert foreign.value.message == never_was.value.message
    assert connected.send("ping").status_code == 200


@requirement("oauth:connections:strangers")
def test_a_manager_sees_and_ends_what_members_connected(connected: WebClient, alice: Person, bob: Person) -> None:
    with isolation.account(alice.account.pk):
        member = bob.user.memberships.get()
        OAuthConnection.objects.update(membership=member)

    assert [told.person for told in connections.of(alice.caller)] == ["bob@example.com"]
    assert [told.person for told in connections.of(bob.caller)] == ["bob@example.com"]
    assert connections.revoke(alice.caller, connections.of(alice.caller)[0].id).status == "revoked"


@requirement("oauth:pruning")
def test_what_is_over_is_forgotten_and_what_lives_is_not(
    connected: WebClient, browser: Browser, alice: Person, settings: Any
) -> None:
    living = connected.client["client_id"]
    connected.register()
    unused = connected.client["client_id"]
    manual = OAuthClient.objects.create(
        name="Ours",
        redirect_uris="https://agent.example/",
        client_type="public",
        authorization_grant_type="authorization-code",
    )
    days = settings.PAM_OAUTH_UNUSED_CLIENT_DAYS

    pruning.prune()
    assert OAuthClient.objects.count() == 3
    with time_machine.travel(timezone.now() + timedelta(days=days - 1)):
        connected.client = {"client_id": living}
        connected.renew()
    with time_machine.travel(timezone.now() + timedelta(days=days + 1)):
        pruning.prune()
        left = set(OAuthClient.objects.values_list("client_id", flat=True))
        assert left == {living, manual.client_id}
        assert unused not in left
        connected.renew()
    with time_machine.travel(timezone.now() + timedelta(days=2 * days + 200)):
        pruning.prune()
        assert set(OAuthClient.objects.values_list("client_id", flat=True)) == {manual.client_id}
        with isolation.every_account():
            assert not OAuthConnection.objects.exists()


@requirement("oauth:pruning")
def test_a_spent_token_is_known_as_spent_after_pruning(connected: WebClient) -> None:
    spent = connected.tokens["refresh_token"]
    connected.renew()
    pruning.prune()

    assert connected.refresh(spent).json()["error"] == "invalid_grant"
    assert connected.send("ping").status_code == 401


@requirement("oauth:pruning")
def test_a_consent_that_came_to_nothing_is_forgotten(web: WebClient, browser: Browser) -> None:
    web.received(browser.decide(web.authorization_url()))
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        pruning.prune()

    with isolation.every_account():
        assert not OAuthConnection.objects.exists()


@pytest.fixture
def staff(db: None) -> Client:
    User.objects.create_superuser("staff@example.com", PASSWORD)
    client = Client()
    client.force_login(User.objects.get(email="staff@example.com"))
    return client


@requirement("oauth:admin")
def test_staff_see_clients_and_connections_without_secrets_and_revoke_them(connected: WebClient, staff: Client) -> None:
    with isolation.every_account():
        connection = OAuthConnection.objects.get()
        client = OAuthClient.objects.get()
    pages = [
        "/admin/accounts/oauthclient/?q=Agent",
        f"/admin/accounts/oauthclient/{client.pk}/change/",
        "/admin/accounts/oauthconnection/?q=alice",
        f"/admin/accounts/oauthconnection/{connection.pk}/change/",
    ]
    for page in pages:
        answer = staff.get(page)
        assert answer.status_code == 200, page
        assert connection.code_hash not in answer.content.decode()
        assert "Agent" in answer.content.decode()
    assert staff.get("/admin/accounts/oauthaccesstoken/").status_code == 404

    staff.post(
        "/admin/accounts/oauthconnection/",
        {"action": "revoke", "_selected_action": [connection.pk], "reason": "It leaked."},
    )
    assert connected.send("ping").status_code == 401


@requirement("oauth:admin")
def test_staff_can_delete_a_person_who_has_connections(connected: WebClient, staff: Client, alice: Person) -> None:
    answer = staff.post(f"/admin/accounts/user/{alice.user.pk}/delete/", {"post": "yes"})

    assert answer.status_code == 302
    assert connected.send("ping").status_code == 401
    with isolation.every_account():
        assert not OAuthConnection.objects.exists()
