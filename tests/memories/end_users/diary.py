"""Short ways to remember and read about end users in tests."""

import json
from functools import cache
from typing import Any

from django.test import Client

from accounts import isolation
from memories.models import Memory
from tests.cast import Person


@cache
def _client() -> Client:
    """One for all: each client reads the list of static files anew, which takes longer than most requests. A product
    keeps no cookie."""
    return Client()


def send(who: Person, method: str, path: str, body: Any = None, **headers: str) -> Any:
    """A request of who's product; `body` is sent as JSON, text as it stands."""
    given: dict[str, Any] = {}
    if body is not None:
        given = {
            "data": body if isinstance(body, (str, bytes)) else json.dumps(body),
            "content_type": "application/json",
        }
    named = {"Authorization": f"ApiKey {who.product_secret}", **headers}
    return getattr(_client(), method)(f"/v1/{path}", headers=named, **given)


def told(who: Person, user: str, content: str, category: str = "fact", **more: Any) -> str:
    """Remembers one thing of an end user; the memory's id."""
    body = {"external_user_id": user, "content": content, "category": category, **more}
    answer = send(who, "post", "memories", body)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["data"]["id"])


def rows(who: Person, user: str) -> list[Memory]:
    """Everything that is kept of an end user, archived or not, oldest first."""
    with isolation.account(who.account.pk):
        return list(Memory.objects.filter(account=who.account, end_user__external_id=user).order_by("id"))


def in_doubt(who: Person, user: str, one: str = "Rex", other: str = "Bello") -> dict[str, Any]:
    """Two memories that may contradict each other, and their pending conflict as the list shows it."""
    told(who, user, f"User's dog is called {one.title()}.")
    told(who, user, f"User's dog is called {other.title()}.")
    (row,) = send(who, "get", f"tenant/conflicts?status=pending&external_user_id={user}").json()["data"]
    shown: dict[str, Any] = row
    return shown
