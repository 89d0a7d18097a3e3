"""Codes and tokens: what they open, how often, how long."""

import hashlib
from datetime import timedelta
from typing import Any

import httpx2
import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.utils import timezone

from accounts import isolation
from accounts.models import Membership, OAuthAccessToken, OAuthClient, OAuthConnection, OAuthGrant, OAuthRefreshToken
from tests.cast import Person
from tests.requirements import requirement
from tests.web_client import Browser, WebClient


def error(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


@requirement("oauth:tokens:lifetimes")
def test_a_pair_lasts_an_hour_and_thirty_days(connected: WebClient) -> None:
    assert connected.tokens["expires_in"] == 3600
    assert connected.tokens["token_type"] == "Bearer"
    with isolation.every_account():
        ends = OAuthConnection.objects.get().expires_at - timezone.now()
    assert timedelta(days=29, hours=23) < ends <= timedelta(days=30)


@requirement("oauth:tokens:lifetimes")
def test_an_expired_access_token_is_met_by_the_challenge_and_a_refresh_goes_on(connected: WebClient) -> None:
    with time_machine.travel(timezone.now() + timedelta(seconds=3601)):
        refused = connected.send("ping")
        connected.renew()

        assert refused.status_code == 401
        assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]
        assert "resource_metadata=" in refused.headers["WWW-Authenticate"]
        assert connected.send("ping").status_code == 200


@requirement("oauth:tokens:lifetimes")
def test_after_thirty_days_only_a_new_consent_helps(connected: WebClient, browser: Browser) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=30, seconds=1)):
        assert error(connected.refresh()) == (400, "invalid_grant")


@requirement("oauth:tokens:hashed")
def test_nothing_at_rest_is_of_use_to_a_thief(web: WebClient, browser: Browser) -> None:
    code = web.received(browser.decide(web.authorization_url()))
    with isolation.every_account():
        assert OAuthGrant.objects.get().code == hashlib.sha256(code.encode()).hexdigest()
    web.redeem(code)

    tables = [OAuthAccessToken, OAuthRefreshToken, OAuthGrant, OAuthConnection]
    with isolation.every_account(), connection.cursor() as cursor:
        for model in tables:
            cursor.execute(f'SELECT t::text FROM "{model._meta.db_table}" t')
            rows = str(cursor.fetchall())
            for secret in (code, web.tokens["access_token"], web.tokens["refresh_token"]):
                assert secret not in rows


@requirement("oauth:tokens:rotation")
def test_a_refresh_gives_a_new_pair_and_ends_the_old_one(connected: WebClient) -> None:
    old = connected.tokens
    new = connected.renew()

    assert new["refresh_token"] != old["refresh_token"]
    assert new["scope"] == old["scope"]
    assert connected.send("ping").status_code == 200
    assert connected.send("ping", token=old["access_token"]).status_code == 401


@requirement("oauth:tokens:reuse")
def test_a_spent_refresh_token_revokes_the_whole_family(connected: WebClient) -> None:
    spent = connected.tokens["refresh_token"]
    connected.renew()
    connected.renew()

    assert error(connected.refresh(spent)) == (400, "invalid_grant")
    assert connected.send("ping").status_code == 401
    assert error(connected.refresh()) == (400, "invalid_grant")
    with isolation.every_account():
        assert OAuthConnection.objects.get().state == "revoked"


@requirement("oauth:tokens:reuse")
def test_a_spent_token_in_the_hands_of_another_client_ends_nothing(connected: WebClient) -> None:
    spent = connected.tokens["refresh_token"]
    connected.renew()
    mine = connected.client
    connected.register()

    assert error(connected.refresh(spent)) == (400, "invalid_grant")
    connected.client = mine
    assert connected.send("ping").status_code == 200
    connected.renew()


@requirement("oauth:tokens:replay-window")
def test_within_the_window_the_same_answer_comes_again_and_one_pair_lives(
    connected: WebClient, settings: Any, empty_cache: None
) -> None:
    settings.OAUTH_REFRESH_REPLAY_WINDOW_SECONDS = 10
    first = connected.refresh()
    second = connected.refresh()

    assert second.status_code == 200
    assert second.json() == first.json()
    assert second.headers["Cache-Control"] == "no-store"
    with isolation.every_account():
        assert OAuthAccessToken.objects.count() == 1
    assert connected.send("ping", token=first.json()["access_token"]).status_code == 200


