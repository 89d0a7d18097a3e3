"""The Conflicts page: both texts, where they are from, and who may decide."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import isolation
from accounts.models import AuditEntry, Membership, User
from memories.models import Conflict
from tests.browsing import signed_in, text
from tests.cast import Person, person
from tests.memories.end_users import diary
from tests.requirements import requirement

HOSTILE = '"><script>alert(1)</script>'


@requirement("pages:conflicts")
def test_both_texts_are_shown_with_where_they_are_from_and_one_is_kept(alice: Person) -> None:
    diary.told(alice, "pat", "User's dog is called Rex.", agent_id="support-bot")
    diary.told(alice, "pat", "User's dog is called Bello.", agent_id="sales-bot")
    page = text(signed_in(alice).get("/conflicts"))
    assert all(part in page for part in ("Rex", "Bello", "support-bot", "sales-bot", "pat", "Keep the newer"))
    (row,) = diary.send(alice, "get", "tenant/conflicts").json()["data"]

    done = signed_in(alice).post(f"/conflicts/{row['id']}/resolve", {"keep": "b"}, follow=True)

    assert "Kept the newer one" in text(done)
    assert "Nothing in doubt" in text(done)
    assert [each.content for each in diary.rows(alice, "pat") if not each.is_archived] == [
        "User's dog is called Bello."
    ]
    settled = text(signed_in(alice).get("/conflicts?status=resolved"))
    assert "Rex" in settled
    assert "alice@example.com" in settled


@requirement("pages:conflicts")
def test_what_is_settled_already_is_told_beside_the_list(alice: Person) -> None:
    row = diary.in_doubt(alice, "pat")
    client = signed_in(alice)
    client.post(f"/conflicts/{row['id']}/resolve", {"keep": "a"})

    again = client.post(f"/conflicts/{row['id']}/resolve", {"keep": "b"}, follow=True)
    wrong = client.post(f"/conflicts/{row['id']}/resolve", {"keep": "nonsense"}, follow=True)

    assert "comes too late" in text(again)
    assert "must be one of" in text(wrong)
    assert [each.content for each in diary.rows(alice, "pat") if not each.is_archived] == ["User's dog is called Rex."]


@requirement("pages:conflicts")
def test_a_viewer_looks_only(alice: Person) -> None:
    row = diary.in_doubt(alice, "pat")
    viewer = person("vera", alice.account, Membership.Role.VIEWER)

    page = text(signed_in(viewer).get("/conflicts"))
    answer = signed_in(viewer).post(f"/conflicts/{row['id']}/resolve", {"keep": "a"})

    assert "Rex" in page
    assert "Keep the" not in page
    assert answer.status_code == 403
    assert not any(each.is_archived for each in diary.rows(alice, "pat"))


@requirement("pages:conflicts")
def test_a_member_decides(alice: Person, bob: Person) -> None:
    row = diary.in_doubt(alice, "pat")

    assert signed_in(bob).post(f"/conflicts/{row['id']}/resolve", {"keep": "neither"}).status_code == 302
    assert all(each.is_archived for each in diary.rows(alice, "pat"))


@requirement("pages:conflicts")
def test_hostile_text_is_shown_as_text(alice: Person) -> None:
    diary.told(alice, HOSTILE, f"User's dog is called Rex {HOSTILE}", agent_id=HOSTILE)
    diary.told(alice, HOSTILE, "User's dog is called Bello.")

    page = text(signed_in(alice).get("/conflicts"))

    assert "Bello" in page
    assert HOSTILE not in page


@requirement("pages:conflicts")
def test_nobody_sees_anything_without_signing_in_or_of_another_account(alice: Person, charlie: Person) -> None:
    row = diary.in_doubt(alice, "pat")

    assert Client().get("/conflicts").status_code in (302, 401, 403)
    assert "Nothing in doubt" in text(signed_in(charlie).get("/conflicts"))
    assert signed_in(charlie).post(f"/conflicts/{row['id']}/resolve", {"keep": "a"}).status_code == 404


@requirement("pages:conflicts")
@pytest.mark.parametrize("address", ["?page=nonsense", "?status=%00", "?status=open", "?page="])
def test_nothing_in_the_address_breaks_the_page(alice: Person, address: str) -> None:
    assert signed_in(alice).get(f"/conflicts{address}").status_code in (200, 400)


@requirement("pages:conflicts")
def test_the_page_costs_the_same_however_many_there_are(alice: Person, django_assert_num_queries: Any) -> None:
    for user in ("pat", "sam", "kim", "lee"):
        diary.in_doubt(alice, user)
    client = signed_in(alice)
    client.get("/conflicts")

    # Session and person 1 each; memberships 3; between a savepoint and its end how many there are, and the page.
    with django_assert_num_queries(2 + 3 + 4):
        client.get("/conflicts")


@requirement("end-users:conflicts:staff")
def test_staff_settle_a_conflict_with_a_reason_that_is_kept(alice: Person, client: Client) -> None:
    client.force_login(User.objects.create_superuser("staff@example.com", "long enough a password"))
    row = diary.in_doubt(alice, "pat")
    with isolation.account(alice.account.pk):
        pk = Conflict.objects.get(account=alice.account).pk
    url = reverse("admin:memories_conflict_changelist")
    chosen = {"action": "keep_newer", "_selected_action": [pk]}

    assert "Bello" in client.get(url, {"q": row["id"]}).content.decode()
    assert "Why? The audit log keeps it." in client.post(url, chosen).content.decode()
    done = client.post(url, {**chosen, "reason": "Asked for by the owner."}, follow=True).content.decode()
    assert "done to 1 of 1" in done
    late = {**chosen, "action": "keep_older", "reason": "Another try."}
    assert "comes too late" in client.post(url, late, follow=True).content.decode()
    with isolation.account(alice.account.pk):
        (entry,) = AuditEntry.objects.filter(thing="conflict", thing_id=row["id"])
    assert (entry.did, entry.reason) == ("settle as b", "Asked for by the owner.")
    assert [each.content for each in diary.rows(alice, "pat") if not each.is_archived] == [
        "User's dog is called Bello."
    ]
