"""Searching the request log: literal, in every script, by the index."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from accounts import isolation
from mcp_gateway import request_history, request_log
from mcp_gateway.models import RequestLog
from tests.cast import Person
from tests.mcp_gateway.logged import log
from tests.requirements import requirement

MANY = 20_000


def found(person: Person, q: str) -> list[str]:
    page = request_history.listed(person.caller, request_history.Wanted(q=q), limit=100)
    assert page.total_count == len(page.items)
    return [row.prompt for row in page.items]


@requirement("request-log:search:literal")
@pytest.mark.parametrize("q", ["50%", "a_b", "a\\b", "%", "_", "\\", "it's", "料金", "ÜBER", "retr"])
def test_a_search_finds_its_own_characters_and_none_for_them(alice: Person, q: str) -> None:
    for prompt in ("cut by 50% now", "the a_b test", "path a\\b here", "it's late", "新しい料金は?", "über alles"):
        log(alice.agent, prompt=prompt, text="nothing of it", tool_name="other")
    log(alice.agent, prompt="", text="", tool_name="retrieve_memory")

    expected = {
        "50%": ["cut by 50% now"],
        "a_b": ["the a_b test"],
        "a\\b": ["path a\\b here"],
        "%": ["cut by 50% now"],
        "_": ["", "the a_b test"],
        "\\": ["path a\\b here"],
        "it's": ["it's late"],
        "料金": ["新しい料金は?"],
        "ÜBER": ["über alles"],
        "retr": [""],
    }
    assert found(alice, q) == expected[q]


@requirement("request-log:search:literal")
def test_part_of_a_word_is_found_in_the_response_too(alice: Person) -> None:
    log(alice.agent, prompt="Who?", text="Ines Okafor owns it.")

    assert found(alice, "kafo") == ["Who?"]
    assert found(alice, "kafx") == []


@pytest.fixture
def crowded(alice: Person) -> Person:
    """An account with so many calls that reading them all would take long; five of them are about a zebra."""
    with isolation.account(alice.account.pk), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO mcp_gateway_requestlog (account_id, request_id, tool_name, status, error_code, counted,"
            " client, session_id, prompt, response_content_text, response_json, duration_ms, estimated_tokens,"
            " created_at)"
            " SELECT %s, gen_random_uuid(), 'retrieve_memory', 'ok', '', true, '', '', 'Question ' || n,"
            " 'Answer ' || CASE WHEN n %% 4000 = 0 THEN 'zebra' ELSE md5(n::text) END, '{}', 1, 1,"
            " now() - make_interval(secs => n) FROM generate_series(1, %s) n",
            [alice.account.pk, MANY],
        )
        request_log.sort_in()
        # Postgres does so by itself soon after many rows were written.
        cursor.execute("ANALYZE mcp_gateway_requestlog")
    return alice


def plan(person: Person, q: str, way: str) -> str:
    with isolation.account(person.account.pk), request_history._read_by(way):
        rows: QuerySet[RequestLog] = request_history._matching(person.caller, request_history.Wanted(q=q))
        return rows.order_by("-created_at", "-pk")[:26].explain()


@requirement("request-log:search:index")
def test_a_search_among_many_calls_goes_by_the_index(crowded: Person) -> None:
    told = plan(crowded, "zebra", request_history._INDEX)

    assert "Index Cond: (response_content_text ~~* '%zebra%'::text)" in told
    assert "Seq Scan" not in told
    assert len(found(crowded, "zebra")) == 5


@requirement("request-log:search:index")
def test_a_word_of_every_call_is_counted_to_a_bound_and_its_newest_are_met_by_age(
    crowded: Person, django_assert_num_queries: Any
) -> None:
    # Begin, count, rows, end; whose rows are meant, and how to read them, goes along.
    with django_assert_num_queries(4):
        page = request_history.listed(crowded.caller, request_history.Wanted(q="question"), limit=25)

    assert (page.total_count, page.is_exact) == (request_history.COUNTED, False)
    assert [row.prompt for row in page.items[:2]] == ["Question 1", "Question 2"]
    assert page.next_cursor is not None
    told = plan(crowded, "question", request_history._AGE)
    assert "requestlog_newest_first" in told or "requestlog_by_age" in told


@requirement("request-log:search:index")
def test_new_entries_are_found_before_and_after_they_are_sorted_in(alice: Person) -> None:
    log(alice.agent, prompt="Where is the zebra?")
    assert found(alice, "zebra") == ["Where is the zebra?"]

    request_log.sort_in()

    assert found(alice, "zebra") == ["Where is the zebra?"]
