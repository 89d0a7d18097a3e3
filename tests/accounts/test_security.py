"""The second step at sign-in, and where a person is signed in, as a browser sees them."""

import json
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import time_machine
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts import isolation, page_context, sessions
from accounts.models import AuditEntry, User
from tests.cast import PASSWORD, Person, person
from tests.requirements import requirement
from tests.second_step import ACTIVATE, STEP, Phone, confirm, forget_attempts, recovery_codes, sign_in

SECURITY = "/security"
NO_PASSKEYS = ["", "{", "[]", "5", "null", "{}", '{"id": 1}', '{"response": 5}', '{"response": {"userHandle": "/x"}}']
NO_PASSKEYS += ['{"a": "\\u0000"}', "[" * 20_000, "9" * 60_000]
NO_PASSKEYS += [
    json.dumps({"rawId": "YQ", "id": "YQ", "type": "public-key", "response": {"clientDataJSON": "e30", **more}})
    for more in ({"userHandle": "MQ"}, dict.fromkeys(("authenticatorData", "attestationObject", "signature"), "YQ"))
]
BACK = "http://127.0.0.1:9/callback"


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_attempts()


@pytest.fixture
def phone(alice: Person) -> Phone:
    """Alice's, with the second step set up."""
    browser = Client()
    sign_in(browser, alice.user)
    return Phone.set_up(browser)


def is_in(client: Client) -> bool:
    return client.get("/setup").status_code == 200


def noted() -> list[tuple[str, str]]:
    with isolation.every_account():
        return list(AuditEntry.objects.order_by("id").values_list("by", "did"))


@requirement("login:second-step:set-up")
def test_a_person_sets_up_an_app_by_what_the_pages_say(
    alice: Person, client: Client, rf: Any, django_capture_on_commit_callbacks: Any
) -> None:
    sign_in(client, alice.user)
    assert reverse("mfa_activate_totp") in client.get(SECURITY).content.decode()

    asked = client.get(ACTIVATE)
    assert asked.headers["Location"] == f"/accounts/reauthenticate/?next={quote(ACTIVATE, safe='')}"
    assert confirm(client, then=ACTIVATE).headers["Location"] == ACTIVATE
    page = client.get(ACTIVATE)
    secret = page.context["form"].secret
    assert "no-store" in page.headers["Cache-Control"]
    assert "<svg viewBox" in page.content.decode()
    assert "style=" not in page.content.decode()
    assert "That did not fit." in client.post(ACTIVATE, {"code": "000000"}).content.decode()
    with context.request_context(rf.get("/")), django_capture_on_commit_callbacks(execute=True):
        done = client.post(ACTIVATE, {"code": Phone(secret).code()}, follow=True)

    assert done.redirect_chain[0][0] == "/accounts/2fa/recovery-codes/"
    shown = done.content.decode()
    assert all(code in shown for code in recovery_codes(alice.user))
    assert "10 left" in client.get(SECURITY).content.decode()
    assert [sent.subject for sent in mail.outbox] == ["[PAM] An authenticator app was set up"]
    assert sorted(noted()) == [("alice@example.com", "add recovery_codes"), ("alice@example.com", "add totp")]


@requirement("login:second-step:kept-secret")
def test_secrets_are_kept_encrypted_and_another_key_of_the_installation_still_opens_them(
    alice: Person, phone: Phone, settings: Any
) -> None:
    kept = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert phone.secret not in kept
    assert not any(code in kept for code in recovery_codes(alice.user))

    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "b" * 50
    browser = Client()
    sign_in(browser, alice.user)
    assert browser.post(STEP, {"code": phone.code()}).headers["Location"] == "/setup"


@requirement("login:second-step:kept-secret")
def test_a_secret_that_no_key_opens_is_told_in_words(
    alice: Person, phone: Phone, client: Client, settings: Any
) -> None:
    settings.SECRET_KEY = "b" * 50
    sign_in(client, alice.user)

    assert "its secret key was changed" in client.post(STEP, {"code": phone.code()}).content.decode()


@requirement("login:second-step:asked")
def test_after_the_password_nobody_is_in_before_the_code_and_then_they_are_where_they_wanted(
    alice: Person, phone: Phone, client: Client
) -> None:
    assert sign_in(client, alice.user, next="/usage").headers["Location"] == STEP
    assert not is_in(client)
    assert "That did not fit." in client.post(STEP, {"code": "000000"}).content.decode()
    assert not is_in(client)

    assert client.post(STEP, {"code": phone.code()}).headers["Location"] == "/usage"
    assert is_in(client)


@requirement("login:second-step:once")
def test_a_code_of_the_app_is_good_for_one_sign_in(alice: Person, phone: Phone) -> None:
    first, second = Client(), Client()
    code = phone.code()
    sign_in(first, alice.user)
    first.post(STEP, {"code": code})
    sign_in(second, alice.user)

    assert "That did not fit." in second.post(STEP, {"code": code}).content.decode()
    assert not is_in(second)


