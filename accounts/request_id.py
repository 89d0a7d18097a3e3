"""One id for each HTTP request: in its answer (`X-Request-Id`, and the body of every error in JSON) and its log lines.

Made here, whatever the client sends: an id that a stranger chose would lead through the logs where they want.
"""

import logging
import uuid
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from inspect import iscoroutinefunction
from typing import cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

HEADER = "X-Request-Id"
Handler = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]

_current: ContextVar[str] = ContextVar("request_id", default="")
_account: ContextVar[str] = ContextVar("account", default="")


def current() -> str:
    """The id of the request being answered; empty outside of one."""
    return _current.get()


@sync_and_async_middleware
def middleware(get_response: Handler) -> Handler:
    """The outermost one, so that whatever answers knows the id."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            _begin()
            return _marked(await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        _begin()
        return _marked(cast(HttpResponseBase, get_response(request)))

    return answer


def note_account(public_id: str) -> None:
    """From now on the log lines of this request name the account."""
    _account.set(public_id)


def _begin() -> None:
    _current.set(str(uuid.uuid4()))
    _account.set("")


def _marked(response: HttpResponseBase) -> HttpResponseBase:
    response.headers[HEADER] = current()
    return response


class LogFilter(logging.Filter):
    """Gives each log record its `request_id` and `account`, a dash outside of a request and before it is known."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current() or "-"
        record.account = _account.get() or "-"
        return True
