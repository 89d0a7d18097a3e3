"""What is kept of each attempt, how it is looked up, and how it goes away."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts import isolation, keys
from accounts.errors import InvalidArguments, NotFound
from accounts.models import Account, Plan
from mcp_gateway import request_history, request_log, sessions, tasks
from mcp_gateway.models import RequestLog
from mcp_gateway.request_history import Wanted
from tests import connecting
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.requirements import requirement

START = datetime(2026, 11, 30, 8, tzinfo=UTC)
API = "/v1/dev/mcp-requests"
SECRET = "sk_live_4eC39HqLyjWDarjtT1zdp7dc9hKq"


def rows_of(account: Account) -> list[RequestLog]:
    with isolation.account(account.pk):
        return list(RequestLog.objects.filter(account=account).order_by("pk"))


def kept(person: Person, count: int = 1, **changes: Any) -> list[RequestLog]:
    """Rows a minute apart, the last one the newest."""
    made = {"tool_name": "retrieve_memory", "status": "ok", **changes}
    with isolation.account(person.account.pk):
        return [
            RequestLog.objects.create(
                **{
                    "account": person.account,
                    "request_id": uuid.uuid4(),
                    "created_at": START + timedelta(minutes=number),
                    "prompt": f"question {number}",
                    **made,
                }
            )
            for number in range(count)
        ]


# Every attempt


@requirement("log:program")
def test_a_connected_program_is_logged_by_the_name_it_was_approved_under(alice: Person) -> None:
    secret = connecting.token(connecting.connection(alice, "Web agent"))
    Wire(secret).call(prompt="Who owns billing?")

    assert rows_of(alice.account)[0].client.startswith("Web agent")


@requirement("log:tokens")
def test_an_answer_of_agent_memory_has_its_size_in_the_log(alice: Person) -> None:
    Wire(alice.secret, path="/v1/mcp").result("tools/call", {"name": "memory_list_records", "arguments": {}})

    assert rows_of(alice.account)[0].estimated_tokens > 0


@requirement("log:every-attempt")
@pytest.mark.parametrize(
    ("params", "tool", "code"),
    [
        (
            {"name": "retrieve_memory", "arguments": {"prompt": "Who owns billing?"}},
            "retrieve_memory",
            "no_sources_connected",
        ),
        ({"name": "retrieve_memory", "arguments": {"prompt": ""}}, "retrieve_memory", "invalid_arguments"),
        ({"name": "retrieve_memory", "arguments": {"depth": 3}}, "retrieve_memory", "invalid_arguments"),
        ({"name": "retrieve_memory", "arguments": "x"}, "retrieve_memory", "invalid_arguments"),
        ({"name": "retrieve_memory"}, "retrieve_memory", "invalid_arguments"),
        ({"name": "forget", "arguments": {"prompt": "x"}}, "forget", "invalid_params"),
        ({"name": "a\x00b\ud800" + "c" * 200}, "ab?" + "c" * 77, "invalid_params"),
        ({}, "", "invalid_params"),
    ],
    ids=["no-memory", "empty", "unknown-argument", "text-arguments", "none", "unknown-tool", "odd-tool", "no-tool"],
)
def test_an_attempt_is_kept_whatever_became_of_it(
    agent: Wire, alice: Person, params: dict[str, Any], tool: str, code: str
) -> None:
    agent.request("tools/call", params, User_Agent="probe/1")

    (row,) = rows_of(alice.account)
    assert (row.tool_name, row.status, row.error_code) == (tool, "error", code)
    assert (row.counted, row.client) == (False, "probe/1")
    assert row.key_id is not None
    assert row.response_json["error_code"] == code
    assert row.response_content_text == row.response_json["error_message"]


@requirement("log:every-attempt")
def test_a_blocked_attempt_is_kept_with_its_prompt(agent: Wire, alice: Person) -> None:
    with isolation.every_account():
        Account.objects.filter(pk=alice.account.pk).update(plan=None)

    agent.call(prompt="Who owns billing?", session_id="thread-1")

    (row,) = rows_of(alice.account)
    assert (row.error_code, row.prompt, row.session_id) == ("entitlement_required", "Who owns billing?", "thread-1")


def test_a_client_that_introduced_itself_is_kept_by_that_name_and_another_by_its_own(
    agent: Wire, alice: Person
) -> None:
    agent.request("initialize", {"clientInfo": {"name": "probe", "version": "1.0"}}, User_Agent="node")
    for user_agent in ("node", "curl/8"):
        agent.request("tools/call", {"name": "retrieve_memory"}, User_Agent=user_agent)

    assert [row.client for row in rows_of(alice.account)] == ["probe 1.0", "curl/8"]


@requirement("log:only-calls")
def test_handshakes_lists_and_refused_credentials_leave_no_trace(agent: Wire, alice: Person) -> None:
    for method in ("initialize", "ping", "tools/list", "resources/list", "prompts/list", "no/such"):
        agent.request(method)
    agent.post({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "retrieve_memory"}})
    Wire("wrong").request("tools/call", {"name": "retrieve_memory"})

    assert rows_of(alice.account) == []


def test_a_call_without_a_session_id_is_kept_under_the_accounts_own(agent: Wire, alice: Person) -> None:
    agent.call(prompt="Who owns billing?")

    assert rows_of(alice.account)[0].session_id == sessions.own_id(alice.account)


@requirement("log:secrets")
def test_no_secret_is_kept_in_any_column(agent: Wire, alice: Person) -> None:
    agent.request(
        "tools/call",
        {"name": "retrieve_memory", "arguments": {"prompt": f"What is {SECRET} for?", "session_id": SECRET}},
        User_Agent=SECRET,
    )
    agent.request("tools/call", {"name": SECRET, "arguments": {"prompt": alice.secret}})
    agent.request("tools/call", {"name": "retrieve_memory", "arguments": {SECRET: 1, "prompt": f"{SECRET} \x00"}})
    agent.request("tools/call", {"name": "retrieve_memory", "arguments": {"prompt": f"{'x ' * 3990}{SECRET}"}})

    with isolation.account(alice.account.pk), connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(r)::text FROM mcp_gateway_requestlog r")
        kept_text = "\n".join(row[0] for row in cursor.fetchall())
    assert kept_text.count("\n") == 3
    assert SECRET[:20] not in kept_text
    assert alice.secret not in kept_text


@requirement("log:secrets")
def test_a_secret_that_slipped_into_an_answer_is_not_kept(alice: Person) -> None:
    report = f"The key is {SECRET}."
    structured = {"status": "ok", "content_text": report, "retrieval": {"facts": [{"statement": report}]}}

    request_log.write(
        alice.agent,
        request_log.Attempt(
            request_id=str(uuid.uuid4()),
            tool_name="retrieve_memory",
            error_code="",
            counted=True,
            client="",
            session_id="",
            prompt="",
            text=report,
            structured=structured,
            duration_ms=1,
        ),
    )

    (row,) = rows_of(alice.account)
    assert SECRET not in json.dumps([row.response_content_text, row.response_json])
    assert row.response_json["retrieval"]["facts"]


@pytest.mark.parametrize("prompt", ["a\x00b", "a\ud800b", "x" * 20_000, 7, None, ["x"]], ids=lambda p: ascii(p)[:12])
def test_a_prompt_that_cannot_be_kept_as_it_is_does_not_stop_the_keeping(
    agent: Wire, alice: Person, prompt: Any
) -> None:
    assert agent.refused(prompt=prompt)["error_code"] == "invalid_arguments"

    (row,) = rows_of(alice.account)
    assert len(row.prompt) <= 8000


# Looking it up


@requirement("log:api:page")
def test_the_newest_calls_come_first_ten_to_a_page(client: Client, alice: Person) -> None:
    kept(alice, 23)
    client.force_login(alice.user)

    first = client.get(API).json()
    last = client.get(API, {"page": 3}).json()

    assert [item["prompt"] for item in first["items"]] == [f"question {number}" for number in range(22, 12, -1)]
    assert [item["prompt"] for item in last["items"]] == ["question 2", "question 1", "question 0"]
    assert {name: first[name] for name in ("page_size", "total_count", "current_page", "total_pages")} == {
        "page_size": 10,
        "total_count": 23,
        "current_page": 1,
        "total_pages": 3,
    }
    assert (last["current_page"], last["next_cursor"]) == (3, None)


@requirement("log:api:item")
def test_an_item_has_the_contracts_fields(client: Client, alice: Person) -> None:
    Wire(alice.secret).call(prompt="Who owns billing?", session_id="thread-1")
    client.force_login(alice.user)

    item = client.get(API).json()["items"][0]

    for name in ("request_id", "duration_ms", "created_at", "response_content_text", "response_json"):
        assert name in item
    assert (item["tool_name"], item["prompt"], item["session_id"]) == (
        "retrieve_memory",
        "Who owns billing?",
        "thread-1",
    )
    assert (item["status"], item["counted"]) == ("error", False)
    assert client.get(f"{API}/{item['request_id']}").json() == item


@requirement("log:api:cursor")
def test_cursors_lead_through_all_calls_once_while_new_ones_come_in(client: Client, alice: Person) -> None:
    # Two at the same moment, so that the time alone would not do.
    kept(alice, 7)
    kept(alice, 7)
    client.force_login(alice.user)

    seen, cursor = [], ""
    while cursor is not None:
        page = client.get(API, {"limit": 3, "cursor": cursor} if cursor else {"limit": 3}).json()
        seen += [item["request_id"] for item in page["items"]]
        cursor = page["next_cursor"]
        kept(alice, created_at=START + timedelta(days=1))

    assert len(seen) == len(set(seen)) == 14


@requirement("log:api:filters")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "rabbit"}, {"prompt", "response"}),
        ({"q": "RABBIT"}, {"prompt", "response"}),
        ({"q": "brief"}, {"tool"}),
        ({"q": "100%"}, {"percent"}),
        ({"q": "_"}, {"tool", "percent"}),
        ({"status": "error"}, {"failed"}),
        ({"tool": "brief_me"}, {"tool"}),
        ({"since": "2026-12-02"}, {"late"}),
        ({"since": "2026-12-02T12:00:00Z"}, {"late"}),
        ({"since": "2026-12-02T12:00:01Z"}, set()),
        ({"since": "2026-12-02T13:00:00+01:00"}, {"late"}),
        ({"until": "2026-12-02"}, {"prompt", "response", "tool", "percent", "failed", "late"}),
        ({"until": "2026-12-02T12:00:00Z"}, {"prompt", "response", "tool", "percent", "failed"}),
        ({"status": "ok", "q": "rabbit", "until": "2026-12-01"}, {"prompt", "response"}),
        ({"key": "key_nosuch"}, set()),
    ],
    # A set prints in another order in every process, and all of them must name the tests alike.
    ids=lambda value: repr(value) if isinstance(value, dict) else "",
)
def test_filters_find_what_they_say(client: Client, alice: Person, query: dict[str, str], found: set[str]) -> None:
    kept(alice, session_id="prompt", prompt="Where is the Rabbit hole?", tool_name="t")
    kept(alice, session_id="response", response_content_text="A rabbit.", tool_name="t")
    kept(alice, session_id="tool", tool_name="brief_me")
    kept(alice, session_id="percent", prompt="why 100% of _it_", tool_name="t")
    kept(alice, session_id="failed", status="error", tool_name="t")
    kept(alice, session_id="late", tool_name="t", created_at=datetime(2026, 12, 2, 12, tzinfo=UTC))
    client.force_login(alice.user)

    assert {item["session_id"] for item in client.get(API, query).json()["items"]} == found


@requirement("log:api:filters")
def test_calls_of_one_key_are_found_by_its_id(client: Client, alice: Person) -> None:
    other = keys.issue(alice.account, name="other")
    Wire(alice.secret).call(prompt="from the first")
    Wire(other.secret).call(prompt="from the other")
    client.force_login(alice.user)

    items = client.get(API, {"key": other.key.public_id}).json()["items"]

    assert [(item["prompt"], item["key_name"]) for item in items] == [("from the other", "other")]


@requirement("log:api:bad-input")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "ten"),
        ("page", "0"),
        ("page", "-1"),
        ("q", "x" * 201),
        ("q", "a\x00b"),
        ("status", "fine"),
        ("since", "yesterday"),
        ("until", "2026-13-01"),
        ("cursor", "x"),
        ("cursor", "W10"),
        ("cursor", "WyIyMDI2LTExLTMwIiwgMSwgMV0"),
        ("cursor", "[" * 200),
    ],
)
def test_a_filter_that_makes_no_sense_is_named(client: Client, alice: Person, name: str, value: str) -> None:
    client.force_login(alice.user)

    answer = client.get(API, {name: value})

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_arguments"
    assert name in str(answer.json())


@requirement("log:api:session-only")
@pytest.mark.parametrize("path", [API, f"{API}/6d0f7a52-3f0e-4a55-9a0a-0b1f4c8c2e11"])
def test_only_a_console_session_opens_the_log(client: Client, alice: Person, path: str) -> None:
    assert client.get(path).status_code == 401
    assert client.get(path, headers={"Authorization": alice.secret}).status_code == 401


@requirement("log:isolation")
def test_a_strangers_call_is_the_same_as_one_that_never_was(client: Client, alice: Person, charlie: Person) -> None:
    (theirs,) = kept(charlie)
    kept(alice)
    client.force_login(alice.user)

    answers = [client.get(f"{API}/{request_id}") for request_id in (theirs.request_id, uuid.uuid4(), "nonsense")]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert len({tuple(answer.json()[name] for name in ("code", "message")) for answer in answers}) == 1
    assert client.get(API).json()["total_count"] == 1


def test_a_colleague_sees_the_accounts_calls(client: Client, alice: Person, bob: Person) -> None:
    kept(alice)
    client.force_login(bob.user)

    assert client.get(API).json()["total_count"] == 1


@requirement("log:not-metered")
def test_looking_up_costs_nothing_even_without_a_plan(client: Client, alice: Person) -> None:
    with isolation.every_account():
        Account.objects.filter(pk=alice.account.pk).update(plan=None)
    client.force_login(alice.user)

    assert client.get(API).status_code == 200
    assert rows_of(alice.account) == []


@requirement("log:fixed-queries")
@pytest.mark.parametrize("limit", [1, 50])
def test_a_page_takes_two_queries_whatever_its_size(alice: Person, django_assert_num_queries: Any, limit: int) -> None:
    kept(alice, 60)

    # The savepoint, the count, the rows, and the savepoint's release; the account's name goes along.
    with django_assert_num_queries(4):
        page = request_history.listed(alice.caller, Wanted(), limit=limit)
        assert [row.key for row in page.items] == [None] * limit


def test_a_list_without_responses_does_not_read_them(alice: Person) -> None:
    kept(alice, response_content_text="long")

    (row,) = request_history.listed(alice.caller, Wanted(), with_responses=False).items

    assert row.get_deferred_fields() == {"response_content_text", "response_json"}


def test_the_latest_answered_call_is_the_newest_that_went_well(alice: Person, charlie: Person) -> None:
    assert request_history.latest_answered(alice.caller) is None
    *_, newest = kept(alice, 3)
    kept(alice, status="error", created_at=START + timedelta(days=1))
    kept(charlie, created_at=START + timedelta(days=1))

    assert request_history.latest_answered(alice.caller) == newest


def test_services_raise_what_the_api_tells(alice: Person) -> None:
    with pytest.raises(NotFound):
        request_history.get(alice.caller, "nonsense")
    with pytest.raises(InvalidArguments):
        request_history.listed(alice.caller, Wanted(), cursor="nonsense")


# Going away


@requirement("log:retention")
def test_rows_older_than_the_accounts_own_retention_go(alice: Person, charlie: Person, time_machine: Any) -> None:
    time_machine.move_to(START + timedelta(days=30), tick=False)
    with isolation.every_account():
        Account.objects.filter(pk=alice.account.pk).update(log_retention_days=7)
    for person in (alice, charlie):
        kept(person, created_at=START + timedelta(days=23, seconds=-1), prompt="over a week old")
        kept(person, created_at=START + timedelta(days=23), prompt="a week old")

    assert tasks.prune_request_log() == 1

    assert [row.prompt for row in rows_of(alice.account)] == ["a week old"]
    assert len(rows_of(charlie.account)) == 2


@requirement("log:retention")
def test_the_default_retention_is_ninety_days(alice: Person, time_machine: Any) -> None:
    time_machine.move_to(START + timedelta(days=90, seconds=1), tick=False)
    kept(alice, 2)

    assert request_log.prune() == 1


@requirement("log:retention:small-batches")
def test_more_rows_than_a_batch_go_batch_by_batch(
    alice: Person, time_machine: Any, django_assert_num_queries: Any
) -> None:
    with isolation.account(alice.account.pk):
        RequestLog.objects.bulk_create(
            RequestLog(account=alice.account, request_id=uuid.uuid4(), created_at=START)
            for _ in range(2 * request_log.BATCH + 1)
        )
    time_machine.move_to(START + timedelta(days=365), tick=False)

    # The accounts; then four transactions (full, full, one row, none): savepoint, deletion, release each.
    with django_assert_num_queries(1 + 4 * 3):
        assert request_log.prune() == 2 * request_log.BATCH + 1


@requirement("log:retention:small-batches")
@pytest.mark.django_db(transaction=True)
def test_pruning_leaves_rows_that_someone_holds_and_waits_for_nobody(alice: Person, time_machine: Any) -> None:
    time_machine.move_to(START + timedelta(days=91), tick=False)
    (held,) = kept(alice, created_at=START, prompt="held")
    kept(alice, created_at=START, prompt="free")

    def prune() -> int:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '1s'")
            return request_log.prune()
        finally:
            connection.close()

    with isolation.account(alice.account.pk), ThreadPoolExecutor(1) as beside:
        RequestLog.objects.select_for_update().get(pk=held.pk)
        assert beside.submit(prune).result() == 1

    assert [row.prompt for row in rows_of(alice.account)] == ["held"]


def test_plans_do_not_shorten_the_log(alice: Person) -> None:
    with isolation.every_account():
        Account.objects.filter(pk=alice.account.pk).update(plan=Plan.objects.get(name="starter"))

    Wire(alice.secret).call(prompt="Who owns billing?")

    assert len(rows_of(alice.account)) == 1
