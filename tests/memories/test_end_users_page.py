"""The End users pages: finding somebody, what is remembered of them, changing it, erasing them, and who may."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts import isolation
from memories.models import EndUser, LifecycleRun, Memory
from tests.browsing import signed_in, text
from tests.cast import Person, person
from tests.memories.end_users.diary import rows, send, told
from tests.requirements import requirement

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>/\n%2F'
CHANGES = ["block", "unblock", "erase"]


def users(who: Person) -> set[str]:
    with isolation.account(who.account.pk):
        return set(EndUser.objects.values_list("external_id", flat=True))


@requirement("pages:end-users:list")
def test_an_account_without_end_users_is_told_how_they_come(alice: Person) -> None:
    page = text(signed_in(alice).get("/end-users"))

    assert "No end users yet" in page
    assert "/v1/memories/add" in page


@requirement("pages:end-users:list")
def test_end_users_are_searched_and_paged_at_a_fixed_cost(
    alice: Person, charlie: Person, django_assert_num_queries: Any
) -> None:
    for number in range(53):
        told(alice, f"customer-{number}", "User likes quiet birds.")
    told(charlie, "customer-of-charlie", "User likes quiet birds.")
    client = signed_in(alice)
    client.get("/end-users")

    # Session and person 1 each; memberships 3; between savepoints: three of the list, and the lifecycle's last run.
    with django_assert_num_queries(13):
        first = text(client.get("/end-users"))
    assert first.count('class="go"') == 50
    older = first.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")
    assert text(client.get(f"/end-users{older}")).count('class="go"') == 3
    found = text(client.get("/end-users?q=MER-5"))
    assert found.count('class="go"') == 4
    assert "No end user fits" in text(client.get("/end-users?q=%25"))
    assert "charlie" not in first


@requirement("pages:end-users:one")
def test_one_page_shows_what_is_remembered_with_its_history_at_a_fixed_cost(
    alice: Person, django_assert_num_queries: Any
) -> None:
    memory = told(alice, "kim", "User likes quiet birds.", "preference", importance_score=7)
    send(alice, "patch", f"memories/{memory}", {"content": "User likes loud birds."})
    gone = told(alice, "kim", "User owns a red kayak.")
    send(alice, "delete", f"memories/{gone}")
    for number in range(20):
        told(alice, "kim", f"User has visited harbour {number}.")
    client = signed_in(alice)

    client.get("/end-users/user?id=kim")
    # As for the list; seven figures; how many and the page; the states.
    with django_assert_num_queries(21):
        page = text(client.get("/end-users/user?id=kim"))

    assert "User likes loud birds." in page
    assert "User likes quiet birds." in page, "the state before is in the history"
    assert "User owns a red kayak." not in page
    assert "User owns a red kayak." in text(client.get("/end-users/user?id=kim&show=all"))


@requirement("pages:end-users:change")
def test_a_member_archives_restores_and_deletes_a_memory(alice: Person, bob: Person) -> None:
    memory = told(alice, "kim", "User likes quiet birds.")
    client = signed_in(bob)

    for word, live in (("archive", [False]), ("restore", [True]), ("delete", [])):
        answer = client.post(f"/end-users/memories/{memory}/{word}")
        assert answer.headers["Location"] == "/end-users/user?id=kim"
        assert [not row.is_archived for row in rows(alice, "kim")] == live


@requirement("pages:end-users:change")
def test_what_cannot_be_restored_is_told(alice: Person) -> None:
    memory = told(alice, "kim", "User likes quiet birds.")
    client = signed_in(alice)
    client.post(f"/end-users/memories/{memory}/archive")
    told(alice, "kim", "User likes quiet birds.")

    client.post(f"/end-users/memories/{memory}/restore")

    assert "another live memory" in text(client.get("/end-users/user?id=kim"))
    assert [row.is_archived for row in rows(alice, "kim")] == [True, False]


@requirement("pages:end-users:hostile")
def test_a_hostile_id_is_shown_as_text_and_reached_by_its_links(alice: Person) -> None:
    told(alice, HOSTILE, f"User says {HOSTILE[:60]} often.")
    client = signed_in(alice)

    listed = text(client.get("/end-users"))
    link = listed.partition('<td class="name"><a href="')[2].partition('"')[0]
    page = text(client.get(link))

    for shown in (listed, page):
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
    assert client.post(f"/end-users/erase?id={quote(HOSTILE)}").status_code == 302
    assert users(alice) == set()


@requirement("pages:end-users:erase")
def test_erasing_asks_by_name_and_leaves_nobody_else_erased(alice: Person) -> None:
    told(alice, "kim", "User likes quiet birds.")
    told(alice, "KIM", "User likes quiet birds.")
    client = signed_in(alice)
    assert "Erase kim?" in text(client.get("/end-users/user?id=kim"))

    client.post("/end-users/erase?id=kim")

    assert users(alice) == {"KIM"}
    assert "with 1 memories" in text(client.get("/end-users"))
    assert client.get("/end-users/user?id=kim").status_code == 404


@requirement("pages:end-users:roles")
@pytest.mark.parametrize(
    ("role", "changes", "erases"),
    [("viewer", False, False), ("member", True, False), ("admin", True, True), ("owner", True, True)],
)
def test_viewers_look_members_change_and_admins_erase(alice: Person, role: str, changes: bool, erases: bool) -> None:
    memory = told(alice, "kim", "User likes quiet birds.")
    client = signed_in(person("dora", alice.account, role))

    page = text(client.get("/end-users/user?id=kim"))

    assert (">Block<" in page, ">Archive<" in page, "Erase for good" in page) == (changes, changes, erases)
    assert client.post("/end-users/block?id=kim").status_code == (302 if changes else 403)
    assert client.post("/end-users/unblock?id=kim").status_code == (302 if changes else 403)
    for word in ("archive", "restore"):
        assert client.post(f"/end-users/memories/{memory}/{word}").status_code == (302 if changes else 403)
    assert client.post("/end-users/let-it-run").status_code == (302 if erases else 403)
    file = SimpleUploadedFile("end-user.jsonl", b"")
    assert client.post("/end-users/import", {"file": file}).status_code == (302 if erases else 403)
    assert client.post("/end-users/erase?id=kim").status_code == (302 if erases else 403)
    assert users(alice) == (set() if erases else {"kim"})


@requirement("pages:end-users:roles")
def test_a_strangers_end_user_is_nobodys(alice: Person, charlie: Person) -> None:
    told(alice, "kim", "User likes quiet birds.")
    client = signed_in(charlie)

    for path in ("user", "export"):
        foreign, never_was = (client.get(f"/end-users/{path}?id={user}") for user in ("kim", "nobody"))
        assert foreign.status_code == never_was.status_code == 404
    for word in CHANGES:
        foreign, never_was = (client.post(f"/end-users/{word}?id={user}") for user in ("kim", "nobody"))
        assert foreign.status_code == never_was.status_code == 404
    assert users(alice) == {"kim"}


@requirement("pages:end-users:carry")
def test_an_export_is_taken_back_and_a_wrong_file_is_explained(alice: Person, charlie: Person) -> None:
    told(alice, "kim/ü", "User likes quiet birds.")
    lines = b"".join(signed_in(alice).get(f"/end-users/export?id={quote('kim/ü')}").streaming_content)
    client = signed_in(charlie)

    client.post("/end-users/import", {"file": SimpleUploadedFile("end-user.jsonl", lines)})

    assert json.loads(lines.splitlines()[0])["external_user_id"] == "kim/ü"
    assert "1 end users and 1 memories came in" in text(client.get("/end-users"))
    assert users(charlie) == {"kim/ü"}
    client.post("/end-users/import", {"file": SimpleUploadedFile("holiday.png", b"\x89PNG\r\n")})
    assert "Line 1: it is no JSON. Nothing was imported." in text(client.get("/end-users"))


@requirement("pages:end-users:stopped")
def test_a_run_that_stopped_is_told_until_one_went_through(alice: Person) -> None:
    with isolation.account(alice.account.pk):
        run = LifecycleRun.objects.create(
            account=alice.account, day=timezone.now().date(), state="stopped", reason="Too many at once.", live=9, due=9
        )
    client = signed_in(alice)

    assert "Too many at once." in text(client.get("/end-users"))
    with isolation.account(alice.account.pk):
        LifecycleRun.objects.filter(pk=run.pk).update(state="done")
        assert not Memory.objects.exists()
    assert "Too many at once." not in text(client.get("/end-users"))
