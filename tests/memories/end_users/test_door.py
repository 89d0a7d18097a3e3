"""The door to end-user memory: which credential opens it, how often a minute, and in what words it stays shut."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import api_keys
from tests.cast import Person
from tests.connecting import connection, token
from tests.memories.end_users.diary import send
from tests.requirements import requirement

LIST = "/v1/memories?external_user_id=pat"


def ask(header: str | None) -> Any:
    return Client(headers={} if header is None else {"Authorization": header}).get(LIST)


@requirement("end-users:door:one-form-only")
@pytest.mark.parametrize(
    "form",
    [
        "{key}",
        "Bearer {key}",
        "apikey {key}",
        "APIKEY {key}",
        "Apikey {key}",
        "ApiKey  {key}",
        "ApiKey {key}x",
        "ApiKey",
        "ApiKey ",
        "ApiKey:{key}",
        "Api-Key {key}",
        "Token {key}",
        "ApiKey {agent}",
        "Bearer {agent}",
        "ApiKey {token}",
        "Bearer {token}",
        None,
    ],
)
def test_only_api_key_and_a_mem_key_to_the_letter_get_in(alice: Person, form: str | None) -> None:
    given = {"key": alice.product_secret, "agent": alice.secret, "token": token(connection(alice, "Claude"))}
    answer = ask(form and form.format(**given))

    told = answer.json()
    assert (answer.status_code, told["code"], told["error"]) == (401, "AUTH_001", "invalid_api_key")
    assert set(told) == {"error", "code", "request_id", "details"}
    assert answer.headers["WWW-Authenticate"] == "ApiKey"


@requirement("end-users:door:one-form-only")
def test_a_revoked_and_an_expired_key_are_refused_in_the_same_words_as_a_wrong_one(
    alice: Person, time_machine: Any
) -> None:
    revoked = api_keys.issue(alice.account, name="Revoked")
    expired = api_keys.issue(alice.account, name="Expired", expires_at=timezone.now() + timedelta(hours=1))
    headers = [f"ApiKey {minted.secret}" for minted in (revoked, expired)]
    assert [ask(header).status_code for header in headers] == [200, 200]
    wrong = ask("ApiKey mem_" + "x" * 43).json()

    api_keys.revoke(alice.product, revoked.key.public_id)
    time_machine.move_to(timezone.now() + timedelta(hours=1))

    for header in headers:
        told = ask(header).json()
        assert (told["code"], told["details"]) == ("AUTH_001", wrong["details"])


@requirement("end-users:door:one-form-only")
@pytest.mark.parametrize("path", ["/v1/memory/documents", "/v1/decisions/records", "/v1/dev/keys"])
def test_a_products_key_opens_no_other_surface(alice: Person, path: str) -> None:
    for scheme in ("ApiKey", "Bearer"):
        answer = Client(headers={"Authorization": f"{scheme} {alice.product_secret}"}).get(path)
        assert answer.status_code == 401


@requirement("end-users:door:rate")
def test_beyond_its_rate_a_key_gets_429_and_is_told_when_to_come_again(alice: Person) -> None:
    minted = api_keys.issue(alice.account, name="Slow", rate_limit_per_minute=2)
    answers = [ask(f"ApiKey {minted.secret}") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    told = answers[2].json()
    assert (told["code"], told["error"]) == ("RATE_429", "rate_exceeded")
    assert "2 requests a minute" in told["details"][0]["reason"]
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 60
    assert send(alice, "get", "memories?external_user_id=pat").status_code == 200


@requirement("end-users:door:suspended")
def test_while_an_account_is_suspended_chats_go_on_and_everything_else_is_refused(alice: Person) -> None:
    alice.account.suspended_at = timezone.now()
    alice.account.save(update_fields=["suspended_at"])
    said = {"external_user_id": "pat", "messages": [{"role": "user", "content": "I live in Lisbon."}]}

    added = send(alice, "post", "memories/add", said)
    asked = send(alice, "post", "memories/retrieve", {"external_user_id": "pat", "query": "Where?"})
    listed = send(alice, "get", "memories?external_user_id=pat")

    assert (added.status_code, added.json()["status"]) == (200, "blocked")
    assert (asked.status_code, asked.json()["is_passthrough"]) == (200, True)
    assert added.headers["X-MemoryOS-Quota-Mode"] == asked.headers["X-MemoryOS-Quota-Mode"] == "BLOCKED"
    assert (listed.status_code, listed.json()["code"]) == (403, "AUTH_403")
    assert "suspended" in listed.json()["details"][0]["reason"]
