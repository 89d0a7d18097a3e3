"""What becomes of two memories that do not fit together, over HTTP and by the workers."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import close_old_connections, connection

from accounts import isolation
from accounts.models import AlertSettings, WebhookDelivery
from memories.end_users import conflicts, people, remember
from memories.end_users.conflicts import listing
from memories.end_users.statements import Origin, Statement
from memories.models import Conflict, EndUser, Memory
from tests import test_every_route
from tests.cast import Person
from tests.memories.end_users import diary
from tests.memories.end_users.diary import send, told
from tests.memories.pipeline import embed_all
from tests.requirements import requirement

BERLIN, LISBON = "User lives in Berlin.", "User lives in Lisbon."
NOON_SWIM, NIGHT_SWIM = "User swims at noon.", "User swims at midnight."
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def live(who: Person, user: str = "pat") -> list[str]:
    return [row.content for row in diary.rows(who, user) if not row.is_archived]


def logged(who: Person, **wanted: Any) -> list[dict[str, Any]]:
    query = "&".join(f"{name}={value}" for name, value in wanted.items())
    answer = send(who, "get", f"tenant/conflicts?{query}")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


def asked(who: Person, user: str = "pat") -> conflicts.Question | None:
    with isolation.account(who.account.pk):
        return conflicts.take_question(who.account, people.known(who.account, user))


def said(who: Person, content: str, *, user: str = "pat", at: datetime | None = None, sure: float = 1.0) -> None:
    """As a worker that read it out of messages."""
    with isolation.account(who.account.pk):
        statement = Statement(content=content, category="fact", confidence=sure)
        remember.write(who.account, people.seen(who.account, user), [statement], Origin(observed_at=at))


@requirement("end-users:conflicts:update")
def test_a_contradicted_memory_is_archived_and_the_new_one_points_to_it(alice: Person) -> None:
    old = told(alice, "pat", BERLIN)
    new = told(alice, "pat", "User moved to Lisbon last month.")

    assert live(alice) == ["User moved to Lisbon last month."]
    assert send(alice, "get", f"memories/{new}").json()["data"]["previous_version_id"] == old
    history = send(alice, "get", f"memories/{old}/history").json()["data"]
    assert [each["change_type"] for each in history] == ["created", "conflict_update"]
    (row,) = logged(alice)
    assert (row["outcome"], row["status"], row["a"]["id"], row["b"]["id"]) == ("UPDATE", "resolved", old, new)


@requirement("end-users:conflicts:update")
def test_what_was_updated_twice_comes_back_when_it_is_said_again(alice: Person) -> None:
    for content in (BERLIN, LISBON, BERLIN):
        told(alice, "pat", content)

    assert live(alice) == [BERLIN]
    assert len(diary.rows(alice, "pat")) == 3


@requirement("end-users:conflicts:update")
def test_a_denial_ends_what_it_denies_and_what_belongs_to_it(alice: Person) -> None:
    told(alice, "pat", "User loves steak.")
    told(alice, "pat", "User eats meat.")
    told(alice, "pat", "User likes apples.")
    told(alice, "pat", "User no longer eats meat.")

    assert live(alice) == ["User likes apples.", "User no longer eats meat."]


@requirement("end-users:conflicts:both-hold")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User likes tea.", "User likes coffee."),
        ("User lives in Berlin.", "User's sister lives in Rome."),
        ("User no longer lives in Berlin.", "User lives in Lisbon."),
        ("User likes coffee.", "User does not like coffee with sugar."),
        ("User works at Siemens.", "User works as a nurse."),
    ],
)
def test_what_can_both_hold_stays(alice: Person, one: str, other: str) -> None:
    told(alice, "pat", one)
    told(alice, "pat", other)
    embed_all(alice.account)

    assert live(alice) == [one, other]
    assert logged(alice) == []


@requirement("end-users:conflicts:isolation")
def test_a_contradiction_is_settled_only_among_memories_of_one_end_user(alice: Person, charlie: Person) -> None:
    told(alice, "pat", BERLIN)
    told(alice, "sam", LISBON)
    told(charlie, "pat", LISBON)
    for who in (alice, charlie):
        embed_all(who.account)

    assert (live(alice, "pat"), live(alice, "sam"), live(charlie, "pat")) == ([BERLIN], [LISBON], [LISBON])
    assert logged(alice) == logged(charlie) == []


@requirement("end-users:conflicts:merge")
def test_a_statement_that_says_more_takes_the_place_of_the_one_that_says_less(alice: Person) -> None:
    told(alice, "pat", "User has a dog.", importance_score=9)
    told(alice, "pat", "User has a dog named Rex.")

    (row,) = [each for each in diary.rows(alice, "pat") if not each.is_archived]
    assert (row.content, row.importance_score, row.seen_count) == ("User has a dog named Rex.", 9.0, 2)
    assert [each["outcome"] for each in logged(alice)] == ["MERGE"]


@requirement("end-users:conflicts:merge")
def test_the_same_in_other_words_is_seen_again(alice: Person) -> None:
    first = told(alice, "pat", "User lives in Berlin, Germany.")

    assert told(alice, "pat", "User is based in Berlin.") == first
    (row,) = diary.rows(alice, "pat")
    assert row.seen_count == 2
    assert [(each["outcome"], each["statement"]) for each in logged(alice)] == [("MERGE", "User is based in Berlin.")]


@requirement("end-users:conflicts:reject")
def test_what_was_said_earlier_does_not_replace_what_was_said_later(alice: Person) -> None:
    said(alice, LISBON, at=NOON - timedelta(days=1))
    said(alice, BERLIN, at=NOON - timedelta(days=400))

    assert live(alice) == [LISBON]
    assert [(each["outcome"], each["statement"], each["b"]) for each in logged(alice)] == [("REJECT", BERLIN, None)]


@requirement("end-users:conflicts:doubt")
def test_what_is_much_less_sure_only_raises_a_question(alice: Person) -> None:
    said(alice, BERLIN, at=NOON)
    said(alice, LISBON, at=NOON + timedelta(minutes=1), sure=0.7)

    assert live(alice) == [BERLIN, LISBON]
    assert [each["status"] for each in logged(alice)] == ["pending"]


@requirement("end-users:conflicts:meaning")
def test_what_only_meaning_tells_is_looked_at_once_there_are_vectors(alice: Person) -> None:
    told(alice, "pat", NOON_SWIM)
    told(alice, "pat", NIGHT_SWIM)
    assert logged(alice) == []

    embed_all(alice.account)

    (row,) = logged(alice, status="pending")
    assert (row["a"]["content"], row["b"]["content"]) == (NOON_SWIM, NIGHT_SWIM)
    assert live(alice) == [NOON_SWIM, NIGHT_SWIM]


@requirement("end-users:conflicts:meaning")
def test_a_second_review_finds_nothing_new(alice: Person) -> None:
    told(alice, "pat", NOON_SWIM)
    told(alice, "pat", NIGHT_SWIM)
    embed_all(alice.account)
    before = diary.rows(alice, "pat")

    conflicts.review(alice.account.pk, [row.pk for row in before])

    assert [(row.updated_at, row.is_archived) for row in diary.rows(alice, "pat")] == [
        (row.updated_at, row.is_archived) for row in before
    ]
    assert len(logged(alice)) == 1


@requirement("end-users:conflicts:meaning")
def test_a_memory_reworded_by_hand_is_held_against_the_others(alice: Person) -> None:
    told(alice, "pat", BERLIN)
    other = told(alice, "pat", "User lived abroad for a while.")
    embed_all(alice.account)
    assert send(alice, "patch", f"memories/{other}", {"content": LISBON}).status_code == 200
    embed_all(alice.account)

    assert live(alice) == [LISBON]


@requirement("end-users:conflicts:question")
def test_the_question_is_natural_and_asked_once(alice: Person) -> None:
    row = diary.in_doubt(alice, "pat")

    question = asked(alice)
    assert question is not None
    assert str(question.id) == row["id"]
    assert question.text == (
        "I want to be sure that I have it right. Is it that your dog is called Rex, or that your dog is called Bello? "
        "Or are both true?"
    )
    assert asked(alice) is None


@requirement("end-users:conflicts:question")
@pytest.mark.parametrize("of_old", [True, False])
def test_nothing_is_asked_about_what_is_no_longer_told(alice: Person, of_old: bool) -> None:
    row = diary.in_doubt(alice, "pat")
    send(alice, "delete", f"memories/{row['a' if of_old else 'b']['id']}")

    assert asked(alice) is None
    assert logged(alice, status="pending") == []
    assert [each["id"] for each in logged(alice, status="resolved")] == [row["id"]]


@requirement("end-users:conflicts:question")
def test_nobody_who_is_blocked_is_asked(alice: Person) -> None:
    row = diary.in_doubt(alice, "pat")
    with isolation.account(alice.account.pk):
        EndUser.objects.filter(account=alice.account).update(blocked_at=NOON)

    assert asked(alice) is None
    refused = send(alice, "post", f"memories/clarifications/{row['id']}/answer", {"choice": "a"})
    assert (refused.status_code, refused.json()["code"]) == (403, "PRX_403")
    assert send(alice, "post", f"tenant/conflicts/{row['id']}/resolve", {"keep": "a"}).status_code == 200


@requirement("end-users:conflicts:answer")
@pytest.mark.parametrize(
    ("choice", "kept", "outcome"),
    [
        ("a", ["Rex"], "REJECT"),
        ("b", ["Bello"], "UPDATE"),
        ("both", ["Rex", "Bello"], "KEEP_BOTH"),
        ("neither", [], "NEW"),
    ],
)
def test_an_answer_keeps_what_was_chosen(alice: Person, choice: str, kept: list[str], outcome: str) -> None:
    row = diary.in_doubt(alice, "pat")

    answer = send(alice, "post", f"memories/clarifications/{row['id']}/answer", {"choice": choice})

    assert answer.status_code == 200, answer.content
    data = answer.json()["data"]
    assert (data["status"], data["keep"], data["outcome"]) == ("resolved", choice, outcome)
    assert live(alice) == [f"User's dog is called {name}." for name in kept]
    changed = send(alice, "get", f"memories/{row['a']['id']}/history").json()["data"]
    assert [each["change_type"] for each in changed] == ["created"] + ["conflict_resolved"] * ("Rex" not in kept)


@requirement("end-users:conflicts:answer")
def test_the_first_answer_counts(alice: Person) -> None:
    row = diary.in_doubt(alice, "pat")
    path = f"memories/clarifications/{row['id']}/answer"
    first = send(alice, "post", path, {"choice": "b"}).json()["data"]

    assert send(alice, "post", path, {"choice": "b"}).json()["data"] == first
    other = send(alice, "post", path, {"choice": "a"})
    assert (other.status_code, other.json()["details"][0]["field"]) == (422, "choice")
    assert send(alice, "post", f"tenant/conflicts/{row['id']}/resolve", {"keep": "a"}).status_code == 422
    assert live(alice) == ["User's dog is called Bello."]


@requirement("end-users:conflicts:answer")
def test_a_later_statement_answers_the_question(alice: Person) -> None:
    diary.in_doubt(alice, "pat")
    assert asked(alice) is not None
    told(alice, "pat", "User's dog is called Rex.")

    assert live(alice) == ["User's dog is called Rex."]
    (row,) = logged(alice)
    assert (row["status"], row["keep"], row["resolved_by"]) == ("resolved", "a", "a later statement")


@requirement("end-users:conflicts:answer")
def test_a_later_statement_that_replaces_one_of_the_two_closes_the_question(alice: Person) -> None:
    told(alice, "pat", "User lives in Lisbon.")
    told(alice, "pat", "User lives in Portugal.")
    (row,) = logged(alice, status="pending")
    told(alice, "pat", "User no longer lives in Lisbon.")

    assert live(alice) == ["User lives in Portugal.", "User no longer lives in Lisbon."]
    (row,) = [each for each in logged(alice) if each["id"] == row["id"]]
    assert (row["status"], row["keep"]) == ("resolved", "b")


@requirement("end-users:conflicts:answer")
@pytest.mark.parametrize("wrong", ["c", "", "A", 1, None, ["a"]])
def test_no_other_choice_is_taken(alice: Person, wrong: Any) -> None:
    row = diary.in_doubt(alice, "pat")

    assert send(alice, "post", f"memories/clarifications/{row['id']}/answer", {"choice": wrong}).status_code == 422
    assert send(alice, "post", f"tenant/conflicts/{row['id']}/resolve", {"keep": wrong}).status_code == 422
    assert len(live(alice)) == 2


@requirement("end-users:conflicts:answer")
@pytest.mark.parametrize("path", ["memories/clarifications/{}/answer", "tenant/conflicts/{}/resolve"])
def test_anothers_conflict_is_not_found_in_the_words_of_one_that_never_was(
    alice: Person, charlie: Person, path: str
) -> None:
    row = diary.in_doubt(alice, "pat")
    body = {"choice" if "answer" in path else "keep": "a"}
    answers = [
        send(charlie, "post", path.format(each), body).json()
        for each in (row["id"], "00000000-0000-4000-8000-000000000000", "nonsense")
    ]

    assert {(each["code"], str(each["details"])) for each in answers} == {("MEM_404", str(answers[0]["details"]))}
    assert len(live(alice)) == 2


@requirement("end-users:conflicts:answer")
def test_what_was_settled_by_itself_is_no_question(alice: Person) -> None:
    told(alice, "pat", BERLIN)
    told(alice, "pat", LISBON)
    (row,) = logged(alice)

    answer = send(alice, "post", f"memories/clarifications/{row['id']}/answer", {"choice": "a"})
    assert (answer.status_code, answer.json()["code"]) == (404, "MEM_404")


@requirement("end-users:conflicts:answer")
def test_a_conflict_goes_with_a_memory_that_is_deleted_for_good(alice: Person) -> None:
    row = diary.in_doubt(alice, "pat")
    send(alice, "delete", f"memories/{row['a']['id']}?hard_delete=true")

    answer = send(alice, "post", f"memories/clarifications/{row['id']}/answer", {"choice": "a"})
    assert answer.status_code == 404
    assert live(alice) == ["User's dog is called Bello."]


@requirement("end-users:conflicts:answer")
@pytest.mark.django_db(transaction=True)
def test_of_two_decisions_at_once_one_counts(alice: Person) -> None:
    row = diary.in_doubt(alice, "pat")
    ready = threading.Barrier(2)
    codes: list[int] = []

    def decide(keep: str) -> None:
        ready.wait()
        codes.append(send(alice, "post", f"tenant/conflicts/{row['id']}/resolve", {"keep": keep}).status_code)
        close_old_connections()
        connection.close()

    both = [threading.Thread(target=decide, args=(keep,)) for keep in ("a", "b")]
    for each in both:
        each.start()
    for each in both:
        each.join()

    assert sorted(codes) == [200, 422]
    assert len(live(alice)) == 1


@requirement("end-users:conflicts:list")
def test_the_list_goes_by_pages_and_the_figures_add_up(alice: Person, django_assert_num_queries: Any) -> None:
    for user in ("pat", "sam", "kim"):
        diary.in_doubt(alice, user)
    told(alice, "pat", BERLIN)
    told(alice, "pat", LISBON)

    first = send(alice, "get", "tenant/conflicts?limit=3").json()
    rest = send(alice, "get", f"tenant/conflicts?limit=3&cursor={first['pagination']['next_cursor']}").json()
    assert (len(first["data"]), len(rest["data"]), first["pagination"]["total"]) == (3, 1, 4)
    assert rest["pagination"]["next_cursor"] is None
    assert len({each["id"] for each in first["data"] + rest["data"]}) == 4
    assert len(logged(alice, status="pending")) == 3
    # A savepoint, how many there are, the page, the savepoint's release.
    with django_assert_num_queries(4):
        listing.listed(alice.caller, status="pending")
    stats = send(alice, "get", "tenant/conflict-stats").json()["data"]
    assert stats == {
        "total": 4,
        "pending": 3,
        "resolved": 1,
        "asked": 0,
        "by_outcome": {"UPDATE": 1, "MERGE": 0, "KEEP_BOTH": 0, "REJECT": 0, "NEW": 0},
    }


@requirement("end-users:conflicts:list")
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("status=open", "REQ_422"),
        ("limit=0", "REQ_422"),
        ("limit=51", "REQ_422"),
        ("cursor=nonsense", "TEN_400"),
        ("external_user_id=", "REQ_422"),
        ("page=2", "REQ_422"),
    ],
)
def test_a_list_that_cannot_be_is_refused(alice: Person, query: str, code: str) -> None:
    assert send(alice, "get", f"tenant/conflicts?{query}").json()["code"] == code


@requirement("end-users:conflicts:event")
def test_a_conflict_is_told_to_the_webhook_without_the_text(alice: Person) -> None:
    with isolation.account(alice.account.pk):
        AlertSettings.objects.create(account=alice.account, webhook_url="https://hooks.example/pam")
    row = diary.in_doubt(alice, "pat")

    with isolation.account(alice.account.pk):
        (delivery,) = WebhookDelivery.objects.filter(account=alice.account, event="memory.conflict")
    assert delivery.data == {
        "conflict_id": row["id"],
        "external_user_id": "pat",
        "outcome": None,
        "old_memory_id": row["a"]["id"],
        "new_memory_id": row["b"]["id"],
    }


#: Those of test_every_route.py by which a product reads: a new one is asked here by itself.
READS = {read: ask_it for read, (door, ask_it) in test_every_route.READS.items() if door == "product"}
TELLING_THE_PAST = {"conflicts of end users"}
FINDING = {"end users' memories", "end users' context"}


@requirement("end-users:conflicts:update")
@pytest.mark.parametrize("read", sorted(set(READS) - TELLING_THE_PAST))
@pytest.mark.parametrize("has_vectors", [False, True])
def test_after_an_update_no_read_path_tells_the_old_one(alice: Person, read: str, has_vectors: bool) -> None:
    told(alice, "pat", "User's codeword of alice is Aubergine.", importance_score=9)
    if has_vectors:
        embed_all(alice.account)
    # Often enough that it is kept beside the database, too.
    before = [READS[read](alice, "product") for _ in range(6)]
    assert all("Aubergine" in each for each in before) or read not in FINDING

    told(alice, "pat", "User's codeword of alice is Borage.")
    at_once = READS[read](alice, "product")
    embed_all(alice.account)
    later = READS[read](alice, "product")

    assert "Aubergine" not in at_once + later
    assert ("Borage" in at_once and "Borage" in later) or read not in FINDING


@requirement("end-users:conflicts:update")
def test_one_statement_after_the_other_in_one_write_ends_with_the_last(alice: Person) -> None:
    with isolation.account(alice.account.pk):
        statements = [Statement(content, "fact") for content in (BERLIN, "User lives in Porto.", LISBON)]
        written = remember.write(alice.account, people.seen(alice.account, "pat"), statements, Origin(observed_at=NOON))

    assert len(written.created) == 3
    assert live(alice) == [LISBON]
    with isolation.account(alice.account.pk):
        assert Conflict.objects.filter(account=alice.account, outcome="UPDATE").count() == 2
        assert Memory.objects.get(account=alice.account, is_archived=False).previous_version is not None


@requirement("end-users:conflicts:question", "end-users:conflicts:answer")
def test_a_retrieval_carries_the_question_once_and_its_id_takes_the_answer(alice: Person) -> None:
    diary.in_doubt(alice, "pat")
    wanted = {"external_user_id": "pat", "query": "What is the user's dog called?"}

    first = send(alice, "post", "memories/retrieve", wanted).json()
    second = send(alice, "post", "memories/retrieve", {**wanted, "limit": 9}).json()
    answer = send(alice, "post", f"memories/clarifications/{first['clarification_id']}/answer", {"choice": "b"})
    after = send(alice, "post", "memories/retrieve", wanted).json()

    assert first["clarification_question"].endswith("Or are both true?")
    assert (second["clarification_question"], second["clarification_id"]) == (None, None)
    assert answer.status_code == 200
    assert "Bello" in after["system_prompt_addition"]
    assert "Rex" not in after["system_prompt_addition"]
