"""What goes to Postgres along with the next statement, and what becomes of it when something goes wrong."""

from typing import Any

import psycopg
import pytest
from django.db import DataError, IntegrityError, ProgrammingError, connection, transaction
from django.db.transaction import TransactionManagementError

from accounts import isolation
from accounts.models import Account, AgentKey
from accounts.postgres import ahead
from tests.cast import Person
from tests.requirements import requirement

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sent(monkeypatch: Any) -> list[str]:
    """Every message that waits for an answer of Postgres, in order: one round trip each."""
    messages: list[str] = []
    execute, commit, rollback = psycopg.ClientCursor.execute, psycopg.Connection.commit, psycopg.Connection.rollback

    def executed(cursor: Any, query: Any, *rest: Any, **options: Any) -> Any:
        messages.append(str(query))
        return execute(cursor, query, *rest, **options)

    def ended(name: str, end: Any) -> Any:
        def wrapped(open_connection: Any) -> None:
            if open_connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                messages.append(name)
            end(open_connection)

        return wrapped

    connection.ensure_connection()
    monkeypatch.setattr(psycopg.ClientCursor, "execute", executed)
    monkeypatch.setattr(psycopg.Connection, "commit", ended("COMMIT", commit))
    monkeypatch.setattr(psycopg.Connection, "rollback", ended("ROLLBACK", rollback))
    return messages


def named() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(current_setting(%s, true), '')", [isolation.SETTING])
        return str(cursor.fetchone()[0])


@requirement("accounts:isolation:round-trips")
def test_begin_and_the_name_go_along_with_the_first_statement(alice: Person, sent: list[str]) -> None:
    with isolation.account(alice.account.pk):
        assert AgentKey.objects.count() == 1
        assert AgentKey.objects.count() == 1

    first, second, last = sent
    assert first.startswith(f"BEGIN; SET LOCAL pam.account_id = '{alice.account.pk}'; SELECT")
    assert second.startswith("SELECT")
    assert last == "COMMIT"


@requirement("accounts:isolation:round-trips")
def test_a_transaction_of_one_statement_is_one_round_trip(alice: Person, sent: list[str]) -> None:
    with isolation.account(alice.account.pk, once=True):
        assert AgentKey.objects.update(name="renamed") == 1

    (only,) = sent
    assert only.startswith("BEGIN; ")
    assert only.endswith("; COMMIT")
    with isolation.account(alice.account.pk):
        assert AgentKey.objects.get().name == "renamed"
    assert named() == ""


@requirement("accounts:isolation:round-trips")
def test_an_empty_transaction_sends_nothing(alice: Person, sent: list[str]) -> None:
    with isolation.account(alice.account.pk):
        pass

    assert sent == []


@requirement("accounts:isolation:round-trips")
def test_a_second_statement_where_one_was_promised_is_refused(alice: Person) -> None:
    with isolation.account(alice.account.pk, once=True):
        assert AgentKey.objects.count() == 1
        with pytest.raises(TransactionManagementError):
            AgentKey.objects.update(name="too late")

    with isolation.account(alice.account.pk):
        assert AgentKey.objects.get().name != "too late"


@requirement("accounts:isolation:ends-with-the-transaction")
@pytest.mark.parametrize("once", [True, False])
def test_a_statement_that_fails_leaves_no_name_behind(alice: Person, once: bool) -> None:
    with pytest.raises(IntegrityError), isolation.account(alice.account.pk, once=once):
        AgentKey.objects.update(public_id=None)

    assert named() == ""
    assert AgentKey.objects.count() == 0


@requirement("accounts:isolation:ends-with-the-transaction")
@pytest.mark.parametrize("wrong", ["SELECT FROM FROM", "SELECT %s"], ids=["for Postgres", "for psycopg"])
def test_a_statement_that_never_ran_does_not_take_the_transaction_with_it(alice: Person, wrong: str) -> None:
    with isolation.account(alice.account.pk):
        with connection.cursor() as cursor, pytest.raises(ProgrammingError):
            cursor.execute(wrong, ["one", "two"] if "%s" in wrong else None)
        assert AgentKey.objects.update(name="taken back") == 1
        transaction.set_rollback(True)

    with isolation.account(alice.account.pk):
        assert AgentKey.objects.get().name != "taken back"


@requirement("accounts:isolation:ends-with-the-transaction")
def test_what_was_noted_for_a_failed_transaction_goes_with_it(alice: Person) -> None:
    with isolation.account(alice.account.pk), connection.cursor() as cursor:
        with transaction.atomic():
            with pytest.raises(DataError):
                cursor.execute("SELECT 1/0")
            ahead.send("SET LOCAL work_mem = '64kB'")
            transaction.set_rollback(True)
        cursor.execute("SHOW work_mem")
        assert cursor.fetchone()[0] != "64kB"
        assert AgentKey.objects.count() == 1


@requirement("accounts:isolation:ends-with-the-transaction")
def test_rows_read_by_a_cursor_of_the_server_and_many_at_once_are_the_accounts_own(
    alice: Person, charlie: Person
) -> None:
    with isolation.account(alice.account.pk):
        assert [key.account_id for key in AgentKey.objects.iterator(chunk_size=1)] == [alice.account.pk]
    with isolation.account(charlie.account.pk), connection.cursor() as cursor:
        cursor.executemany("UPDATE accounts_agentkey SET name = %s", [["one"], ["two"]])
    with (
        isolation.account(charlie.account.pk),
        connection.cursor() as cursor,
        cursor.copy("COPY (SELECT account_id FROM accounts_agentkey) TO STDOUT") as rows,
    ):
        assert b"".join(bytes(row) for row in rows).split() == [str(charlie.account.pk).encode()]
    with isolation.every_account():
        assert set(AgentKey.objects.values_list("account_id", "name")) >= {(charlie.account.pk, "two")}
        assert AgentKey.objects.filter(name="two").count() == 1


def test_nothing_of_a_transaction_rolled_back_by_an_error_in_python_stays(alice: Person) -> None:
    accounts = Account.objects.filter(pk=alice.account.pk)

    with pytest.raises(RuntimeError), transaction.atomic():
        raise RuntimeError(accounts.update(name="taken back"))

    assert Account.objects.get(pk=alice.account.pk).name != "taken back"
