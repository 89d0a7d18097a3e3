"""A proxy that adds an Authorization header on the way, for clients that can't send one (the conformance suite)."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 120


@contextmanager
def authorized(base: str, authorization: str) -> Iterator[str]:
    """The address of a proxy in front of `base`. Host and Origin go through as they came; streams flow both ways."""
    address = urlsplit(base)

    class Handler(_Forward):
        target = (str(address.hostname), address.port or 80)
        credential = authorization

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class _Forward(BaseHTTPRequestHandler):
    """One request a connection: the answer is then whatever comes until the end, byte for byte."""

    protocol_version = "HTTP/1.1"
    target: tuple[str, int]
    credential: str

    def handle_one_request(self) -> None:
        self.close_connection = True
        self.raw_requestline = self.rfile.readline(65537)
        if self.raw_requestline and self.parse_request():
            # Either side may leave at any time, and then there is nobody to tell.
            with suppress(OSError), socket.create_connection(self.target, TIMEOUT_SECONDS) as onward:
                onward.sendall(self._request())
                self._give_back(onward)

    def _request(self) -> bytes:
        del self.headers["Connection"]
        self.headers["Connection"] = "close"
        if "Authorization" not in self.headers:
            self.headers["Authorization"] = self.credential
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        return f"{self.requestline}\r\n{lines}\r\n".encode("latin-1") + body

    def _give_back(self, onward: socket.socket) -> None:
        while True:
            readable, _, _ = select.select([onward, self.connection], [], [], TIMEOUT_SECONDS)
            # The client has nothing more to say: what can be read from it is its leaving.
            part = onward.recv(65536) if readable == [onward] else b""
            if not part:
                return
            self.connection.sendall(part)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""
