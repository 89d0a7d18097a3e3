"""The request log's pages: a list to look through, and one call whole."""

import uuid
from dataclasses import replace
from typing import Any

import pytest

from accounts import keys
from accounts.models import Membership
from mcp_gateway import rendering
from tests.browsing import signed_in, text
from tests.cast import Person, person
from tests.mcp_gateway.logged import log
from tests.requirements import requirement

ATTACKS = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt&colon;alert(1))",
    "![pixel](https://evil.example/pixel.gif)",
    "<javascript:alert(1)>",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    '[x]: https://a.example "\'><script>alert(1)</script>"\n\n[x]',
]


@requirement("pages:request-log:list")
def test_the_list_shows_each_call_with_what_it_was_and_what_it_cost(alice: Person) -> None:
    log(alice.agent, prompt="Who owns billing?", duration_ms=1234, client="claude-code 2.1")
    log(alice.agent, prompt="", error_code="invalid_arguments", counted=False)

    page = text(signed_in(alice).get("/request-log"))

    for shown in ("Who owns billing?", "retrieve_memory", "1,234 ms", "claude-code 2.1", "counted"):
        assert shown in page
    assert "Retrieve company memory" in page
    assert "retrieval of the month’s allowance" in page
    assert "invalid_arguments" in page


@requirement("pages:request-log:search")
def test_search_finds_words_of_prompts_and_answers_and_status_narrows_it(alice: Person) -> None:
    log(alice.agent, prompt="Who owns billing?", text="Ines Okafor does.")
    log(alice.agent, prompt="Who owns support?", text="Priya Raman does.", error_code="memory_unavailable")
    client = signed_in(alice)

    by_answer, by_status, nothing = (
        text(client.get("/request-log", wanted)) for wanted in ({"q": "OKAFOR"}, {"status": "error"}, {"q": "zebra"})
    )

    assert "billing" in by_answer
    assert "support" not in by_answer
    assert "support" in by_status
    assert "billing" not in by_status
    assert "No call fits" in nothing


@pytest.mark.parametrize(
    "address",
    [
        "?since=never&until=9999-12-31",
        "?key=%27&tool=%00",
        "?page=99999999999999999999",
        "?page=-1",
        "?page=x",
        "?q=%00",
        "?status=%27",
        "?q=" + "x" * 500,
    ],
)
@requirement("pages:request-log:address")
def test_nonsense_in_the_address_is_no_fault(alice: Person, address: str) -> None:
    assert signed_in(alice).get(f"/request-log{address}").status_code == 200


@requirement("pages:request-log:pages")
def test_pages_hold_twenty_five_calls_and_cost_the_same_queries(alice: Person, django_assert_num_queries: Any) -> None:
    for number in range(27):
        log(alice.agent, prompt=f"question number {number}")
    client = signed_in(alice)

    # The session and the person, 1 each; memberships and the keys to choose from 3 each, and the page of calls 4: a
    # savepoint, how many, the rows with their keys, and the end of it.
    with django_assert_num_queries(2 + 2 * 3 + 4):
        first = text(client.get("/request-log"))
    with django_assert_num_queries(2 + 2 * 3 + 4):
        second = text(client.get("/request-log?page=2"))

    assert first.count("question number") == 25
    assert second.count("question number") == 2
    assert "Page 2 of 2" in second


@requirement("pages:request-log:entry")
def test_one_call_is_shown_whole(alice: Person) -> None:
    request_id = log(alice.agent, prompt="Who owns\nbilling?", session_id="thread-1")

    page = text(signed_in(alice).get(f"/request-log/{request_id}"))

    for shown in ("Who owns\nbilling?", "<h3>Report</h3>", "4.5 ms", "thread-1", "Counted", request_id, "12"):
        assert shown in page
    assert "&quot;estimated_tokens&quot;: 12" in page


