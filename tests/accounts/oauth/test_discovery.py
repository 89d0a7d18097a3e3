"""Where clients learn what there is (RFC 9728, RFC 8414), in every form that they look for it."""

from typing import Any

import httpx2
import pytest

from accounts.oauth import resources
from mcp_gateway import surfaces
from tests.requirements import requirement

PROTECTED = "/.well-known/oauth-protected-resource"
SERVER = "/.well-known/oauth-authorization-server"
OAUTH = ["/v1/oauth/register", "/v1/oauth/token", "/v1/oauth/revoke", PROTECTED, SERVER]


@requirement("oauth:discovery:resource")
@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize(
    ("suffix", "path", "scopes"),
    [
        ("", "/v1/mcp/memory", ["memory:read"]),
        ("/v1/mcp/memory", "/v1/mcp/memory", ["memory:read"]),
        ("/v1/mcp", "/v1/mcp", ["mcp:read", "mcp:write", "decisions:read", "decisions:write"]),
    ],
)
def test_each_endpoint_has_a_page_that_names_it_exactly(
    http: httpx2.Client, settings: Any, suffix: str, path: str, scopes: list[str], slash: str
) -> None:
    document = http.get(PROTECTED + suffix + slash).json()

    assert document["resource"] == settings.PUBLIC_URL + path
    assert document["authorization_servers"] == [settings.PUBLIC_URL]
    assert document["scopes_supported"] == scopes
    assert document["bearer_methods_supported"] == ["header"]


@requirement("oauth:discovery:resource")
def test_what_is_told_of_an_endpoint_is_what_it_asks_for() -> None:
    """The endpoints are a floor higher than OAuth, which therefore has its own list."""
    for surface in surfaces.MOUNTED:
        assert set(surface.scopes) == set(resources.MCP[surface.path].scopes)


@requirement("oauth:discovery:server")
@pytest.mark.parametrize("suffix", ["", "/", "/v1/mcp/memory", "/v1/mcp", "/v1/mcp/"])
def test_the_server_is_described_at_the_root_and_under_each_endpoint(
    http: httpx2.Client, settings: Any, suffix: str
) -> None:
    document = http.get(SERVER + suffix).json()

    base = settings.PUBLIC_URL
    assert document["issuer"] == base
    assert document["authorization_endpoint"] == f"{base}/v1/oauth/authorize"
    assert document["token_endpoint"] == f"{base}/v1/oauth/token"
    assert document["registration_endpoint"] == f"{base}/v1/oauth/register"
    assert document["revocation_endpoint"] == f"{base}/v1/oauth/revoke"
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["response_types_supported"] == ["code"]
    assert document["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert document["token_endpoint_auth_methods_supported"] == ["none", "client_secret_post", "client_secret_basic"]
    assert document["authorization_response_iss_parameter_supported"] is True
    assert document["client_id_metadata_document_supported"] is False


@requirement("oauth:discovery:others")
@pytest.mark.parametrize(
    "path",
    [
        f"{PROTECTED}/v1/dev",
        f"{PROTECTED}/v1/mcp/memory/more",
        f"{PROTECTED}//v1/mcp",
        f"{SERVER}/v1/other",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/v1/mcp/memory",
    ],
)
def test_any_other_document_is_a_plain_404(http: httpx2.Client, path: str) -> None:
    answer = http.get(path)

    assert answer.status_code == 404
    assert answer.json()["error"] == "not_found"


@requirement("oauth:discovery:challenge")
@pytest.mark.django_db
def test_the_challenge_leads_to_the_page_and_says_no_error_where_nothing_was_shown(
    http: httpx2.Client, settings: Any
) -> None:
    nothing = http.post("/v1/mcp/memory", json={}).headers["WWW-Authenticate"]
    wrong = http.post("/v1/mcp/memory", json={}, headers={"Authorization": "Bearer pam_at_x"}).headers[
        "WWW-Authenticate"
    ]

    page = f'resource_metadata="{settings.PUBLIC_URL}{PROTECTED}/v1/mcp/memory"'
    assert page in nothing
    assert page in wrong
    assert "error=" not in nothing
    assert 'error="invalid_token"' in wrong


@requirement("oauth:cors")
@pytest.mark.parametrize("path", OAUTH)
def test_pages_of_browsers_may_ask_and_read(http: httpx2.Client, path: str) -> None:
    origin = {"Origin": "http://localhost:6274"}
    before = http.options(path, headers={**origin, "Access-Control-Request-Method": "POST"})
    after = http.post(path, headers=origin)

    assert (before.status_code, before.content) == (204, b"")
    assert before.headers["Access-Control-Allow-Origin"] == origin["Origin"]
    assert after.headers["Access-Control-Allow-Origin"] == origin["Origin"]
    assert "WWW-Authenticate" in after.headers["Access-Control-Expose-Headers"]


@requirement("oauth:cors")
def test_pages_of_strangers_may_not_read_tokens(http: httpx2.Client) -> None:
    answer = http.post("/v1/oauth/token", headers={"Origin": "https://evil.example"})

    assert "Access-Control-Allow-Origin" not in answer.headers
