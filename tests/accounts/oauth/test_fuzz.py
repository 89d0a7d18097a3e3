"""Whatever comes in: 4xx in JSON (a page where people look), never a server error, never a way to strangers.

PAM_FUZZ_EXAMPLES sets how often each is tried; `make fuzz` asks for 5,000 of each of the four.
"""

import json
import os
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.accounts.oauth.test_registration import CHATGPT, CURSOR, VS_CODE
from tests.cast import Person
from tests.requirements import requirement

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("PAM_FUZZ_EXAMPLES", "60"))
FUZZ = settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=True
)
ALLOWED = {"agent.example", "localhost", "127.0.0.1", "testserver", ""}
HERE = "https://agent.example/callback"

TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
ODD = st.sampled_from(["", "\x00", "%zz", "%00", "\r\nX: y", "é", "\u202e", "a" * 5000, "null", "[]", "{", "'--", "💥"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | ODD,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)
URI = st.sampled_from(
    [
        HERE,
        f"{HERE}/",
        f"{HERE}?a=b",
        f"{HERE}#x",
        "https://evil.example/",
        "//evil.example",
        "http://[::1/",
        "http://[::1]:5/",
        "javascript:alert(1)",
        "data:,x",
        "cursor://x",
        "http://127.0.0.1:99999/",
        "http://localhost:5/",
        "https://agent.example@evil.example/",
    ]
)
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def form(**fields: Any) -> st.SearchStrategy[list[tuple[str, str]]]:
    """Some of the fields, some of them twice or with nonsense in them, in any order."""
    pairs = [st.tuples(st.just(name), values | TEXT | ODD) for name, values in fields.items()]
    return st.lists(st.one_of(*pairs, st.tuples(TEXT, TEXT)), max_size=12)


def told(answer: Any) -> dict[str, Any]:
    """The JSON of an answer that is no fault."""
    assert answer.status_code < 500, (answer.status_code, answer.content[:300])
    assert answer["Content-Type"] == "application/json", answer["Content-Type"]
    body: dict[str, Any] = json.loads(answer.content)
    assert answer.status_code < 400 or isinstance(body["error"], str)
    return body


def leads_home(location: str) -> bool:
    parts = urlsplit(location)
    return (parts.hostname or "") in ALLOWED and parts.scheme in ("https", "http", "")


@pytest.fixture
def registered(client: Client) -> dict[str, Any]:
    body = {"redirect_uris": [HERE], "client_name": "Agent", "token_endpoint_auth_method": "none"}
    answer: dict[str, Any] = client.post("/v1/oauth/register", body, content_type="application/json").json()
    return answer


METADATA = st.fixed_dictionaries(
    {},
    optional={
        "redirect_uris": st.lists(URI | ANYTHING, max_size=25) | ANYTHING,
        "grant_types": st.just(VS_CODE["grant_types"]) | ANYTHING,
        "token_endpoint_auth_method": st.just("none") | ANYTHING,
        "client_name": TEXT | ODD | ANYTHING,
        "scope": st.just("memory:read offline_access") | ANYTHING,
        "response_types": ANYTHING,
        "client_uri": URI | ANYTHING,
    },
)


@requirement("oauth:wire:json-errors")
@FUZZ
@given(body=METADATA | ANYTHING | st.sampled_from([VS_CODE, CURSOR, CHATGPT]) | st.binary(max_size=60))
def test_fuzz_registration(client: Client, body: Any) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body)
    answer = client.generic("POST", "/v1/oauth/register", data, content_type="application/json")

    body = told(answer)
    assert answer.status_code in (201, 400)
    assert all(
        urlsplit(uri).hostname != "evil.example" or uri.startswith("https") for uri in body.get("redirect_uris", [])
    )


@requirement("oauth:wire:json-errors")
@FUZZ
@given(
    fields=form(
        grant_type=st.sampled_from(["authorization_code", "refresh_token", "password", "client_credentials"]),
        code=TEXT,
        refresh_token=TEXT,
        client_secret=TEXT,
        redirect_uri=URI,
        code_verifier=TEXT,
        scope=TEXT,
        resource=URI,
        client_id=TEXT,
    ),
    is_known=st.booleans(),
    login=st.none() | TEXT,
    query=st.just("") | TEXT,
)
def test_fuzz_token(
    client: Client,
    registered: dict[str, Any],
    fields: list[tuple[str, str]],
    is_known: bool,
    login: str | None,
    query: str,
) -> None:
    _post(client, "/v1/oauth/token", registered, fields, is_known, login, query)


@requirement("oauth:wire:json-errors")
@FUZZ
@given(
    fields=form(token=TEXT, token_type_hint=st.sampled_from(["access_token", "refresh_token"]), client_id=TEXT),
    is_known=st.booleans(),
    login=st.none() | TEXT,
    query=st.just("") | TEXT,
)
def test_fuzz_revocation(
    client: Client,
    registered: dict[str, Any],
    fields: list[tuple[str, str]],
    is_known: bool,
    login: str | None,
    query: str,
) -> None:
    _post(client, "/v1/oauth/revoke", registered, fields, is_known, login, query)


def _post(
    client: Client,
    path: str,
    registered: dict[str, Any],
    fields: list[tuple[str, str]],
    is_known: bool,
    login: str | None,
    query: str,
) -> None:
    sent = [*fields, ("client_id", registered["client_id"])] if is_known else fields
    headers = {} if login is None else {"Authorization": f"Basic {login.encode('latin-1', 'ignore').decode('latin-1')}"}
    answer = client.generic(
        "POST",
        f"{path}?{query}" if query else path,
        urlencode(sent),
        content_type="application/x-www-form-urlencoded",
        headers=headers,
    )
    if answer.status_code == 200:
        assert (path, answer.content) == ("/v1/oauth/revoke", b"")
    else:
        told(answer)
        assert answer.status_code in (400, 401)


@requirement("oauth:consent:open-redirect")
@FUZZ
@given(
    fields=form(
        response_type=st.sampled_from(["code", "token", "code token"]),
        redirect_uri=URI,
        scope=st.just("memory:read"),
        state=TEXT,
        code_challenge=st.just(CHALLENGE),
        code_challenge_method=st.sampled_from(["S256", "plain"]),
        resource=URI,
        client_id=TEXT,
        prompt=TEXT,
        approval_prompt=st.just("auto"),
        response_mode=st.sampled_from(["query", "fragment", "form_post"]),
    ),
    is_sound=st.booleans(),
    button=st.sampled_from([None, "allow", "cancel"]),
    raw=st.just("") | TEXT | ODD,
)
def test_fuzz_authorize(
    client: Client,
    registered: dict[str, Any],
    alice: Person,
    fields: list[tuple[str, str]],
    is_sound: bool,
    button: str | None,
    raw: str,
) -> None:
    client.force_login(alice.user)
    sound = [
        ("client_id", registered["client_id"]),
        ("response_type", "code"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]
    names = {name for name, _ in sound}
    sent = [*sound, *(pair for pair in fields if pair[0] not in names)] if is_sound else fields
    query = urlencode(sent) + raw
    if button is None:
        answer = client.get("/v1/oauth/authorize", QUERY_STRING=query.encode().decode("latin-1"))
    else:
        answer = client.post("/v1/oauth/authorize", {"query": query, button: "true", **dict(fields)})

    assert answer.status_code in (200, 302, 400), answer.content[:300]
    assert leads_home(answer.headers.get("Location", "")), answer.headers
    if answer.status_code != 302:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