@requirement("oauth:tokens:replay-window")
def test_the_window_is_for_the_client_itself_and_ends(connected: WebClient, settings: Any, empty_cache: None) -> None:
    settings.OAUTH_REFRESH_REPLAY_WINDOW_SECONDS = 10
    connected.refresh()
    mine = connected.client
    connected.register()
    assert error(connected.refresh()) == (400, "invalid_grant")

    connected.client = mine
    with time_machine.travel(timezone.now() + timedelta(seconds=11)):
        assert error(connected.refresh()) == (400, "invalid_grant")
    with isolation.every_account():
        assert OAuthConnection.objects.get().state == "revoked"


@requirement("oauth:tokens:replay-window")
def test_an_answer_that_was_lost_is_a_clean_refusal_that_ends_nothing(
    connected: WebClient, settings: Any, empty_cache: None
) -> None:
    first = connected.refresh()
    settings.OAUTH_REFRESH_REPLAY_WINDOW_SECONDS = 10

    assert error(connected.refresh()) == (400, "invalid_grant")
    assert connected.send("ping", token=first.json()["access_token"]).status_code == 200


@requirement("oauth:tokens:said")
def test_a_refusal_says_in_a_sentence_what_is_wrong(connected: WebClient) -> None:
    refused = [connected.refresh("pam_rt_unknown"), connected.exchange("unknown")]

    assert [error(answer) for answer in refused] == [(400, "invalid_grant")] * 2
    for answer in refused:
        assert "expired or revoked" in answer.json()["error_description"]


@requirement("oauth:codes")
def test_a_code_used_twice_revokes_what_it_gave(web: WebClient, browser: Browser) -> None:
    code = web.received(browser.decide(web.authorization_url()))
    web.redeem(code)

    assert error(web.exchange(code)) == (400, "invalid_grant")
    assert web.send("ping").status_code == 401
    assert error(web.refresh()) == (400, "invalid_grant")


@requirement("oauth:codes")
def test_a_code_lives_a_minute(web: WebClient, browser: Browser) -> None:
    code = web.received(browser.decide(web.authorization_url()))

    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert error(web.exchange(code)) == (400, "invalid_grant")


@requirement("oauth:codes")
@pytest.mark.parametrize(
    "change",
    [
        {"code_verifier": "x" * 43},
        {"code_verifier": None},
        {"redirect_uri": "https://agent.example/other"},
        {"code": "never-was"},
        {"code": None},
        {"resource": "https://evil.example/"},
        {"resource": "http://127.0.0.1:8000/v1/mcp"},
    ],
    ids=str,
)
def test_a_code_is_of_no_use_without_all_that_belongs_to_it(
    web: WebClient, browser: Browser, change: dict[str, str | None]
) -> None:
    code = web.received(browser.decide(web.authorization_url()))

    asked = dict(change)
    refused = web.exchange(asked.pop("code", code), **asked)  # type: ignore[arg-type]
    assert refused.status_code == 400
    assert refused.json()["error"] in ("invalid_grant", "invalid_request", "invalid_target")
    assert web.exchange(code).status_code == 200


@requirement("oauth:codes")
def test_a_code_of_one_client_is_of_no_use_to_another(web: WebClient, browser: Browser) -> None:
    code = web.received(browser.decide(web.authorization_url()))
    mine = web.client
    web.register()
    assert error(web.exchange(code)) == (400, "invalid_grant")

    web.client = mine
    web.redeem(code)


@requirement("oauth:tokens:client")
def test_a_client_that_is_not_known_is_told_401(connected: WebClient) -> None:
    for client_id in ("never-was", "", "a" * 300, None):
        assert error(connected.refresh(client_id=client_id)) == (401, "invalid_client")


@requirement("oauth:tokens:client")
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_client_with_a_secret_must_show_it(web: WebClient, browser: Browser, method: str) -> None:
    web.register({"redirect_uris": [web.redirect_uri], "token_endpoint_auth_method": method})
    web.redeem(web.received(browser.decide(web.authorization_url())))
    web.renew()

    secret = web.client.pop("client_secret")
    assert error(web.refresh()) == (401, "invalid_client")
    web.client["client_secret"] = secret[:-1]
    assert error(web.refresh()) == (401, "invalid_client")
    web.client["client_secret"] = secret
    web.renew()


