"""Looking for what must not be there any more: in every table, every key of Valkey and every file of a run."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.db import connection
from django_redis import get_redis_connection

from accounts import isolation

_READ = {
    b"string": lambda valkey, key: [valkey.get(key)],
    b"hash": lambda valkey, key: [part for pair in valkey.hgetall(key).items() for part in pair],
    b"list": lambda valkey, key: valkey.lrange(key, 0, -1),
    b"set": lambda valkey, key: valkey.smembers(key),
    b"zset": lambda valkey, key: valkey.zrange(key, 0, -1),
    b"stream": lambda valkey, key: [repr(valkey.xrange(key)).encode()],
}
#: What Postgres and Valkey keep their data in: Postgres drops dead rows and its log of changes in its own time.
_STORES = ("postgres", "valkey")


def tables() -> list[str]:
    """Every table of the database, ours or a library's, as Postgres lists them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        return [name for (name,) in cursor.fetchall()]


def in_tables(needles: Iterable[str]) -> set[tuple[str, str]]:
    """(table, needle) wherever a row, written out as text, has one; bytes are looked through as well."""
    found = set()
    with isolation.every_account(), connection.cursor() as cursor:
        for table in tables():
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608
            text = "\n".join(row for (row,) in cursor.fetchall())
            found |= {(table, each) for each in needles if each in text or each.encode().hex() in text}
    return found


def in_valkey(needles: Iterable[str]) -> set[tuple[str, str]]:
    """(key, needle) wherever a key's name or content has one."""
    valkey: Any = get_redis_connection()
    found = set()
    for key in valkey.keys("*"):
        content = b"\n".join([key, *(part or b"" for part in _READ[valkey.type(key)](valkey, key))])
        found |= {(key.decode(errors="replace"), each) for each in needles if each.encode() in content}
    return found


def in_files(needles: Iterable[str]) -> set[tuple[str, str]]:
    """(file, needle) for the files of the run's folder: logs, configuration, whatever lies there."""
    home = Path(os.environ["PAM_HOME"])
    found = set()
    for path in home.rglob("*"):
        if path.is_file() and path.relative_to(home).parts[0] not in _STORES:
            content = path.read_bytes()
            found |= {(str(path), each) for each in needles if each.encode() in content}
    return found
