"""Answers that are written while they are read, so that neither side holds all of one."""

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse

_AT_ONCE = 100


class JSONLines(StreamingHttpResponse):
    """JSON Lines to be saved under `name`.

    Under ASGI, Django would gather all lines of a plain iterator before it sends the first one; here they are asked for
    a few at a time, in the thread that database work runs in.
    """

    def __init__(self, lines: Iterator[str], *, name: str) -> None:
        self._lines = lines
        disposition = f'attachment; filename="{name}"'
        super().__init__(lines, content_type="application/x-ndjson", headers={"Content-Disposition": disposition})

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while some := await sync_to_async(self._some)():
            yield some.encode()

    def _some(self) -> str:
        return "".join(islice(self._lines, _AT_ONCE))
