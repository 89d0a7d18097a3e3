"""The audit log: append-only, by account, and longer-lived than what it tells of."""

import pytest
from django.db import DatabaseError, transaction

from accounts import audit, isolation
from accounts.errors import InvalidArguments
from accounts.models import AuditEntry, User
from tests.cast import Person
from tests.requirements import requirement


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_superuser("staff@example.com", "long enough a password")


@requirement("accounts:audit:append-only")
def test_the_database_refuses_to_change_or_delete_an_entry(staff: User, alice: Person) -> None:
    entry = audit.write(staff, "suspend", alice.account, reason="Unpaid.")

    for deed in (lambda rows: rows.update(reason="Nothing."), lambda rows: rows.delete()):
        with pytest.raises(DatabaseError, match="append-only"), isolation.every_account(), transaction.atomic():
            deed(AuditEntry.objects.filter(pk=entry.pk))

    with isolation.account(alice.account.pk):
        assert AuditEntry.objects.get().reason == "Unpaid."


@requirement("accounts:audit:by-account")
def test_an_entry_belongs_to_its_account_and_one_without_to_nobody(staff: User, alice: Person, charlie: Person) -> None:
    audit.write(staff, "suspend", alice.account, reason="Unpaid.")
    audit.write(staff, "change", staff, reason="A new name.")

    with isolation.account(charlie.account.pk):
        assert AuditEntry.objects.count() == 0
    with isolation.account(alice.account.pk):
        assert [entry.did for entry in AuditEntry.objects.all()] == ["suspend"]
    with isolation.every_account():
        assert AuditEntry.objects.count() == 2


@requirement("accounts:audit:outlives")
def test_the_log_outlives_the_account_and_the_person_it_tells_of(staff: User, alice: Person) -> None:
    audit.write(staff, "suspend", alice.account, reason="Unpaid.")
    with isolation.every_account():
        alice.account.delete()
        staff.delete()

        entry = AuditEntry.objects.select_related("account").get()
        assert (entry.by, entry.account_public_id, entry.thing) == ("staff@example.com", entry.thing_id, "account")


@requirement("accounts:audit:reason")
@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 501])
def test_nothing_is_written_without_a_reason_of_bearable_length(staff: User, alice: Person, reason: str) -> None:
    with pytest.raises(InvalidArguments, match="Say why"):
        audit.write(staff, "suspend", alice.account, reason=reason)
