"""The busiest calls past the middleware of pages, on the asynchronous way that a server takes."""

import threading
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from memories.api.end_users import passage
from tests.cast import person
from tests.requirements import requirement

ASKED = {"external_user_id": "pat", "query": "Where does the user live?"}


def post(path: str, secret: str, body: Any = ASKED, **headers: str) -> Any:
    named = {"Authorization": f"ApiKey {secret}", **headers}
    return async_to_sync(AsyncClient().post)(path, body, content_type="application/json", headers=named)


@requirement("end-users:passage")
@pytest.mark.django_db(transaction=True)
def test_a_busy_call_has_all_that_an_answer_needs_and_no_cookie() -> None:
    answer = post("/v1/memories/retrieve", person("alice").product_secret, Cookie="sessionid=x")

    assert (answer.status_code, answer.json()["data"]) == (200, [])
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Request-Id"] == answer.json()["request_id"]
    assert answer.headers["X-MemoryOS-Quota-Mode"] == "FULL"
    assert "Set-Cookie" not in answer.headers


@requirement("end-users:passage")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", sorted(passage.BUSY))
def test_its_errors_have_the_shape_of_the_surface(path: str) -> None:
    refused = post(path, "nonsense")
    wrong = post(path, person("alice").product_secret, {"nothing": 1})

    assert (refused.status_code, refused.json()["code"]) == (401, "AUTH_001")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "REQ_422")
    assert post(path, "nonsense", Host="evil.example").json()["code"] == "REQ_422"


@requirement("end-users:passage")
@pytest.mark.django_db(transaction=True)
def test_it_is_worked_on_in_a_thread_of_the_bounded_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    worked = passage._in_thread

    def watched(*given: Any) -> Any:
        names.append(threading.current_thread().name)
        return worked(*given)

    monkeypatch.setattr(passage, "_in_thread", watched)
    post("/v1/memories/retrieve", person("alice").product_secret)
    assert [name.split("_")[0] for name in names] == ["product"]
