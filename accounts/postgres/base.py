"""The database backend: Django's own, with fewer round trips, and a pool that gets over a restart of Postgres at once.

psycopg's pool can look at a connection before it hands it out. But after each dead one it waits, a second, then two,
then four; and after a restart they are all dead, so that the first callers would time out one after the other. Here the
first dead one empties the pool.

psycopg would send BEGIN by itself and wait for it. Here its connections stay in autocommit mode, and BEGIN goes out
with the transaction's first statement (see ahead.py).
"""

import select
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

from accounts.postgres.ahead import Ahead


class DatabaseWrapper(base.DatabaseWrapper):
    """Named by its package as ENGINE in the settings."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.ahead = Ahead()

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "cursor_factory": Cursor}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        pool: ConnectionPool[Any] | None = self.pool
        if pool is None or _is_alive(connection):
            return connection
        pool.drain()
        pool.putconn(connection)
        return super().get_new_connection(conn_params)

    def create_cursor(self, name: str | None = None) -> Any:
        if name is not None:
            # A cursor of the server's is declared by a statement of psycopg's, which takes nothing along.
            self.create_cursor().send_ahead()
        cursor = super().create_cursor(name)
        cursor.ahead = self.ahead
        return cursor

    def _set_autocommit(self, autocommit: bool) -> None:
        self.ahead.clear()
        if autocommit:
            super()._set_autocommit(autocommit)  # type: ignore[misc]
        else:
            self.ahead.statements.append("BEGIN")

    def _commit(self) -> None:
        self.ahead.clear()
        super()._commit()  # type: ignore[misc]

    def _rollback(self) -> None:
        self.ahead.clear()
        super()._rollback()  # type: ignore[misc]

    def _close(self) -> None:
        self.ahead.clear()
        super()._close()  # type: ignore[misc]


class Cursor(base.CursorMixin, psycopg.ClientCursor[Any]):
    """Takes along what is to be sent ahead; its results begin with the statement's own."""

    ahead: Ahead | None = None

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        if self.ahead is None or self.ahead.is_empty:
            super().execute(query, params, **options)
        elif not isinstance(query, str):
            self.send_ahead()
            super().execute(query, params, **options)
        else:
            with self._taken(self.ahead) as (before, after):
                super().execute("; ".join([*before, query, *after]), params, **options)
                self.set_result(len(before))
        return self

    def executemany(self, query: Any, params_seq: Any, **options: Any) -> None:
        self.send_ahead()
        super().executemany(query, params_seq, **options)

    def copy(self, statement: Any, params: Any = None, **options: Any) -> Any:
        self.send_ahead()
        return super().copy(statement, params, **options)

    def stream(self, query: Any, params: Any = None, **options: Any) -> Iterator[Any]:
        self.send_ahead()
        return super().stream(query, params, **options)

    def send_ahead(self) -> None:
        """Sends by itself what is noted: for a statement that takes nothing along."""
        if self.ahead is not None and not self.ahead.is_empty:
            self.ahead.is_last = False
            with self._taken(self.ahead) as (before, _):
                super().execute("; ".join(before))

    @contextmanager
    def _taken(self, ahead: Ahead) -> Iterator[tuple[list[str], list[str]]]:
        before, after = ahead.take()
        status = self.connection.info.transaction_status
        try:
            # A failed transaction takes nothing but its rollback, and with it goes what was noted.
            yield ([] if status == TransactionStatus.INERROR else before), after
        except psycopg.Error:
            if self.connection.info.transaction_status == status:
                ahead.put_back(before)
            raise


def _is_alive(connection: psycopg.Connection[Any]) -> bool:
    """A server that ends a connection says so, or at least closes it: then there is something to be read.

    Where there is, or where the system can't tell, one round trip shows what it is.
    """
    if hasattr(select, "poll"):
        waiting = select.poll()
        waiting.register(connection.fileno(), select.POLLIN)
        if not waiting.poll(0):
            return True
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        return False
    return True
