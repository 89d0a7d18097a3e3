"""Where a client's program runs: a home of its own, the programs on its path, and a browser that only notes addresses.

A client that wants a person to log in opens a browser. Here the browser is a script, which writes the address down;
the test then does in `Browser` what the person would do, and takes the answer to the client's own listener.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import httpx2

from tests.mcp_gateway.server import until
from tests.npm import Programs
from tests.web_client import Browser

RUN_SECONDS = 120
#: What programs call to open a page, besides $BROWSER.
OPENERS = ("xdg-open", "open", "sensible-browser")

Ended = subprocess.CompletedProcess[str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Desk:
    """One person's machine, in a folder that is empty at first."""

    programs: Programs
    folder: Path

    def __post_init__(self) -> None:
        (self.folder / "bin").mkdir()
        (self.folder / "node_modules").symlink_to(self.programs.folder / "node_modules")
        for opener in OPENERS:
            self.script(
                opener, f'printf "%s" "$1" > "{self._opened}.part" && mv "{self._opened}.part" "{self._opened}"'
            )

    @property
    def _opened(self) -> Path:
        return self.folder / "opened"

    def script(self, name: str, line: str) -> None:
        """Puts a program on the path."""
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def environment(self, **more: str) -> dict[str, str]:
        """Nothing of the machine but its path, so that no setting and no login of a developer's gets in."""
        path = os.pathsep.join([str(self.folder / "bin"), str(Path(self.programs.node).parent), os.environ["PATH"]])
        browser = str(self.folder / "bin" / OPENERS[0])
        own = {"HOME": str(self.folder), "PATH": path, "LANG": "C.UTF-8", "NO_COLOR": "1", "BROWSER": browser}
        return {**own, **more}

    def shell(self, words: str, **environment: str) -> str:
        """What the words print when they are typed into a terminal; they must end well."""
        return _printed(self._ended(["sh", "-ec", words], environment))

    def terminal(self, words: str) -> str:
        """What the words print when there is a terminal to print to; some programs log in only there."""
        return self.python(f"import pty, sys; sys.exit(pty.spawn(['sh', '-ec', {words!r}]) >> 8)")

    def python(self, script: str, *arguments: str) -> str:
        """What a Python script of this text prints; it may import what the tests may."""
        (self.folder / "script.py").write_text(script)
        return _printed(self._ended([sys.executable, "script.py", *arguments]))

    def node(self, script: str, *arguments: str) -> str:
        """What a module of this text prints; it may import the programs' packages."""
        (self.folder / "script.mjs").write_text(script)
        return _printed(self._ended([self.programs.node, "script.mjs", *arguments]))

    def run(self, name: str, *arguments: str, **environment: str) -> str:
        """What an installed program prints; it must end well."""
        return _printed(self._ended(self.programs.command(name, *arguments), environment))

    def ended(self, name: str, *arguments: str) -> Ended:
        """An installed program that has ended, well or not."""
        return self._ended(self.programs.command(name, *arguments))

    def log_in(self, browser: Browser, run: Callable[[], T]) -> T:
        """What `run` returns: a program that opens a page and waits until the person has logged in and approved."""
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(run)
            until(lambda: self._opened.exists() or running.done())
            assert self._opened.exists(), f"It opened no page: {running.result()}"
            self.approve(browser, self._opened.read_text())
            return running.result()

    def approve(self, browser: Browser, address: str) -> None:
        """Does what the person does with a page, and goes where that leads: to the program's own listener."""
        landed = httpx2.get(browser.decide(address), follow_redirects=True, timeout=60)
        assert landed.is_success, (landed.status_code, landed.text)

    def _ended(self, command: list[str], environment: Mapping[str, str] = MappingProxyType({})) -> Ended:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
        )


def _printed(ended: Ended) -> str:
    assert ended.returncode == 0, f"{ended.args}: {ended.stdout}{ended.stderr}"
    return ended.stdout