@pytest.mark.parametrize("attack", ATTACKS)
@requirement("pages:request-log:escaped")
def test_what_a_report_or_a_prompt_contains_is_shown_and_never_acts(alice: Person, attack: str) -> None:
    request_id = log(alice.agent, prompt=attack, text=attack, client=attack, structured={"said": attack})
    client = signed_in(alice)

    for page in (text(client.get(f"/request-log/{request_id}")), text(client.get("/request-log"))):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert 'href="javascript' not in page.lower()


@requirement("pages:request-log:excerpts")
def test_an_excerpt_of_a_document_is_shown_as_it_is_meant_and_code_as_code() -> None:
    table = "| Year | Wage |\n| --- | --- |\n| First | 9.80 |\n"
    shown = rendering.report(f"````markdown\n{table}\n```markdown\n*x*\n<b>\n```\n````\n\n```\n*y*\n```")

    assert "<td>9.80</td>" in shown
    assert "*x*\n&lt;b&gt;" in shown
    assert "<pre><code>*y*" in shown
    assert "<b>" not in shown


@requirement("pages:request-log:escaped")
def test_links_of_a_report_say_nothing_of_where_they_were_followed() -> None:
    assert rendering.report("[a](https://a.example)") == (
        '<p><a href="https://a.example" rel="nofollow noopener noreferrer">a</a></p>\n'
    )


@requirement("pages:stranger")
def test_a_stranger_finds_neither_alices_calls_nor_that_they_exist(alice: Person, charlie: Person) -> None:
    request_id = log(alice.agent, prompt="Something secret")
    client = signed_in(charlie)

    hers, none, malformed = (
        client.get(f"/request-log/{wanted}") for wanted in (request_id, str(uuid.uuid4()), "not-an-id")
    )

    assert hers.status_code == none.status_code == malformed.status_code == 404
    assert text(hers) == text(none) == text(malformed)
    assert "Something secret" not in text(client.get("/request-log"))


@requirement("pages:roles:viewer")
def test_a_viewer_reads_the_log(alice: Person) -> None:
    request_id = log(alice.agent, prompt="Who owns billing?")
    vera = signed_in(person("vera", alice.account, Membership.Role.VIEWER))

    assert "Who owns billing?" in text(vera.get("/request-log"))
    assert "Who owns billing?" in text(vera.get(f"/request-log/{request_id}"))


@requirement("pages:request-log:escaped")
def test_bars_leave_out_what_is_no_number() -> None:
    bars = rendering.bars({"search": 30, "embedding": 60.0, "note": "fast", "gone": -1, "zero": 0})

    assert [(bar.name, bar.width) for bar in bars] == [("Embedding", 1000), ("Search", 500), ("Zero", 4)]


@requirement("pages:request-log:filters")
def test_calls_are_filtered_by_tool_key_and_days_and_pages_keep_the_filter(alice: Person, time_machine: Any) -> None:
    other = keys.mint(alice.caller, name="Another")
    time_machine.move_to("2026-11-01T12:00:00Z", tick=False)
    log(alice.agent, prompt="early one")
    time_machine.move_to("2026-11-03T23:59:00Z", tick=False)
    for number in range(26):
        log(alice.agent, prompt=f"late one {number}", tool_name="retrieve_memory")
    log(replace(alice.agent, key=other.key), prompt="by another key", tool_name="brief_me")
    client = signed_in(alice)

    def shown(**asked: str) -> str:
        return text(client.get("/request-log", asked)).partition('id="calls"')[2]

    assert "early one" in shown(until="2026-11-01")
    assert "late one" not in shown(until="2026-11-02")
    assert "early one" not in shown(since="2026-11-02")
    assert "by another key" in shown(key=other.key.public_id)
    assert "late one" not in shown(key=other.key.public_id)
    assert "by another key" not in shown(tool="retrieve_memory", since="2026-11-03", until="2026-11-03")
    assert 'href="?tool=retrieve_memory&amp;page=2"' in shown(tool="retrieve_memory")
