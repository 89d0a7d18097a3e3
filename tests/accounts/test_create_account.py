"""``manage.py create_account``: what scripts build on."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts import api_keys, keys, membership
from accounts.models import Account, User
from tests.requirements import requirement


def create(*args: str) -> dict:
    out = StringIO()
    call_command("create_account", *args, "--json", stdout=out)
    return json.loads(out.getvalue())


@requirement("accounts:create-account")
@pytest.mark.django_db
def test_it_prints_one_object_that_works(client) -> None:
    made = create("Acme", "owner@example.com")

    assert set(made) == {"account", "email", "password", "agent_key", "api_key"}
    key = keys.recognise(made["agent_key"])
    assert key is not None
    product = api_keys.recognise(made["api_key"])
    assert product is not None
    assert key.account == product.account == membership.account_named(made["account"])
    assert client.login(username="OWNER@example.com", password=made["password"])


@requirement("accounts:create-account")
@pytest.mark.django_db
def test_an_existing_person_keeps_the_password_and_owns_both() -> None:
    create("Acme", "owner@example.com", "--password", "a long enough one")
    second = create("Other", "Owner@Example.com")

    user = User.objects.get()
    assert second["password"] == ""
    assert user.check_password("a long enough one")
    assert [of.account.name for of in membership.of(user)] == ["Acme", "Other"]


@requirement("accounts:create-account")
@pytest.mark.parametrize("bad", [("", "a@example.com"), ("Acme", "nobody"), ("x" * 121, "a@example.com")])
@pytest.mark.django_db
def test_a_bad_name_or_address_makes_nothing(bad: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        create(*bad)

    assert (Account.objects.count(), User.objects.count()) == (0, 0)
