"""Agent keys: shown once, kept as a hash, stopped at once."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import isolation, keys, scopes
from accounts.authentication import agent, credential
from accounts.errors import InvalidArguments, NotAuthenticated, NotFound, PermissionMissing
from accounts.models import AgentKey
from tests.cast import Person, person
from tests.requirements import requirement


@requirement("accounts:keys:hashed")
def test_a_key_is_kept_as_a_hash_and_recognised_by_its_secret(alice: Person) -> None:
    minted = keys.mint(alice.caller, name="Laptop")

    with isolation.account(alice.account.pk):
        columns = [str(value) for row in AgentKey.objects.values() for value in row.values()]
    assert not any(minted.secret in column for column in columns)
    assert minted.secret.startswith("pam_mkey_")
    assert keys.recognise(minted.secret) == minted.key


@requirement("accounts:keys:scopes")
def test_a_key_has_all_agent_scopes_unless_told_otherwise(alice: Person) -> None:
    assert set(keys.mint(alice.caller, name="All").key.scopes) == set(scopes.AGENT)
    assert keys.mint(alice.caller, name="One", granted=["memory:read"]).key.scopes == ["memory:read"]


@requirement("accounts:keys:scopes")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"name": "  "}, "1 to 80"),
        ({"name": "x" * 81}, "1 to 80"),
        ({"name": "a\x00b"}, "1 to 80"),
        ({"name": "a", "granted": ["account:manage"]}, "no scope"),
        ({"name": "a", "granted": []}, "at least one"),
        ({"name": "a", "expires_at": timezone.now() - timedelta(seconds=1)}, "past"),
    ],
    ids=["blank name", "long name", "NUL in name", "unknown scope", "no scope", "expired at birth"],
)
def test_a_badly_described_key_is_refused_with_the_reason(alice: Person, wrong: dict, says: str) -> None:
    with pytest.raises(InvalidArguments, match=says):
        keys.mint(alice.caller, **wrong)


@requirement("accounts:keys:revoke")
def test_a_revoked_key_stops_at_once_and_stays_revoked(alice: Person) -> None:
    minted = keys.mint(alice.caller, name="Laptop")
    first = keys.revoke(alice.caller, minted.key.public_id).revoked_at

    assert keys.recognise(minted.secret) is None
    assert keys.revoke(alice.caller, minted.key.public_id).revoked_at == first


@requirement("accounts:keys:rotate")
def test_rotating_stops_the_old_secret_and_keeps_name_and_scopes(alice: Person) -> None:
    old = keys.mint(alice.caller, name="Laptop", granted=["memory:read"])
    new = keys.rotate(alice.caller, old.key.public_id)

    assert keys.recognise(old.secret) is None
    recognised = keys.recognise(new.secret)
    assert recognised is not None
    assert (recognised.public_id, recognised.name, recognised.scopes) == (old.key.public_id, "Laptop", ["memory:read"])


@requirement("accounts:keys:rotate")
def test_a_revoked_key_cannot_be_rotated_back_to_life(alice: Person) -> None:
    minted = keys.mint(alice.caller, name="Laptop")
    keys.revoke(alice.caller, minted.key.public_id)

    with pytest.raises(InvalidArguments, match="revoked"):
        keys.rotate(alice.caller, minted.key.public_id)


@requirement("accounts:keys:expiry")
def test_a_key_ends_when_it_expires(alice: Person, time_machine) -> None:
    time_machine.move_to(timezone.now())
    minted = keys.mint(alice.caller, name="Week", expires_at=timezone.now() + timedelta(days=7))
    assert keys.recognise(minted.secret) is not None

    time_machine.shift(timedelta(days=8))
    assert keys.recognise(minted.secret) is None


@requirement("accounts:keys:not-yours")
@pytest.mark.parametrize("deed", [keys.get, keys.rotate, keys.revoke])
def test_a_strangers_key_is_the_same_as_none(alice: Person, charlie: Person, deed) -> None:
    hers = keys.mint(alice.caller, name="Laptop")

    with pytest.raises(NotFound) as foreign:
        deed(charlie.caller, hers.key.public_id)
    with pytest.raises(NotFound) as never_was:
        deed(charlie.caller, "key_00000000000000000000")
    assert str(foreign.value) == str(never_was.value)
    assert keys.recognise(hers.secret) is not None


@requirement("accounts:keys:viewers-only-read")
def test_a_viewer_sees_keys_and_changes_none(alice: Person) -> None:
    viewer = person("vera", alice.account, "viewer").caller
    minted = keys.mint(alice.caller, name="Laptop")

    assert minted.key in keys.listed(viewer)
    for deed in (
        lambda: keys.mint(viewer, name="x"),
        lambda: keys.rotate(viewer, minted.key.public_id),
        lambda: keys.revoke(viewer, minted.key.public_id),
    ):
        with pytest.raises(PermissionMissing):
            deed()


@requirement("accounts:keys:header-forms")
@pytest.mark.parametrize("form", ["{}", "Bearer {}", "bearer {}", "BEARER  {}", "  {}  "])
def test_the_authorization_header_takes_a_key_bare_or_as_bearer(alice: Person, form: str) -> None:
    assert agent(form.format(alice.secret)).account == alice.account


@requirement("accounts:keys:header-forms")
@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer ",
        "Bearer",
        "pam_mkey_wrong",
        "mem_abcdef",
        "ApiKey mem_abcdef",
        "Basic YTpi",
        "Bearer opaque",
        "ключ",
    ],
)
def test_anything_else_in_the_header_is_no_credential(alice: Person, header: str) -> None:
    with pytest.raises(NotAuthenticated):
        agent(header)


def test_a_credential_is_what_follows_bearer() -> None:
    assert credential("Bearer abc") == "abc"
    assert credential("abc") == "abc"


@requirement("accounts:keys:last-used")
def test_use_is_noted_with_the_client_at_most_once_a_minute(
    alice: Person, time_machine, django_assert_num_queries
) -> None:
    key = alice.agent.key
    assert key is not None
    keys.touch(key, client="claude-code/2.0")
    with isolation.account(alice.account.pk):
        key = AgentKey.objects.get(pk=key.pk)
    assert (key.last_client, key.last_used_at is not None) == ("claude-code/2.0", True)

    with django_assert_num_queries(0):
        keys.touch(key, client="claude-code/2.0")


@pytest.fixture
def alice_console(alice: Person, client: Client) -> Client:
    client.force_login(alice.user)
    return client


@requirement("accounts:keys:api")
def test_the_console_api_mints_lists_rotates_and_revokes(alice: Person, alice_console: Client) -> None:
    minted = alice_console.post("/v1/dev/keys", {"name": "CI"}, content_type="application/json")
    assert minted.status_code == 201
    assert minted.headers["Cache-Control"] == "no-store"
    key = minted.json()
    assert keys.recognise(key["api_key"]) is not None

    listed = alice_console.get("/v1/dev/keys").json()["items"]
    assert [item["name"] for item in listed] == ["CI", "alice's agent"]
    assert "api_key" not in listed[0]

    rotated = alice_console.post(f"/v1/dev/keys/{key['id']}/rotate").json()
    assert keys.recognise(key["api_key"]) is None
    assert alice_console.post(f"/v1/dev/keys/{key['id']}/revoke").status_code == 204
    assert keys.recognise(rotated["api_key"]) is None


@requirement("accounts:keys:api")
def test_an_agent_key_does_not_open_the_developer_api(alice: Person, client: Client) -> None:
    answer = client.get("/v1/dev/keys", headers={"Authorization": f"Bearer {alice.secret}"})

    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthenticated"


@requirement("accounts:keys:api")
def test_the_developer_api_keeps_csrf(alice: Person) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice.user)

    assert strict.post("/v1/dev/keys", {"name": "CI"}, content_type="application/json").status_code == 403


@requirement("accounts:keys:api")
def test_listing_keys_takes_the_same_queries_however_many_there_are(
    alice: Person, alice_console: Client, django_assert_num_queries
) -> None:
    for number in range(12):
        keys.issue(alice.account, name=f"key {number}")
    # session, user; then two transactions of begin, read, end: membership, and keys with their makers
    with django_assert_num_queries(8):
        assert len(alice_console.get("/v1/dev/keys").json()["items"]) == 13
