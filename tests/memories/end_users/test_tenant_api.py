"""API keys and the account's settings over HTTP: by permission, by account, and with a real receiver."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import api_keys, isolation, webhooks
from accounts.models import ApiKey, WebhookDelivery
from accounts.webhooks import queue
from tests.accounts.webhooks.receiver import Receiver, receiving
from tests.accounts.webhooks.test_addresses import names
from tests.cast import Person
from tests.memories.end_users.diary import send
from tests.requirements import requirement

HOOK = "https://hooks.example/pam"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = True
    with receiving() as receiver:
        yield receiver


def by(secret: str, method: str, path: str, body: Any = None) -> Any:
    given: dict[str, Any] = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
    return getattr(Client(), method)(f"/v1/{path}", headers={"Authorization": f"ApiKey {secret}"}, **given)


def key(who: Person, *permissions: str) -> str:
    return api_keys.issue(who.account, name=" ".join(permissions), permissions=list(permissions)).secret


@requirement("end-users:api-keys:round-trip")
def test_a_key_is_minted_shown_once_used_listed_and_revoked(alice: Person) -> None:
    answer = send(alice, "post", "api-keys", {"name": "Shop", "permissions": ["read", "write"]})

    made = answer.json()["data"]
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    assert made["api_key"].startswith("mem_")
    assert made["api_key"].startswith(made["prefix"])
    assert (made["permissions"], made["rate_limit_per_minute"], made["expires_at"]) == (["read", "write"], 60, None)
    assert by(made["api_key"], "get", "memories?external_user_id=pat").status_code == 200

    listed = send(alice, "get", "api-keys")
    assert made["api_key"] not in listed.content.decode()
    assert [each["name"] for each in listed.json()["data"]] == ["Shop", "alice's product"]
    assert listed.json()["pagination"]["total"] == 2

    gone = send(alice, "delete", f"api-keys/{made['id']}").json()["data"]
    assert (gone["state"], gone["id"]) == ("revoked", made["id"])
    assert send(alice, "delete", f"api-keys/{made['id']}").status_code == 200
    assert by(made["api_key"], "get", "memories?external_user_id=pat").json()["code"] == "AUTH_001"


@requirement("end-users:api-keys:round-trip")
def test_the_list_asks_a_fixed_number_of_questions(alice: Person, django_assert_num_queries: Any) -> None:
    for number in range(5):
        api_keys.issue(alice.account, name=f"key {number}")
    send(alice, "get", "api-keys")

    # The key and the list, 3 each: a savepoint, the rows, and its end.
    with django_assert_num_queries(2 * 3):
        send(alice, "get", "api-keys")


@requirement("end-users:api-keys:admin")
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("get", "api-keys", None),
        ("post", "api-keys", {"name": "Shop"}),
        ("delete", "api-keys/apk_00000000000000000000", None),
        ("get", "tenant/settings", None),
        ("patch", "tenant/settings", {"overage_policy": "warn"}),
        ("post", "tenant/test-webhook", None),
    ],
)
def test_without_the_permission_admin_none_of_it_is_open(alice: Person, method: str, path: str, body: Any) -> None:
    refused = by(key(alice, "read", "write", "delete"), method, path, body)

    assert (refused.status_code, refused.json()["code"]) == (403, "AUTH_403")
    assert by(key(alice, "admin"), method, path, body).json().get("code") != "AUTH_403"


@requirement("end-users:api-keys:no-more-than-own")
def test_a_key_gives_no_permission_that_it_lacks(alice: Person) -> None:
    secret = key(alice, "admin", "read")

    refused = by(secret, "post", "api-keys", {"name": "Shop", "permissions": ["read", "write"]})
    usual = by(secret, "post", "api-keys", {"name": "Shop"})

    assert (refused.status_code, refused.json()["code"]) == (403, "AUTH_403")
    assert usual.json()["data"]["permissions"] == ["admin", "read"]


@requirement("end-users:api-keys:bounds")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", " "),
        ("name", "x" * 81),
        ("name", "a\x00b"),
        ("name", 5),
        ("name", None),
        ("permissions", []),
        ("permissions", ["own"]),
        ("permissions", "read"),
        ("permissions", [1]),
        ("permissions", None),
        ("rate_limit_per_minute", 0),
        ("rate_limit_per_minute", 1_000_001),
        ("rate_limit_per_minute", "60"),
        ("rate_limit_per_minute", 1.5),
        ("rate_limit_per_minute", None),
        ("rate_limit_per_minute", 10**30),
        ("expires_at", "2020-01-01T00:00:00Z"),
        ("expires_at", "2099-01-01T00:00:00"),
        ("expires_at", "tomorrow"),
        ("expires_at", "9999-12-31T23:59:59-14:00"),
        ("expires_at", "2099-01-01T00:00:00+23:59"),
        ("expires_at", 5),
        ("colour", "red"),
    ],
)
def test_what_a_key_cannot_be_is_named(alice: Person, field: str, value: Any) -> None:
    answer = send(alice, "post", "api-keys", {"name": "Shop", field: value})

    assert (answer.status_code, answer.json()["code"]) == (422, "REQ_422"), answer.content
    assert answer.json()["details"][0]["field"].partition("[")[0] == field


@requirement("end-users:api-keys:bounds")
def test_a_key_id_that_cannot_be_is_not_found(alice: Person) -> None:
    answer = send(alice, "delete", "api-keys/apk_%00")

    assert (answer.status_code, answer.json()["code"]) == (404, "REQ_404"), answer.content


@requirement("end-users:api-keys:bounds")
@pytest.mark.parametrize(
    "given",
    [{"name": "x" * 80}, {"rate_limit_per_minute": 1}, {"rate_limit_per_minute": 1_000_000}, {"expires_at": None}],
)
def test_what_lies_just_within_is_taken(alice: Person, given: dict[str, Any]) -> None:
    assert send(alice, "post", "api-keys", {"name": "Shop", **given}).status_code == 201


@requirement("end-users:api-keys:expiry")
def test_a_key_ends_when_it_was_told_to(alice: Person, time_machine: Any) -> None:
    until = (timezone.now() + timedelta(hours=1)).isoformat()
    made = send(alice, "post", "api-keys", {"name": "Shop", "expires_at": until}).json()["data"]
    assert by(made["api_key"], "get", "api-keys").status_code == 200
    time_machine.move_to(timezone.now() + timedelta(hours=2))

    assert by(made["api_key"], "get", "api-keys").status_code == 401


@requirement("end-users:api-keys:last-admin")
def test_the_last_key_that_can_mint_others_is_not_revoked_by_a_key(alice: Person) -> None:
    with isolation.account(alice.account.pk):
        own = ApiKey.objects.get()
    refused = send(alice, "delete", f"api-keys/{own.public_id}")
    assert (refused.status_code, refused.json()["code"]) == (422, "REQ_422")
    assert "last API key with the permission admin" in refused.json()["details"][0]["reason"]

    other = send(alice, "post", "api-keys", {"name": "Another"}).json()["data"]
    assert by(other["api_key"], "delete", f"api-keys/{own.public_id}").status_code == 200


@requirement("end-users:settings:round-trip")
def test_settings_are_shown_changed_and_the_secret_shown_once(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    names({"hooks.example": ["8.8.8.8"]}, monkeypatch)
    assert send(alice, "get", "tenant/settings").json()["data"] == {
        "alert_webhook_url": None,
        "overage_policy": "block",
        "has_webhook_secret": False,
        "webhook_secret": None,
    }

    first = send(alice, "patch", "tenant/settings", {"alert_webhook_url": HOOK, "overage_policy": "charge"})
    again = send(alice, "patch", "tenant/settings", {"alert_webhook_url": HOOK + "2"}).json()["data"]
    rotated = send(alice, "patch", "tenant/settings", {"rotate_webhook_secret": True}).json()["data"]
    ended = send(alice, "patch", "tenant/settings", {"alert_webhook_url": None}).json()["data"]

    told = first.json()["data"]
    assert first.headers["Cache-Control"] == "no-store"
    assert (told["alert_webhook_url"], told["overage_policy"], told["has_webhook_secret"]) == (HOOK, "charge", True)
    assert told["webhook_secret"].startswith("whsec_")
    assert (again["alert_webhook_url"], again["overage_policy"], again["webhook_secret"]) == (
        HOOK + "2",
        "charge",
        None,
    )
    assert rotated["webhook_secret"] not in (None, told["webhook_secret"])
    assert (ended["alert_webhook_url"], ended["has_webhook_secret"]) == (None, True)


@requirement("end-users:settings:bad-url")
@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/hook",
        "http://127.0.0.1:8000/hook",
        "https://169.254.169.254/latest/meta-data/",
        "http://[::1]/hook",
        "http://[::ffff:127.0.0.1]/hook",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://localhost/",
        "https://inside.example/",
        "https://10.1.2.3/",
        "ftp://hooks.example/",
        "https://pat:secret@hooks.example/",
        "nonsense",
        "x" * 2001,
    ],
)
def test_a_webhook_that_leads_inside_is_refused_with_the_reason(
    alice: Person, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    names({"inside.example": ["169.254.169.254"], "localhost": ["127.0.0.1"]}, monkeypatch)

    answer = send(alice, "patch", "tenant/settings", {"alert_webhook_url": url})

    told = answer.json()
    assert (answer.status_code, told["code"], told["error"]) == (400, "TEN_400", "bad_tenant_setting")
    assert told["details"][0]["field"] == "alert_webhook_url"
    assert len(told["details"][0]["reason"]) > 10
    assert send(alice, "get", "tenant/settings").json()["data"]["alert_webhook_url"] is None


@requirement("end-users:settings:bad-url")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"overage_policy": "forgive"}, "TEN_400"),
        ({"overage_policy": 5}, "REQ_422"),
        ({"alert_webhook_url": 5}, "REQ_422"),
        ({"rotate_webhook_secret": "yes"}, "REQ_422"),
        ({"colour": "red"}, "REQ_422"),
        ([], "REQ_422"),
    ],
)
def test_other_bad_settings_are_refused(alice: Person, body: Any, code: str) -> None:
    assert send(alice, "patch", "tenant/settings", body).json()["code"] == code


@requirement("end-users:settings:bad-url")
def test_a_name_that_nobody_knows_yet_is_taken(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    names({}, monkeypatch)

    assert send(alice, "patch", "tenant/settings", {"alert_webhook_url": HOOK}).status_code == 200


@requirement("end-users:settings:test-webhook")
def test_the_test_tells_what_the_receiver_said_and_the_receiver_verifies_it(alice: Person, receiver: Receiver) -> None:
    assert send(alice, "post", "tenant/test-webhook").json()["code"] == "TEN_400"
    secret = send(alice, "patch", "tenant/settings", {"alert_webhook_url": receiver.url}).json()["data"]
    tried = send(alice, "post", "tenant/test-webhook").json()["data"]
    receiver.status, receiver.body = 500, b"broken"
    failed = send(alice, "post", "tenant/test-webhook").json()["data"]

    assert (tried["delivered"], tried["status_code"], tried["response_body"], tried["error"]) == (
        True,
        200,
        "thanks",
        None,
    )
    assert (failed["delivered"], failed["status_code"], failed["response_body"]) == (False, 500, "broken")
    assert receiver.got[0].is_signed_with(secret["webhook_secret"])
    assert receiver.got[0].json()["event"] == receiver.got[0].headers["x-memoryos-event"] == "webhook.test"
    assert receiver.got[0].json()["tenant_id"] == alice.account.public_id


@requirement("end-users:settings:test-webhook")
def test_a_redirect_inside_is_not_followed_and_is_told(alice: Person, receiver: Receiver) -> None:
    send(alice, "patch", "tenant/settings", {"alert_webhook_url": receiver.url})
    with receiving() as inside:
        receiver.status, receiver.headers = 302, {"Location": inside.url}
        tried = send(alice, "post", "tenant/test-webhook").json()["data"]

    assert inside.got == []
    assert (tried["delivered"], tried["status_code"]) == (False, 302)
    assert "redirects are not followed" in tried["error"]


@requirement("end-users:settings:own-only")
def test_settings_and_events_are_of_ones_own_account(alice: Person, charlie: Person, receiver: Receiver) -> None:
    send(alice, "patch", "tenant/settings", {"alert_webhook_url": receiver.url, "overage_policy": "warn"})

    theirs = send(charlie, "get", "tenant/settings").json()["data"]
    assert (theirs["alert_webhook_url"], theirs["overage_policy"]) == (None, "block")
    assert webhooks.emit(charlie.account, "memory.archived", {}) is None
    delivery = webhooks.emit(alice.account, "memory.archived", {})
    assert delivery is not None
    assert not queue.deliver(delivery.pk, charlie.account.pk)
    with isolation.account(charlie.account.pk):
        assert not WebhookDelivery.objects.exists()
