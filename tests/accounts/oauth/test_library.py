"""The official Python client of MCP, with its own OAuth, against a running server: from the URL to a tool's answer."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from asgiref.sync import sync_to_async
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.accounts.oauth.conftest import sign_in
from tests.cast import Person, person
from tests.mcp_gateway.library import shelve
from tests.requirements import requirement
from tests.web_client import Browser

pytestmark = pytest.mark.django_db(transaction=True)

REDIRECT = "http://127.0.0.1:41234/callback"


class Store:
    """What the library remembers between sessions."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@pytest.fixture
def nora(transactional_db: None) -> Person:
    nora = person("nora")
    shelve(nora.account)
    return nora


@pytest.fixture
def browser(nora: Person) -> Iterator[Browser]:
    with httpx2.Client(timeout=60) as http:
        yield sign_in(http, nora)


def provider(url: str, store: Store, browser: Browser) -> OAuthClientProvider:
    went: dict[str, str] = {}

    async def redirect(address: str) -> None:
        went["to"] = await sync_to_async(browser.decide, thread_sensitive=False)(address)

    async def callback() -> AuthorizationCodeResult:
        answer = {name: values[0] for name, values in parse_qs(urlsplit(went["to"]).query).items()}
        return AuthorizationCodeResult(code=answer["code"], state=answer.get("state"), iss=answer.get("iss"))

    metadata = OAuthClientMetadata(client_name="Library", redirect_uris=[AnyUrl(REDIRECT)])
    return OAuthClientProvider(url, metadata, store, redirect, callback)


async def ask(url: str, auth: OAuthClientProvider) -> str:
    async with (
        httpx2.AsyncClient(auth=auth, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        answer = await client.call_tool("retrieve_memory", {"prompt": "Who owns billing at Lumen Ferry?"})
    assert not answer.is_error
    return str(answer.content[0])


@requirement("oauth:library")
@pytest.mark.asyncio
async def test_the_official_library_registers_asks_for_consent_calls_and_refreshes(url: str, browser: Browser) -> None:
    store = Store()
    assert "Ines Okafor" in await ask(url, provider(url, store, browser))
    first = store.tokens
    assert first is not None
    assert first.refresh_token

    second_session = provider(url, store, browser)
    await second_session._initialize()
    second_session.context.token_expiry_time = 1
    assert "Ines Okafor" in await ask(url, second_session)
    assert store.tokens is not None
    assert store.tokens.refresh_token != first.refresh_token
    assert store.tokens.access_token != first.access_token
