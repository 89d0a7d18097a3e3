"""Signing up, signing in, and a lost password, as a browser sees them."""

from typing import Any

import pytest
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core import mail
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, RequestFactory

from accounts import membership
from accounts.forms import SignupForm
from accounts.models import Account, User
from tests.cast import PASSWORD, Person
from tests.requirements import requirement

WANTED = {"organisation": "Larkfield Ltd", "email": "dora@example.com", "password1": PASSWORD}
CLOSED_PORT = 1


def sign_up(client: Client, **changes: str) -> Any:
    return client.post("/accounts/signup/", WANTED | changes)


def sign_in(client: Client, email: str, password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": password})


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Attempts of other tests don't count against this one, also where both came from the same address."""
    caches["process"].clear()
    caches["default"].delete_pattern("allauth:rl:*")  # type: ignore[attr-defined]


@requirement("pages:signup:account")
def test_signing_up_makes_a_person_who_owns_a_new_account(db: None, client: Client) -> None:
    response = sign_up(client)

    assert response.headers["Location"] == "/setup"
    [owned] = membership.of(User.objects.get())
    assert (owned.user.email, owned.account.name, owned.role) == ("dora@example.com", "Larkfield Ltd", "owner")
    assert client.session["_auth_user_id"] == str(owned.user.pk)


@requirement("pages:signup:atomic")
def test_a_sign_up_whose_account_cannot_be_made_leaves_no_person_behind(
    db: None, client: Client, settings: Any
) -> None:
    settings.PAM_DEFAULT_PLAN = "there-is-none"

    with pytest.raises(ImproperlyConfigured):
        sign_up(client)

    assert (User.objects.count(), Account.objects.count()) == (0, 0)


@pytest.mark.parametrize("field", ["organisation", "email", "password1"])
@requirement("pages:signup:errors")
def test_a_sign_up_with_a_field_missing_says_so_and_makes_nothing(db: None, client: Client, field: str) -> None:
    page = sign_up(client, **{field: ""}).content.decode()

    assert 'aria-invalid="true"' in page
    assert "This field is required." in page
    assert User.objects.count() == 0


@requirement("pages:signup:case")
def test_an_address_that_is_taken_in_another_case_is_refused_in_words(alice: Person, client: Client) -> None:
    page = sign_up(client, email="ALICE@Example.com").content.decode()

    assert "Somebody signed up with this email address already." in page
    assert User.objects.count() == 1


@requirement("pages:signup:race")
def test_of_two_sign_ups_with_one_address_at_once_the_later_is_sent_to_sign_in(db: None) -> None:
    request = RequestFactory().post("/accounts/signup/")
    request.session = {}  # type: ignore[assignment]
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]
    form = SignupForm(data=WANTED)
    assert form.is_valid()
    User.objects.create_user("dora@example.com", PASSWORD)

    with pytest.raises(ImmediateHttpResponse) as raised:
        form.try_save(request)

    assert raised.value.response.headers["Location"] == "/accounts/login/"
    assert (User.objects.count(), Account.objects.count()) == (1, 0)


