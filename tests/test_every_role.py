"""The matrix of roles: what each of the four may do at the console and at the interfaces that take its session.

Every such route stands below once for each of its methods, with the least role it lets in; a new route fails the first
test until it is entered. What is refused answers 403; what is let in is done.
"""

import io
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts import keys
from accounts.caller import ROLE_ORDER
from tests import test_every_route
from tests.belongings import belongings
from tests.cast import Person, person
from tests.requirements import requirement

ROLES = [str(role.value) for role in ROLE_ORDER]
VIEWER, MEMBER, ADMIN, OWNER = ROLES


@dataclass(frozen=True)
class Door:
    """One method of a route, the least role it lets in, the thing of Alice's account that its path names, and what is
    sent: a form (with files of these bytes), below /v1/ mostly JSON."""

    least: str
    method: str
    path: str
    thing: str = ""
    sent: dict[str, Any] | None = None
    is_form: bool = False
    kind: str = "application/json"

    def __str__(self) -> str:
        return f"{self.method} /{self.path}"


API_KEY = {"name": "Shop", "rate_limit_per_minute": "60", "permissions": ["read"]}
TEXT, LINES = ("quay.md", b"# Quay\n\nGrit lies on quay four."), ("lines.jsonl", b"")
CHAT = {"session_id": "quay", "source": "desk", "turns": [{"role": "user", "text": "Grit lies on quay four."}]}
DOORS = [
    # Pages to look at.
    Door(VIEWER, "GET", "setup"),
    Door(VIEWER, "GET", "access"),
    Door(VIEWER, "GET", "sources"),
    Door(VIEWER, "GET", "memories"),
    Door(VIEWER, "GET", "memories/sessions"),
    Door(VIEWER, "GET", "memories/spaces"),
    Door(VIEWER, "GET", "memories/spaces/<str:space_id>", "space"),
    Door(VIEWER, "GET", "memories/records/<str:record_id>", "record"),
    Door(VIEWER, "GET", "conflicts"),
    Door(VIEWER, "GET", "end-users"),
    Door(VIEWER, "GET", "end-users/user?id=pat"),
    Door(VIEWER, "GET", "end-users/export?id=pat"),
    Door(VIEWER, "GET", "request-log"),
    Door(VIEWER, "GET", "request-log/<str:request_id>", "request"),
    Door(VIEWER, "GET", "usage"),
    Door(VIEWER, "GET", "team"),
    Door(VIEWER, "GET", "security"),
    # Forms of the pages.
    Door(MEMBER, "POST", "setup/keys", sent={"name": "Laptop", "scopes": ["mcp:read"]}),
    Door(MEMBER, "POST", "setup/keys/<str:key_id>/rotate", "key"),
    Door(MEMBER, "POST", "setup/keys/<str:key_id>/revoke", "key"),
    Door(MEMBER, "POST", "access/keys/<str:key_id>/rotate", "key"),
    Door(MEMBER, "POST", "access/keys/<str:key_id>/revoke", "key"),
    Door(ADMIN, "POST", "access/api-keys", sent=API_KEY),
    Door(ADMIN, "POST", "access/api-keys/<str:key_id>/revoke", "api key"),
    Door(MEMBER, "POST", "sources/import", sent={"files": TEXT}),
    Door(MEMBER, "POST", "sources/documents/<str:document_id>/delete", "document"),
    Door(ADMIN, "POST", "memories/import", sent={"file": LINES}),
    Door(
        MEMBER, "POST", "memories/records/<str:record_id>/supersede", "record", {"kind": "decision", "text": "Another"}
    ),
    Door(MEMBER, "POST", "memories/records/<str:record_id>/resolve", "record"),
    Door(MEMBER, "POST", "memories/records/<str:record_id>/delete", "record"),
    Door(MEMBER, "POST", "memories/spaces", sent={"name": "Wharf"}),
    Door(MEMBER, "POST", "conflicts/<str:conflict_id>/resolve", "conflict", {"keep": "b"}),
    Door(ADMIN, "POST", "end-users/import", sent={"file": LINES}),
    Door(MEMBER, "POST", "end-users/block?id=pat"),
    Door(MEMBER, "POST", "end-users/unblock?id=pat"),
    Door(ADMIN, "POST", "end-users/erase?id=pat"),
    Door(ADMIN, "POST", "end-users/let-it-run"),
    Door(MEMBER, "POST", "end-users/memories/<str:memory_id>/archive", "memory"),
    Door(MEMBER, "POST", "end-users/memories/<str:memory_id>/restore", "memory"),
    Door(MEMBER, "POST", "end-users/memories/<str:memory_id>/delete", "memory"),
    Door(ADMIN, "POST", "team/invitations", sent={"email": "dana@example.com", "role": "member"}),
    Door(ADMIN, "POST", "team/settings", sent={"name": "Alice's company", "log_retention_days": "30"}),
    Door(OWNER, "POST", "team/support", sent={"on": "on"}),
    Door(OWNER, "POST", "team/close", sent={"name": "Alice's company"}),
    Door(OWNER, "POST", "team/reopen"),
    # The developer API.
    Door(VIEWER, "GET", "v1/dev/readiness"),
    Door(VIEWER, "GET", "v1/dev/mcp-requests"),
    Door(VIEWER, "GET", "v1/dev/mcp-requests/<str:request_id>", "request"),
    Door(VIEWER, "GET", "v1/dev/mcp-config"),
    Door(VIEWER, "GET", "v1/dev/mcp-usage-stats"),
    Door(VIEWER, "GET", "v1/dev/keys"),
    Door(MEMBER, "POST", "v1/dev/keys", sent={"name": "Laptop"}),
    Door(MEMBER, "POST", "v1/dev/keys/<str:key_id>/rotate", "key"),
    Door(MEMBER, "POST", "v1/dev/keys/<str:key_id>/revoke", "key"),
    Door(MEMBER, "POST", "v1/dev/rotate-key"),
    Door(MEMBER, "POST", "v1/dev/revoke-key"),
    Door(VIEWER, "GET", "v1/dev/oauth-connections"),
    # Documents and agent memory by the console's session.
    Door(VIEWER, "GET", "v1/memory/documents"),
    Door(MEMBER, "POST", "v1/memory/documents", sent={"files": TEXT}, is_form=True),
    Door(VIEWER, "GET", "v1/memory/documents/<str:document_id>", "document"),
    Door(MEMBER, "DELETE", "v1/memory/documents/<str:document_id>", "document"),
    Door(MEMBER, "POST", "v1/memory/ingest", sent=CHAT),
    Door(MEMBER, "POST", "v1/decisions/summaries", sent={"agent": "alice", "text": "Grit."}),
    Door(VIEWER, "GET", "v1/decisions/summaries"),
    Door(VIEWER, "GET", "v1/decisions/records"),
    Door(VIEWER, "GET", "v1/decisions/records/search?query=codeword"),
    Door(VIEWER, "GET", "v1/decisions/records/<str:record_id>", "record"),
    Door(MEMBER, "DELETE", "v1/decisions/records/<str:record_id>", "record"),
    Door(VIEWER, "GET", "v1/decisions/brief?about=codeword"),
    Door(VIEWER, "GET", "v1/decisions/spaces"),
    Door(MEMBER, "POST", "v1/decisions/spaces", sent={"name": "Wharf"}),
    Door(VIEWER, "GET", "v1/decisions/spaces/<str:space_id>", "space"),
    Door(VIEWER, "GET", "v1/decisions/export"),
    Door(ADMIN, "POST", "v1/decisions/import", kind="application/x-ndjson"),
]


