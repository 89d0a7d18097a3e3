"""Registering as the clients of today do it, and as nobody should."""

import json
from typing import Any

import httpx2
import pytest

from accounts import isolation
from accounts.models import OAuthAccessToken, OAuthClient
from tests.registrations import CHATGPT, CURSOR, VS_CODE
from tests.requirements import requirement

pytestmark = pytest.mark.django_db


def register(http: httpx2.Client, body: Any) -> httpx2.Response:
    return http.post("/v1/oauth/register", json=body)


@requirement("oauth:registration:known-clients")
@pytest.mark.parametrize("body", [VS_CODE, CURSOR, CHATGPT], ids=["VS Code", "Cursor", "ChatGPT"])
def test_the_clients_of_today_register_as_they_are(http: httpx2.Client, body: dict[str, Any]) -> None:
    answer = register(http, body)

    assert answer.status_code == 201
    told = answer.json()
    assert told["redirect_uris"] == body["redirect_uris"]
    assert told["client_name"] == body["client_name"]
    assert told["grant_types"] == ["authorization_code", "refresh_token"]
    assert told["response_types"] == ["code"]
    assert told["token_endpoint_auth_method"] == "none"
    assert isinstance(told["client_id_issued_at"], int)
    assert "client_secret" not in told
    assert "client_secret_expires_at" not in told
    assert answer.headers["Cache-Control"] == "no-store"


@requirement("oauth:registration:unknown-members")
def test_what_is_not_known_is_left_out_and_what_is_taken_is_told(http: httpx2.Client) -> None:
    told = register(
        http,
        {
            "redirect_uris": ["https://agent.example/callback"],
            "scope": "memory:read offline_access openid",
            "software_statement": {"deep": [1]},
            "jwks_uri": 7,
            "contacts": None,
            "client_name": 12,
        },
    ).json()

    assert told["scope"] == "memory:read"
    assert told["client_name"] == "agent.example"
    assert set(told) == {
        "client_id",
        "client_id_issued_at",
        "client_name",
        "client_secret",
        "client_secret_expires_at",
        "grant_types",
        "redirect_uris",
        "response_types",
        "scope",
        "token_endpoint_auth_method",
    }


@requirement("oauth:registration:unknown-members")
@pytest.mark.parametrize("scope", [{}, {"scope": ""}, {"scope": None}, {"scope": "openid"}, {"scope": ["memory:read"]}])
def test_no_scope_or_an_empty_one_is_fine(http: httpx2.Client, scope: dict[str, Any]) -> None:
    answer = register(http, {"redirect_uris": ["https://agent.example/callback"], **scope})

    assert answer.status_code == 201
    assert answer.json()["scope"] == "memory:read mcp:read mcp:write decisions:read decisions:write"


@requirement("oauth:registration:secret")
@pytest.mark.parametrize("method", [None, "client_secret_basic", "client_secret_post"])
def test_a_secret_is_told_once_and_kept_hashed(http: httpx2.Client, method: str | None) -> None:
    asked = {"token_endpoint_auth_method": method} if method else {}
    told = register(http, {"redirect_uris": ["https://agent.example/callback"], **asked}).json()

    assert told["token_endpoint_auth_method"] == method or "client_secret_basic"
    assert told["client_secret_expires_at"] == 0
    kept = OAuthClient.objects.get(client_id=told["client_id"])
    assert told["client_secret"] not in kept.client_secret
    assert kept.client_type == "confidential"


@requirement("oauth:registration:no-token")
def test_no_registration_token_is_left_behind(http: httpx2.Client) -> None:
    told = register(http, CURSOR).json()

    assert not any(name.startswith("registration_") for name in told)
    with isolation.every_account():
        assert not OAuthAccessToken.objects.exists()


