"""A copy of the database, made while PAM runs, is put into another one and answers there as it did here."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.db import connection

from tests.belongings import belongings
from tests.cast import Person
from tests.requirements import requirement

OTHER = "restored"
ASK = """
from accounts import keys
from accounts.caller import Caller
from memories import deadline
from memories.agents import searching
from memories.company.answering import retrieve
key = keys.recognise({secret!r})
caller = Caller(account=key.account, surface="agent_key", scopes=frozenset(key.scopes), key=key)
asked = {{"prompt": "Who owns billing at Lumen Ferry?", "deadline": deadline.Deadline.after(60)}}
print(retrieve.retrieve(caller, **asked).content_text)
print(searching.search(caller, query="Adyen billing").records[0].record.text)
"""


def address(name: str) -> str:
    there = connection.settings_dict
    return f"postgresql://{there['USER']}:{there['PASSWORD']}@{there['HOST']}:{there['PORT']}/{name}"


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The address of another database on the same server, made as a new install's is."""
    name = f"{OTHER}_{connection.settings_dict['NAME']}"
    with psycopg.connect(address("postgres"), autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}"')
        server.execute(f'CREATE DATABASE "{name}"')
        yield address(name)
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def manage(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(configured.BASE_DIR / "manage.py"), *arguments]
    given = {**os.environ, "DATABASE_URL": url, "REDIS_URL": configured.REDIS_URL}
    return subprocess.run(command, env=given, capture_output=True, text=True)


@requirement("operations:backup")
@pytest.mark.django_db(transaction=True)
def test_a_copy_put_into_an_empty_database_answers_as_before(
    alice: Person, charlie: Person, empty_database: str, tmp_path: Path
) -> None:
    belongings(alice)
    belongings(charlie)
    file = tmp_path / "pam.backup"

    call_command("backup", file)
    done = manage(empty_database, "restore", str(file))
    assert done.returncode == 0, done.stderr
    assert file.stat().st_mode & 0o077 == 0

    shown = manage(empty_database, "shell", "--no-imports", "-c", ASK.format(secret=alice.secret))
    assert shown.returncode == 0, shown.stderr
    told = shown.stdout
    assert "Ines Okafor owns billing at Lumen Ferry" in told
    assert "Billing moves to Adyen" in told
    with psycopg.connect(empty_database) as there, connection.cursor() as here:
        # Nobody's rows are seen without naming an account, so the second fence stands there, too.
        assert there.execute("SELECT count(*) FROM memories_memory").fetchone() == (0,)
        there.execute("SET pam.account_id = '*'")
        here.execute("SET pam.account_id = '*'")
        for table in connection.introspection.table_names(here):
            # The schema of each is checked by the migrations, which find nothing to do.
            here.execute(f'SELECT count(*) FROM "{table}"')
            assert there.execute(f'SELECT count(*) FROM "{table}"').fetchone() == here.fetchone(), table
        here.execute("RESET pam.account_id")


@requirement("operations:backup")
@pytest.mark.django_db(transaction=True)
def test_what_is_there_is_replaced_only_on_demand_and_only_by_a_copy(
    alice: Person, empty_database: str, tmp_path: Path
) -> None:
    file, nonsense = tmp_path / "pam.backup", tmp_path / "nonsense"
    nonsense.write_text("nothing of the kind")
    call_command("backup", file)
    assert manage(empty_database, "restore", str(file)).returncode == 0

    refused = manage(empty_database, "restore", str(file))
    spoiled = manage(empty_database, "restore", str(nonsense), "--replace")
    with psycopg.connect(empty_database) as there:
        assert there.execute("SELECT count(*) FROM accounts_user").fetchone() == (1,)
    again = manage(empty_database, "restore", str(file), "--replace")

    assert "--replace" in refused.stderr
    assert "Nothing was put back" in spoiled.stderr
    assert "Everything is back" in again.stdout
    assert "There is no file" in manage(empty_database, "restore", str(tmp_path / "none")).stderr


@requirement("operations:backup")
@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "pam.backup"
    file.write_text("the last copy")

    with pytest.raises(CommandError, match="there already"):
        call_command("backup", file)
    assert file.read_text() == "the last copy"
    assert list(tmp_path.iterdir()) == [file]
