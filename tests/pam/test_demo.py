"""The demo login stays the same from start to start."""

import json
import stat
from pathlib import Path

import pytest

from accounts import api_keys, keys
from accounts.models import Account, User
from pam import demo
from tests.requirements import requirement

URL = "http://127.0.0.1:8000"


@requirement("local:demo-login")
@pytest.mark.django_db
def test_the_next_start_has_the_same_login(tmp_path: Path) -> None:
    file = tmp_path / "demo.json"
    first = demo.ensure(file, url=URL)
    moved = demo.ensure(file, url="http://127.0.0.1:9000")

    assert moved == first | {"url": "http://127.0.0.1:9000"}
    assert Account.objects.count() == 1
    assert list(first) == ["url", "email", "password", "account", "agent_key", "api_key"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@requirement("local:demo-login")
@pytest.mark.django_db
def test_the_login_opens_the_account(tmp_path: Path) -> None:
    login = demo.ensure(tmp_path / "demo.json", url=URL)
    key = keys.recognise(login["agent_key"])

    assert User.objects.get(email=login["email"]).check_password(login["password"])
    assert key is not None
    assert key.account.public_id == login["account"]
    product = api_keys.recognise(login["api_key"])
    assert product is not None
    assert product.account == key.account


@requirement("local:demo-login")
@pytest.mark.django_db
def test_a_demo_from_before_end_user_memory_gets_an_api_key_and_keeps_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "demo.json"
    first = demo.ensure(file, url=URL)
    file.write_text(json.dumps({name: value for name, value in first.items() if name != "api_key"}))

    login = demo.ensure(file, url=URL)

    assert {**login, "api_key": ""} == {**first, "api_key": ""}
    assert api_keys.recognise(login["api_key"]) is not None
    assert demo.ensure(file, url=URL) == login


@requirement("local:demo-login")
@pytest.mark.django_db
def test_a_database_that_does_not_know_the_login_gets_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "demo.json").write_text('{"account": "acc_of_another_database", "agent_key": "pam_mkey_old"}')

    login = demo.ensure(tmp_path / "demo.json", url=URL)

    assert Account.objects.get().public_id == login["account"]
    assert login["agent_key"] != "pam_mkey_old"


@requirement("local:demo-login")
@pytest.mark.django_db
def test_an_earlier_demo_whose_password_is_lost_is_left_alone(tmp_path: Path) -> None:
    lost = demo.ensure(tmp_path / "lost.json", url=URL)
    login = demo.ensure(tmp_path / "demo.json", url=URL)

    assert login["email"] != lost["email"]
    assert User.objects.get(email=login["email"]).check_password(login["password"])
