"""Staff read texts where the account's owner lets them, and nowhere else: every list and page of staff admin, found by
the registry, is opened over rows whose every text holds a marker."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import isolation, staff_texts, support_access
from accounts.caller import Caller
from accounts.errors import InvalidArguments, PermissionMissing
from accounts.models import Account, AuditEntry, User
from memories.models import HiddenMemory, Memory
from tests import planting
from tests.browsing import signed_in, text
from tests.cast import Person
from tests.memories.end_users import diary
from tests.requirements import requirement

MARKER = "heliotrope"
TENANTS = planting.TENANTS


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_superuser("staff@example.com", "long enough a password")


@pytest.fixture
def desk(staff: User) -> Client:
    client = Client()
    client.force_login(staff)
    return client


def owner(who: Person) -> Caller:
    return Caller(account=who.account, surface="console", user=who.user, role="owner")


@pytest.fixture
def planted(alice: Person) -> dict[Any, Any]:
    return planting.every_table(alice, MARKER)


def pages(desk: Client, model: Any, row: Any) -> dict[str, str]:
    """What every page of a table tells, without what is only repeated of the question."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    shown = {
        "list": desk.get(reverse(f"{name}_changelist")),
        "page": desk.get(reverse(f"{name}_change", args=[row.pk])),
        "history": desk.get(reverse(f"{name}_history", args=[row.pk])),
    }
    page = admin.site._registry[model]
    for action in page.actions or ():
        told = {"action": action.__name__, "_selected_action": [row.pk]}
        shown[action.__name__] = desk.post(reverse(f"{name}_changelist"), told)
    assert {each.status_code for each in shown.values()} == {200}, model
    return {place: text(each) for place, each in shown.items()}


@requirement("staff:support-access")
def test_no_page_of_staff_admin_shows_a_text_of_an_account_that_refuses(
    alice: Person, planted: dict[Any, Any], desk: Client
) -> None:
    told = {model for model in TENANTS if MARKER in pages(desk, model, planted[model])["page"]}
    assert len(told) >= 15

    support_access.switch(owner(alice), on=False)
    leaks = [
        (model.__name__, place)
        for model in TENANTS
        for place, shown in pages(desk, model, planted[model]).items()
        if MARKER in shown
    ]
    assert leaks == []


@requirement("staff:support-access")
def test_no_search_and_no_address_finds_a_text_of_an_account_that_refuses(
    alice: Person, planted: dict[Any, Any], desk: Client
) -> None:
    def found(model: Any) -> bool:
        url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        return "_selected_action" in text(desk.get(url, {"q": MARKER})) or "field-" in text(
            desk.get(url, {"q": MARKER})
        )

    assert {"Document", "Fact", "Section", "Entity", "Space"} <= {each.__name__ for each in TENANTS if found(each)}
    support_access.switch(owner(alice), on=False)
    assert [model.__name__ for model in TENANTS if found(model)] == []

    for model in TENANTS:
        url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        texts = [field.name for field in model._meta.concrete_fields if staff_texts.is_text(field)]
        assert {desk.get(url, {f"{name}__contains": MARKER}).status_code for name in texts} <= {400}


@requirement("staff:support-access")
def test_what_staff_hide_unread_comes_back_with_its_text(alice: Person, desk: Client) -> None:
    diary.told(alice, "pat", "User's codeword is heliotrope.")
    support_access.switch(owner(alice), on=False)

    def act(model: Any, action: str) -> str:
        with isolation.account(alice.account.pk):
            row = model.objects.latest("pk")
        url = reverse(f"admin:memories_{model._meta.model_name}_changelist")
        given = {"action": action, "_selected_action": [row.pk], "reason": "They asked."}
        return text(desk.post(url, given, follow=True))

    assert "done to 1 of 1" in act(Memory, "hide")
    assert "done to 1 of 1" in act(HiddenMemory, "restore")
    with isolation.account(alice.account.pk):
        assert Memory.objects.get().content == "User's codeword is heliotrope."


@requirement("staff:support-access:owner")
def test_an_owner_lets_staff_read_up_to_a_day_and_the_log_keeps_it(alice: Person, bob: Person, desk: Client) -> None:
    diary.told(alice, "pat", "User's codeword is heliotrope.")
    listed = reverse("admin:memories_memory_changelist")
    tomorrow = timezone.now().date() + timedelta(days=1)

    assert "no longer read" in text(signed_in(alice).post("/team/support", {}, follow=True))
    assert MARKER not in text(desk.get(listed))
    assert signed_in(alice).post("/team/support", {"on": "on", "until": "2020-01-01"}).status_code == 422
    page = text(signed_in(alice).post("/team/support", {"on": "on", "until": tomorrow.isoformat()}, follow=True))
    assert f"up to and with {tomorrow:%-d %B %Y}" in page
    assert MARKER in text(desk.get(listed))

    with isolation.every_account():
        Account.objects.update(support_until=timezone.now().date() - timedelta(days=1))
        log = list(AuditEntry.objects.order_by("pk").values_list("by", "did", "reason"))
    assert MARKER not in text(desk.get(listed))
    assert log == [
        (alice.user.email, "end_support", "By an owner, from now on."),
        (alice.user.email, "allow_support", f"By an owner, up to {tomorrow}."),
    ]
    assert signed_in(bob).post("/team/support", {"on": "on"}).status_code == 403


@requirement("staff:support-access:owner")
def test_staff_neither_switch_support_access_nor_join_an_account_that_refuses(
    alice: Person, staff: User, desk: Client
) -> None:
    support_access.switch(owner(alice), on=False)
    page = reverse("admin:accounts_account_change", args=[alice.account.pk])
    sent = {"name": "Renamed", "log_retention_days": "90", "support_access": "on", "memory_mode": ""}
    sent |= {"memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "0", "memberships-0-role": "owner"}
    sent |= {"memberships-0-user": str(staff.pk), "memberships-0-account": str(alice.account.pk)}

    assert desk.post(page, sent).status_code == 302
    with isolation.every_account():
        account = Account.objects.get(pk=alice.account.pk)
        assert (account.name, account.support_access) == ("Renamed", False)
        assert not account.memberships.filter(user=staff).exists()


@requirement("staff:support-access:owner")
def test_whether_staff_read_a_new_account_is_a_setting(settings: Any, alice: Person) -> None:
    settings.PAM_SUPPORT_ACCESS_DEFAULT = False
    assert not Account(name="New").support_access
    with pytest.raises(InvalidArguments, match="later day"):
        support_access.switch(owner(alice), on=True, until=timezone.now().date() - timedelta(days=1))
    member = Caller(account=alice.account, surface="console", user=alice.user, role="admin")
    with pytest.raises(PermissionMissing):
        support_access.switch(member, on=True)
