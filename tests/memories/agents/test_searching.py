"""Searching records: by meaning, words and both; what counts, what comes first, what never comes."""

from typing import Any

import pytest
from django.utils import timezone

from accounts import isolation
from memories.agents import forget, record, searching, shown, spaces, windows
from memories.company.answering import retrieve
from memories.company.processing import neighbours
from memories.deadline import Deadline
from memories.models import Record
from tests.cast import Person
from tests.memories import embedders, pipeline
from tests.memories.agents.notebook import item, noted, rows
from tests.requirements import requirement

REDIS = "Use Redis 7 for the session cache"
SIREN = "The siren of the tower clock stays silent at night"


def texts(person: Person, query: str, **more: Any) -> list[str]:
    return [hit.record.text for hit in searching.search(person.agent, query=query, **more).records]


@requirement("knowledge:search:next-call")
@pytest.mark.parametrize("query", ["session cache", "redis", "7"])
def test_a_record_is_found_by_its_words_in_the_very_next_call(alice: Person, query: str) -> None:
    noted(alice.agent, SIREN)
    written = noted(alice.agent, REDIS)

    found = searching.search(alice.agent, query=query).records

    assert [(hit.record.id, hit.match) for hit in found] == [(written, "words")]


@requirement("knowledge:search:meaning")
def test_once_it_has_a_vector_it_is_found_by_meaning_too(alice: Person) -> None:
    noted(alice.agent, SIREN)
    noted(alice.agent, REDIS)
    pipeline.embed_all(alice.account)

    found = searching.search(alice.agent, query="in-memory store for logins").records
    both = searching.search(alice.agent, query="which redis do we use").records

    assert [(hit.record.text, hit.match) for hit in found] == [(REDIS, "meaning")]
    assert [(hit.record.text, hit.match) for hit in both] == [(REDIS, "both")]


@requirement("knowledge:search:exact")
@pytest.mark.parametrize(
    "query",
    [
        "file:src/app.py",
        "ERR-4912",
        "9f3c2b7a1d",
        "why does ERR-4912 come up",
        "retry_budget",
        "Глухой звонок",
        "時計塔",
    ],
)
def test_a_rare_exact_token_finds_its_record_first_though_its_meaning_is_far(alice: Person, query: str) -> None:
    told = {
        "file:src/app.py": item("Start here when you read the code", topics=["file:src/app.py"]),
        "ERR-4912": item("ERR-4912 means that the winch is jammed"),
        "9f3c2b7a1d": item("The last good build was 9f3c2b7a1d"),
        "retry_budget": item("Set retry_budget to four"),
        "Глухой звонок": item("Глухой звонок висит у входа"),
        "時計塔": item("時計塔の鐘は夜に鳴らない"),
    }
    for text in ("Apps start slowly on Mondays", "Errors are shown in red", "The budget of the year is spent"):
        noted(alice.agent, text)
    for each in told.values():
        noted(alice.agent, **each)
    pipeline.embed_all(alice.account)

    found = texts(alice, query)

    expected = next(each["text"] for name, each in told.items() if name in query)
    assert found[0] == expected


@requirement("knowledge:search:some-words")
def test_a_question_finds_a_record_that_shares_two_of_its_nine_words(alice: Person) -> None:
    for number in range(30):
        noted(alice.agent, f"Depot {number} keeps its ladders dry")
    noted(alice.agent, "The pontoon is towed by the harbour master")

    assert texts(alice, "Who exactly pays whenever somebody moves that pontoon across the harbour?")[0].startswith(
        "The pontoon"
    )


@requirement("knowledge:search:nothing-relevant")
def test_an_unrelated_query_returns_nothing_rather_than_the_nearest_noise(alice: Person) -> None:
    for text in (REDIS, SIREN, "The depot opens in May", "Bells are cast in bronze"):
        noted(alice.agent, text)
    pipeline.embed_all(alice.account)

    assert texts(alice, "quarterly tax return of the bakery") == []