@requirement("oauth:tokens:client")
def test_a_clients_secret_is_kept_as_a_quick_hash_and_a_slow_one_stays_valid(web: WebClient, browser: Browser) -> None:
    web.register({"redirect_uris": [web.redirect_uri], "token_endpoint_auth_method": "client_secret_post"})
    kept = OAuthClient.objects.get(client_id=web.client["client_id"])
    assert kept.client_secret.startswith("random_sha256$")

    kept.client_secret = make_password(web.client["client_secret"], hasher="pbkdf2_sha256")
    kept.save()
    web.redeem(web.received(browser.decide(web.authorization_url())))


@requirement("oauth:audience")
def test_a_token_of_one_endpoint_does_not_open_another(
    web: WebClient, browser: Browser, settings: Any, alice: Person
) -> None:
    for path, scope in (("/v1/mcp", "mcp:read"), ("/v1/dev", "account:manage")):
        resource = settings.PUBLIC_URL + path
        code = web.received(browser.decide(web.authorization_url(resource=resource, scope=scope)))
        token = web.exchange(code, resource=resource).json()["access_token"]

        assert web.send("ping", token=token).status_code == 401


@requirement("oauth:audience")
def test_each_endpoint_opens_for_its_own_token_with_the_scopes_that_were_granted(
    web: WebClient, browser: Browser, settings: Any
) -> None:
    resource = settings.PUBLIC_URL + "/v1/mcp"
    tools = {}
    reading = "mcp:read decisions:read"
    for scope in (reading, None):
        code = web.received(browser.decide(web.authorization_url(resource=resource, scope=scope)))
        web.tokens = web.exchange(code, resource=resource).json()
        answer = web.http.post(
            "/v1/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            headers={"Authorization": f"Bearer {web.tokens['access_token']}"},
        )
        assert answer.status_code == 200, answer.text
        tools[scope] = {tool["name"] for tool in answer.json()["result"]["tools"]}

    assert tools[None] - tools[reading] == {"memory_record_summary"}
    assert "memory_list_records" in tools[reading]


@requirement("oauth:audience")
def test_the_developer_api_opens_for_account_manage_alone(web: WebClient, browser: Browser, settings: Any) -> None:
    resource = settings.PUBLIC_URL + "/v1/dev"
    code = web.received(browser.decide(web.authorization_url(resource=resource, scope=None)))
    manager = web.exchange(code, resource=resource).json()["access_token"]
    web.redeem(web.received(browser.decide(web.authorization_url())))
    web.http.cookies.clear()

    def asked(token: str) -> int:
        return web.http.get("/v1/dev/keys", headers={"Authorization": f"Bearer {token}"}).status_code

    assert asked(manager) == 200
    assert asked(web.tokens["access_token"]) == 401
    minted = web.http.post("/v1/dev/keys", json={"name": "CI"}, headers={"Authorization": f"Bearer {manager}"})
    assert minted.status_code == 201


@requirement("oauth:audience")
def test_a_client_may_no_more_than_the_person_who_let_it_in(
    web: WebClient, browser: Browser, settings: Any, alice: Person
) -> None:
    resource = settings.PUBLIC_URL + "/v1/dev"
    code = web.received(browser.decide(web.authorization_url(resource=resource, scope=None)))
    manager = web.exchange(code, resource=resource).json()["access_token"]
    with isolation.every_account():
        Membership.objects.update(role="viewer")

    answer = web.http.post("/v1/dev/keys", json={"name": "CI"}, headers={"Authorization": f"Bearer {manager}"})
    assert answer.status_code == 403


@requirement("oauth:revoke")
@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "other"])
def test_giving_back_either_token_ends_the_connection(connected: WebClient, kind: str, hint: str | None) -> None:
    answer = connected.revoke(connected.tokens[kind], token_type_hint=hint)

    assert (answer.status_code, answer.content) == (200, b"")
    assert connected.send("ping").status_code == 401
    assert error(connected.refresh()) == (400, "invalid_grant")


