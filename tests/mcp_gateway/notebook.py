"""A second endpoint for tests, with a tool that writes: what it takes to add one. Mounted by `pytest.mark.urls`."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.urls import path

from accounts import quotas, scopes
from accounts.caller import Caller
from accounts.errors import NotFound
from accounts.models import Account
from mcp_gateway import endpoint, refusals, schema, surfaces, tools

PAGES: list[str] = []


class Page(schema.Arguments):
    text = schema.Text(str.strip)


class Nothing(schema.Arguments):
    pass


@contextmanager
def free(account: Account) -> Iterator[quotas.Reservation]:
    quotas.entitled(account)
    yield quotas.Reservation()


def _write(caller: Caller, given: Mapping[str, Any], session_id: str, context: tools.Context) -> tools.Answer:
    PAGES.append(given["text"])
    return tools.Answer({"pages": len(PAGES)}, "Written.")


def _read(caller: Caller, given: Mapping[str, Any], session_id: str, context: tools.Context) -> tools.Answer:
    if not PAGES:
        raise NotFound
    return tools.Answer({"text": PAGES[-1]}, PAGES[-1])


WRITE = tools.Tool(
    name="write_page",
    title="Write a page",
    description="Keeps a text.",
    shape=Page,
    scopes=(scopes.MCP_WRITE, scopes.DECISIONS_WRITE),
    annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False},
    handler=_write,
    meter=free,
    asks="text",
)
READ = tools.Tool(
    name="read_page",
    title="Read the last page",
    description="Returns the text that was kept last.",
    shape=Nothing,
    scopes=(scopes.MCP_READ, scopes.DECISIONS_READ),
    annotations={"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    handler=_read,
    meter=free,
)
NOTEBOOK = surfaces.Surface(
    path="/v1/mcp/notebook",
    server_name="notebook",
    title="Notebook",
    instructions="Write and read.",
    tools=(WRITE, READ),
    telling=refusals.BY_NAME,
)
urlpatterns = [path(NOTEBOOK.path.removeprefix("/"), endpoint.view(NOTEBOOK))]
