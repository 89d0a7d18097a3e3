"""Lists: newest first, whole, bound to their filters; and what is deleted stays gone."""

from typing import Any

import pytest

from accounts.errors import InvalidArguments, NotFound
from memories.agents import forget, listing, notes, record, supersession
from tests.cast import Person
from tests.memories.agents.notebook import item, noted, rows
from tests.requirements import requirement


def _texts(page: listing.RecordPage) -> list[str]:
    return [row.text for row in page.records]


@requirement("knowledge:list:pages")
def test_pages_stay_right_while_records_come_in(alice: Person) -> None:
    record.summary(alice.agent, items=[item(f"Decision {n}") for n in range(7)])

    first = listing.records(alice.agent, page_size=3)
    noted(alice.agent, "Came in between")
    second = listing.records(alice.agent, page_size=3, page_token=first.next_page_token)
    third = listing.records(alice.agent, page_size=3, page_token=second.next_page_token)

    assert _texts(first) + _texts(second) + _texts(third) == [f"Decision {n}" for n in reversed(range(7))]
    assert third.next_page_token == ""


@requirement("knowledge:list:filters")
def test_every_filter_narrows_the_list(alice: Person) -> None:
    record.summary(alice.agent, agent="a", session="s1", items=[item("One", topics=["cache"]), item("Two", "fact")])
    record.summary(alice.agent, agent="b", session="s2", items=[item("Three", topics=["cachet"])])

    assert _texts(listing.records(alice.agent, agent="a")) == ["Two", "One"]
    assert _texts(listing.records(alice.agent, session="s2")) == ["Three"]
    assert _texts(listing.records(alice.agent, kind="fact")) == ["Two"]
    assert _texts(listing.records(alice.agent, topic="cache")) == ["One"]
    assert _texts(listing.records(alice.agent, status="superseded")) == []
    assert [each.session for each in listing.summaries(alice.agent, agent="b").summaries] == ["s2"]


@requirement("knowledge:list:wordless")
def test_a_summary_without_text_is_told_by_its_items(alice: Person) -> None:
    record.summary(alice.agent, session="one", items=[item("Use a keypad")])
    record.summary(alice.agent, session="two", items=[item("Who has the code?", "question"), item("Paint it red")])
    record.summary(alice.agent, session="prose", text="We met.", items=[item("Paint it blue")])

    said = notes.summaries(listing.summaries(alice.agent))

    assert "1 item: decision “Use a keypad”" in said
    assert "2 items, the first: question “Who has the code?”" in said
    assert "We met." in said
    assert "Paint it blue" not in said


@requirement("knowledge:list:bad-input")
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"page_size": -1}, "page_size"),
        ({"page_size": 201}, "page_size"),
        ({"page_size": 10**9}, "page_size"),
        ({"kind": "rumour"}, "kind"),
        ({"status": "open"}, "status"),
        ({"topic": "x" * 201}, "topic"),
        ({"agent": "a\x00"}, "agent"),
        ({"page_token": "made up"}, "page_token"),
        ({"page_token": "\ud800"}, "page_token"),
    ],
)
def test_a_bad_filter_is_named(alice: Person, given: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidArguments) as refused:
        listing.records(alice.agent, **given)

    assert refused.value.argument == named


@requirement("knowledge:list:token-bound")
def test_a_token_of_another_filter_or_account_is_refused(alice: Person, charlie: Person) -> None:
    record.summary(alice.agent, items=[item(f"Decision {n}") for n in range(3)])
    token = listing.records(alice.agent, page_size=1).next_page_token

    for caller, filters in ((alice.agent, {"kind": "decision"}), (charlie.agent, {})):
        with pytest.raises(InvalidArguments):
            listing.records(caller, page_size=1, page_token=token, **filters)
    with pytest.raises(InvalidArguments):
        listing.summaries(alice.agent, page_token=token)


@requirement("knowledge:list:queries")
@pytest.mark.parametrize("count", [1, 60])
def test_a_list_costs_the_same_whatever_its_size(alice: Person, django_assert_num_queries: Any, count: int) -> None:
    for start in range(0, count, 30):
        record.summary(alice.agent, items=[item(f"Decision {n}") for n in range(start, min(start + 30, count))])
    caller = alice.agent
    # savepoint, role, listed spaces, records, release
    with django_assert_num_queries(5):
        listing.records(caller, page_size=200)


@requirement("knowledge:delete:chain")
def test_deleting_the_middle_of_a_chain_links_its_neighbours(alice: Person) -> None:
    one = noted(alice.agent, "Use Redis 6")
    two = noted(alice.agent, "Use Redis 7", supersedes=one)
    three = noted(alice.agent, "Use Valkey 8", supersedes=two)

    forget.record(alice.agent, two)

    assert listing.record(alice.agent, one).superseded_by == three
    assert listing.record(alice.agent, three).supersedes == one
    assert [row.text for row in rows(alice.agent)] == ["Use Redis 6", "Use Valkey 8"]
    with pytest.raises(NotFound):
        listing.record(alice.agent, two)


@requirement("knowledge:delete:stays-replaced")
def test_deleting_the_newest_does_not_bring_the_old_one_back_into_force(alice: Person) -> None:
    one = noted(alice.agent, "Use Redis 6")
    two = noted(alice.agent, "Use Redis 7", supersedes=one)

    forget.record(alice.agent, two)

    assert (listing.record(alice.agent, one).status, listing.record(alice.agent, one).superseded_by) == (
        "superseded",
        "",
    )


@requirement("knowledge:delete:foreign")
def test_a_stranger_deletes_nothing(alice: Person, charlie: Person) -> None:
    kept = noted(alice.agent, "Use Redis 6")

    with pytest.raises(NotFound):
        forget.record(charlie.agent, kept)

    assert listing.record(alice.agent, kept).text == "Use Redis 6"


@requirement("knowledge:history")
def test_a_record_shows_its_chain_both_ways(alice: Person) -> None:
    one = noted(alice.agent, "Use Redis 6")
    two = noted(alice.agent, "Use Redis 7", supersedes=one)
    three = noted(alice.agent, "Use Valkey 8", supersedes=two)

    told = listing.history(alice.agent, two)

    assert [row.id for row in told.earlier] == [one]
    assert [row.id for row in told.later] == [three]


@requirement("knowledge:resolve")
def test_a_question_is_resolved_by_hand(alice: Person) -> None:
    asked = noted(alice.agent, "Who tests the pump?", "question")

    assert supersession.resolve(alice.agent, asked).status == "resolved"
