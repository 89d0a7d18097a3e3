"""Whose rows the database shows: the second of the two fences between tenants.

Every tenant table has row-level security, forced, with one policy: a row is visible and writable only while the
transaction names its account, or names every account on purpose. A query that forgets its filter finds nothing.
The name lives in the transaction (``SET LOCAL``), so a pooled connection never carries it on. It is sent together with
the next statement.

Nothing here knows what a caller may do; it only tells Postgres whose rows are meant.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, migrations, transaction

from accounts.postgres import ahead

SETTING = "pam.account_id"
EVERY_ACCOUNT = "*"
NOBODY = ""

# The sub-selects make Postgres read the setting once for a query instead of once for each row.
POLICY = f"""
    (SELECT current_setting('{SETTING}', true)) = '{EVERY_ACCOUNT}'
    OR account_id = (SELECT NULLIF(NULLIF(current_setting('{SETTING}', true), ''), '{EVERY_ACCOUNT}')::bigint)
"""


@contextmanager
def account(account_id: int, *, is_lasting: bool = True, once: bool = False) -> Iterator[None]:
    """A transaction that sees and writes the rows of one account and no others.

    One that is not `is_lasting` does not wait until the disk has it: only for work that is done again if the database
    falls within the second, because what it was made from was kept.

    `once`: the block holds a single statement, so that all of the transaction is one round trip. It is committed when
    that statement returns, whatever becomes of the block; a second one raises TransactionManagementError.
    """
    with _visible(str(int(account_id)), is_lasting=is_lasting, once=once):
        yield


@contextmanager
def every_account(*, once: bool = False) -> Iterator[None]:
    """A transaction that sees all rows: for staff pages, sweeps, and finding out whom a credential belongs to."""
    with _visible(EVERY_ACCOUNT, once=once):
        yield


@contextmanager
def _visible(value: str, *, is_lasting: bool = True, once: bool) -> Iterator[None]:
    outer = _named() if connection.in_atomic_block else NOBODY
    if outer == value:
        yield
        return
    nested = connection.in_atomic_block
    with transaction.atomic():
        _name(value)
        if not is_lasting and not nested:
            ahead.send("SET LOCAL synchronous_commit = off")
        if once and not nested:
            ahead.commit()
        try:
            yield
            if nested:
                _name(outer)
        finally:
            # A rollback takes the setting back by itself; only our own note of it has to follow.
            _note(outer)


def _named() -> str:
    named: str = getattr(connection, "pam_account", NOBODY)
    return named


def _note(value: str) -> None:
    connection.pam_account = value  # type: ignore[attr-defined]


def _name(value: str) -> None:
    ahead.send(f"SET LOCAL {SETTING} = '{value}'")
    _note(value)


def protect(table: str) -> migrations.RunSQL:
    """The migration step that puts a tenant table (one with `account_id`) behind row-level security."""
    return migrations.RunSQL(
        sql=[
            f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY',
            f'ALTER TABLE "{table}" FORCE ROW LEVEL SECURITY',
            f'CREATE POLICY account_only ON "{table}" USING ({POLICY}) WITH CHECK ({POLICY})',
        ],
        reverse_sql=[
            f'DROP POLICY account_only ON "{table}"',
            f'ALTER TABLE "{table}" NO FORCE ROW LEVEL SECURITY',
            f'ALTER TABLE "{table}" DISABLE ROW LEVEL SECURITY',
        ],
    )
