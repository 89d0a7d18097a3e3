"""Staff admin: every list and page opens, over all accounts, without a secret on it."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts import api_keys, isolation, keys
from accounts.models import Account, AlertSettings, AuditEntry, User, WebhookDelivery
from tests.cast import Person
from tests.connecting import connection
from tests.requirements import requirement

OURS = [
    model
    for model in admin.site._registry
    if model._meta.app_label in ("accounts", "account", "memories", "mcp_gateway")
]


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


def act(staff: Client, model: str, action: str, pk: int, reason: str | None = "Asked for by the owner.") -> str:
    """Chooses a row and an action, and answers the question why; the page that follows."""
    given = {} if reason is None else {"reason": reason}
    url = reverse(f"admin:{model}_changelist")
    page = staff.post(url, {"action": action, "_selected_action": [pk], **given}, follow=True)
    assert page.status_code == 200
    return page.content.decode()


def logged() -> list[tuple[str, str, str, str, str]]:
    with isolation.every_account():
        rows = AuditEntry.objects.order_by("id")
        return list(rows.values_list("by", "did", "thing", "thing_id", "reason"))


@requirement("accounts:admin:revoke")
def test_staff_revoke_a_key_with_a_reason_that_is_kept(staff: Client, alice: Person) -> None:
    key = alice.agent.key
    assert key is not None

    asked = act(staff, "accounts_agentkey", "revoke", key.pk, reason=None)
    assert "Why? The audit log keeps it." in asked
    assert keys.recognise(alice.secret) is not None
    assert "Say why" in act(staff, "accounts_agentkey", "revoke", key.pk, reason="  ")
    assert keys.recognise(alice.secret) is not None

    assert "done to 1 of 1" in act(staff, "accounts_agentkey", "revoke", key.pk, reason="It leaked.")
    assert keys.recognise(alice.secret) is None
    assert logged() == [("staff@example.com", "revoke", "agentkey", key.public_id, "It leaked.")]


@requirement("accounts:admin:revoke")
def test_staff_revoke_an_api_key_and_never_see_a_secret(staff: Client, alice: Person) -> None:
    key = alice.product.api_key
    assert key is not None
    with isolation.account(alice.account.pk):
        alerts = AlertSettings.objects.create(
            account=alice.account, webhook_url="https://hooks.example/", webhook_secret="whsec_hidden"
        )

    page = staff.get(reverse("admin:accounts_apikey_change", args=[key.pk])).content.decode()
    assert key.prefix in page
    assert key.key_hash not in page
    assert (
        "whsec_hidden"
        not in staff.get(reverse("admin:accounts_alertsettings_change", args=[alerts.pk])).content.decode()
    )
    act(staff, "accounts_apikey", "revoke", key.pk, "It leaked.")
    assert api_keys.recognise(alice.product_secret) is None
    assert logged() == [("staff@example.com", "revoke", "apikey", key.public_id, "It leaked.")]


@requirement("accounts:admin:resend")
def test_staff_send_a_delivery_again_that_failed(staff: Client, alice: Person) -> None:
    with isolation.account(alice.account.pk):
        failed, waiting = (
            WebhookDelivery.objects.create(account=alice.account, event="quota.reset", state=state, attempts=3)
            for state in ("failed", "waiting")
        )
    act(staff, "accounts_webhookdelivery", "resend", failed.pk)
    assert "only one that failed" in act(staff, "accounts_webhookdelivery", "resend", waiting.pk)

    with isolation.account(alice.account.pk):
        again = WebhookDelivery.objects.get(pk=failed.pk)
    assert (again.state, again.attempts) == ("waiting", 0)
    assert [entry[1:4] for entry in logged()] == [("resend", "webhookdelivery", failed.public_id)]


@requirement("accounts:admin:audited")
def test_every_other_deed_of_staff_is_logged_with_its_reason(staff: Client, alice: Person) -> None:
    connected = connection(alice, "alice's web agent")
    account = alice.account
    act(staff, "accounts_account", "suspend", account.pk, "Unpaid.")
    assert Account.objects.get(pk=account.pk).is_suspended
    act(staff, "accounts_account", "resume", account.pk, "Paid.")
    assert not Account.objects.get(pk=account.pk).is_suspended
    act(staff, "accounts_oauthconnection", "revoke", connected.pk, "A stolen laptop.")

    assert [entry[1:] for entry in logged()] == [
        ("suspend", "account", account.public_id, "Unpaid."),
        ("resume", "account", account.public_id, "Paid."),
        ("revoke", "oauthconnection", connected.public_id, "A stolen laptop."),
    ]


@requirement("accounts:admin:audited")
def test_what_staff_change_by_a_form_is_logged_too(staff: Client, alice: Person) -> None:
    url = reverse("admin:accounts_plan_add")
    made = {"title": "Large", "name": "large", "monthly_retrievals": 5, "hourly_attempts": 5, "monthly_operations": 5}
    made |= {"minutely_operations": 5}
    staff.post(url, made)
    plan = reverse("admin:accounts_plan_changelist") + "?q="
    assert staff.get(plan).status_code == 200

    assert [(did, thing, reason) for _, did, thing, _, reason in logged()] == [("add", "plan", "By the form.")]


@requirement("accounts:admin:audited")
def test_what_staff_change_of_an_address_is_logged(staff: Client, alice: Person) -> None:
    made = {"user": alice.user.pk, "email": "alice@elsewhere.example", "verified": "on"}
    assert staff.post(reverse("admin:account_emailaddress_add"), made).status_code == 302

    assert [(did, thing) for _, did, thing, _, _ in logged()] == [("add", "emailaddress")]


@requirement("accounts:admin:act-permission")
def test_staff_who_may_only_look_are_offered_no_deeds(client: Client, alice: Person) -> None:
    looker = User.objects.create_user("looker@example.com", "long enough a password", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_agentkey"))
    client.force_login(looker)
    key = alice.agent.key
    assert key is not None

    assert 'value="revoke"' not in client.get(reverse("admin:accounts_agentkey_changelist")).content.decode()
    act(client, "accounts_agentkey", "revoke", key.pk)
    assert keys.recognise(alice.secret) is not None


@requirement("accounts:admin:staff-only")
def test_an_owner_is_not_staff(client: Client, alice: Person) -> None:
    client.force_login(alice.user)

    assert client.get(reverse("admin:index")).status_code == 302
