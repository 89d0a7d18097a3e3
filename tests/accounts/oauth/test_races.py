"""The same proof at the same moment, on a real server with real threads and on two processes.

PAM_RACE_ROUNDS sets how often; `make fuzz` asks for 200.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from django.core.cache import cache
from django.test import override_settings

from accounts import isolation
from accounts.models import OAuthAccessToken, OAuthConnection, OAuthRefreshToken
from tests.accounts.oauth.conftest import sign_in
from tests.cast import Person, person
from tests.mcp_gateway.server import process
from tests.requirements import requirement
from tests.web_client import Browser, WebClient

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("PAM_RACE_ROUNDS", "3"))
TOGETHER = 8


@pytest.fixture
def rita(transactional_db: None) -> Person:
    return person("rita")


@pytest.fixture
def web(url: str, rita: Person) -> Iterator[WebClient]:
    """A client that is registered at the running server."""
    with httpx2.Client(timeout=60) as http:
        client = WebClient(http, url)
        client.discover()
        client.register()
        yield client


@pytest.fixture
def browser(web: WebClient, rita: Person) -> Browser:
    return sign_in(web.http, rita)


def at_once(ask: Any) -> list[httpx2.Response]:
    """What `ask`, called with a client of its own in each of eight threads at the same moment, was answered."""
    start = Barrier(TOGETHER)

    def one(_: int) -> httpx2.Response:
        with httpx2.Client(timeout=60) as http:
            start.wait()
            answer: httpx2.Response = ask(http)
            return answer

    with ThreadPoolExecutor(TOGETHER) as pool:
        return list(pool.map(one, range(TOGETHER)))


def check(answers: list[httpx2.Response]) -> list[dict[str, Any]]:
    """The pairs that were given; everybody else must have got a clean refusal."""
    for answer in answers:
        assert answer.status_code == 200 or (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    return [answer.json() for answer in answers if answer.status_code == 200]


def living() -> tuple[int, int]:
    with isolation.every_account():
        return OAuthAccessToken.objects.count(), OAuthRefreshToken.objects.filter(revoked=None).count()


def forget() -> None:
    with isolation.every_account():
        OAuthConnection.objects.all().delete()


def refreshed(web: WebClient) -> list[httpx2.Response]:
    form = {
        "grant_type": "refresh_token",
        "refresh_token": web.tokens["refresh_token"],
        "client_id": web.client["client_id"],
    }
    return at_once(lambda http: http.post(web.server["token_endpoint"], data=form))


@requirement("oauth:tokens:parallel")
def test_of_refreshes_at_the_same_moment_one_at_most_gets_a_pair(web: WebClient, browser: Browser) -> None:
    for _ in range(ROUNDS):
        web.redeem(web.received(browser.decide(web.authorization_url())))
        given = check(refreshed(web))

        assert len(given) <= 1
        assert max(living()) <= 1
        forget()


@requirement("oauth:tokens:parallel")
def test_within_the_window_they_all_get_the_same_pair(web: WebClient, browser: Browser) -> None:
    with override_settings(OAUTH_REFRESH_REPLAY_WINDOW_SECONDS=60):
        web.redeem(web.received(browser.decide(web.authorization_url())))
        for _ in range(ROUNDS):
            given = check(refreshed(web))

            assert len(given) == TOGETHER
            assert len({each["refresh_token"] for each in given}) == 1
            assert living() == (1, 1)
            web.tokens = given[0]
        assert web.send("ping").status_code == 200
    cache.clear()


@requirement("oauth:codes:processes")
def test_a_code_is_redeemed_by_another_process_and_once_only(web: WebClient, browser: Browser) -> None:
    with process() as (_, other):
        elsewhere = f"{urlsplit(other).scheme}://{urlsplit(other).netloc}/v1/oauth/token"
        for _ in range(ROUNDS):
            form = {
                "grant_type": "authorization_code",
                "code": web.received(browser.decide(web.authorization_url())),
                "redirect_uri": web.redirect_uri,
                "code_verifier": web.verifier,
                "client_id": web.client["client_id"],
            }
            first = httpx2.post(elsewhere, data=form, timeout=60)
            assert first.status_code == 200, first.text
            places = iter([web.server["token_endpoint"], elsewhere] * TOGETHER)
            assert check(at_once(lambda http, form=form, places=places: http.post(next(places), data=form))) == []
            assert living() == (0, 0)
        code = web.received(browser.decide(web.authorization_url()))
        form.update(code=code, code_verifier=web.verifier)
        places = iter([web.server["token_endpoint"], elsewhere] * TOGETHER)
        assert len(check(at_once(lambda http: http.post(next(places), data=form)))) == 1