@requirement("knowledge:search:filters")
def test_kind_space_and_state_are_kept_apart(alice: Person, bob: Person) -> None:
    board = spaces.create(alice.agent, name="Board").id
    old = noted(alice.agent, "The bell rings at noon")
    noted(alice.agent, "The bell rings at one", supersedes=old)
    noted(alice.agent, "Is the bell too loud?", "question")
    noted(alice.agent, "The bell will be sold", space_id=board)

    assert set(texts(alice, "bell", kind="question")) == {"Is the bell too loud?"}
    assert set(texts(alice, "bell", space_id=board)) == {"The bell will be sold"}
    assert "The bell will be sold" in texts(alice, "bell")
    assert "The bell will be sold" not in texts(bob, "bell")
    assert "The bell rings at noon" not in texts(alice, "bell")
    assert texts(alice, "bell rings noon", include_inactive=True)[-1] == "The bell rings at noon"


@requirement("knowledge:search:page-size")
def test_the_first_ones_do_not_depend_on_how_many_are_asked_for(alice: Person) -> None:
    for number in range(25):
        noted(alice.agent, f"Bell {number} rings {'loud' * (number % 3)} at {number} o'clock")
    pipeline.embed_all(alice.account)

    few, many = texts(alice, "which bell rings at 7", page_size=3), texts(alice, "which bell rings at 7", page_size=100)

    assert few == many[:3]
    assert len(texts(alice, "which bell rings at 7")) == 20


@requirement("knowledge:search:embedder-down")
def test_while_the_embedder_is_away_records_are_found_by_words_and_it_is_said(alice: Person, settings: Any) -> None:
    noted(alice.agent, SIREN)
    noted(alice.agent, REDIS)
    pipeline.embed_all(alice.account)
    settings.PAM_EMBEDDER = embedders.DOWN

    found = searching.search(alice.agent, query="session cache of the tower")

    assert {hit.match for hit in found.records} == {"words"}
    assert REDIS in {hit.record.text for hit in found.records}
    assert found.structured()["degraded"]


@requirement("knowledge:search:windows")
def test_a_record_is_found_by_what_its_session_says_around_it(alice: Person) -> None:
    record.summary(
        alice.agent, session="a", items=[item("Which lacquer did the pontoon get?", "question"), item("Red")]
    )
    record.summary(alice.agent, session="b", items=[item("Which tie does the captain wear?", "question"), item("Blue")])

    assert "Red" in texts(alice, "lacquer of the pontoon")
    assert "Blue" not in texts(alice, "lacquer of the pontoon")


@requirement("knowledge:search:gone")
@pytest.mark.parametrize("how", ["deleted", "hidden"])
def test_what_is_gone_is_found_neither_by_its_words_nor_by_those_it_lent(alice: Person, how: str) -> None:
    made = record.summary(
        alice.agent, session="a", items=[item("The winch is greased"), item("heliotrope"), item("The rope is dry")]
    )
    pipeline.embed_all(alice.account)
    before = near(alice)
    assert len(texts(alice, "heliotrope")) == 3

    if how == "deleted":
        forget.record(alice.agent, made.items[1].record.id)
    else:
        hide(alice, made.items[1].record.id)

    assert texts(alice, "heliotrope") == []
    assert all(near(alice)[text] != before[text] for text in ("The winch is greased", "The rope is dry"))
    if how == "hidden":
        hide(alice, made.items[1].record.id, is_hidden=False)
        assert near(alice) == before


def hide(person: Person, record_id: str, *, is_hidden: bool = True) -> None:
    with isolation.account(person.account.pk):
        windows.take_turn(person.account.pk)
        row = Record.objects.get(public_id=record_id)
        row.hidden_at = row.created_at if is_hidden else None
        row.save(update_fields=["hidden_at"])
        windows.renew(person.account.pk, [row.pk])


def near(person: Person) -> dict[str, tuple[str, str]]:
    """Text -> the words and the vector of its window."""
    return {row.text: (row.words.to_text(), str(row.near_vector)) for row in rows(person.agent)}


@requirement("knowledge:search:windows")
def test_windows_are_the_same_however_a_session_came_in(alice: Person, charlie: Person) -> None:
    said = [f"Bell {number} rings {number} times" for number in range(9)]
    record.summary(alice.agent, session="a", items=[item(text) for text in said])
    pipeline.embed_all(alice.account)
    for text in said:
        record.summary(charlie.agent, session="a", items=[item(text)])
        pipeline.embed_all(charlie.account)

    assert near(alice) == near(charlie)


