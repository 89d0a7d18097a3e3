"""While the database is away, every surface says so in its own shape, and when to come back."""

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError
from django.test import Client

from accounts import keys
from tests.cast import Person
from tests.requirements import requirement


def gone(*_: object) -> None:
    raise OperationalError("the server closed the connection unexpectedly")


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first thing that a request asks the database fails, as it does when Postgres restarts."""
    monkeypatch.setattr(keys, "recognise", gone)
    monkeypatch.setattr(SessionStore, "load", gone)


@requirement("pam:database-away")
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/memory/documents"),
        ("GET", "/v1/memory/documents"),
        ("DELETE", "/v1/memory/documents/doc_00000000000000000000"),
        ("POST", "/v1/memory/ingest"),
        ("POST", "/v1/memory/retrieve"),
    ],
)
def test_rest_answers_503_in_json_while_the_database_is_away(alice: Person, away: None, method: str, path: str) -> None:
    client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {alice.secret}"})
    answer = client.generic(method, path, "{}", content_type="application/json")

    assert answer.status_code == 503
    assert "memory_unavailable" in (answer.json().get("code"), answer.json().get("error_code"))


@requirement("pam:database-away")
def test_a_page_answers_503_while_the_database_is_away(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(alice.user)
    monkeypatch.setattr(SessionStore, "load", gone)
    answer = client.get("/setup")

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert b"Something went wrong" in answer.content
