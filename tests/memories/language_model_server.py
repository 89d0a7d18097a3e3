"""A small real server of the chat completions API, whose answers a test chooses. Listens on the loopback address."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Answer = Callable[["Handler"], None]


@dataclass
class LanguageModelServer:
    """`answers` are taken in turn, the last one for good; `requests` is what came in."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)

    def says(self, *answers: "str | dict[str, Any] | Answer") -> None:
        self.answers = [answer if callable(answer) else saying(answer) for answer in answers]

    @property
    def sent(self) -> str:
        """Everything that left the house, as one text."""
        return json.dumps(self.requests, ensure_ascii=False)


class Handler(BaseHTTPRequestHandler):
    model_server: LanguageModelServer

    def do_POST(self) -> None:
        served = self.model_server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        served.requests.append({"path": self.path, "authorization": self.headers["Authorization"], **json.loads(body)})
        answer = served.answers.pop(0) if len(served.answers) > 1 else served.answers[0]
        answer(self)

    def reply(self, status: int, content: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


def saying(content: "str | dict[str, Any]") -> Answer:
    """Answers well, with this content."""
    text = content if isinstance(content, str) else json.dumps(content)
    message = {"role": "assistant", "content": text}
    answer = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "small",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    return lambda handler: handler.reply(200, json.dumps(answer).encode())


def failing(status: int) -> Answer:
    return lambda handler: handler.reply(status, b'{"error": {"message": "no"}}')


def raw(content: bytes, kind: str = "application/json") -> Answer:
    return lambda handler: handler.reply(200, content, kind)


def hanging(handler: Handler) -> None:
    """Says nothing until the test is over."""
    handler.model_server.release.wait(30)
    handler.close_connection = True


def dripping(handler: Handler) -> None:
    """Sends a byte now and then, and never an answer: a time-out for each read would wait for ever."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    try:
        while not handler.model_server.release.wait(0.05):
            handler.wfile.write(b" ")
    except OSError:
        handler.close_connection = True


@contextmanager
def serving() -> Iterator[LanguageModelServer]:
    served = LanguageModelServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("OwnHandler", (Handler,), {"model_server": served}))
    served.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.release.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def language_model(settings: Any) -> Iterator[LanguageModelServer]:
    """A configured language model; a test says what it answers."""
    with serving() as served:
        settings.PAM_LLM_BASE_URL = served.url
        settings.PAM_LLM_MODEL = "small"
        settings.PAM_LLM_API_KEY = "sk-local"
        settings.PAM_LLM_TIMEOUT_SECONDS = 5
        yield served
