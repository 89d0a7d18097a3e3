"""What staff hide is gone from every read at once, comes back as it was, and every deed is on record."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts import isolation
from accounts.errors import InvalidArguments, NotFound
from accounts.models import AuditEntry, User
from memories.agents import briefing, export, listing, moderation, record, searching, spaces
from memories.errors import FailedPrecondition
from memories.models import Record, Space, Summary, Tombstone
from tests.browsing import signed_in, text
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.memories.agents.notebook import item, noted
from tests.requirements import requirement

TEXT = "The clock chimes heliotrope at noon"
WHY = "A person asked for it."


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_superuser("staff@example.com", "long enough a password")


def made(person: Person) -> tuple[str, str, str]:
    """A session in a space with the statement in its record and its summary: ids of space, summary and record."""
    space = spaces.create(person.agent, name="Heliotrope space").id
    session = record.summary(
        person.agent,
        agent="clockmaker",
        session="one",
        text=f"{TEXT}, it was said.",
        items=[item(TEXT)],
        space_id=space,
    )
    return space, session.summary.id, session.items[0].record.id


def row(model: Any, person: Person, public_id: str) -> Any:
    with isolation.account(person.account.pk):
        return model.objects.select_related("account").get(public_id=public_id)


def _tool(person: Person, name: str, **arguments: Any) -> str:
    return json.dumps(Wire(person.secret, path="/v1/mcp").result("tools/call", {"name": name, "arguments": arguments}))


READS: dict[str, Callable[[Person], str]] = {
    "list": lambda person: str(listing.records(person.agent)),
    "summaries": lambda person: str(listing.summaries(person.agent)),
    "search by words": lambda person: str(searching.search(person.agent, query="heliotrope", include_inactive=True)),
    "search of agents": lambda person: _tool(person, "memory_search_records", query="What does the clock chime?"),
    "brief": lambda person: str(briefing.brief(person.agent, about="the clock").structured()),
    "brief of agents": lambda person: _tool(person, "brief_me", about="the clock"),
    "export": lambda person: "".join(export.lines(person.agent)),
    "spaces": lambda person: str(spaces.listed(person.agent)),
    "page": lambda person: text(signed_in(person).get("/memories")),
    "search on the page": lambda person: text(signed_in(person).get("/memories?q=clock")),
    "spaces page": lambda person: text(signed_in(person).get("/memories/spaces")),
    "company memory": lambda person: json.dumps(Wire(person.secret).call(prompt="What does the clock chime at noon?")),
}
#: Where each kind of thing is to be seen while it is not hidden.
SHOWN_BY = {
    Record: {"list", "search by words", "search of agents", "brief", "brief of agents", "export", "page"}
    | {"search on the page"},
    Summary: {"summaries", "export"},
    Space: {"list", "summaries", "search by words", "search of agents", "brief", "brief of agents", "export", "page"}
    | {"spaces", "spaces page", "search on the page"},
}


def seen(person: Person) -> set[str]:
    return {name for name, read in READS.items() if "heliotrope" in read(person).lower()}


@requirement("knowledge:moderation:hidden")
@pytest.mark.parametrize("model", [Record, Summary, Space])
def test_what_is_hidden_is_gone_from_every_read_and_comes_back(alice: Person, staff: User, model: Any) -> None:
    ids = dict(zip((Space, Summary, Record), made(alice), strict=True))
    if model is not Space:
        # Only the thing in question says the word that is looked for.
        with isolation.account(alice.account.pk):
            Space.objects.update(name="Room")
            (Summary if model is Record else Record).objects.all().delete()
    thing = row(model, alice, ids[model])
    before = seen(alice)
    assert before >= SHOWN_BY[model]

    moderation.hide(staff, thing, reason=WHY)
    assert seen(alice) == set()
    with pytest.raises(FailedPrecondition, match="is hidden already"):
        moderation.hide(staff, thing, reason=WHY)

    moderation.restore(staff, thing, reason=WHY)
    assert seen(alice) == before
    with pytest.raises(FailedPrecondition, match="is not hidden"):
        moderation.restore(staff, thing, reason=WHY)


@requirement("knowledge:moderation:hidden")
@pytest.mark.parametrize("model", [Record, Space])
def test_what_is_hidden_is_not_there_by_id_either_nor_named_by_others(alice: Person, staff: User, model: Any) -> None:
    space, _, old = made(alice)
    new = noted(alice.agent, "The clock is silent", supersedes=old)

    moderation.hide(staff, row(model, alice, {Record: old, Space: space}[model]), reason=WHY)

    with pytest.raises(NotFound) as refused:
        listing.record(alice.agent, old)
    assert str(refused.value) == f"There is no record '{old}'."
    history = listing.history(alice.agent, new)
    assert history.earlier == []
    assert history.record.supersedes == ""
    assert signed_in(alice).get(f"/memories/records/{old}").status_code == 404
    assert old not in text(signed_in(alice).get(f"/memories/records/{new}"))
    with pytest.raises(NotFound):
        noted(alice.agent, "It chimes at one", supersedes=old)


@requirement("knowledge:moderation:hidden")
def test_a_hidden_record_is_neither_similar_nor_seen_again(alice: Person, staff: User) -> None:
    hidden = noted(alice.agent, TEXT)
    moderation.hide(staff, row(Record, alice, hidden), reason=WHY)

    again = record.summary(alice.agent, session="two", items=[item(TEXT), item(f"{TEXT} sharp")])

    assert [taken.outcome for taken in again.items] == ["created", "created"]
    assert hidden not in str(again.structured())


@requirement("knowledge:moderation:hidden")
def test_neighbours_are_not_found_by_what_is_hidden(alice: Person, staff: User) -> None:
    session = record.summary(
        alice.agent, session="one", items=[item("The depot is blue", "fact"), item(TEXT), item("Inge keeps it", "fact")]
    )
    beside = {taken.record.id for taken in session.items if taken.record.text != TEXT}
    thing = row(Record, alice, session.items[1].record.id)

    def found() -> set[str]:
        return {hit.record.id for hit in searching.search(alice.agent, query="heliotrope").records}

    before = found()
    assert before & beside
    moderation.hide(staff, thing, reason=WHY)
    assert found() == set()
    moderation.restore(staff, thing, reason=WHY)
    assert found() == before
    moderation.delete(staff, thing, reason=WHY)
    assert found() == set()


@requirement("knowledge:moderation:twin")
def test_a_record_that_is_active_again_elsewhere_is_not_restored(alice: Person, staff: User) -> None:
    hidden = row(Record, alice, noted(alice.agent, TEXT))
    moderation.hide(staff, hidden, reason=WHY)
    twin = noted(alice.agent, f"{TEXT}.")

    with pytest.raises(FailedPrecondition, match=f"{twin} says the same meanwhile"):
        moderation.restore(staff, hidden, reason=WHY)
    with pytest.raises(IntegrityError), isolation.account(alice.account.pk), transaction.atomic():
        Record.objects.filter(pk=hidden.pk).update(hidden_at=None)

    moderation.delete(staff, row(Record, alice, twin), reason=WHY)
    moderation.restore(staff, hidden, reason=WHY)
    assert listing.record(alice.agent, hidden.public_id).text == TEXT


@requirement("knowledge:moderation:delete")
@pytest.mark.parametrize("model", [Record, Summary, Space])
def test_what_staff_delete_leaves_a_tombstone_only(alice: Person, staff: User, model: Any) -> None:
    ids = dict(zip((Space, Summary, Record), made(alice), strict=True))
    thing = row(model, alice, ids[model])

    moderation.delete(staff, thing, reason=WHY)

    with isolation.account(alice.account.pk):
        left = {kind for kind in (Space, Summary, Record) if kind.objects.exists()}
        assert left == ({Space, Summary, Record} - {model} if model is not Space else set())
        stone = Tombstone.objects.get()
        assert (stone.thing, stone.thing_id) == (model.__name__.lower(), ids[model])
        assert stone.deleted_by == "staff@example.com"
    with pytest.raises(NotFound):
        moderation.hide(staff, thing, reason=WHY)


@requirement("knowledge:moderation:audited")
def test_every_deed_is_on_record_and_none_happens_without_a_reason(alice: Person, staff: User) -> None:
    hers = row(Record, alice, noted(alice.agent, TEXT))
    for deed in (moderation.hide, moderation.delete):
        with pytest.raises(InvalidArguments, match="Say why"):
            deed(staff, hers, reason=" ")
    assert listing.record(alice.agent, hers.public_id).text == TEXT

    moderation.hide(staff, hers, reason="It names a customer; her token was sk_live_51H8aX2eZvKYlo2C0TzvJ7pQmW9dLrNb.")
    moderation.restore(staff, hers, reason="It does not.")
    moderation.delete(staff, hers, reason="It does.")

    with isolation.account(alice.account.pk):
        entries = list(AuditEntry.objects.order_by("id").values_list("did", "thing", "thing_id", "by"))
        assert entries == [(did, "record", hers.public_id, staff.email) for did in ("hide", "restore", "delete")]
        kept = " ".join(AuditEntry.objects.values_list("reason", flat=True))
    assert "It names a customer" in kept
    assert "sk_live" not in kept
    assert "heliotrope" not in kept


@requirement("knowledge:moderation:audited")
def test_staff_moderate_in_the_admin_by_actions_that_ask_why(alice: Person, staff: User, client: Client) -> None:
    client.force_login(staff)
    _, _, hers = made(alice)
    thing = row(Record, alice, hers)
    url = reverse("admin:memories_record_changelist")
    chosen = {"action": "hide", "_selected_action": [thing.pk]}

    assert TEXT in client.get(url, {"q": hers}).content.decode()
    assert TEXT in client.get(url, {"q": alice.account.public_id}).content.decode()
    assert TEXT in client.get(reverse("admin:memories_record_change", args=[thing.pk])).content.decode()
    assert "Why? The audit log keeps it." in client.post(url, chosen).content.decode()
    assert "done to 1 of 1" in client.post(url, {**chosen, "reason": WHY}, follow=True).content.decode()
    assert (
        f"{hers}: {hers} is hidden already."
        in client.post(url, {**chosen, "reason": WHY}, follow=True).content.decode()
    )
    assert WHY in client.get(reverse("admin:accounts_auditentry_changelist"), {"q": hers}).content.decode()
    assert client.get(reverse("admin:memories_record_delete", args=[thing.pk])).status_code == 403
    with pytest.raises(NotFound):
        listing.record(alice.agent, hers)
