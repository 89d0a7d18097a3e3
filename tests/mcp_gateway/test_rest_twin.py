"""`POST /v1/memory/retrieve`: the same tool without MCP."""

from typing import Any

import pytest
from django.test import Client

from accounts import isolation, keys, quotas
from accounts.models import Account, Plan
from mcp_gateway.models import RequestLog
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.mcp_gateway.library import shelve
from tests.requirements import requirement

PATH = "/v1/memory/retrieve"
FIELDS = {
    "status",
    "memory_ready",
    "content_text",
    "sources",
    "request_id",
    "error_code",
    "error_message",
    "degraded",
    "degraded_reason",
}


def ask(secret: str, body: Any, **headers: str) -> Any:
    return Client().post(PATH, body, content_type="application/json", headers={"Authorization": secret, **headers})


@requirement("mcp:rest-twin:answer")
def test_a_question_is_answered_with_the_contracts_fields(alice: Person) -> None:
    shelve(alice.account)

    answer = ask(alice.secret, {"prompt": "Who owns billing?", "session_id": "thread"})

    body = answer.json()
    assert (answer.status_code, set(body)) == (200, FIELDS)
    assert (body["status"], body["memory_ready"], body["error_code"], body["degraded"]) == ("ok", True, None, False)
    assert "Ines Okafor" in body["content_text"]
    assert body["sources"] == [{"title": "Owners", "source_path": "company/owners.md"}]


@requirement("mcp:rest-twin:same-path")
def test_an_answer_is_metered_and_logged_as_over_mcp(alice: Person) -> None:
    shelve(alice.account)

    body = ask(alice.secret, {"prompt": "Who owns billing?"}, **{"User-Agent": "script/1"}).json()

    with isolation.account(alice.account.pk):
        row = RequestLog.objects.get(account=alice.account)
    assert (str(row.request_id), row.tool_name, row.client) == (body["request_id"], "retrieve_memory", "script/1")
    assert (row.counted, quotas.spent(alice.account)) == (True, 1)


@requirement("mcp:rest-twin:sessions")
def test_a_question_leans_on_those_of_the_session_that_it_names_and_on_no_other(alice: Person) -> None:
    shelve(alice.account)
    follow_up = "and who is the deputy?"

    def triage(body: Any) -> Any:
        request_id = ask(alice.secret, body).json()["request_id"]
        with isolation.account(alice.account.pk):
            row = RequestLog.objects.get(request_id=request_id)
        return row.response_json["triage"]["rewritten_query"]

    triage({"prompt": "Who owns billing?"})
    assert triage({"prompt": follow_up}) == follow_up

    triage({"prompt": "Who owns billing?", "session_id": "thread"})
    assert "billing" in triage({"prompt": follow_up, "session_id": "thread"}).lower()


@requirement("mcp:rest-twin:same-path")
def test_both_wires_spend_the_same_hour(alice: Person) -> None:
    plan = Plan.objects.create(name="small", title="Small", monthly_retrievals=-1, hourly_attempts=2)
    with isolation.every_account():
        Account.objects.filter(pk=alice.account.pk).update(plan=plan)

    codes = [
        ask(alice.secret, {"prompt": ""}).json()["error_code"],
        Wire(alice.secret).refused(prompt="")["error_code"],
        ask(alice.secret, {"prompt": ""}).json()["error_code"],
    ]

    assert codes == ["invalid_arguments", "invalid_arguments", "quota_exceeded"]


@requirement("mcp:rest-twin:refusals")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"prompt": "Who owns billing?"}, "no_sources_connected"),
        ({}, "invalid_arguments"),
        ([], "invalid_arguments"),
        ({"prompt": "x" * 8001}, "invalid_arguments"),
        ({"prompt": "a\x00"}, "invalid_arguments"),
        ({"prompt": "a\ud800"}, "invalid_arguments"),
        ({"prompt": "x", "depth": 3}, "invalid_arguments"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_what_the_tool_refuses_comes_with_200_and_its_code(alice: Person, body: Any, code: str) -> None:
    answer = ask(alice.secret, body)

    assert (answer.status_code, set(answer.json())) == (200, FIELDS)
    assert (answer.json()["status"], answer.json()["error_code"]) == ("error", code)
    assert answer.json()["error_message"]
    assert (answer.json()["content_text"], answer.json()["memory_ready"]) == ("", False)


@requirement("mcp:rest-twin:refusals")
@pytest.mark.parametrize(
    ("body", "status"),
    [("{", 400), ("[" * 100_000, 400), ('{"a":' * 100_000, 400), ('{"prompt": "' + "x" * 5_000_000 + '"}', 413)],
    ids=["broken", "deep-array", "deep-object", "5-mb"],
)
def test_what_is_no_json_is_refused_by_status(alice: Person, body: str, status: int) -> None:
    assert ask(alice.secret, body).status_code == status


@requirement("mcp:rest-twin:authentication")
def test_the_twin_wants_a_key_with_the_scope(client: Client, alice: Person) -> None:
    narrow = keys.issue(alice.account, name="narrow", granted=["memory:write"])
    client.force_login(alice.user)

    assert ask("", {"prompt": "x"}).status_code == 401
    assert ask("pam_mkey_wrong", {"prompt": "x"}).status_code == 401
    assert ask(narrow.secret, {"prompt": "x"}).status_code == 403
    assert client.post(PATH, {"prompt": "x"}, content_type="application/json").status_code == 401
