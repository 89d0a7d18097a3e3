"""Every page in a browser, as each role sees it: it opens, nobody's reader or eye is shut out, nothing sticks out.

axe-core judges what assistive technology meets (names, roles, order, contrast); it comes from npm.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test import Client
from playwright.sync_api import Page, expect

from tests import npm
from tests.belongings import belongings
from tests.browser.conftest import Visitor
from tests.cast import Person, person
from tests.requirements import requirement
from tests.test_every_role import DOORS, address

OTHER_THAN_PAGES = ("v1/", "end-users/export")
OF_ONES_OWN = ("/accounts/email/", "/accounts/password/change/", "/accounts/reauthenticate/")
OUTSIDE = ("", "accounts/login/", "accounts/signup/", "accounts/password/reset/", "nothing-here")
PHONE, DESK = {"width": 375, "height": 812}, {"width": 1280, "height": 900}
SERIOUS = "async () => (await axe.run()).violations.filter(one => ['serious', 'critical'].includes(one.impact))"
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def axe() -> str:
    """The script itself."""
    return (npm.fetched("browser/axe") / "node_modules" / "axe-core" / "axe.min.js").read_text()


def pages(things: dict[str, str]) -> list[str]:
    """Every page of the matrix of roles, and those of the person's own login."""
    looked_at = [
        door for door in DOORS if door.method == "GET" and not door.path.startswith(("v1/", "end-users/export"))
    ]
    return [address(each, things) for each in looked_at] + list(OF_ONES_OWN)


def owned(owner: Person) -> dict[str, str]:
    """Made in a thread of its own: Playwright's loop runs in this one, and Django's client would start another."""

    def made() -> dict[str, str]:
        try:
            return belongings(owner)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as apart:
        return apart.submit(made).result()


def signed_in(visitor: Visitor, who: Person) -> Page:
    client = Client()
    client.force_login(who.user)
    name = django_settings.SESSION_COOKIE_NAME
    visitor.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": visitor.url}])
    return visitor.page


def faults(page: Page, axe: str, schemes: Iterable[str]) -> list[str]:
    """What axe finds serious on the page, in each colour scheme, and by how much it is wider than the screen."""
    found = []
    page.evaluate(axe)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        for fault in page.evaluate(SERIOUS):
            where = "; ".join(" ".join(map(str, node["target"])) for node in fault["nodes"][:3])
            found.append(f"{page.url} ({scheme}) {fault['id']}: {fault['help']}, at {where}")
    if page.evaluate(WIDER) > 0:
        found.append(f"{page.url} is wider than the screen by {page.evaluate(WIDER)} px")
    return found


@requirement("pages:for-every-reader")
@pytest.mark.parametrize(
    ("role", "screen", "schemes"),
    [
        ("owner", DESK, ("light", "dark")),
        ("owner", PHONE, ("light",)),
        ("member", DESK, ("light",)),
        ("viewer", PHONE, ("dark",)),
    ],
)
def test_each_page_opens_for_each_role_and_shuts_nobody_out(
    alice: Person, visit: Any, axe: str, role: str, screen: dict[str, int], schemes: tuple[str, ...]
) -> None:
    things = owned(alice)
    who = alice if role == "owner" else person(role, alice.account, role)
    page = signed_in(visit(viewport=screen), who)

    found = []
    for path in pages(things):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        found += faults(page, axe, schemes)
    assert found == []


@requirement("pages:for-every-reader")
def test_whoever_is_not_signed_in_finds_the_outer_pages_and_is_led_to_sign_in(
    alice: Person, visit: Any, axe: str
) -> None:
    things = owned(alice)
    page = visit(viewport=PHONE).page

    found = []
    for path in OUTSIDE:
        page.goto("/" + path)
        found += faults(page, axe, ("light", "dark"))
    assert found == []
    for path in pages(things):
        page.goto(path)
        expect(page.get_by_label("Password", exact=True)).to_be_visible()


@requirement("pages:for-every-reader")
def test_a_stranger_who_follows_a_link_into_an_account_finds_nothing(
    alice: Person, charlie: Person, visit: Any, axe: str
) -> None:
    things = owned(alice)
    page = signed_in(visit(), charlie)

    for path in pages(things):
        if path.count("/") > 1 and path not in (*OF_ONES_OWN, "/memories/sessions", "/memories/spaces"):
            answer = page.goto(path)
            assert answer is not None
            assert answer.status == 404
            expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    assert faults(page, axe, ("light", "dark")) == []
