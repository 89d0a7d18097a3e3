"""The two servers that PAM keeps its data in: those of one's own where an address is given, embedded ones where not."""

from collections.abc import Callable, Mapping
from pathlib import Path

from pam.local import addresses, home
from pam.local.errors import LocalError
from pam.local.postgres import Postgres
from pam.local.valkey import Valkey


class Servers:
    """Starts what `given` (DATABASE_URL, REDIS_URL) does not name already; `addresses` has both after `start`."""

    def __init__(
        self, folder: Path, given: Mapping[str, str], *, say: Callable[[str], None], durable: bool = True
    ) -> None:
        self.folder = home.prepare(folder.resolve())
        self._given = given
        self._embedded: dict[str, Postgres | Valkey] = {}
        if not given.get("DATABASE_URL"):
            self._embedded["DATABASE_URL"] = Postgres(self.folder, say=say, durable=durable)
        if not given.get("REDIS_URL"):
            self._embedded["REDIS_URL"] = Valkey(self.folder, say=say, durable=durable)

    @property
    def names(self) -> list[str]:
        """What is started here, for the eye of a person."""
        return [type(server).__name__ for server in self._embedded.values()]

    def start(self) -> None:
        """Start them, and remember where they listen. Raises LocalError."""
        for server in self._embedded.values():
            server.start()
        addresses.keep(self.folder, {name: server.url for name, server in self._embedded.items()})

    def restart_fallen(self) -> list[str]:
        """Start again each embedded server whose process has ended; the names of those.

        Raises LocalError when its port is gone, which every client of it knows by now.
        """
        fallen = [server for server in self._embedded.values() if server.process and server.process.poll() is not None]
        for server in fallen:
            url = server.url
            server.start()
            if server.url != url:
                raise LocalError("Another program took the port of a server that had stopped. Start again.")
        return [type(server).__name__ for server in fallen]

    def stop(self) -> None:
        for server in reversed(self._embedded.values()):
            server.stop()

    @property
    def addresses(self) -> dict[str, str]:
        names = ("DATABASE_URL", "REDIS_URL")
        return {name: self._embedded[name].url if name in self._embedded else self._given[name] for name in names}
