"""Agent memory over HTTP: what goes in comes out, and errors carry the contract's names."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from memories.api.streams import JSONLines
from tests.cast import Person
from tests.requirements import requirement

ITEM = {"kind": "decision", "text": "Use Redis 6", "topics": ["cache"]}


def send(who: Person, method: str, path: str, body: Any = None) -> Any:
    given = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
    return getattr(Client(), method)(
        f"/v1/decisions/{path}", headers={"Authorization": f"Bearer {who.secret}"}, **given
    )


def recorded(who: Person, **more: Any) -> Any:
    response = send(who, "post", "summaries", {"agent": "a", "session": "s", "items": [ITEM], **more})
    assert response.status_code == 201, response.content
    return response.json()


@requirement("knowledge:http:round-trip")
def test_what_is_recorded_is_listed_shown_and_deleted(alice: Person) -> None:
    made = recorded(alice, text="We chose.")["items"][0]["record"]

    assert send(alice, "get", "records?topic=cache").json() == {"records": [made], "next_page_token": ""}
    assert send(alice, "get", f"records/{made['id']}").json() == made
    assert send(alice, "get", "summaries").json()["summaries"][0]["text"] == "We chose."
    assert send(alice, "delete", f"records/{made['id']}").status_code == 204
    assert send(alice, "get", f"records/{made['id']}").json()["code"] == "NotFound"


@requirement("knowledge:http:errors")
@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("post", "summaries", {"text": "x", "mood": "good"}, 400, "InvalidArgument"),
        ("post", "summaries", {"text": 7}, 400, "InvalidArgument"),
        ("post", "summaries", {"items": "x"}, 400, "InvalidArgument"),
        ("post", "summaries", {"items": [{"kind": "decision", "text": "x", "topics": [7]}]}, 400, "InvalidArgument"),
        ("post", "summaries", [], 400, "InvalidArgument"),
        ("post", "summaries", {"text": "x", "space_id": "spc_nowhere"}, 404, "NotFound"),
        ("post", "summaries", {"text": "x", "account_id": "acc_other"}, 404, "NotFound"),
        ("get", "records?page_size=many", None, 400, "InvalidArgument"),
        ("get", "records?page_size=201", None, 400, "InvalidArgument"),
        ("get", "records?colour=red", None, 400, "InvalidArgument"),
        ("get", "records?page_token=%00", None, 400, "InvalidArgument"),
        ("get", "records/rec_nowhere", None, 404, "NotFound"),
        ("get", "records/%00", None, 400, "InvalidArgument"),
        ("post", "spaces", {"name": ""}, 400, "InvalidArgument"),
        ("post", "spaces", {"name": "x", "access": "world"}, 400, "InvalidArgument"),
        ("put", "spaces/spc_nowhere/members/bob@example.com", {}, 404, "NotFound"),
    ],
)
def test_what_is_wrong_has_the_contracts_name(
    alice: Person, method: str, path: str, body: Any, status: int, code: str
) -> None:
    response = send(alice, method, path, body)

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["message"]


@requirement("knowledge:http:errors")
def test_broken_json_and_no_key_are_told_in_the_same_shape(alice: Person) -> None:
    header = {"Authorization": f"Bearer {alice.secret}"}
    broken = Client().post("/v1/decisions/summaries", "{", content_type="application/json", headers=header)
    nobody = Client().get("/v1/decisions/records")

    assert (broken.status_code, broken.json()["code"]) == (400, "InvalidArgument")
    assert (nobody.status_code, nobody.json()["code"]) == (401, "Unauthenticated")


@requirement("knowledge:http:spaces")
def test_a_space_is_made_shared_and_deleted(alice: Person, bob: Person) -> None:
    space = send(alice, "post", "spaces", {"name": "Payments"}).json()
    made = recorded(alice, space_id=space["id"])["items"][0]["record"]
    member = f"spaces/{space['id']}/members/bob@example.com"

    assert send(bob, "get", "spaces").json() == {"spaces": []}
    assert send(alice, "put", member, {"can_write": False}).status_code == 204
    assert send(bob, "get", f"spaces/{space['id']}").json()["can_write"] is False
    assert send(bob, "get", f"records?space_id={space['id']}").json()["records"] == [made]
    assert send(bob, "post", "summaries", {"text": "x", "space_id": space["id"]}).json()["code"] == "PermissionDenied"
    assert send(alice, "patch", f"spaces/{space['id']}", {"name": "Money"}).json()["name"] == "Money"
    assert send(alice, "post", "spaces", {"name": "Money"}).json()["code"] == "AlreadyExists"
    assert send(alice, "delete", member).status_code == 204
    assert send(bob, "get", f"records/{made['id']}").json()["code"] == "NotFound"
    assert send(alice, "delete", f"spaces/{space['id']}").status_code == 204
    assert send(alice, "get", "spaces").json() == {"spaces": []}


@requirement("knowledge:http:export")
def test_an_export_goes_back_over_http(alice: Person, charlie: Person) -> None:
    recorded(alice, text="We chose.")
    exported = send(alice, "get", "export")
    body = b"".join(exported.streaming_content)

    header = {"Authorization": f"Bearer {charlie.secret}"}
    taken = Client().post("/v1/decisions/import", body, content_type="application/x-ndjson", headers=header)

    assert exported["Content-Type"] == "application/x-ndjson"
    assert taken.json() == {"spaces": 0, "summaries": 1, "records": 1, "tombstones": 0, "present": 0}
    assert [row["text"] for row in send(charlie, "get", "records").json()["records"]] == ["Use Redis 6"]


@requirement("knowledge:http:export-streamed")
def test_an_export_is_sent_while_it_is_read() -> None:
    read: list[int] = []

    def lines() -> Iterator[str]:
        for number in range(10_000):
            read.append(number)
            yield f"{number}\n"

    async def first_of(answer: JSONLines) -> bytes:
        return await anext(aiter(answer))

    sent = async_to_sync(first_of)(JSONLines(lines(), name="agent-memory.jsonl"))

    assert sent.startswith(b"0\n1\n")
    assert len(read) == sent.count(b"\n") < 1000


@requirement("knowledge:http:export-streamed")
@pytest.mark.django_db(transaction=True)
def test_an_export_is_the_same_over_the_way_of_a_server(alice: Person) -> None:
    recorded(alice, text="We chose.")

    async def asked() -> bytes:
        header = {"Authorization": f"Bearer {alice.secret}"}
        answer = await AsyncClient().get("/v1/decisions/export", headers=header)
        return b"".join([part async for part in answer])

    assert async_to_sync(asked)() == b"".join(send(alice, "get", "export").streaming_content)


@requirement("knowledge:import:bounded")
def test_too_large_an_import_is_refused_before_it_is_read_whole(alice: Person, settings: Any) -> None:
    settings.PAM_MAX_IMPORT_BYTES = 1024 * 1024
    header = {"Authorization": f"Bearer {alice.secret}"}
    body = b"x" * (settings.PAM_MAX_IMPORT_BYTES + 1)

    refused = Client().post("/v1/decisions/import", body, content_type="application/x-ndjson", headers=header)

    assert refused.json()["code"] == "InvalidArgument"
    assert "at most 1 MB" in refused.json()["message"]