@requirement("knowledge:search:small-among-large")
def test_a_small_account_gets_all_of_its_own_among_many_foreign_rows(alice: Person, charlie: Person) -> None:
    for session in range(10):
        record.summary(
            charlie.agent,
            session=f"s{session}",
            items=[item(f"Bell {session}-{number} rings at night") for number in range(50)],
        )
    for number in range(20):
        noted(alice.agent, f"Bell {number} rings at night")
    pipeline.embed_all(alice.account)
    pipeline.embed_all(charlie.account)

    assert len(texts(alice, "bells at night", page_size=20)) == 20


@requirement("knowledge:search:indexes")
def test_a_large_account_is_searched_through_its_index_and_finds_the_same(alice: Person, settings: Any) -> None:
    for number in range(12):
        noted(alice.agent, f"Bell {number} of the tower rings at {number}")
    pipeline.embed_all(alice.account)
    scanned = texts(alice, "which bell of the tower rings at 7")

    settings.PAM_EXACT_SCAN_FACTS = 5
    while neighbours.settle(alice.account.pk, limit=4):
        pass

    assert {row.is_indexed for row in rows(alice.agent)} == {True}
    assert texts(alice, "which bell of the tower rings at 7") == scanned


@requirement("knowledge:search:told")
def test_what_is_found_is_told_as_everywhere_else(alice: Person) -> None:
    board = spaces.create(alice.agent, name="Board").id
    old = noted(alice.agent, "The bell rings at noon", topics=["bell"], links=["https://example.com/1"])
    newer = noted(alice.agent, "The bell rings at one", supersedes=old, decided_by="Dana", agent="scribe")
    noted(alice.agent, "The bell rings at two", supersedes=newer, space_id=board)
    question = noted(alice.agent, "Does the bell ring at three?", "question")
    answer = noted(alice.agent, "The bell never rings at three", supersedes=question)
    with isolation.account(alice.account.pk):
        Record.objects.filter(account=alice.account, public_id=answer).update(hidden_at=timezone.now())

    found = searching.search(alice.agent, query="bell rings at", include_inactive=True).records

    with isolation.account(alice.account.pk):
        rows = Record.objects.filter(account=alice.account, hidden_at=None).select_related(*shown.RECORD_RELATED)
        expected = {row.public_id: shown.record(row) for row in rows}
    assert {hit.record.id: hit.record for hit in found} == expected
    assert [hit.record.superseded_by for hit in found if hit.record.id == question] == [""]


@requirement("knowledge:search:queries")
def test_a_search_takes_a_fixed_number_of_queries(alice: Person, django_assert_num_queries: Any) -> None:
    for number in range(6):
        noted(alice.agent, f"Bell {number} rings")
    agent = alice.agent
    searching.search(agent, query="warm up")

    # Around it a savepoint (2); the caller's reach (2), its spaces, word statistics, the scan, the rows.
    with django_assert_num_queries(8):
        searching.search(agent, query="bell rings", page_size=2)
    with django_assert_num_queries(8):
        searching.search(agent, query="bell rings", page_size=50)


@requirement("knowledge:retrieve:beside-documents")
def test_what_was_recorded_for_the_whole_account_is_told_beside_the_documents(alice: Person) -> None:
    board = spaces.create(alice.agent, name="Board").id
    pipeline.imported(alice, {"bell.md": "# Bell\n\nThe bell of the tower was cast in Ghent."})
    old = noted(alice.agent, "The bell of the tower rings at noon", decided_by="Dana")
    noted(alice.agent, "The bell of the tower rings at one", supersedes=old, decided_by="Dana")
    noted(alice.agent, "The bell of the tower is to be sold", space_id=board)

    made = retrieve.retrieve(alice.agent, prompt="When does the bell of the tower ring?", deadline=Deadline.after(60))

    kinds = {fact.statement: fact.kind for fact in made.findings.facts}
    assert kinds["The bell of the tower rings at one"] == "decision"
    assert not {"The bell of the tower rings at noon", "The bell of the tower is to be sold"} & set(kinds)
    assert "decision in agent memory: decision of Dana" in made.content_text
    told = next(f for f in made.structured()["retrieval"]["facts"] if f["kind"] == "decision")
    assert told["observed_at"]
