"""The kernel alone: what is a message, what is none, and what comes back as it came."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_gateway import jsonrpc
from mcp_gateway.jsonrpc import Notification, Reply, Request, RpcError
from tests.requirements import requirement

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def parsed(**changes: Any) -> jsonrpc.Message:
    return jsonrpc.parse({**PING, **changes})


@requirement("mcp:envelope:ids")
@pytest.mark.parametrize("id", [0, 1, -7, 2**60, 2**80, "0", "", "a-b", "ключ"], ids=repr)
def test_an_id_comes_back_with_its_type_and_all_its_digits(id: int | str) -> None:
    message = jsonrpc.parse(jsonrpc.decode(json.dumps({**PING, "id": id}).encode()))

    assert isinstance(message, Request)
    back = json.loads(jsonrpc.encode(jsonrpc.result(message.id, {})))["id"]
    assert (back, type(back)) == (id, type(id))


@requirement("mcp:envelope:ids")
@pytest.mark.parametrize("id", [None, True, False, 1.0, 1.5, [], {}, [1]], ids=repr)
def test_an_id_of_another_type_is_refused_with_a_null_id(id: Any) -> None:
    with pytest.raises(RpcError) as refusal:
        parsed(id=id)

    assert (refusal.value.code, refusal.value.http_status, refusal.value.id) == (-32600, 400, None)


@requirement("mcp:envelope:shape")
@pytest.mark.parametrize(
    "value",
    [
        [],
        [PING],
        "ping",
        7,
        None,
        {},
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "id": 1},
        {**PING, "jsonrpc": "1.0"},
        {**PING, "jsonrpc": 2.0},
        {"id": 1, "method": "ping"},
        {**PING, "method": 7},
        {**PING, "method": None},
        {**PING, "params": []},
        {**PING, "params": "x"},
        {"jsonrpc": "2.0", "method": 7},
        {"jsonrpc": "2.0", "result": {}},
    ],
    ids=lambda value: json.dumps(value)[:40],
)
def test_what_is_no_message_is_an_invalid_request(value: Any) -> None:
    with pytest.raises(RpcError) as refusal:
        jsonrpc.parse(value)

    assert (refusal.value.code, refusal.value.http_status) == (-32600, 400)


def test_a_wrong_message_with_a_good_id_is_refused_under_that_id() -> None:
    with pytest.raises(RpcError) as refusal:
        parsed(id="seven", method=7)

    assert refusal.value.id == "seven"


def test_a_message_without_id_is_a_notification() -> None:
    assert jsonrpc.parse({"jsonrpc": "2.0", "method": "notifications/initialized"}) == Notification(
        "notifications/initialized", {}
    )


@pytest.mark.parametrize("member", [{"result": {}}, {"error": {"code": -1, "message": "no"}}], ids=["result", "error"])
def test_a_clients_answer_is_taken_as_such(member: dict[str, Any]) -> None:
    assert jsonrpc.parse({"jsonrpc": "2.0", "id": 4, **member}) == Reply()


@requirement("mcp:envelope:json")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"a":1}x',
        b"\xff\xfe\x00",
        json.dumps(PING).encode("utf-16"),
        b'{"jsonrpc": "2.0", "id": NaN}',
        b'{"id": Infinity}',
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 5_000,
    ],
    ids=lambda body: repr(body[:20]),
)
def test_what_is_not_json_is_a_parse_error(body: bytes) -> None:
    with pytest.raises(RpcError) as refusal:
        jsonrpc.decode(body)

    assert (refusal.value.code, refusal.value.http_status, refusal.value.id) == (-32700, 400, None)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.binary(max_size=60))
def test_no_bytes_at_all_make_the_kernel_fail(body: bytes) -> None:
    with suppress(RpcError):
        jsonrpc.parse(jsonrpc.decode(body))


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "jsonrpc": st.just("2.0") | JSON_VALUES,
            "id": JSON_VALUES,
            "method": st.sampled_from(["ping", "tools/call"]) | JSON_VALUES,
            "params": JSON_VALUES,
            "result": JSON_VALUES,
            "error": JSON_VALUES,
        },
    )
)
def test_no_json_object_makes_the_kernel_fail(value: dict[str, Any]) -> None:
    try:
        message = jsonrpc.parse(value)
    except RpcError as refusal:
        jsonrpc.encode(jsonrpc.error(refusal))
    else:
        assert not isinstance(message, Request) or message.id == value["id"]
