"""How staff get into staff admin, and what they do for somebody who can't sign in any more."""

from typing import Any

import pytest
from allauth.core import context
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.test_admin import act, logged
from tests.cast import PASSWORD, Person
from tests.requirements import requirement
from tests.second_step import STEP, Phone, forget_attempts, recovery_codes, sign_in

ADMIN = reverse("admin:index")


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_attempts()


@pytest.fixture
def boss(db: None) -> User:
    return User.objects.create_superuser("boss@example.com", PASSWORD)


@requirement("accounts:admin:login")
def test_staff_sign_in_where_everybody_does_and_come_out_at_staff_admin(boss: User, client: Client) -> None:
    login = client.get(ADMIN, follow=True)
    assert login.redirect_chain[-1][0] == f"/accounts/login/?next={ADMIN}"
    assert sign_in(client, boss, next=ADMIN).headers["Location"] == ADMIN
    assert client.get(ADMIN).status_code == 200


@requirement("accounts:admin:login")
def test_whoever_is_signed_in_and_not_of_the_staff_is_refused(alice: Person, client: Client) -> None:
    client.force_login(alice.user)

    assert client.get(ADMIN, follow=True).status_code == 403


@requirement("accounts:admin:second-step")
def test_where_it_is_required_staff_set_up_a_second_step_and_show_it_before_they_see_anything(
    boss: User, client: Client, settings: Any
) -> None:
    settings.PAM_STAFF_MFA_REQUIRED = True
    sign_in(client, boss)
    led = client.get(ADMIN, follow=True)
    assert led.redirect_chain == [("/security", 302)]
    assert "Staff admin asks for a second step" in led.content.decode()

    phone = Phone.set_up(client)
    asked = client.get(ADMIN)
    assert asked.headers["Location"] == "/accounts/2fa/reauthenticate/?next=%2Fadmin%2F"
    given = client.post("/accounts/2fa/reauthenticate/", {"code": phone.code(), "next": ADMIN})
    assert given.headers["Location"] == ADMIN
    assert client.get(ADMIN).status_code == 200


@requirement("accounts:admin:second-step")
def test_staff_who_showed_it_at_sign_in_are_not_asked_again(boss: User, client: Client, settings: Any) -> None:
    settings.PAM_STAFF_MFA_REQUIRED = True
    first = Client()
    sign_in(first, boss)
    phone = Phone.set_up(first)
    sign_in(client, boss, next=ADMIN)

    assert client.post(STEP, {"code": phone.code()}).headers["Location"] == ADMIN
    assert client.get(ADMIN).status_code == 200


@requirement("accounts:admin:lost-phone")
def test_staff_switch_the_second_step_off_for_who_lost_it_and_see_no_secret(
    boss: User, alice: Person, client: Client, rf: Any, django_capture_on_commit_callbacks: Any
) -> None:
    hers = Client()
    sign_in(hers, alice.user)
    phone = Phone.set_up(hers)
    codes = recovery_codes(alice.user)
    client.force_login(boss)
    listed = client.get(reverse("admin:accounts_user_changelist")).content.decode()
    page = client.get(reverse("admin:accounts_user_change", args=[alice.user.pk])).content.decode()
    assert not any(secret in listed + page for secret in (phone.secret, *codes))

    about = context.request_context(rf.get("/"))
    with about, django_capture_on_commit_callbacks(execute=True):
        done = act(client, "accounts_user", "switch_off_second_step", alice.user.pk, "Recognised by phone.")
    assert "done to 1 of 1" in done
    assert logged()[-1] == (
        "boss@example.com", "switch off second step", "user", str(alice.user.pk), "Recognised by phone."
    )  # fmt: skip
    assert (mail.outbox[-1].to, mail.outbox[-1].subject) == (
        ["alice@example.com"],
        "[PAM] Your second step at sign-in was switched off",
    )
    assert sign_in(Client(), alice.user).headers["Location"] == "/setup"
    assert "No second step is set up." in act(client, "accounts_user", "switch_off_second_step", alice.user.pk)


@requirement("accounts:admin:lost-phone")
def test_staff_without_all_powers_don_t_weaken_the_login_of_other_staff(boss: User, client: Client) -> None:
    helper = User.objects.create_user("helper@example.com", PASSWORD, is_staff=True)
    wanted = Permission.objects.filter(codename__in=["view_user", "change_user"], content_type__app_label="accounts")
    helper.user_permissions.set(wanted)
    Authenticator.objects.create(user=boss, type="webauthn", data={"name": "Key", "credential": {}})
    client.force_login(helper)

    assert "Only a superuser" in act(client, "accounts_user", "switch_off_second_step", boss.pk)
    assert "Only a superuser" in act(client, "accounts_user", "sign_out", boss.pk)
    assert Authenticator.objects.filter(user=boss).exists()


@requirement("accounts:admin:sign-out")
def test_staff_sign_a_person_out_of_every_browser(boss: User, alice: Person, client: Client) -> None:
    hers = Client()
    sign_in(hers, alice.user)
    client.force_login(boss)
    act(client, "accounts_user", "sign_out", alice.user.pk, "A stolen laptop.")

    assert hers.get("/setup").status_code == 302
    assert logged()[-1][1:] == ("sign out", "user", str(alice.user.pk), "A stolen laptop.")


@requirement("accounts:admin:lost-phone")
def test_no_page_of_staff_admin_is_about_what_the_second_step_keeps_or_about_sessions() -> None:
    assert {model._meta.app_label for model in admin.site._registry} & {"mfa", "usersessions"} == set()
