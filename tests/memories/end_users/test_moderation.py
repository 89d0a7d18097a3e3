"""What staff hide of an end user is gone from every read at once, comes back as it was, and every deed is on record."""

from typing import Any

import pytest
from django.urls import reverse

from accounts import isolation
from accounts.models import AuditEntry, User
from memories.end_users import moderation
from memories.end_users.intake import retrying
from memories.errors import FailedPrecondition
from memories.models import ExtractionJob, HiddenMemory, Memory
from tests.browsing import signed_in, text
from tests.cast import Person
from tests.memories.end_users import chats, diary
from tests.memories.end_users.diary import rows, send, told
from tests.requirements import requirement

WHY = "A person asked for it."
SAID = "User's codeword is heliotrope."


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_superuser("staff@example.com", "long enough a password")


def reads(who: Person, memory: str) -> dict[str, str]:
    """Every way that leads to a memory's text from outside."""
    asked = {"external_user_id": "pat", "query": "What is the codeword?"}
    forms = ("bullets", "json", "xml")
    paths = {
        "list": "memories?external_user_id=pat&include_archived=true",
        "one": f"memories/{memory}",
        "history": f"memories/{memory}/history",
        "conflicts": "tenant/conflicts",
        "export": "tenant/users/pat/export",
    }
    found = {name: b"".join(send(who, "get", path)).decode() for name, path in paths.items()}
    for form in forms:
        found[form] = send(who, "post", "memories/retrieve", {**asked, "format": form}).content.decode()
    found["as of"] = send(who, "post", "memories/retrieve", {**asked, "as_of": "2999-01-01T00:00:00Z"}).content.decode()
    found["page"] = text(signed_in(who).get("/end-users/user?id=pat&archived=yes"))
    found["conflicts page"] = text(signed_in(who).get("/conflicts"))
    return found


def row(who: Person, model: Any = Memory) -> Any:
    with isolation.account(who.account.pk):
        return model.objects.select_related("account", "end_user").latest("pk")


@requirement("end-users:moderation")
def test_a_hidden_memory_is_in_no_read_and_comes_back_as_it_was(alice: Person, staff: User) -> None:
    memory = told(alice, "pat", "User's codeword is mimosa.")
    send(alice, "patch", f"memories/{memory}", {"content": SAID, "importance_score": 8})
    before, shown = reads(alice, memory), send(alice, "get", f"memories/{memory}").json()
    history = send(alice, "get", f"memories/{memory}/history").json()
    assert sum("heliotrope" in answer for answer in before.values()) >= 8

    moderation.hide(staff, row(alice), reason=WHY)
    assert [name for name, answer in reads(alice, memory).items() if "heliotrope" in answer or "mimosa" in answer] == []
    assert send(alice, "get", f"memories/{memory}").status_code == 404

    moderation.restore_hidden(staff, row(alice, HiddenMemory), reason=WHY)
    assert send(alice, "get", f"memories/{memory}").json()["data"] == shown["data"]
    assert send(alice, "get", f"memories/{memory}/history").json()["data"] == history["data"]
    with isolation.account(alice.account.pk):
        assert not HiddenMemory.objects.exists()
        assert list(AuditEntry.objects.values_list("did", "by", "reason").order_by("pk")) == [
            ("hide", staff.email, WHY),
            ("restore", staff.email, WHY),
        ]


@requirement("end-users:moderation")
def test_what_took_the_place_of_another_is_linked_again(alice: Person, staff: User) -> None:
    chats.added(alice, "I live in Berlin.")
    chats.read_all(alice)
    chats.added(alice, "I moved to Lisbon.")
    chats.read_all(alice)
    old, new = rows(alice, "pat")
    assert new.previous_version_id == old.pk

    moderation.hide(staff, old, reason=WHY)
    moderation.restore_hidden(staff, row(alice, HiddenMemory), reason=WHY)
    newest, back = sorted(rows(alice, "pat"), key=lambda each: each.is_archived)
    assert newest.previous_version_id == back.pk
    assert (back.content, back.archived_as) == (old.content, old.archived_as)


@requirement("end-users:moderation")
def test_what_is_said_again_meanwhile_stands_in_the_way_and_is_named(alice: Person, staff: User) -> None:
    told(alice, "pat", SAID)
    moderation.hide(staff, row(alice), reason=WHY)
    told(alice, "pat", SAID)

    with pytest.raises(FailedPrecondition, match="remembered again"):
        moderation.restore_hidden(staff, row(alice, HiddenMemory), reason=WHY)
    assert row(alice, HiddenMemory).content == SAID
    moderation.delete(staff, row(alice), reason=WHY)
    moderation.restore_hidden(staff, row(alice, HiddenMemory), reason=WHY)
    assert [each.content for each in rows(alice, "pat")] == [SAID]


@requirement("end-users:moderation")
def test_erasing_a_person_takes_what_is_hidden_of_them_along(alice: Person, staff: User) -> None:
    told(alice, "pat", SAID)
    moderation.hide(staff, row(alice), reason=WHY)

    assert send(alice, "delete", "tenant/users/pat").status_code == 200
    with isolation.account(alice.account.pk):
        assert not HiddenMemory.objects.exists()


@requirement("end-users:moderation")
def test_staff_hide_restore_and_delete_by_the_admin_with_a_reason(alice: Person, staff: User, client: Any) -> None:
    told(alice, "pat", SAID)
    client.force_login(staff)

    def act(model: str, action: str, key: int, **more: str) -> str:
        given = {"action": action, "_selected_action": [key], **more}
        return text(client.post(reverse(f"admin:memories_{model}_changelist"), given, follow=True))

    memory = row(alice)
    assert "Say why" in act("memory", "hide", memory.pk, reason="  ")
    assert rows(alice, "pat") != []
    assert "done to 1 of 1" in act("memory", "hide", memory.pk, reason=WHY)
    assert rows(alice, "pat") == []
    assert SAID.replace("'", "&#x27;") in text(client.get(reverse("admin:memories_hiddenmemory_changelist")))
    assert "done to 1 of 1" in act("hiddenmemory", "restore", row(alice, HiddenMemory).pk, reason=WHY)
    assert "done to 1 of 1" in act("memory", "delete", row(alice).pk, reason=WHY)
    assert rows(alice, "pat") == []


@requirement("end-users:jobs:retry")
def test_staff_have_a_job_that_was_given_up_tried_again(alice: Person, staff: User) -> None:
    job_id = chats.added(alice, "I live in Lisbon.")
    with isolation.account(alice.account.pk):
        ExtractionJob.objects.update(status="dead", attempts=3, error_summary="RuntimeError")

    retrying.retry(staff, row(alice, ExtractionJob), reason=WHY)
    assert chats.job(alice, job_id)["status"] == "queued"
    chats.read_all(alice)
    assert chats.job(alice, job_id)["status"] == "completed"
    assert [each.content for each in diary.rows(alice, "pat")] == ["User lives in Lisbon."]
    with pytest.raises(FailedPrecondition):
        retrying.retry(staff, row(alice, ExtractionJob), reason=WHY)
