"""A client in the test's own transaction, and people who are signed in already."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from tests.cast import Person
from tests.in_process import in_process
from tests.mcp_gateway.server import committed, url
from tests.web_client import Browser, WebClient

__all__ = ["committed", "url"]

MEMORY = "/v1/mcp/memory"


def sign_in(http: httpx2.Client, person: Person) -> Browser:
    """The person's browser, past the login form."""
    client = Client()
    client.force_login(person.user)
    name = settings.SESSION_COOKIE_NAME
    http.cookies.set(name, client.cookies[name].value)
    return Browser(http, person.user.email)


@pytest.fixture(autouse=True)
def plenty_of_registrations(settings: Any) -> None:
    settings.PAM_OAUTH_REGISTRATIONS_PER_HOUR = 1_000_000


@pytest.fixture
def empty_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def http() -> httpx2.Client:
    return in_process()


@pytest.fixture
def web(http: httpx2.Client, alice: Person, settings: Any) -> WebClient:
    """A client that has found its way to the server and registered; Alice's browser is signed in."""
    client = WebClient(http, settings.PUBLIC_URL + MEMORY)
    client.discover()
    client.register()
    return client


@pytest.fixture
def browser(http: httpx2.Client, alice: Person) -> Browser:
    return sign_in(http, alice)


@pytest.fixture
def connected(web: WebClient, browser: Browser) -> WebClient:
    """Alice approved, and the client holds its first pair of tokens."""
    web.redeem(web.received(browser.decide(web.authorization_url())))
    return web
