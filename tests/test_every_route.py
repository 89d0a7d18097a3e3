"""Every route and every tool, listed from the code: what a stranger gets of them is nothing.

Two accounts hold the same texts. Whatever names a thing of an account by its id must answer a stranger as if that id
never was; whatever lists things must list one's own only. A new route fails the first test until it is entered below.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import api_keys, isolation, keys
from mcp_gateway import surfaces
from mcp_gateway.models import RequestLog
from memories.agents import spaces
from memories.models import Document
from tests.cast import Person
from tests.connecting import connection
from tests.mcp_gateway.clients import Wire
from tests.mcp_gateway.library import shelve
from tests.memories.agents import notebook
from tests.memories.end_users import chats, diary
from tests.requirements import requirement

# Shows nothing of any account: health, the first page, the schema, what a person does before or about a login.
OF_NOBODY = {"", "healthz", "readyz", "metrics", "api/schema", "api/docs"}
# Says what every client may know, or gives something of an account only to who proves a consent for it
# (tests/accounts/oauth).
OAUTH = {
    r"^\.well-known/oauth-protected-resource(?P<suffix>/.*)?$",
    r"^\.well-known/oauth-authorization-server(?P<suffix>/.*)?$",
    r"^\.well-known/openid-configuration(?P<suffix>/.*)?$",
    "register",
    "authorize",
    "token",
    "v1/oauth/register",
    "v1/oauth/authorize",
    "v1/oauth/token",
    "v1/oauth/revoke",
}
# Belongs to Django's admin (staff only, tests/accounts/test_admin.py) or to allauth.
# Names a thing of an account by what only whoever was invited holds, or by a member (tests/accounts/test_team.py).
TEAM = {
    "join/<str:secret>",
    "team/invitations/<str:invitation_id>/take-back",
    "team/members/<int:member_id>/role",
    "team/members/<int:member_id>/remove",
}
# Is about the person's own login, in whatever account (tests/accounts/test_security.py).
PERSONAL = {"security", "security/sessions/end-others", "security/sessions/<int:session_id>/end"}
OTHERS = ("admin/", "accounts/", "static/")

# Writes into the caller's own account and shows what it wrote.
WRITING_TOOLS = {"memory_record_summary"}
# Names an end user in its query (tests/memories/test_end_users_page.py): an id may hold what no path of a page can.
BY_QUERY = {"end-users/user", "end-users/export", "end-users/block", "end-users/unblock", "end-users/erase"}
# Lists, or answers, out of the caller's own account.
OWN_ONLY = {
    "v1/mcp/memory",
    "v1/mcp",
    "v1/memory/retrieve",
    "v1/memory/documents",
    "v1/memory/ingest",
    "v1/decisions/summaries",
    "v1/decisions/records",
    "v1/decisions/records/search",
    "v1/decisions/brief",
    "v1/decisions/spaces",
    "v1/decisions/export",
    "v1/decisions/import",
    "v1/memories",
    "v1/memories/add",
    "v1/memories/bulk",
    "v1/api-keys",
    "v1/tenant/conflicts",
    "v1/tenant/conflict-stats",
    "v1/tenant/settings",
    "v1/tenant/test-webhook",
    "v1/memories/retrieve",
    "v1/memories/retrieval-feedback",
    "v1/tenant/users",
    "v1/tenant/import",
    "v1/memories/edtech-profile",
    "v1/tenant/domain-schema",
    "v1/tenant/support-type",
    "v1/tenant/support-stats",
    "v1/tenant/students",
    "v1/tenant/customers",
    "v1/dev/readiness",
    "v1/dev/mcp-requests",
    "v1/dev/mcp-config",
    "v1/dev/mcp-usage-stats",
    "v1/dev/keys",
    "v1/dev/rotate-key",
    "v1/dev/revoke-key",
    "v1/dev/oauth-connections",
    "access",
    "access/api-keys",
    "setup",
    "setup/keys",
    "sources",
    "sources/import",
    "request-log",
    "usage",
    "team",
    "team/invitations",
    "team/settings",
    "team/support",
    "team/close",
    "team/reopen",
    "switch",
    "join",
    "memories",
    "memories/sessions",
    "memories/import",
    "memories/spaces",
    "conflicts",
    "end-users",
    "end-users/import",
    "end-users/let-it-run",
}


@dataclass(frozen=True)
class Named:
    """A route that names a thing by its id: how it is asked, whose door it is, what kind of id it takes, what a form
    gives."""

    method: str
    path: str
    door: str
    thing: str
    given: str = ""


BY_ID = [
    Named("GET", "v1/memory/documents/<str:document_id>", "key", "document"),
    Named("DELETE", "v1/memory/documents/<str:document_id>", "key", "document"),
    Named("GET", "v1/memory/documents/<str:document_id>", "console", "document"),
    Named("DELETE", "v1/memory/documents/<str:document_id>", "console", "document"),
    Named("GET", "v1/decisions/records/<str:record_id>", "key", "record"),
    Named("DELETE", "v1/decisions/records/<str:record_id>", "key", "record"),
    Named("GET", "v1/decisions/records/<str:record_id>", "console", "record"),
    Named("GET", "v1/decisions/spaces/<str:space_id>", "key", "space"),
    Named("PATCH", "v1/decisions/spaces/<str:space_id>", "key", "space"),
    Named("DELETE", "v1/decisions/spaces/<str:space_id>", "key", "space"),
    Named("PUT", "v1/decisions/spaces/<str:space_id>/members/<str:email>", "key", "space"),
    Named("DELETE", "v1/decisions/spaces/<str:space_id>/members/<str:email>", "key", "space"),
    Named("DELETE", "v1/api-keys/<str:key_id>", "product", "api key"),
    Named("GET", "v1/memories/<str:memory_id>", "product", "memory"),
    Named("PATCH", "v1/memories/<str:memory_id>", "product", "memory", '{"importance_score": 3}'),
    Named("DELETE", "v1/memories/<str:memory_id>", "product", "memory"),
    Named("GET", "v1/memories/<str:memory_id>/history", "product", "memory"),
    Named("GET", "v1/memories/jobs/<str:job_id>", "product", "job"),
    Named("GET", "v1/tenant/users/<whole:external_user_id>/stats", "product", "end user"),
    Named("GET", "v1/tenant/users/<whole:external_user_id>/export", "product", "end user"),
    Named("POST", "v1/tenant/users/<whole:external_user_id>/block", "product", "end user"),
    Named("POST", "v1/tenant/users/<whole:external_user_id>/unblock", "product", "end user"),
    Named("DELETE", "v1/tenant/users/<whole:external_user_id>", "product", "end user"),
    Named("POST", "v1/memories/clarifications/<str:clarification_id>/answer", "product", "conflict", '{"choice": "b"}'),
    Named("POST", "v1/tenant/conflicts/<str:conflict_id>/resolve", "product", "conflict", '{"keep": "b"}'),
    Named("GET", "v1/dev/mcp-requests/<str:request_id>", "console", "request"),
    Named("POST", "v1/dev/keys/<str:key_id>/rotate", "console", "key"),
    Named("POST", "v1/dev/keys/<str:key_id>/revoke", "console", "key"),
    Named("POST", "v1/dev/oauth-connections/<str:connection_id>/revoke", "console", "connection"),
    Named("POST", "access/keys/<str:key_id>/rotate", "console", "key"),
    Named("POST", "access/keys/<str:key_id>/revoke", "console", "key"),
    Named("POST", "access/api-keys/<str:key_id>/revoke", "console", "api key"),
    Named("POST", "access/connections/<str:connection_id>/revoke", "console", "connection"),
    Named("POST", "setup/keys/<str:key_id>/rotate", "console", "key"),
    Named("POST", "setup/keys/<str:key_id>/revoke", "console", "key"),
    Named("POST", "conflicts/<str:conflict_id>/resolve", "console", "conflict", "keep=b"),
    Named("GET", "request-log/<str:request_id>", "console", "request"),
    Named("POST", "sources/documents/<str:document_id>/delete", "console", "document"),
    Named("GET", "memories/records/<str:record_id>", "console", "record"),
    Named("POST", "memories/records/<str:record_id>/supersede", "console", "record", "kind=decision&text=Another"),
    Named("POST", "memories/records/<str:record_id>/resolve", "console", "record"),
    Named("POST", "memories/records/<str:record_id>/delete", "console", "record"),
    Named("POST", "end-users/memories/<str:memory_id>/archive", "console", "memory"),
    Named("POST", "end-users/memories/<str:memory_id>/restore", "console", "memory"),
    Named("POST", "end-users/memories/<str:memory_id>/delete", "console", "memory"),
    Named("GET", "memories/spaces/<str:space_id>", "console", "space"),
    Named("POST", "memories/spaces/<str:space_id>/change", "console", "space"),
    Named("POST", "memories/spaces/<str:space_id>/delete", "console", "space"),
    Named("POST", "memories/spaces/<str:space_id>/admit", "console", "space"),
    Named("POST", "memories/spaces/<str:space_id>/dismiss", "console", "space"),
]
# A page's CSRF tokens, and the id of the request, differ at every request.
MADE_ANEW = re.compile(rb'"csrfmiddlewaretoken" value="[^"]+"|"X-CSRFToken": ?"[^"]+"|"request_id": ?"[^"]+"')
NEVER_WAS = {
    "document": "doc_00000000000000000000",
    "key": "key_00000000000000000000",
    "api key": "apk_00000000000000000000",
    "connection": "con_00000000000000000000",
    "record": "rec_00000000000000000000",
    "space": "spc_00000000000000000000",
    "request": "00000000-0000-4000-8000-000000000000",
    "memory": "00000000-0000-4000-8000-000000000000",
    "job": "00000000-0000-4000-8000-000000000000",
    "end user": "client-of-nobody",
    "conflict": "00000000-0000-4000-8000-000000000000",
}


def routes(patterns: list[URLPattern | URLResolver] | None = None, before: str = "") -> Iterator[str]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = before + str(pattern.pattern)
        if path.startswith(OTHERS):
            continue
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, path)
        else:
            yield path


@requirement("isolation:every-route-is-listed")
def test_every_route_of_ours_is_entered_here() -> None:
    assert set(routes()) == OF_NOBODY | OAUTH | TEAM | PERSONAL | OWN_ONLY | BY_QUERY | {named.path for named in BY_ID}


@requirement("isolation:every-route-is-listed")
def test_every_tool_is_asked_below() -> None:
    tools = {tool.name for surface in surfaces.MOUNTED for tool in surface.tools}
    assert tools == WRITING_TOOLS | {read for read in READS if " " not in read}


@pytest.fixture
def things(alice: Person, charlie: Person) -> dict[str, str]:
    """Ids of Alice's things; Charlie's account holds the same text."""
    shelve(charlie.account)
    document = shelve(alice.account)
    Wire(alice.secret).call(prompt="Who owns billing at Lumen Ferry?")
    with isolation.account(alice.account.pk):
        request = RequestLog.objects.get()
    key = alice.agent.key
    assert key is not None
    space = spaces.create(alice.agent, name="Codewords of alice")
    record = notebook.noted(alice.agent, "The codeword of alice is heliotrope", agent="alice", space_id=space.id)
    notebook.noted(charlie.agent, "The codeword of charlie is mimosa")
    diary.told(charlie, "pat", "The codeword of charlie is mimosa.")
    diary.told(alice, "client-of-alice", "The codeword of alice is heliotrope.")
    return {
        "document": document.public_id,
        "key": key.public_id,
        "api key": api_keys.issue(alice.account, name="alice's shop").key.public_id,
        "connection": str(connection(alice, "alice's web agent").public_id),
        "request": str(request.request_id),
        "record": record,
        "space": space.id,
        "end user": "client-of-alice",
        "memory": diary.told(alice, "pat", "The codeword of alice is heliotrope."),
        "job": chats.added(alice, "My codeword is heliotrope."),
        "conflict": diary.in_doubt(alice, "pat", "alice", "heliotrope")["id"],
    }


def door(person: Person, kind: str) -> Client:
    if kind == "product":
        return Client(headers={"Authorization": f"ApiKey {person.product_secret}"})
    if kind == "key":
        return Client(headers={"Authorization": f"Bearer {person.secret}"})
    client = Client()
    client.force_login(person.user)
    return client


def ask(client: Client, named: Named, identifier: str) -> tuple[int, bytes]:
    path = named.path.replace("<str:email>", "alice@example.com")
    url = "/" + "/".join(identifier if part.startswith("<") else part for part in path.split("/"))
    kind = "application/x-www-form-urlencoded" if named.given else "application/octet-stream"
    answer = client.generic(named.method, url, named.given, content_type=kind)
    return answer.status_code, MADE_ANEW.sub(b"", b"".join(answer).replace(identifier.encode(), b"ID"))


@requirement("isolation:strangers-get-not-found")
@pytest.mark.parametrize("named", BY_ID, ids=lambda named: f"{named.method} {named.path} by {named.door}")
def test_a_strangers_id_is_answered_to_the_letter_like_one_that_never_was(
    things: dict[str, str], alice: Person, charlie: Person, named: Named
) -> None:
    foreign = ask(door(charlie, named.door), named, things[named.thing])
    never_was = ask(door(charlie, named.door), named, NEVER_WAS[named.thing])

    assert foreign == never_was
    assert foreign[0] == 404
    with isolation.account(alice.account.pk):
        assert Document.objects.filter(public_id=things["document"]).exists()
    assert keys.recognise(alice.secret) is not None


@requirement("isolation:strangers-get-not-found")
@pytest.mark.parametrize("named", BY_ID, ids=lambda named: f"{named.method} {named.path} by {named.door}")
def test_its_owner_is_let_in_through_the_same_door(things: dict[str, str], alice: Person, named: Named) -> None:
    assert ask(door(alice, named.door), named, things[named.thing])[0] < 400


def _posted(path: str, body: dict[str, Any]) -> Callable[[Person, str], str]:
    def ask_it(person: Person, kind: str) -> str:
        answer = door(person, kind).post(path, json.dumps(body), content_type="application/json")
        return answer.content.decode()

    return ask_it


def _got(path: str) -> Callable[[Person, str], str]:
    return lambda person, kind: b"".join(door(person, kind).get(path)).decode()


def _tool(person: Person, name: str, **arguments: Any) -> str:
    wire = Wire(person.secret, path="/v1/mcp")
    return json.dumps(wire.result("tools/call", {"name": name, "arguments": arguments}))


def _under(domain: str, path: str) -> Callable[[Person, str], str]:
    """What is read once one's account has that domain and a person of whom it gathers something."""

    def ask_it(person: Person, kind: str) -> str:
        diary.send(person, "patch", "tenant/domain-schema", {"domain_schema": domain})
        diary.told(person, "kim", f"User has a problem with the codeword of {person.user.name}.")
        diary.told(person, "kim", f"User is on the {person.user.name} plan.")
        return _got(path)(person, kind)

    return ask_it


