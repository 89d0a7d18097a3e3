"""The database backend: Django's own, with a pool that gets over a restart of Postgres at once.

psycopg's pool can look at a connection before it hands it out. But after each dead one it waits, a second, then two,
then four; and after a restart they are all dead, so that the first callers would time out one after the other. Here the
first dead one empties the pool.
"""

from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """Named by its package as ENGINE in the settings."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        pool: ConnectionPool[Any] | None = self.pool
        if pool is None or _is_alive(connection):
            return connection
        pool.drain()
        pool.putconn(connection)
        return super().get_new_connection(conn_params)


def _is_alive(connection: psycopg.Connection[Any]) -> bool:
    """One round trip, a tenth of a millisecond on one machine."""
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        return False
    return True
