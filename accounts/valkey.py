"""How the cache reaches Valkey: by one client for each address, which all threads of a process share.

django-redis makes a client anew with every request, though its connections are kept: that took a good part of what a
call of the gateway takes of the processor. Named in the settings as CONNECTION_FACTORY.
"""

from typing import Any

from django_redis import pool


class ConnectionFactory(pool.ConnectionFactory):  # type: ignore[misc]
    """The toolkit's own, which remembers its clients besides its pools; both may be used by any thread."""

    _clients: dict[str, Any] = {}

    def get_connection(self, params: dict[str, Any]) -> Any:
        client = self._clients.get(params["url"])
        if client is None:
            client = self._clients[params["url"]] = super().get_connection(params)
        return client
