"""Django behind an httpx2 client without a server: what such a client does stays in the test's transaction."""

import httpx2
from django.test import Client

BASE = "http://testserver"


class InProcess(httpx2.BaseTransport):
    """Hands each request to Django's test client. Cookies are the httpx2 client's own; forms need their CSRF token."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = Client(enforce_csrf_checks=True).generic(
            request.method,
            request.url.raw_path.decode(),
            request.read(),
            content_type=request.headers.get("Content-Type", ""),
            headers={name: value for name, value in request.headers.items() if name not in ("content-length", "host")},
            SERVER_NAME=request.url.host,
            SERVER_PORT=str(request.url.port or (443 if request.url.scheme == "https" else 80)),
            secure=request.url.scheme == "https",
        )
        pairs = [(name, value) for name, value in answer.items() if name.lower() != "set-cookie"]
        pairs += [("Set-Cookie", morsel.OutputString()) for morsel in answer.cookies.values()]
        return httpx2.Response(answer.status_code, headers=pairs, content=answer.getvalue(), request=request)


def in_process() -> httpx2.Client:
    """A client of the Django in this process, at BASE."""
    return httpx2.Client(transport=InProcess(), base_url=BASE)