# Who may read and change a space is the space's own list (tests/memories/agents/test_spaces.py); one's own connection
# is one's own (tests/accounts/test_access.py), and so are one's sessions (tests/accounts/test_security.py); people of
# the team are below the one who manages them (tests/accounts/test_team.py).
ELSEWHERE = {
    "memories/spaces/<str:space_id>/change",
    "memories/spaces/<str:space_id>/delete",
    "memories/spaces/<str:space_id>/admit",
    "memories/spaces/<str:space_id>/dismiss",
    "v1/decisions/spaces/<str:space_id>/members/<str:email>",
    "v1/dev/oauth-connections/<str:connection_id>/revoke",
    "access/connections/<str:connection_id>/revoke",
    "switch",
    "join",
    *test_every_route.PERSONAL - {"security"},
    *test_every_route.TEAM,
}
# Takes a key or a token, no session.
BY_CREDENTIAL = ("v1/mcp", "v1/memory/retrieve", "v1/memories", "v1/tenant", "v1/api-keys")


@pytest.fixture
def colleagues(alice: Person) -> dict[str, Person]:
    """One of Alice's account by each role. Only Alice's agent key stays active, as the forms for a sole key want it."""
    others = {role: person(role, alice.account, role) for role in (VIEWER, MEMBER, ADMIN)}
    for other in others.values():
        keys.revoke(alice.caller, other.agent.key.public_id if other.agent.key else "")
    return {**others, OWNER: alice}


@pytest.fixture
def things(alice: Person) -> dict[str, str]:
    return belongings(alice)


def address(door: Door, things: dict[str, str]) -> str:
    return "/" + "/".join(things[door.thing] if part.startswith("<") else part for part in door.path.split("/"))


def ask(client: Client, door: Door, things: dict[str, str]) -> tuple[int, str]:
    """The status and the text of the answer; what was written for it is taken back."""
    path = address(door, things)
    sent = {name: _file(*value) if isinstance(value, tuple) else value for name, value in (door.sent or {}).items()}
    with transaction.atomic():
        if door.method != "POST":
            answer = client.generic(door.method, path)
        elif path.startswith("/v1/") and not door.is_form:
            answer = client.post(path, sent or "", content_type=door.kind)
        else:
            answer = client.post(path, sent)
        text = b"".join(answer).decode()
        transaction.set_rollback(True)
    return answer.status_code, text


def _file(name: str, content: bytes) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name
    return file


@requirement("team:roles-everywhere")
def test_every_route_that_knows_roles_stands_in_the_matrix() -> None:
    known = {door.path.partition("?")[0] for door in DOORS} | ELSEWHERE
    wanted = {
        path
        for path in test_every_route.routes()
        if path not in test_every_route.OF_NOBODY | test_every_route.OAUTH and not path.startswith(BY_CREDENTIAL)
    }
    assert known == wanted


@requirement("team:roles-everywhere")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_through_its_doors_and_through_no_other(
    things: dict[str, str], colleagues: dict[str, Person], role: str
) -> None:
    client = Client()
    client.force_login(colleagues[role].user)

    for door in DOORS:
        status, text = ask(client, door, things)
        if ROLES.index(role) < ROLES.index(door.least):
            assert status == 403, f"{door} let a {role} in: {status}"
        else:
            assert status < 400, f"{door} for a {role}: {status} {text[:500]}"
