"""Embedded Postgres and Valkey: what they keep, and what they shrug off."""

import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from pam.local import addresses, system_user
from pam.local.servers import Servers
from tests.pam.local.conftest import Kept
from tests.requirements import requirement

Start = Callable[[Path], Servers]


def _processes(folder: Path) -> list[psutil.Process]:
    """The servers of a folder and all of their children, by the folder they work in."""
    servers = [p for p in psutil.process_iter(["name", "cwd"]) if p.info["name"] in ("postgres", "valkey-server")]
    return [p for p in servers if p.info["cwd"] and Path(p.info["cwd"]).is_relative_to(folder)]


def _kill(folder: Path) -> None:
    processes = _processes(folder)
    assert {process.info["name"] for process in processes} == {"postgres", "valkey-server"}
    for process in processes:
        process.send_signal(signal.SIGKILL)
    psutil.wait_procs(processes, timeout=10)


@requirement("local:kill-9")
def test_data_outlives_a_kill_of_everything(servers_in: Start, tmp_path: Path) -> None:
    first = servers_in(tmp_path)
    Kept(first).write("before the kill")
    _kill(tmp_path)

    assert Kept(servers_in(tmp_path)).read() == (["before the kill"], "before the kill")


@requirement("local:kill-9")
def test_servers_that_a_killed_run_left_alive_are_stopped_and_replaced(
    servers_in: Start, said: list[str], tmp_path: Path
) -> None:
    left_behind = servers_in(tmp_path)
    Kept(left_behind).write("by the killed run")
    old = {process.pid for process in _processes(tmp_path)}

    again = servers_in(tmp_path)

    assert Kept(again).read() == (["by the killed run"], "by the killed run")
    assert old & {process.pid for process in _processes(tmp_path)} == set()
    assert sum("left behind" in line for line in said) == 2
    assert again.addresses == left_behind.addresses


@requirement("local:kill-9")
def test_a_stale_pid_file_that_names_somebody_elses_process_does_not_stop_the_start(
    servers_in: Start, tmp_path: Path
) -> None:
    servers_in(tmp_path).stop()
    owner = (tmp_path / "postgres").stat()
    pid_file = tmp_path / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{tmp_path / 'postgres'}\n1\n5432\n\n127.0.0.1\n0 0\nready\n")
    os.chown(pid_file, owner.st_uid, owner.st_gid)

    Kept(servers_in(tmp_path)).write("started")


@requirement("local:side-by-side")
def test_two_folders_run_side_by_side_each_with_its_own_data(servers_in: Start, tmp_path: Path) -> None:
    one, two = servers_in(tmp_path / "one"), servers_in(tmp_path / "two")
    Kept(one).write("one")
    Kept(two).write("two")

    assert Kept(one).read() == (["one"], "one")
    assert Kept(two).read() == (["two"], "two")
    _kill(tmp_path / "one")
    assert Kept(two).read() == (["two"], "two")


@requirement("local:deep-checkout")
def test_a_folder_deeper_than_a_socket_path_may_be_long_works(servers_in: Start, tmp_path: Path) -> None:
    deep = tmp_path / ("deep " * 12).strip() / ("deeper" * 20)
    Kept(servers_in(deep)).write("down here")


@requirement("local:own-servers")
def test_a_server_of_ones_own_is_used_and_not_started(tmp_path: Path, said: list[str]) -> None:
    given = {"DATABASE_URL": "postgres://pam@db.example.com/pam", "REDIS_URL": "redis://valkey.example.com:6379/0"}
    servers = Servers(tmp_path, given, say=said.append)

    servers.start()

    assert servers.addresses == given
    assert _processes(tmp_path) == []
    assert addresses.of(tmp_path) == {}


@requirement("local:own-servers")
def test_either_server_may_be_ones_own(tmp_path: Path, said: list[str]) -> None:
    servers = Servers(tmp_path, {"DATABASE_URL": "postgres://pam@db.example.com/pam"}, say=said.append)
    servers.start()
    try:
        with redis.Redis.from_url(servers.addresses["REDIS_URL"]) as valkey:
            assert valkey.ping()
        assert {process.info["name"] for process in _processes(tmp_path)} == {"valkey-server"}
    finally:
        servers.stop()


@requirement("local:plain-role")
def test_the_application_role_stands_under_row_level_security(servers_in: Start, tmp_path: Path) -> None:
    with psycopg.connect(servers_in(tmp_path).addresses["DATABASE_URL"]) as connection:
        role = "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user"
        owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()"
        extensions = {name for (name,) in connection.execute("SELECT extname FROM pg_extension").fetchall()}

        assert connection.execute(role).fetchone() == ("pam", False, False, False)
        assert connection.execute(owner).fetchone() == ("pam",)
        assert extensions >= {"vector", "btree_gin"}


@requirement("local:loopback-only")
def test_the_servers_listen_on_the_loopback_address_and_ask_for_a_password(servers_in: Start, tmp_path: Path) -> None:
    servers = servers_in(tmp_path)
    listening = {
        connection.laddr.ip
        for process in _processes(tmp_path)
        for connection in process.net_connections()
        if connection.status == psutil.CONN_LISTEN
    }
    without_password = servers.addresses["DATABASE_URL"].split("@")[1]

    assert listening == {"127.0.0.1"}
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(f"postgresql://postgres@{without_password}", connect_timeout=5)
    port = int(servers.addresses["REDIS_URL"].rpartition(":")[2].split("/")[0])
    with redis.Redis(port=port) as valkey, pytest.raises(redis.exceptions.AuthenticationError):
        valkey.ping()


@requirement("local:restarts-the-fallen")
def test_a_server_that_falls_is_started_again_at_the_same_address(servers_in: Start, tmp_path: Path) -> None:
    servers = servers_in(tmp_path)
    Kept(servers).write("before the fall")
    before = servers.addresses
    _kill(tmp_path)

    fallen: list[str] = []
    while len(fallen) < 2:
        fallen += servers.restart_fallen()

    assert sorted(fallen) == ["Postgres", "Valkey"]
    assert servers.addresses == before
    assert Kept(servers).read() == (["before the fall"], "before the fall")


@requirement("local:as-root")
@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user runs Postgres as itself")
def test_as_root_postgres_runs_as_a_system_user_who_may_pass_through_closed_folders(
    servers_in: Start, said: list[str], tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)

    servers_in(closed / "home")

    assert {p.username() for p in _processes(tmp_path) if p.info["name"] == "postgres"} == {system_user.NAME}
    assert stat.S_IMODE(closed.stat().st_mode) == 0o701
    assert f"Letting the system user {system_user.NAME} pass through {closed} (chmod o+x)" in said