@requirement("pages:signup:enumeration")
def test_with_mandatory_confirmation_sign_up_does_not_tell_who_is_known(
    alice: Person, client: Client, settings: Any
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    known, unknown = sign_up(client, email="alice@example.com"), sign_up(Client())

    assert known.status_code == unknown.status_code == 302
    assert known.headers["Location"] == unknown.headers["Location"] == "/accounts/confirm-email/"
    assert [sent.subject for sent in mail.outbox] == [
        "[PAM] You have a login already",
        "[PAM] Confirm your email address",
    ]


@requirement("pages:signup:confirmed")
def test_whoever_confirms_the_address_at_the_browser_where_they_signed_up_is_in(
    db: None, client: Client, settings: Any
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    sign_up(client)
    sign_up(second := Client(), email="eve@example.com")
    hers, eves = ("/accounts/" + sent.body.split("/accounts/")[1].split()[0] for sent in mail.outbox)

    assert client.get(hers).status_code == 200
    assert client.get("/setup").status_code == 302
    assert client.post(hers).headers["Location"] == "/setup"
    assert client.get("/setup").status_code == 200
    assert Client().post(eves).headers["Location"] == "/accounts/login/"
    assert second.get("/setup").status_code == 302


@requirement("pages:signup:closed")
def test_closed_sign_up_says_so_and_makes_nothing(db: None, client: Client, settings: Any) -> None:
    settings.PAM_SIGNUP_OPEN = False

    assert "Sign-up is closed" in sign_up(client).content.decode()
    assert User.objects.count() == 0
    assert "/accounts/signup/" not in client.get("/").content.decode()


@requirement("pages:signup:mail-down")
def test_a_silent_mail_server_stops_neither_sign_up_nor_reset(db: None, client: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", CLOSED_PORT

    assert sign_up(client).headers["Location"] == "/setup"
    asked = Client().post("/accounts/password/reset/", {"email": "dora@example.com"})
    assert asked.headers["Location"] == "/accounts/password/reset/done/"


@requirement("pages:login:case")
def test_signing_in_works_in_any_case_of_the_address(alice: Person, client: Client) -> None:
    assert sign_in(client, "Alice@EXAMPLE.com").headers["Location"] == "/setup"


@requirement("pages:login:enumeration")
def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(alice: Person, client: Client) -> None:
    wrong, unknown = sign_in(client, "alice@example.com", "not it"), sign_in(client, "nobody@example.com", "not it")

    for response in (wrong, unknown):
        assert "That email address and password don&#x27;t go together." in response.content.decode()


@requirement("pages:login:limit")
def test_guessing_a_password_is_stopped_after_a_few_attempts(alice: Person, client: Client) -> None:
    for _ in range(5):
        sign_in(client, "alice@example.com", "not it")

    assert "Too many failed attempts." in sign_in(client, "alice@example.com").content.decode()


@requirement("pages:login:valkey-down")
def test_without_valkey_people_sign_in_and_guessing_is_still_stopped(
    alice: Person, bob: Person, client: Client, settings: Any
) -> None:
    settings.CACHES = settings.CACHES | {
        "default": settings.CACHES["default"] | {"LOCATION": f"redis://127.0.0.1:{CLOSED_PORT}/0"}
    }

    assert sign_in(client, "alice@example.com").headers["Location"] == "/setup"
    for _ in range(5):
        sign_in(Client(), "bob@example.com", "not it")
    assert "Too many failed attempts." in sign_in(Client(), "bob@example.com").content.decode()


@requirement("pages:reset:enumeration")
def test_a_reset_does_not_tell_who_is_known(alice: Person, client: Client) -> None:
    known, unknown = (
        client.post("/accounts/password/reset/", {"email": email})
        for email in ("alice@example.com", "nobody@example.com")
    )

    assert known.headers["Location"] == unknown.headers["Location"] == "/accounts/password/reset/done/"
    assert [sent.to for sent in mail.outbox] == [["alice@example.com"], ["nobody@example.com"]]


@requirement("pages:reset:works")
def test_a_lost_password_is_replaced_through_the_link_once(alice: Person, client: Client) -> None:
    client.post("/accounts/password/reset/", {"email": "alice@example.com"})
    [link] = [word for word in str(mail.outbox[0].body).split() if "/password/reset/key/" in word]
    form = client.get(link, follow=True).redirect_chain[-1][0]

    client.post(form, {"password1": "another fine secret", "password2": "another fine secret"})

    assert sign_in(Client(), "alice@example.com").status_code == 200
    assert sign_in(Client(), "alice@example.com", "another fine secret").headers["Location"] == "/setup"
    assert "This link no longer works" in Client().get(link, follow=True).content.decode()


@requirement("pages:home:signed-in")
def test_the_first_page_sends_people_who_are_signed_in_to_setup(alice: Person, client: Client) -> None:
    assert "Sign up" in client.get("/").content.decode()

    client.force_login(alice.user)

    assert client.get("/").headers["Location"] == "/setup"


@requirement("pages:login:limit")
def test_too_many_sign_ups_from_one_address_get_the_page_that_asks_for_patience(db: None, client: Client) -> None:
    for _ in range(20):
        sign_up(client, email="")

    refused = sign_up(client, email="")

    assert refused.status_code == 429
    assert "Wait a minute, then try again." in refused.content.decode()