@requirement("login:second-step:once")
def test_without_valkey_a_code_is_still_good_for_one_sign_in(alice: Person, phone: Phone, settings: Any) -> None:
    settings.CACHES = settings.CACHES | {"default": settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:1/0"}}
    first, second = Client(), Client()
    code = phone.code()
    sign_in(first, alice.user)
    assert first.post(STEP, {"code": code}).headers["Location"] == "/setup"
    sign_in(second, alice.user)

    assert "That did not fit." in second.post(STEP, {"code": code}).content.decode()


@requirement("login:second-step:once")
def test_a_recovery_code_is_good_for_one_sign_in_which_is_noted(alice: Person, phone: Phone) -> None:
    code, *_ = recovery_codes(alice.user)
    first, second = Client(), Client()
    sign_in(first, alice.user)
    assert first.post(STEP, {"code": code}).headers["Location"] == "/setup"
    sign_in(second, alice.user)

    assert "That did not fit." in second.post(STEP, {"code": code}).content.decode()
    assert "9 left" in first.get(SECURITY).content.decode()
    assert noted()[-1] == ("alice@example.com", "use recovery_codes")


@requirement("login:second-step:limit")
def test_guessing_codes_is_stopped_after_a_few_attempts(alice: Person, phone: Phone, client: Client) -> None:
    sign_in(client, alice.user)
    for guess in range(5):
        client.post(STEP, {"code": f"00000{guess}"})

    assert "Too many failed attempts." in client.post(STEP, {"code": phone.code()}).content.decode()
    assert not is_in(client)


@requirement("login:second-step:confirmed")
@pytest.mark.parametrize(
    "path",
    ["totp/deactivate/", "recovery-codes/", "recovery-codes/generate/", "recovery-codes/download/", "webauthn/add/"],
)
def test_nothing_of_the_second_step_is_changed_or_shown_before_it_is_clear_who_asks(
    alice: Person, phone: Phone, client: Client, path: str
) -> None:
    sign_in(client, alice.user)
    client.post(STEP, {"code": phone.code()})

    asked = client.get(f"/accounts/2fa/{path}")
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    assert client.post(f"/accounts/2fa/{path}").status_code in (302, 405)
    assert Authenticator.objects.filter(user=alice.user).count() == 2


@requirement("login:second-step:confirmed")
def test_removing_the_app_takes_the_codes_along_and_the_password_is_enough_again(
    alice: Person, phone: Phone, client: Client
) -> None:
    sign_in(client, alice.user)
    client.post(STEP, {"code": phone.code()})
    confirm(client)

    assert client.post("/accounts/2fa/totp/deactivate/", follow=True).redirect_chain[-1][0] == SECURITY
    assert Authenticator.objects.count() == 0
    assert sign_in(Client(), alice.user).headers["Location"] == "/setup"


@requirement("login:second-step:consent")
def test_a_program_asks_for_consent_only_after_the_second_step(alice: Person, phone: Phone, client: Client) -> None:
    about = {"redirect_uris": [BACK], "client_name": "Agent", "token_endpoint_auth_method": "none"}
    program = client.post("/v1/oauth/register", about, content_type="application/json").json()
    asked = {"response_type": "code", "client_id": program["client_id"], "redirect_uri": BACK, "state": "s"}
    wanted = f"/v1/oauth/authorize?{urlencode({**asked, 'code_challenge': 'E' * 43, 'code_challenge_method': 'S256'})}"
    sign_in(client, alice.user, next=wanted)
    assert client.get(wanted).headers["Location"].startswith("/accounts/login/")

    assert client.post(STEP, {"code": phone.code()}).headers["Location"] == wanted
    assert "Agent" in client.get(wanted).content.decode()


@requirement("login:second-step:bad-input")
@pytest.mark.parametrize(
    "credential",
    NO_PASSKEYS,
)
def test_what_is_no_passkey_is_refused_and_never_breaks_anything(
    alice: Person, client: Client, credential: str
) -> None:
    client.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"})
    told = client.post("/accounts/2fa/webauthn/login/", {"credential": credential}, follow=True)
    assert told.redirect_chain == [("/accounts/login/", 302)]
    assert "notice bad" in told.content.decode()

    sign_in(client, alice.user)
    confirm(client)
    client.get("/accounts/2fa/webauthn/add/")
    page = client.post("/accounts/2fa/webauthn/add/", {"name": "<b>", "credential": credential})
    assert page.status_code == 200
    assert Authenticator.objects.count() == 0


@requirement("login:passkeys:address")
@pytest.mark.parametrize(
    ("public", "asked", "work", "at"),
    [
        ("https://pam.example", "pam.example", True, "https://pam.example"),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", False, "http://localhost:8000"),
        ("http://127.0.0.1:8000", "localhost:8000", True, "http://localhost:8000"),
        ("http://192.0.2.1", "192.0.2.1", False, ""),
    ],
)
def test_passkeys_are_offered_where_browsers_allow_them(
    rf: Any, settings: Any, public: str, asked: str, work: bool, at: str
) -> None:
    settings.PUBLIC_URL = public

    assert page_context.passkeys(rf.get("/", HTTP_HOST=asked)) == {"work": work, "at": at}


@requirement("login:sessions")
def test_a_person_sees_where_they_are_signed_in_and_signs_one_out(alice: Person) -> None:
    here, there = (
        Client(),
        Client(HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
    )
    sign_in(here, alice.user)
    sign_in(there, alice.user)
    page = here.get(SECURITY).content.decode()
    assert "Firefox on Linux" in page
    assert "This browser" in page
    elsewhere = UserSession.objects.get(session_key=there.session.session_key)

    told = here.post(reverse("session-end", args=[elsewhere.pk]), follow=True).content.decode()
    assert "That browser is signed out." in told
    assert is_in(here)
    assert there.get("/setup").headers["Location"] == "/accounts/login/?next=/setup"
    assert "signed out already" in here.post(reverse("session-end", args=[elsewhere.pk]), follow=True).content.decode()


@requirement("login:sessions")
def test_behind_a_proxy_the_address_is_the_visitor_s_and_not_what_the_visitor_says(
    alice: Person, client: Client, settings: Any
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    client.defaults["HTTP_X_FORWARDED_FOR"] = "192.0.2.66, 198.51.100.7"
    sign_in(client, alice.user)

    assert UserSession.objects.get().ip == "198.51.100.7"


@requirement("login:sessions")
def test_a_page_that_is_open_and_asks_by_itself_is_led_to_sign_in_at_once(alice: Person) -> None:
    here, there = Client(), Client()
    sign_in(here, alice.user)
    sign_in(there, alice.user)
    here.post(reverse("sessions-end"))

    polled = there.get("/access", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/access"})
    assert polled.headers["HX-Redirect"] == "/accounts/login/?next=/access"
    assert is_in(here)


@requirement("login:sessions")
def test_nobody_signs_somebody_else_out(alice: Person, bob: Person) -> None:
    hers, his = Client(), Client()
    sign_in(hers, alice.user)
    sign_in(his, bob.user)
    row = UserSession.objects.get(user=alice.user)

    told = his.post(reverse("session-end", args=[row.pk]), follow=True).content.decode()
    assert "signed out already" in told
    his.post(reverse("sessions-end"))
    assert is_in(hers)
    assert his.post(f"/security/sessions/{10**30}/end", follow=True).status_code == 200


@requirement("login:sessions")
def test_a_session_that_is_at_work_is_seen_every_few_minutes(alice: Person, client: Client) -> None:
    sign_in(client, alice.user)
    begun = UserSession.objects.get().last_seen_at
    with time_machine.travel(begun + timedelta(seconds=sessions.SEEN_EVERY - 5)):
        client.get("/access")
        assert UserSession.objects.get().last_seen_at == begun

    with time_machine.travel(begun + timedelta(seconds=sessions.SEEN_EVERY + 5)):
        client.get("/access", headers={"HX-Request": "true"})
        assert UserSession.objects.get().last_seen_at == begun
        client.get("/access")
        assert UserSession.objects.get().last_seen_at > begun


@requirement("login:security-page")
def test_the_page_is_there_for_a_viewer_and_for_who_belongs_to_no_account(alice: Person, client: Client) -> None:
    client.force_login(person("vera", alice.account, "viewer").user)
    assert client.get(SECURITY).status_code == 200

    client.force_login(User.objects.create_user("lone@example.com", PASSWORD))
    assert client.get(SECURITY).status_code == 200
    assert Client().get(SECURITY).headers["Location"] == "/accounts/login/?next=/security"


@requirement("login:security-page")
@pytest.mark.parametrize("path", ["/accounts/2fa/", "/accounts/2fa/webauthn/", "/accounts/sessions/"])
def test_lists_of_the_library_lead_to_the_page(alice: Person, client: Client, path: str) -> None:
    client.force_login(alice.user)

    assert client.get(path).headers["Location"] == SECURITY


def test_the_page_asks_few_questions_however_many_passkeys_there_are(
    alice: Person, client: Client, django_assert_num_queries: Any
) -> None:
    client.force_login(alice.user)
    for number in range(3):
        Authenticator.objects.create(user=alice.user, type="webauthn", data={"name": str(number), "credential": {}})

    # Session, person, their accounts (three: in a transaction that sees them), the second step, the sessions.
    with django_assert_num_queries(7):
        assert client.get(SECURITY).content.decode().count("Rename</a>") == 3
