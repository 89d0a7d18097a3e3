"""Staff admin: every list and page opens, over all accounts, without a secret on it."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts import keys
from accounts.models import User
from tests.cast import Person
from tests.requirements import requirement

OURS = [model for model in admin.site._registry if model._meta.app_label in ("accounts", "memories", "mcp_gateway")]


@pytest.fixture
def staff(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("staff@example.com", "long enough a password"))
    return client


@requirement("accounts:admin:lists")
@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_every_list_opens_and_searches(staff: Client, alice: Person, model: type) -> None:
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")

    assert staff.get(url).status_code == 200
    assert staff.get(url, {"q": "a%_'"}).status_code == 200


@requirement("accounts:admin:lists")
def test_staff_see_the_keys_of_all_accounts_and_no_hash(staff: Client, alice: Person, charlie: Person) -> None:
    listed = staff.get(reverse("admin:accounts_agentkey_changelist")).content.decode()
    assert "alice&#x27;s agent" in listed
    assert "charlie&#x27;s agent" in listed

    key = alice.agent.key
    assert key is not None
    page = staff.get(reverse("admin:accounts_agentkey_change", args=[key.pk])).content.decode()
    assert key.prefix in page
    assert key.key_hash not in page


@requirement("accounts:admin:revoke")
def test_staff_revoke_a_key_by_action(staff: Client, alice: Person) -> None:
    key = alice.agent.key
    assert key is not None
    staff.post(
        reverse("admin:accounts_agentkey_changelist"), {"action": "revoke", "_selected_action": [key.pk]}, follow=True
    )

    assert keys.recognise(alice.secret) is None


@requirement("accounts:admin:staff-only")
def test_an_owner_is_not_staff(client: Client, alice: Person) -> None:
    client.force_login(alice.user)

    assert client.get(reverse("admin:index")).status_code == 302
