"""A real webhook receiver on this machine, which keeps what it gets and verifies it as a customer would."""

import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Got:
    path: str
    headers: dict[str, str]
    raw: bytes

    def json(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.raw)
        return told

    def is_signed_with(self, secret: str) -> bool:
        signed = self.headers["x-memoryos-timestamp"].encode() + b"." + self.raw
        wanted = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        return hmac.compare_digest(wanted, self.headers["x-memoryos-signature"])


@dataclass
class Receiver:
    """Answers `status` with `body` and `headers`; of a `statuses` list one after the other."""

    url: str = ""
    status: int = 200
    statuses: list[int] = field(default_factory=list)
    body: bytes = b"thanks"
    headers: dict[str, str] = field(default_factory=dict)
    got: list[Got] = field(default_factory=list)
    #: Bytes that come before the answer, one by one, until the client leaves.
    drips: bool = False
    stopped: threading.Event = field(default_factory=threading.Event)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that leave early, or break TLS off, are what some tests are about."""


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """On 127.0.0.1, at a port of its own; over TLS where its certificate is given."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.got.append(Got(self.path, headers, self.rfile.read(length)))
            if receiver.drips:
                self._drip()
                return
            self.send_response(receiver.statuses.pop(0) if receiver.statuses else receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(receiver.body)))
            self.end_headers()
            self.wfile.write(receiver.body)

        def _drip(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            try:
                while not receiver.stopped.wait(0.05):
                    self.wfile.write(b"x")
                    self.wfile.flush()
            except OSError:
                pass

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    receiver.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()
