"""Lists of staff admin cost the same however many rows they show, and take whatever an address or a name holds."""

from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AgentKey, User
from tests import planting
from tests.browsing import text
from tests.cast import Person
from tests.requirements import requirement


@pytest.fixture
def desk(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.com", "long enough a password"))
    return client


def path(model: Any, place: str = "changelist", *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{place}", args=args)


def costs(desk: Client) -> dict[str, int]:
    """How many queries each list takes."""
    found = {}
    for model in planting.TENANTS:
        with CaptureQueriesContext(connection) as queries:
            desk.get(path(model))
        found[model.__name__] = len(queries)
    return found


@requirement("staff:lists:cost")
def test_a_list_takes_as_many_queries_for_rows_of_two_accounts_as_for_one(
    alice: Person, charlie: Person, desk: Client
) -> None:
    planting.every_table(alice, "one")
    costs(desk)
    before = costs(desk)
    planting.every_table(charlie, "two")

    assert costs(desk) == before
    assert max(before.values()) <= 12


@requirement("staff:lists:input")
def test_no_address_of_staff_admin_breaks_it(alice: Person, desk: Client) -> None:
    planting.every_table(alice, "word")
    odd = [{"p": "0"}, {"p": "1000000000"}, {"p": "-1"}, {"p": "x"}, {"q": "%"}, {"q": "_"}, {"q": "\x00"}]
    odd += [
        {"q": "x" * 5_000},
        {"o": "99"},
        {"nothing__here": "1"},
        {"id__exact": "9" * 30},
        {"account__id__exact": "x"},
    ]

    found = {
        (model.__name__, str(each)): desk.get(path(model), each).status_code for model in _registered() for each in odd
    }
    keys = ["9" * 30, "abc", "0", "_00"]
    found |= {
        (model.__name__, key): desk.get(path(model, "change", key)).status_code
        for model in _registered()
        for key in keys
    }
    assert {asked: status for asked, status in found.items() if status >= 500} == {}


def _registered() -> list[Any]:
    return list(admin.site._registry)


@requirement("staff:lists:input")
def test_markup_in_texts_shows_as_text(alice: Person, desk: Client) -> None:
    rows = planting.every_table(alice, "<b>mk</b>")
    shown = [text(desk.get(path(model, "change", rows[model].pk))) for model in planting.TENANTS]
    shown += [text(desk.get(path(model))) for model in planting.TENANTS]

    assert sum("&lt;b&gt;mk&lt;/b&gt;" in page for page in shown) >= 20
    assert [page for page in shown if "<b>mk</b>" in page] == []


@requirement("staff:lists:input")
def test_an_action_without_a_csrf_token_does_nothing(alice: Person) -> None:
    key = alice.agent.key
    assert key is not None
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("staff@example.com", "long enough a password"))

    told = {"action": "revoke", "_selected_action": [key.pk], "reason": "None."}
    assert client.post(path(AgentKey), told).status_code == 403