READS: dict[str, tuple[str, Callable[[Person, str], str]]] = {
    "documents by key": ("key", _got("/v1/memory/documents")),
    "documents by console": ("console", _got("/v1/memory/documents")),
    "requests by console": ("console", _got("/v1/dev/mcp-requests")),
    "keys by console": ("console", _got("/v1/dev/keys")),
    "API keys": ("product", _got("/v1/api-keys")),
    "connections by console": ("console", _got("/v1/dev/oauth-connections")),
    "conflicts page": ("console", _got("/conflicts")),
    "access page": ("console", _got("/access")),
    "setup page": ("console", _got("/setup")),
    "sources page": ("console", _got("/sources")),
    "request log page": ("console", _got("/request-log")),
    "request log search": ("console", _got("/request-log?q=billing")),
    "memory_list_records": ("key", lambda person, _: _tool(person, "memory_list_records")),
    "memory_search_records": (
        "key",
        lambda person, _: _tool(person, "memory_search_records", query="What is the codeword?"),
    ),
    "brief_me": ("key", lambda person, _: _tool(person, "brief_me", about="the codeword")),
    "brief by console": ("console", _got("/v1/decisions/brief?about=codeword")),
    "memory_list_summaries": ("key", lambda person, _: _tool(person, "memory_list_summaries")),
    "decisions_list_spaces": ("key", lambda person, _: _tool(person, "decisions_list_spaces")),
    "memories page": ("console", _got("/memories")),
    "memories page search": ("console", _got("/memories?q=codeword")),
    "end users page": ("console", _got("/end-users")),
    "one end user's page": ("console", _got("/end-users/user?id=pat")),
    "spaces page": ("console", _got("/memories/spaces")),
    "records by key": ("key", _got("/v1/decisions/records")),
    "record search by console": ("console", _got("/v1/decisions/records/search?query=codeword")),
    "summaries by console": ("console", _got("/v1/decisions/summaries")),
    "spaces by key": ("key", _got("/v1/decisions/spaces")),
    "end users' memories": ("product", _got("/v1/memories?external_user_id=pat")),
    "end users' context": (
        "product",
        _posted("/v1/memories/retrieve", {"external_user_id": "pat", "query": "What is the codeword of alice?"}),
    ),
    "end users": ("product", _got("/v1/tenant/users")),
    "conflicts of end users": ("product", _got("/v1/tenant/conflicts")),
    "one student": ("product", _under("edtech", "/v1/memories/edtech-profile?external_user_id=kim")),
    "all students": ("product", _under("edtech", "/v1/tenant/students")),
    "all customers": ("product", _under("support", "/v1/tenant/customers")),
    "support figures": ("product", _under("support", "/v1/tenant/support-stats")),
    "export by key": ("key", _got("/v1/decisions/export")),
    "rest retrieve": ("key", _posted("/v1/memory/retrieve", {"prompt": "What is the secret codeword of the week?"})),
    "retrieve_memory": (
        "key",
        lambda person, _: json.dumps(Wire(person.secret).call(prompt="The codeword of the week?")),
    ),
}


@requirement("isolation:own-only")
@pytest.mark.parametrize("read", READS)
def test_every_read_returns_ones_own_only(things: dict[str, str], alice: Person, charlie: Person, read: str) -> None:
    shelve(alice.account, "secrets/alice.md", "# Codeword\n\nThe secret codeword of the week is heliotrope.\n")
    Wire(alice.secret).call(prompt="Is heliotrope the codeword for billing?")
    kind, ask_it = READS[read]

    seen = ask_it(charlie, kind)
    assert "heliotrope" not in seen
    assert "alice" not in seen.lower()
    assert not any(identifier in seen for identifier in things.values())


@requirement("isolation:own-only")
def test_the_reads_find_what_is_ones_own(things: dict[str, str], alice: Person) -> None:
    shelve(alice.account, "secrets/alice.md", "# Codeword\n\nThe secret codeword of the week is heliotrope.\n")
    Wire(alice.secret).call(prompt="What is the secret codeword of the week?")

    blind = [read for read, (kind, ask_it) in READS.items() if "alice" not in ask_it(alice, kind).lower()]
    assert blind == []
