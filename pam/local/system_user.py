"""The system account that Postgres runs as when we are root, because Postgres refuses root.

It may not know anything of Postgres but where its files are.
"""

import pwd
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from pam.local import processes
from pam.local.errors import NoSystemUser

NAME = "pam_postgres"
SEARCH_BY_OTHERS = 0o001
READ_BY_OTHERS = 0o004
EXECUTE_BY_OWNER = 0o100


def needed() -> bool:
    return processes.is_root()


def ensure() -> pwd.struct_passwd:
    """The account, made when missing: no home, no shell, no password.

    Raises NoSystemUser when this machine has no `useradd` or it refuses.
    """
    try:
        return pwd.getpwnam(NAME)
    except KeyError:
        _add()
        return pwd.getpwnam(NAME)


def _add() -> None:
    useradd = shutil.which("useradd") or "/usr/sbin/useradd"
    command = [useradd, "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", None) or str(error)
        raise NoSystemUser(
            f"Postgres does not run as root, and the system user {NAME} could not be made ({reason.strip()}). "
            "Make it by hand, or run as an ordinary user."
        ) from error


def open_way(path: Path, user: pwd.struct_passwd, say: Callable[[str], None]) -> None:
    """Let `user` pass through the folders above `path`, such as a closed /root: search only, no listing, and said."""
    for folder in reversed(path.resolve().parents):
        if not _may_enter(folder, user):
            say(f"Letting the system user {user.pw_name} pass through {folder} (chmod o+x)")
            folder.chmod(folder.stat().st_mode | SEARCH_BY_OTHERS)


def _may_enter(folder: Path, user: pwd.struct_passwd) -> bool:
    probe = subprocess.run(["test", "-x", str(folder)], cwd="/", check=False, **processes.as_user(user))
    return probe.returncode == 0


def open_programs(tree: Path, program: Path, user: pwd.struct_passwd, say: Callable[[str], None]) -> None:
    """Let `user` read and run what is installed in `tree`, if a strict umask left it closed."""
    open_way(tree, user, say)
    if _runs(program, user):
        return
    say(f"Letting the system user {user.pw_name} read {tree} (chmod -R o+rX)")
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            runs = path.is_dir() or mode & EXECUTE_BY_OWNER
            path.chmod(mode | READ_BY_OTHERS | (SEARCH_BY_OTHERS if runs else 0))


def _runs(program: Path, user: pwd.struct_passwd) -> bool:
    try:
        subprocess.run([program, "--version"], cwd="/", check=True, capture_output=True, **processes.as_user(user))
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
