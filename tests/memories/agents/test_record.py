"""What a call leaves behind: all of it, once, or nothing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from accounts.errors import InvalidArguments, NotFound, ScopeMissing
from memories.agents import listing, record
from memories.errors import FailedPrecondition
from tests.cast import Person
from tests.memories.agents.notebook import item, noted, outcomes, rows
from tests.requirements import requirement

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@requirement("knowledge:record:answer")
def test_a_session_is_kept_with_its_items(alice: Person) -> None:
    made = record.summary(
        alice.agent,
        agent="coordinator",
        session="s-1",
        trigger="end",
        text="We chose the queue.",
        items=[item("Use Postgres as the queue", topics=["service:jobs", "file:app/jobs.py"], decided_by="Dana")],
    )

    kept = made.items[0].record
    assert (made.summary.item_count, made.summary.trigger, made.redactions) == (1, "end", 0)
    assert (kept.kind, kept.status, kept.agent, kept.session) == ("decision", "active", "coordinator", "s-1")
    assert (kept.topics, kept.decided_by, kept.summary_id) == (
        ["service:jobs", "file:app/jobs.py"],
        "Dana",
        made.summary.id,
    )


@requirement("knowledge:record:seen-again")
@pytest.mark.parametrize("again", ["use redis 6", "  Use   Redis 6.", "Use Ｒedis 6", "USE REDIS 6!"])
def test_the_same_statement_in_another_form_is_seen_again(alice: Person, again: str) -> None:
    with time_machine.travel(START, tick=False):
        first = noted(alice.agent, "Use Redis 6", topics=["cache"], links=["https://example.com/1"])
    with time_machine.travel(START + timedelta(days=3), tick=False):
        made = record.summary(alice.agent, items=[item(again, topics=["ops"], links=["https://example.com/2"])])

    kept = made.items[0].record
    assert outcomes(made) == ["seen_again"]
    assert (kept.id, kept.seen_count, kept.created_at) == (first, 2, START)
    assert kept.last_seen_at == START + timedelta(days=3)
    assert (kept.topics, kept.links) == (["cache", "ops"], ["https://example.com/1", "https://example.com/2"])
    assert len(rows(alice.agent)) == 1


@requirement("knowledge:record:never-by-likeness")
def test_two_versions_stay_two_and_the_near_one_is_named(alice: Person) -> None:
    first = noted(alice.agent, "Use Redis 6 for the session cache")

    made = record.summary(alice.agent, items=[item("Use Redis 7 for the session cache")])

    assert outcomes(made) == ["created"]
    assert [near.id for near in made.items[0].similar] == [first]
    assert 0.45 <= made.items[0].similar[0].score < 1


@requirement("knowledge:record:never-by-likeness")
def test_the_same_words_as_another_kind_are_another_record(alice: Person) -> None:
    noted(alice.agent, "Retries stop after five attempts", "fact")

    made = record.summary(alice.agent, items=[item("Retries stop after five attempts", "question")])

    assert outcomes(made) == ["created"]


@requirement("knowledge:record:seen-again")
def test_the_same_item_twice_in_a_call_is_one_row(alice: Person) -> None:
    made = record.summary(alice.agent, items=[item("Ship on Friday"), item("ship on friday.")])

    assert outcomes(made) == ["created", "seen_again"]
    assert [row.seen_count for row in rows(alice.agent)] == [2]


@requirement("knowledge:record:retry")
def test_a_retry_makes_no_second_row_and_counts_nothing_twice(alice: Person) -> None:
    call: dict[str, Any] = {
        "agent": "a",
        "session": "s",
        "text": "Done for today.",
        "items": [item("Ship on Friday"), item("Who tests the pump?", "question")],
    }
    first = record.summary(alice.agent, **call)
    again = record.summary(alice.agent, **call)

    assert again.summary == first.summary
    assert [taken.record.id for taken in again.items] == [taken.record.id for taken in first.items]
    assert outcomes(again) == ["created", "created"]
    assert [row.seen_count for row in rows(alice.agent)] == [1, 1]
    assert len(listing.summaries(alice.agent).summaries) == 1


@requirement("knowledge:record:retry")
def test_the_same_content_two_days_later_is_a_session_of_its_own(alice: Person) -> None:
    with time_machine.travel(START, tick=False):
        record.summary(alice.agent, session="s", items=[item("Ship on Friday")])
    with time_machine.travel(START + timedelta(days=2), tick=False):
        made = record.summary(alice.agent, session="s", items=[item("Ship on Friday")])

    assert outcomes(made) == ["seen_again"]
    assert len(listing.summaries(alice.agent).summaries) == 2


@requirement("knowledge:record:second-summary")
def test_a_second_summary_of_a_session_takes_nothing_of_the_first_away(alice: Person) -> None:
    record.summary(alice.agent, session="s", text="Morning.", items=[item("Use Postgres")])
    record.summary(alice.agent, session="s", text="Evening.", items=[item("Use Valkey")])

    assert [each.text for each in listing.summaries(alice.agent, session="s").summaries] == ["Evening.", "Morning."]
    assert [row.text for row in rows(alice.agent)] == ["Use Postgres", "Use Valkey"]


@requirement("knowledge:record:secrets")
def test_secrets_are_cut_before_anything_is_kept(alice: Person) -> None:
    made = record.summary(
        alice.agent,
        text="The password is hunter2-Kx81pQ and the build is 4f2c1d0a9b8e7f6a5c4d3e2f1a0b9c8d7e6f5a4b.",
        items=[item("Deploy with AWS key AKIAIOSFODNN7EXAMPLE", links=["https://bob:hunter22xx@example.com/x"])],
    )

    kept = f"{made.summary.text} {made.items[0].record.text} {made.items[0].record.links}"
    assert "hunter2" not in kept
    assert "AKIAIOSFODNN7EXAMPLE" not in kept
    assert "4f2c1d0a9b8e7f6a5c4d3e2f1a0b9c8d7e6f5a4b" in kept
    assert made.redactions >= 2


TRANSCRIPT = "\n".join(f"User: what about step {n}?\nAssistant: step {n} is done." for n in range(6))


@requirement("knowledge:record:bad-input")
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"items": [item("x")] * 51}, "items"),
        ({"text": "x" * 8001}, "text"),
        ({"text": TRANSCRIPT}, "text"),
        ({"text": "a\x00b"}, "text"),
        ({"text": "a\ud800b"}, "text"),
        ({}, "text"),
        ({"trigger": "lunch", "text": "x"}, "trigger"),
        ({"agent": "a" * 201, "text": "x"}, "agent"),
        ({"items": [item("x", "rumour")]}, "items[0].kind"),
        ({"items": [item("ok"), item("x" * 2001)]}, "items[1].text"),
        ({"items": [item("  ")]}, "items[0].text"),
        ({"items": [item("x", topics=[f"t{n}" for n in range(21)])]}, "items[0].topics"),
        ({"items": [item("x", topics=["t" * 201])]}, "items[0].topics[0]"),
        ({"items": [item("x", links=["javascript:alert(1)"])]}, "items[0].links[0]"),
        ({"items": [item("x", links=["https://[oops"])]}, "items[0].links[0]"),
        ({"items": [item("x", links=[f"https://example.com/{n}" for n in range(21)])]}, "items[0].links"),
    ],
)
def test_what_is_out_of_bounds_is_named_and_nothing_is_written(
    alice: Person, given: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidArguments) as refused:
        record.summary(alice.agent, **given)

    assert refused.value.argument == named
    assert rows(alice.agent) == []
    assert listing.summaries(alice.agent).summaries == []


@requirement("knowledge:record:bounds")
def test_the_largest_call_goes_in(alice: Person) -> None:
    items = [item(f"{n} " + "x" * 1990, topics=[f"t{m}" for m in range(20)]) for n in range(50)]

    made = record.summary(alice.agent, text="y " * 4000, items=items)

    assert outcomes(made) == ["created"] * 50


@requirement("knowledge:record:all-or-nothing")
def test_one_bad_id_leaves_nothing_of_the_call(alice: Person) -> None:
    with pytest.raises(NotFound):
        record.summary(alice.agent, text="x", items=[item("Use Postgres"), item("y", supersedes="rec_nowhere")])

    assert rows(alice.agent) == []
    assert listing.summaries(alice.agent).summaries == []


@requirement("knowledge:supersede:links")
def test_a_newer_decision_takes_the_place_of_the_old_one(alice: Person) -> None:
    old = noted(alice.agent, "Use Redis 6")
    new = noted(alice.agent, "Use Valkey 8", supersedes=old)

    before, after = listing.record(alice.agent, old), listing.record(alice.agent, new)
    assert (before.status, before.superseded_by) == ("superseded", new)
    assert (after.status, after.supersedes) == ("active", old)


@requirement("knowledge:supersede:resolves")
@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [
        ("question", "decision", "resolved"),
        ("question", "question", "superseded"),
        ("handoff", "done", "resolved"),
        ("handoff", "handoff", "superseded"),
        ("decision", "done", "superseded"),
        ("question", "done", "resolved"),
    ],
)
def test_an_answer_resolves_and_a_newer_one_supersedes(alice: Person, old: str, new: str, ends: str) -> None:
    first = noted(alice.agent, "Where do failed deliveries go", old)
    noted(alice.agent, "Failed deliveries are retried", new, supersedes=first)

    assert listing.record(alice.agent, first).status == ends


@requirement("knowledge:supersede:once")
def test_what_was_replaced_already_is_refused_and_the_one_in_force_is_named(alice: Person) -> None:
    first = noted(alice.agent, "Use Redis 6")
    second = noted(alice.agent, "Use Redis 7", supersedes=first)
    third = noted(alice.agent, "Use Valkey 8", supersedes=second)

    with pytest.raises(FailedPrecondition, match=third):
        record.summary(alice.agent, items=[item("Use Memcached", supersedes=first)])

    assert [row.text for row in rows(alice.agent)] == ["Use Redis 6", "Use Redis 7", "Use Valkey 8"]


@requirement("knowledge:supersede:not-itself")
def test_a_record_does_not_supersede_itself(alice: Person) -> None:
    first = noted(alice.agent, "Use Redis 6")

    with pytest.raises(FailedPrecondition, match="itself"):
        record.summary(alice.agent, session="another", items=[item("use redis 6", supersedes=first)])


@requirement("knowledge:supersede:foreign")
def test_another_accounts_record_is_as_if_it_never_was(alice: Person, charlie: Person) -> None:
    foreign = noted(charlie.agent, "Use Redis 6")
    messages = []
    for old in (foreign, "rec_00000000000000000000"):
        with pytest.raises(NotFound) as refused:
            record.summary(alice.agent, items=[item("Use Redis 7", supersedes=old)])
        messages.append(refused.value.message.replace(old, "…"))

    assert messages[0] == messages[1]
    assert listing.record(charlie.agent, foreign).status == "active"


@requirement("knowledge:access:scope")
def test_a_key_without_the_scope_records_nothing(alice: Person) -> None:
    reader = replace(alice.agent, scopes=frozenset({"decisions:read"}))

    with pytest.raises(ScopeMissing, match="decisions:write"):
        record.summary(reader, text="x")


@pytest.mark.django_db(transaction=True)
@requirement("knowledge:record:together")
def test_sixteen_calls_at_once_lose_and_double_nothing(alice: Person) -> None:
    def tell(number: int) -> list[str]:
        try:
            made = record.summary(
                alice.agent,
                session=f"s{number}",
                items=[item("Ship on Friday"), item(f"Part {number} is ordered", "done")],
            )
            return outcomes(made)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        told = list(pool.map(tell, range(16)))

    assert sorted(each[0] for each in told) == ["created"] + ["seen_again"] * 15
    assert [each[1] for each in told] == ["created"] * 16
    kept = {row.text: row.seen_count for row in rows(alice.agent)}
    assert kept == {"Ship on Friday": 16, **{f"Part {number} is ordered": 1 for number in range(16)}}


@pytest.mark.django_db(transaction=True)
@requirement("knowledge:supersede:together")
def test_of_many_that_replace_the_same_record_at_once_one_wins_and_the_others_are_told(alice: Person) -> None:
    old = noted(alice.agent, "Use Redis 6")

    def take_place(number: int) -> str:
        try:
            return noted(alice.agent, f"Use Redis {number}", supersedes=old)
        except FailedPrecondition as refused:
            return refused.message
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(take_place, range(7, 15)))

    winner = listing.record(alice.agent, old).superseded_by
    assert told.count(winner) == 1
    assert all(winner in each for each in told)
    assert len(rows(alice.agent)) == 2