@requirement("oauth:registration:redirects")
@pytest.mark.parametrize(
    "uri",
    [
        "https://agent.example/callback?connector=7",
        "https://agent.example:8443/callback",
        "http://localhost:41234/callback",
        "http://127.0.0.1/callback",
        "http://[::1]:5000/callback",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "vscode://vscode.github-authentication/did-authenticate",
        "vscode-insiders://x/y",
        "windsurf://oauth",
        "zed://oauth",
        "claude://callback",
    ],
)
def test_an_answer_may_go_to_https_the_own_machine_and_known_apps(http: httpx2.Client, uri: str) -> None:
    assert register(http, {"redirect_uris": [uri]}).status_code == 201


@requirement("oauth:registration:redirects")
@pytest.mark.parametrize(
    "uri",
    [
        "http://evil.example/callback",
        "http://localhost.evil.example/callback",
        "http://127.0.0.1@evil.example/",
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "unknown-app://callback",
        "https://agent.example/callback#part",
        "https://agent.example/call back",
        "https://agent.example/a\nb",
        "https://*.example/callback",
        "https://user:secret@agent.example/",
        "https://agent.example:99999/",
        "https:///callback",
        "https://evil.example\\@agent.example/",
        "http://[::1/callback",
        "//agent.example/callback",
        "/callback",
        "cursor:",
        "",
        " https://agent.example/",
        "https://agent.example/" + "a" * 2048,
        "https://agent.example/\x00",
        7,
        None,
        ["https://agent.example/"],
    ],
)
def test_an_answer_may_go_nowhere_else(http: httpx2.Client, uri: Any) -> None:
    answer = register(http, {"redirect_uris": ["https://agent.example/fine", uri]})

    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_redirect_uri"


@requirement("oauth:registration:redirects")
@pytest.mark.parametrize("uris", [None, [], "https://agent.example/", {}, ["https://agent.example/"] * 21])
def test_there_must_be_one_to_twenty_addresses(http: httpx2.Client, uris: Any) -> None:
    answer = register(http, {"redirect_uris": uris})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")


@requirement("oauth:wire:json-errors")
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'"x"', b"null", b"\xff\xfe", b'{"redirect_uris": "' + b"[" * 30_000, b"[" * 60_000],
    ids=range(8),
)
def test_a_body_that_is_no_object_is_told_so(http: httpx2.Client, body: bytes) -> None:
    answer = http.post("/v1/oauth/register", content=body, headers={"Content-Type": "application/json"})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


@requirement("oauth:registration:known-clients")
@pytest.mark.parametrize("grant_types", [["client_credentials"], "authorization_code", ["password"], 5])
def test_a_client_that_wants_no_code_has_nothing_to_register_for(http: httpx2.Client, grant_types: Any) -> None:
    answer = register(http, {"redirect_uris": ["https://agent.example/"], "grant_types": grant_types})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


@requirement("oauth:wire:json-errors")
@pytest.mark.parametrize("path", ["/v1/oauth/register", "/v1/oauth/token", "/v1/oauth/revoke"])
def test_a_huge_body_is_refused_announced_or_not(http: httpx2.Client, path: str) -> None:
    answer = http.post(path, content=b"a" * 70_000, headers={"Content-Type": "application/x-www-form-urlencoded"})

    assert answer.status_code == 413
    assert answer.json()["error"] == "invalid_request"


@requirement("oauth:registration:throttle")
def test_a_burst_is_fine_and_a_flood_is_not(http: httpx2.Client, settings: Any, empty_cache: None) -> None:
    settings.PAM_OAUTH_REGISTRATIONS_PER_HOUR = 5
    answers = [register(http, {**CURSOR, "client_name": str(number)}) for number in range(6)]

    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert json.loads(answers[-1].content)["error"] == "temporarily_unavailable"


@requirement("oauth:aliases")
def test_the_root_aliases_are_the_same_endpoints(http: httpx2.Client) -> None:
    assert http.post("/register", json=CURSOR).status_code == 201
    assert http.post("/token", data={"grant_type": "authorization_code"}).json()["error"] == "invalid_request"
    assert http.get("/authorize").status_code == 400
