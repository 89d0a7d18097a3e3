"""Who reads and writes where."""

from dataclasses import replace

import pytest

from accounts.errors import InvalidArguments, NotFound, PermissionMissing
from memories.agents import listing, record, spaces
from memories.errors import AlreadyExists
from tests.cast import Person, person
from tests.memories.agents.notebook import item, noted
from tests.requirements import requirement


@pytest.fixture
def dora(alice: Person) -> Person:
    """Another member of Alice's account."""
    return person("dora", alice.account, "member")


@pytest.fixture
def vera(alice: Person) -> Person:
    """She only looks."""
    return person("vera", alice.account, "viewer")


@requirement("knowledge:spaces:members")
def test_a_space_is_there_for_its_members_and_owners_only(alice: Person, bob: Person, dora: Person) -> None:
    made = spaces.create(bob.agent, name="Payments")

    assert [(each.id, each.can_write) for each in spaces.listed(bob.agent)] == [(made.id, True)]
    assert [(each.id, each.can_write) for each in spaces.listed(alice.agent)] == [(made.id, True)]
    assert spaces.listed(dora.agent) == []


@requirement("knowledge:spaces:members")
def test_a_reader_reads_and_does_not_write(bob: Person, dora: Person) -> None:
    made = spaces.create(bob.agent, name="Payments")
    kept = noted(bob.agent, "Invoices go out on Monday", space_id=made.id)
    spaces.admit(bob.agent, made.id, "DORA@example.com", can_write=False)

    assert listing.record(dora.agent, kept).text == "Invoices go out on Monday"
    with pytest.raises(PermissionMissing):
        record.summary(dora.agent, text="x", space_id=made.id)
    spaces.dismiss(bob.agent, made.id, "dora@example.com")
    with pytest.raises(NotFound):
        listing.record(dora.agent, kept)


@requirement("knowledge:spaces:not-found")
def test_a_space_not_read_answers_like_one_that_never_was(bob: Person, dora: Person, charlie: Person) -> None:
    made = spaces.create(bob.agent, name="Payments")
    for caller in (dora.agent, charlie.agent):
        for call in (
            lambda space_id: listing.records(caller, space_id=space_id),  # noqa: B023
            lambda space_id: record.summary(caller, text="x", space_id=space_id),  # noqa: B023
        ):
            told = []
            for space_id in (made.id, "lab_01JD8Z3QK4W5X6Y7Z8A9B0C1D2"):
                with pytest.raises(NotFound) as refused:
                    call(space_id)
                told.append(refused.value.message.replace(space_id, "…"))
            assert told[0] == told[1]


@requirement("knowledge:spaces:open")
def test_an_open_space_is_the_whole_accounts(alice: Person, bob: Person, vera: Person) -> None:
    made = spaces.create(alice.agent, name="Everyone", access="account")
    noted(bob.agent, "Lunch is at noon", space_id=made.id)

    assert [row.text for row in listing.records(vera.agent).records] == ["Lunch is at noon"]
    with pytest.raises(PermissionMissing):
        record.summary(vera.agent, text="x", space_id=made.id)
    with pytest.raises(PermissionMissing):
        record.summary(vera.agent, text="x")


@requirement("knowledge:spaces:whole")
def test_without_a_space_everything_that_one_reads_is_listed(alice: Person, bob: Person, dora: Person) -> None:
    made = spaces.create(bob.agent, name="Payments")
    noted(bob.agent, "In the space", space_id=made.id)
    noted(bob.agent, "In the account")

    assert {row.text for row in listing.records(bob.agent).records} == {"In the space", "In the account"}
    assert [row.text for row in listing.records(dora.agent).records] == ["In the account"]
    assert [row.text for row in listing.records(bob.agent, space_id=made.id).records] == ["In the space"]


@requirement("knowledge:spaces:key-without-a-person")
def test_a_key_without_a_person_reaches_open_spaces_only(alice: Person, bob: Person) -> None:
    closed = spaces.create(bob.agent, name="Payments")
    key = alice.agent.key
    assert key is not None
    key.created_by = None
    machine = replace(alice.agent, key=key)

    with pytest.raises(NotFound):
        listing.records(machine, space_id=closed.id)
    with pytest.raises(InvalidArguments):
        spaces.create(machine, name="Mine")
    assert spaces.create(machine, name="Ours", access="account").can_write


@requirement("knowledge:spaces:names")
def test_a_name_is_taken_once_in_an_account(alice: Person, charlie: Person) -> None:
    spaces.create(alice.agent, name="Payments")
    spaces.create(charlie.agent, name="Payments")

    with pytest.raises(AlreadyExists):
        spaces.create(alice.agent, name=" Payments ")


@requirement("knowledge:spaces:delete")
def test_deleting_a_space_takes_its_records_and_no_others(alice: Person, bob: Person, charlie: Person) -> None:
    made = spaces.create(bob.agent, name="Payments")
    gone = noted(bob.agent, "In the space", space_id=made.id)
    noted(bob.agent, "In the account")
    noted(charlie.agent, "Elsewhere")

    with pytest.raises(PermissionMissing):
        spaces.delete(bob.agent, made.id)
    spaces.delete(alice.agent, made.id)

    assert [row.text for row in listing.records(alice.agent).records] == ["In the account"]
    assert [row.text for row in listing.records(charlie.agent).records] == ["Elsewhere"]
    with pytest.raises(NotFound):
        listing.record(alice.agent, gone)
    with pytest.raises(NotFound):
        record.summary(alice.agent, items=[item("x")], space_id=made.id)
