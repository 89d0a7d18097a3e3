"""A copy of the whole database in one file, and putting it back, with Postgres' own pg_dump and pg_restore.

Both run as the role that PAM lives under: the policy of every table lets it see all accounts when it says so, and a
dump has the policies behind the data, so that an empty database can be filled before they bind. Extensions are left
out: a superuser made them with the database (docs/operations.md). Valkey holds nothing that has to be kept.
"""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from django.core.cache import cache
from django.db import connection

from accounts import isolation
from pam.local import postgres
from pam.local.errors import LocalError

_DUMP = ["--format=custom", "--enable-row-security", "--exclude-extension=*"]
_RESTORE = ["--single-transaction", "--exit-on-error"]
_SHARED = ["--no-owner", "--no-privileges", "--no-comments"]


class BackupFailed(Exception):
    """With what pg_dump or pg_restore said."""


class NotEmpty(Exception):
    """There are tables where a copy would be put back."""


def save(file: Path) -> None:
    """Writes the copy, readable by its owner only; `file` is whole or not there. Other work goes on meanwhile.

    Raises BackupFailed, and FileExistsError for a file that is there already.
    """
    if file.exists():
        raise FileExistsError(file)
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        _run("pg_dump", [*_DUMP, *_SHARED, f"--file={part}"])
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)


def put_back(file: Path, *, replace: bool) -> None:
    """Fills the database from the copy, all of it or nothing.

    With `replace`, what is there goes first and for good: where the copy cannot be put back then, the database is left
    empty. The processes have to be started anew afterwards: they keep copies of what they read. Raises BackupFailed,
    FileNotFoundError and, without `replace`, NotEmpty.
    """
    if not file.exists():
        raise FileNotFoundError(file)
    if _has_tables():
        if not replace:
            raise NotEmpty
        _run("pg_restore", ["--list", str(file)])  # Whether it is a copy at all is asked before anything goes.
        with connection.cursor() as cursor:
            cursor.execute("DROP OWNED BY CURRENT_USER")
    connection.close()
    _run("pg_restore", [*_RESTORE, *_SHARED, f"--dbname={connection.settings_dict['NAME']}", str(file)])
    cache.clear()


def _has_tables() -> bool:
    return "django_migrations" in connection.introspection.table_names()


def _run(program: str, arguments: list[str]) -> None:
    command = [str(_found(program)), *arguments]
    done = subprocess.run(command, env={**os.environ, **_environment()}, capture_output=True, text=True)
    if done.returncode:
        raise BackupFailed(done.stderr.strip()[-2000:] or f"{program} failed.")


def _found(program: str) -> Path:
    """The wheel's, whose version is known to fit, else what is on the path. Raises BackupFailed without either."""
    with suppress(LocalError):
        return postgres.programs() / program
    on_path = shutil.which(program)
    if on_path is None:
        raise BackupFailed(f"{program} is not installed: it comes with Postgres' client programs, 17 or newer.")
    return Path(on_path)


def _environment() -> dict[str, str]:
    """How libpq is told where the database is, and to see every account."""
    given = connection.settings_dict
    named = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    told = {name: str(given[key]) for name, key in named.items() if given[key]}
    ssl = given["OPTIONS"].get("sslmode")
    seeing = {"PGOPTIONS": f"-c {isolation.SETTING}={isolation.EVERY_ACCOUNT}"}
    return {**told, **seeing, **({"PGSSLMODE": str(ssl)} if ssl else {})}
