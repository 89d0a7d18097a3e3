"""What is sent to Postgres together with the next statement: BEGIN, the account's name, settings of the transaction.

A round trip costs more than any of them: two processes wake and wait for each other. So they are noted here, and the
next statement takes them along in one message. Nothing noted is ever lost to a statement: it goes out before the
statement does, or the transaction is over.
"""

from dataclasses import dataclass, field
from typing import cast

from django.db import connection
from django.db.transaction import TransactionManagementError


@dataclass
class Ahead:
    """Of one connection. `statements` are whole ones without parameters, in the order in which they are meant."""

    statements: list[str] = field(default_factory=list)
    #: The next statement is the transaction's only one, and COMMIT goes with it.
    is_last: bool = False
    #: It has been sent: nothing may follow in this transaction.
    is_over: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.statements or self.is_last or self.is_over)

    def clear(self) -> None:
        self.statements, self.is_last, self.is_over = [], False, False

    def take(self) -> tuple[list[str], list[str]]:
        """What goes before and after the next statement. Raises TransactionManagementError after the only one."""
        if self.is_over:
            raise TransactionManagementError("This transaction was to be of one statement, and that was sent.")
        taken = self.statements, ["COMMIT"] if self.is_last else []
        self.statements, self.is_over = [], self.is_last
        return taken

    def put_back(self, statements: list[str]) -> None:
        """After a statement that never reached Postgres."""
        self.statements, self.is_over = [*statements, *self.statements], False


def send(*statements: str) -> None:
    """Notes statements that have no parameters and whose results nobody reads, for the transaction under way.

    What a rollback may forget, like `SET LOCAL`: it is dropped if the transaction fails before the next statement.
    """
    _of_this_thread().statements.extend(statements)


def commit() -> None:
    """The next statement of this transaction is its only one: COMMIT goes along with it, and is waited for with it."""
    _of_this_thread().is_last = True


def _of_this_thread() -> Ahead:
    return cast(Ahead, connection.ahead)  # type: ignore[attr-defined]