@requirement("oauth:revoke")
def test_a_token_that_is_none_or_anothers_is_answered_alike_and_stays(connected: WebClient) -> None:
    mine, held = connected.client, connected.tokens["refresh_token"]
    connected.register()

    for token in ("never-was", held):
        answer = connected.revoke(token)
        assert (answer.status_code, answer.content) == (200, b"")
    connected.client = mine
    connected.renew()


@requirement("oauth:revoke")
def test_giving_back_wants_a_client(connected: WebClient) -> None:
    answer = connected.revoke(connected.tokens["refresh_token"], client_id="never-was")

    assert error(answer) == (401, "invalid_client")


@requirement("oauth:members")
def test_whoever_leaves_the_account_loses_the_connection(connected: WebClient, alice: Person) -> None:
    with isolation.account(alice.account.pk):
        Membership.objects.filter(user=alice.user).delete()

    assert connected.send("ping").status_code == 401
    assert error(connected.refresh()) == (400, "invalid_grant")


@requirement("oauth:members")
def test_whoever_is_switched_off_opens_nothing(connected: WebClient, alice: Person) -> None:
    alice.user.is_active = False
    alice.user.save(update_fields=["is_active"])

    assert connected.send("ping").status_code == 401
    assert error(connected.refresh()) == (400, "invalid_grant")


@requirement("oauth:scopes")
@pytest.mark.parametrize("scope", ["memory:read", "memory:read offline_access", "offline_access", ""])
def test_a_refresh_may_ask_for_what_there_is_not(connected: WebClient, scope: str) -> None:
    assert connected.refresh(scope=scope).json()["scope"] == "memory:read"


@requirement("oauth:wire:json-errors")
@pytest.mark.parametrize("path", ["/v1/oauth/token", "/v1/oauth/revoke", "/v1/oauth/register"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "HEAD"])
def test_another_method_is_told_which_to_use(http: httpx2.Client, path: str, method: str) -> None:
    answer = http.request(method, path)

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST, OPTIONS"
    assert method == "HEAD" or answer.json()["error"] == "invalid_request"


@requirement("oauth:wire:json-errors")
@pytest.mark.parametrize("path", ["/v1/oauth/token", "/v1/oauth/revoke"])
@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/x-www-form-urlencoded"),
        (b"grant_type=refresh_token&refresh_token=a%00b&client_id=c&token=%00", "application/x-www-form-urlencoded"),
        (b"grant_type=password&username=a&password=b&client_id=c", "application/x-www-form-urlencoded"),
        (b"grant_type=urn:ietf:params:oauth:grant-type:device_code", "application/x-www-form-urlencoded"),
        (b"\xff\xfe=%zz&&&", "application/x-www-form-urlencoded"),
        (b"a=b", "application/x-www-form-urlencoded; charset=utf-16"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"broken", "multipart/form-data"),
        (b'{"grant_type": "refresh_token"}', "application/json"),
        (b"&".join(b"a%d=1" % number for number in range(1200)), "application/x-www-form-urlencoded"),
    ],
    ids=range(10),
)
@pytest.mark.django_db
def test_a_broken_body_is_answered_in_json(http: httpx2.Client, path: str, content: bytes, kind: str) -> None:
    answer = http.post(path, content=content, headers={"Content-Type": kind})

    assert answer.status_code in (400, 401)
    assert isinstance(answer.json()["error"], str)


@requirement("oauth:wire:json-errors")
@pytest.mark.django_db
@pytest.mark.parametrize("secret", ["Basic !!!", "Basic AAAA", "Basic w7w=", "Basic AGE6Yg==", "Bearer x", "Basic é"])
def test_a_broken_login_of_a_client_is_answered_in_json(http: httpx2.Client, secret: str) -> None:
    answer = http.post(
        "/v1/oauth/token",
        data={"grant_type": "refresh_token", "refresh_token": "x"},
        headers={"Authorization": secret.encode("latin-1")},
    )

    assert error(answer) == (401, "invalid_client")


@requirement("oauth:wire:json-errors")
@pytest.mark.django_db
def test_parameters_in_the_address_are_refused(http: httpx2.Client) -> None:
    assert error(http.post("/v1/oauth/token?grant_type=refresh_token&x=%zz")) == (400, "invalid_request")
