"""What every page has in common: how errors look, and what a page may load."""

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from django.views.defaults import bad_request, server_error

from accounts.errors import EntitlementRequired, NotAuthenticated, NotFound
from accounts.models import User
from tests.browsing import header, signed_in, text
from tests.cast import PASSWORD, Person
from tests.requirements import requirement


def no_plan(request: HttpRequest) -> HttpResponse:
    raise EntitlementRequired


def not_there(request: HttpRequest) -> HttpResponse:
    raise NotFound


def nobody(request: HttpRequest) -> HttpResponse:
    raise NotAuthenticated


urlpatterns = [path("no-plan", no_plan), path("not-there", not_there), path("nobody", nobody)]


@requirement("pages:errors:house-style")
def test_an_address_that_is_none_gets_a_page_of_the_house(db: None, client: Client) -> None:
    response = client.get("/there-is-no-such-page")

    assert response.status_code == 404
    assert "Nothing here" in text(response)
    assert "pam.css" in text(response)


@requirement("pages:errors:house-style")
def test_the_page_for_a_fault_needs_neither_database_nor_session() -> None:
    response = server_error(RequestFactory().get("/"))

    assert "Something went wrong on our side" in text(response)


@requirement("pages:errors:house-style")
def test_a_malformed_request_gets_a_page_that_says_what_may_be_wrong() -> None:
    response = bad_request(RequestFactory().get("/"), ValueError("too many files"))

    assert "That request can’t be handled" in text(response)


@pytest.mark.urls("tests.pam.test_pages")
@requirement("pages:errors:services")
def test_an_error_of_a_service_keeps_its_status_for_scripts(db: None, client: Client) -> None:
    asked = {"Accept": "application/json"}

    answers = [client.get(address, headers=asked) for address in ("/no-plan", "/not-there", "/nobody")]

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (402, "entitlement_required"),
        (404, "not_found"),
        (401, "unauthenticated"),
    ]


@requirement("pages:errors:no-account")
def test_whoever_belongs_to_no_account_is_told_so_and_can_leave(db: None) -> None:
    client = Client()
    client.force_login(User.objects.create_user("lost@example.com", PASSWORD))

    response = client.get("/setup")

    assert response.status_code == 403
    assert "You belong to no account" in text(response)
    assert 'action="/accounts/logout/"' in text(response)


@pytest.mark.parametrize(
    "address", ["/", "/setup", "/sources", "/access", "/request-log", "/accounts/email/", "/no-such-page"]
)
@requirement("pages:policy")
def test_pages_may_load_nothing_from_elsewhere_and_run_nothing_that_stands_in_them(alice: Person, address: str) -> None:
    response = signed_in(alice).get(address, follow=True)

    policy = dict(part.strip().split(" ", 1) for part in header(response, "Content-Security-Policy").split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["img-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    page = text(response)
    assert "<style" not in page
    assert " style=" not in page
    assert "<script>" not in page
    assert not any(handler in page for handler in (" onclick=", " onchange=", " onsubmit=", "hx-on"))


@requirement("pages:policy")
def test_static_files_are_served_without_a_page_behind_them(client: Client) -> None:
    for name in ("pam.css", "pam.js", "sources.js", "favicon.svg", "django_htmx/htmx-2.min.js"):
        assert client.get(f"/static/{name}").status_code == 200


@pytest.mark.parametrize("address", ["/setup", "/sources", "/access", "/request-log"])
@requirement("pages:no-store")
def test_pages_of_an_account_are_kept_by_no_cache(alice: Person, address: str) -> None:
    assert "no-store" in header(signed_in(alice).get(address), "Cache-Control")


@requirement("pages:suspended")
def test_a_suspended_account_says_so_on_its_pages(alice: Person, settings: Any) -> None:
    alice.account.suspended_at = alice.account.created_at
    alice.account.save(update_fields=["suspended_at"])

    assert "This account is suspended." in text(signed_in(alice).get("/setup"))
