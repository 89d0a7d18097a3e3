"""Agents past the middleware of pages: nothing that their answers need is lost on the way."""

from typing import Any

import httpx2
import pytest

from tests.cast import Person
from tests.mcp_gateway.server import Making
from tests.requirements import requirement

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def sam(committed: Making) -> Person:
    return committed("sam")


def ask(url: str, sam: Person, **headers: str) -> httpx2.Response:
    return httpx2.post(url, json=PING, headers={"Authorization": sam.secret, **headers}, timeout=60)


@requirement("mcp:shortcut")
def test_an_answer_has_its_length_its_id_and_a_type_that_is_not_guessed(url: str, sam: Person) -> None:
    answer = ask(url, sam)

    assert answer.json()["result"] == {}
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Request-Id"]


@requirement("mcp:shortcut")
def test_a_foreign_host_is_refused(url: str, sam: Person) -> None:
    assert ask(url, sam, Host="evil.example").status_code == 400


@requirement("mcp:shortcut")
def test_an_agents_call_meets_no_session_and_no_cookie(url: str, sam: Person) -> None:
    answer = ask(url, sam, Cookie="sessionid=x; csrftoken=y")

    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers["Vary"]


@requirement("mcp:shortcut")
@pytest.mark.parametrize("path", ["", "/", "/x"])
def test_only_the_endpoints_path_itself_is_led_past(url: str, sam: Person, path: str) -> None:
    expected = 200 if not path else 404

    assert ask(url + path, sam).status_code == expected


@requirement("mcp:shortcut")
def test_a_stream_has_no_length(url: str, sam: Person) -> None:
    headers: dict[str, Any] = {"Authorization": sam.secret, "Accept": "text/event-stream"}
    with httpx2.stream("GET", url, headers=headers, timeout=60) as answer:
        assert "Content-Length" not in answer.headers
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
