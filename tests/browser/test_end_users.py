"""End users in a browser and over a real server: found, looked at, changed, carried out, erased."""

import json
from typing import Any
from urllib.parse import quote

import httpx2
from playwright.sync_api import Page, expect

from tests.cast import Person
from tests.memories.end_users.diary import rows
from tests.requirements import requirement

ODD = 'kim/stats "ü" 100%\n<b>'


class Product:
    """The back end of somebody's product, over the wire."""

    def __init__(self, who: Person, url: str) -> None:
        self.url = url
        self.headers = {"Authorization": f"ApiKey {who.product_secret}"}

    def send(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        return httpx2.request(method, f"{self.url}/v1/{path}", json=body, headers=self.headers, timeout=60)

    def told(self, user: str, content: str, category: str = "fact") -> str:
        body = {"external_user_id": user, "content": content, "category": category}
        return str(self.send("POST", "memories", body).json()["data"]["id"])


@requirement("pages:end-users:main-path")
def test_an_end_user_is_found_looked_at_changed_carried_out_and_erased(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    page.get_by_role("link", name="End users").click()
    expect(page.get_by_text("No end users yet")).to_be_visible()
    product = Product(alice, visitor.url)
    memory = product.told(ODD, "User prefers short answers.", "preference")
    product.send("PATCH", f"memories/{memory}", {"content": "User prefers long answers."})
    product.told(ODD, "User lives in Lisbon since May.")
    product.told("lee", "User lives in Berlin since March.")

    page.reload()
    page.get_by_label("Search by id").press_sequentially("KIM/S")
    expect(page.locator("#users tr.go")).to_have_count(1)
    page.locator("#users tr.go a").click()
    page.locator(f"#m-{memory}").get_by_text("History (2)").click()
    expect(page.locator(f"#m-{memory}").get_by_text("User prefers short answers.")).to_be_visible()
    page.locator(f"#m-{memory}").get_by_role("button", name="Archive").click()
    expect(page.get_by_text("Archived. It is told no more")).to_be_visible()
    page.get_by_role("link", name="Archived ones, too").click()
    page.locator(f"#m-{memory}").get_by_role("button", name="Restore").click()
    expect(page.get_by_text("Restored. It is told again.")).to_be_visible()

    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_role("heading", level=1).get_by_text("Blocked")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    lines = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert {line["external_user_id"] for line in lines} == {ODD}

    page.get_by_role("button", name="Erase", exact=True).click()
    expect(page.get_by_role("heading", name="Erase kim/stats")).to_be_visible()
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("Erased for good, with 2 memories.")).to_be_visible()
    assert rows(alice, ODD) == []
    assert len(rows(alice, "lee")) == 1
    assert visitor.complaints == []


@requirement("end-users:ids:exact")
def test_a_real_server_takes_ids_in_paths_as_they_are_given(alice: Person, live_url: str) -> None:
    product = Product(alice, live_url)
    for user in (ODD, "\ufffd", "a/stats", "a"):
        product.told(user, "User likes quiet birds.")

    def asked(method: str, path: str) -> httpx2.Response:
        return product.send(method, f"tenant/users/{path}")

    for user in (ODD, "a/stats", "a"):
        told_of = asked("GET", f"{quote(user, safe='')}/stats").json()["data"]
        assert (told_of["external_user_id"], told_of["memory_count"]) == (user, 1)
        exported = asked("GET", f"{quote(user, safe='')}/export").text.splitlines()
        assert [json.loads(line)["type"] for line in exported] == ["end_user", "memory"]
    assert asked("DELETE", "%FF").json()["code"] == "PRX_404"
    assert asked("DELETE", "a/stats").json()["data"] == {"deleted": True, "memories_removed": 1}
    assert len(rows(alice, "a")) == len(rows(alice, "\ufffd")) == 1
