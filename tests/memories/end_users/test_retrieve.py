"""Retrieving over HTTP: what is told of an end user for a question, and what is not."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import api_keys, isolation
from accounts.models import Account
from memories import candidates, search
from memories.end_users import keeping, people, remember
from memories.end_users.statements import Statement
from memories.memory_candidates import Scope
from memories.models import Conflict, EndUser, Memory, MemoryVersion, Retrieval
from tests.cast import Person, person
from tests.memories import embedders, pipeline
from tests.memories.end_users import diary
from tests.memories.end_users.diary import send, told
from tests.requirements import requirement


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(keeping, "_away_until", 0.0)
    # A machine that is busy with other things is no degraded one.
    settings.PAM_EMBEDDING_TIMEOUT_SECONDS = 60


def retrieve(who: Person, user: str, query: str, **more: Any) -> Any:
    answer = send(who, "post", "memories/retrieve", {"external_user_id": user, "query": query, **more})
    assert answer.status_code == 200, answer.content
    return answer.json()


def contents(answer: Any) -> list[str]:
    return [each["content"] for each in answer["data"]]


LIVES = "User lives in Lisbon with two cats."
CONCISE = "User prefers concise technical explanations and Python examples."
PEANUTS = "User is allergic to peanuts."


@pytest.fixture
def pat(alice: Person) -> Person:
    told(alice, "pat", LIVES, importance_score=7)
    told(alice, "pat", CONCISE, "preference", importance_score=8.5)
    told(alice, "pat", PEANUTS, importance_score=8)
    told(alice, "pat", "User is learning to play the cello.", "goal", importance_score=4)
    pipeline.embed_all(alice.account)
    return alice


@requirement("end-users:retrieve:shape")
def test_a_question_is_answered_in_the_shape_of_the_seed(pat: Person) -> None:
    answer = retrieve(pat, "pat", "Where does the user live?", limit=1)

    assert set(answer) >= {
        "data",
        "cached",
        "system_prompt_addition",
        "context_token_count",
        "memories_from_hot_tier",
        "clarification_question",
        "request_id",
        "timestamp",
        "retrieval_id",
    }
    (memory,) = answer["data"]
    assert set(memory) == {
        "id",
        "content",
        "category",
        "importance_score",
        "last_accessed",
        "relevance_score",
        "context_snippet",
    }
    assert memory["context_snippet"] == f"- {LIVES}"
    assert (memory["category"], memory["importance_score"], memory["last_accessed"]) == ("fact", 7.0, None)
    assert 0.5 < memory["relevance_score"] <= 1
    assert answer["system_prompt_addition"] == f"What you know about this user:\n- {LIVES}"
    assert (answer["cached"], answer["is_passthrough"], answer["is_degraded"]) == (False, False, False)


@requirement("end-users:retrieve:treating")
@pytest.mark.parametrize("query", ["How should I respond to this user?", "How do I best talk to this customer?"])
def test_how_to_treat_somebody_brings_the_important_preferences(pat: Person, query: str) -> None:
    told(pat, "pat", "User likes the colour teal.", "preference", importance_score=3)

    assert contents(retrieve(pat, "pat", query)) == [CONCISE]


@requirement("end-users:retrieve:treating")
def test_what_is_to_be_explained_brings_how_they_like_things_explained(pat: Person) -> None:
    assert contents(retrieve(pat, "pat", "Explain photosynthesis to this user")) == [CONCISE]


@requirement("end-users:retrieve:nothing-relevant")
@pytest.mark.parametrize("query", ["What is the capital of Mongolia?", "best banana bread", "123456789", "¿?", "😀"])
def test_nothing_relevant_is_an_empty_list_and_no_context(pat: Person, query: str) -> None:
    answer = retrieve(pat, "pat", query)

    assert (answer["data"], answer["system_prompt_addition"], answer["context_token_count"]) == ([], "", 0)


@requirement("end-users:retrieve:about-the-same-matter")
def test_what_matters_is_found_though_no_word_is_shared(pat: Person) -> None:
    assert PEANUTS in contents(retrieve(pat, "pat", "Which snack can I offer her?"))


@requirement("end-users:retrieve:near-duplicates")
def test_near_duplicates_are_told_once_and_what_only_looks_alike_is_told(alice: Person) -> None:
    told(alice, "pat", "User drinks green tea every morning.", "preference")
    with isolation.account(alice.account.pk):
        end_user = people.known(alice.account, "pat")
        # As they come to stand beside each other: by an import, or where a conflict was settled by keeping both.
        for text in ("User drinks green tea each morning", "User drinks 2 green teas."):
            columns = remember.stated(Statement(content=text, category="preference"))
            Memory.objects.create(account=alice.account, end_user=end_user, **columns)
    pipeline.embed_all(alice.account)

    found = contents(retrieve(alice, "pat", "Does the user drink green tea?"))
    assert len([each for each in found if "morning" in each]) == 1
    assert "User drinks 2 green teas." in found


@requirement("end-users:retrieve:at-once")
def test_a_memory_is_found_by_the_call_right_after_the_one_that_wrote_it(alice: Person) -> None:
    told(alice, "pat", "User's favourite colour is teal.", "preference")

    assert contents(retrieve(alice, "pat", "What is the user's favourite colour?")) == [
        "User's favourite colour is teal."
    ]


@requirement("end-users:retrieve:rare-token")
@pytest.mark.parametrize(
    "query", ["ERR-4912", "they see ERR-4912 when the nightly job starts, what did we say about it"]
)
def test_a_rare_token_finds_its_memory(pat: Person, query: str) -> None:
    told(pat, "pat", "User reported that exporting fails with ERR-4912.")
    pipeline.embed_all(pat.account)

    assert contents(retrieve(pat, "pat", query))[0] == "User reported that exporting fails with ERR-4912."


@requirement("end-users:retrieve:filters")
def test_filters_hold_inside_the_search(alice: Person) -> None:
    now = timezone.now()
    with time_machine.travel(now - timedelta(days=40), tick=False):
        told(alice, "pat", "User lives in Berlin near the river.", agent_id="old-bot")
    told(alice, "pat", "User wants to live by the sea.", "goal", agent_id="new-bot")
    pipeline.embed_all(alice.account)
    query = "Where does the user live?"

    assert len(contents(retrieve(alice, "pat", query))) == 2
    assert contents(retrieve(alice, "pat", query, categories=["goal"])) == ["User wants to live by the sea."]
    assert contents(retrieve(alice, "pat", query, agent_id="old-bot")) == ["User lives in Berlin near the river."]
    assert contents(retrieve(alice, "pat", query, time_filter_days=30)) == ["User wants to live by the sea."]
    assert len(contents(retrieve(alice, "pat", query, time_filter_days=41))) == 2
    assert contents(retrieve(alice, "pat", query, time_filter_days=3650, categories=["expertise"])) == []


@requirement("end-users:retrieve:archived-never")
def test_what_is_archived_or_deleted_is_never_told(pat: Person) -> None:
    query = "Where does the user live?"
    first = retrieve(pat, "pat", query)
    assert contents(first)[0] == LIVES

    send(pat, "delete", f"memories/{first['data'][0]['id']}")
    assert LIVES not in retrieve(pat, "pat", query)["system_prompt_addition"]
    assert LIVES not in contents(retrieve(pat, "pat", "What do you know about this user?", limit=50))


@requirement("end-users:isolation")
def test_nobody_is_told_what_is_another_end_users_or_anothers_account(pat: Person, charlie: Person) -> None:
    for who, user in ((pat, "Pat"), (pat, "pat "), (charlie, "pat")):
        told(who, user, "User lives in Porto with three dogs.")
        pipeline.embed_all(who.account)
        assert contents(retrieve(who, user, "Where does the user live?")) == ["User lives in Porto with three dogs."]
    assert contents(retrieve(pat, "pat", "Where does the user live?"))[0] == LIVES


@requirement("end-users:retrieve:unknown")
def test_somebody_never_seen_has_nothing_and_is_not_made_by_asking(pat: Person) -> None:
    answer = retrieve(pat, "nobody", "Where does the user live?")

    assert (answer["data"], answer["system_prompt_addition"], answer["retrieval_id"]) == ([], "", None)
    with isolation.account(pat.account.pk):
        assert not EndUser.objects.filter(external_id="nobody").exists()


@requirement("end-users:retrieve:blocked")
def test_nothing_is_told_of_somebody_who_is_blocked(pat: Person) -> None:
    retrieve(pat, "pat", "Where does the user live?")
    with isolation.account(pat.account.pk):
        EndUser.objects.update(blocked_at=timezone.now())

    answer = send(pat, "post", "memories/retrieve", {"external_user_id": "pat", "query": "Where does the user live?"})
    assert (answer.status_code, answer.json()["code"]) == (403, "PRX_403")


@requirement("end-users:retrieve:counts-access")
def test_what_was_told_counts_as_accessed_and_what_was_not_does_not(pat: Person) -> None:
    retrieve(pat, "pat", "Where does the user live?", limit=1)
    (again,) = retrieve(pat, "pat", "Where does she live now?", limit=1)["data"]

    assert again["last_accessed"] is not None
    counts = {row.content: row.access_count for row in diary.rows(pat, "pat")}
    assert counts[LIVES] == 2
    assert counts[CONCISE] == 0


@requirement("end-users:retrieve:queries")
def test_a_retrieval_takes_a_fixed_number_of_statements(
    pat: Person, django_assert_num_queries: Callable[[int], Any]
) -> None:
    retrieve(pat, "pat", "warm up")
    for number in range(30):
        told(pat, "pat", f"User visited town {number} for a week.")

    for limit in (1, 50):
        # Of the key: naming the account, the key, its release.   3
        # Whom it is about: savepoint, the person, release.        3
        # The month's operation.                                   3
        # The scan.                                                3
        # What was told: noted, the revision read again.           4
        with django_assert_num_queries(16):
            assert len(retrieve(pat, "pat", "Which towns did the user visit?", limit=limit)["data"]) >= min(limit, 9)


@requirement("end-users:retrieve:no-embedder")
def test_without_an_embedder_words_answer_and_the_answer_says_so(pat: Person, settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.DOWN

    answer = retrieve(pat, "pat", "Where does the user live now?")
    assert contents(answer) == [LIVES]
    assert answer["is_degraded"] is True


@requirement("end-users:modes:degraded-retrieve")
def test_a_degraded_account_is_answered_by_words_and_what_is_hot(pat: Person) -> None:
    mode(pat.account, Account.MemoryMode.DEGRADED_RETRIEVE)
    with isolation.account(pat.account.pk):
        Memory.objects.filter(content=PEANUTS).update(access_count=5, last_accessed_at=timezone.now())

    answer = retrieve(pat, "pat", "Where in the world does the user live?")
    assert answer["is_degraded"] is True
    assert set(contents(answer)) == {LIVES, PEANUTS}


@requirement("end-users:modes:no-context")
@pytest.mark.parametrize("chosen", [Account.MemoryMode.PASSTHROUGH, Account.MemoryMode.BLOCKED])
def test_an_account_without_context_is_answered_with_none(pat: Person, chosen: Account.MemoryMode) -> None:
    mode(pat.account, chosen)

    answer = retrieve(pat, "pat", "Where does the user live?")
    assert (answer["data"], answer["system_prompt_addition"], answer["is_passthrough"]) == ([], "", True)


def mode(account: Account, chosen: Account.MemoryMode) -> None:
    Account.objects.filter(pk=account.pk).update(memory_mode=chosen)


@requirement("end-users:retrieve:permission")
def test_a_key_that_may_not_read_is_refused(pat: Person) -> None:
    writes = replace(pat, product_secret=api_keys.issue(pat.account, name="writes", permissions=["write"]).secret)

    answer = send(writes, "post", "memories/retrieve", {"external_user_id": "pat", "query": "Where does she live?"})
    assert (answer.status_code, answer.json()["code"]) == (403, "AUTH_403")


BAD: list[tuple[str, Any]] = [
    ("query", ""),
    ("query", "   "),
    ("query", "x" * 2001),
    ("query", "a\x00b"),
    ("query", "\ud800"),
    ("query", 7),
    ("external_user_id", ""),
    ("external_user_id", "x" * 256),
    ("external_user_id", None),
    ("limit", 0),
    ("limit", 51),
    ("limit", "5"),
    ("limit", 5.5),
    ("limit", True),
    ("categories", ["hobby"]),
    ("categories", "fact"),
    ("time_filter_days", 0),
    ("time_filter_days", 3651),
    ("format", "yaml"),
    ("format", "Bullets"),
    ("context_max_tokens", 49),
    ("context_max_tokens", 4001),
    ("context_max_tokens", -1),
    ("as_of", "2026-04-17T09:45:00"),
    ("as_of", "yesterday"),
    ("as_of", "2026-04-17T09:45:00+23:59"),
    ("as_of", "0001-01-01T00:00:00+14:00"),
    ("agent_id", "x" * 201),
    ("depth", 3),
]


@requirement("end-users:retrieve:bounds")
@pytest.mark.parametrize(("field", "value"), BAD, ids=lambda value: str(value)[:20])
def test_what_is_out_of_bounds_is_refused_by_name(pat: Person, field: str, value: Any) -> None:
    body = {"external_user_id": "pat", "query": "Where does the user live?", field: value}
    answer = send(pat, "post", "memories/retrieve", body)

    assert (answer.status_code, answer.json()["code"]) == (422, "REQ_422"), answer.content
    assert [detail["field"].split("[")[0] for detail in answer.json()["details"]] == [field]


GOOD: list[tuple[str, Any]] = [
    ("query", "x" * 2000),
    ("query", "é" * 2000),
    ("external_user_id", "x" * 255),
    ("limit", 1),
    ("limit", 50),
    ("categories", []),
    ("categories", None),
    ("agent_id", None),
    ("time_filter_days", 1),
    ("time_filter_days", 3650),
    ("time_filter_days", None),
    ("context_max_tokens", 50),
    ("context_max_tokens", 4000),
    ("as_of", "0001-01-01T00:00:00Z"),
    ("as_of", "9999-12-31T23:59:59+14:00"),
    ("as_of", None),
]


@requirement("end-users:retrieve:bounds")
@pytest.mark.parametrize(("field", "value"), GOOD, ids=lambda value: str(value)[:20])
def test_what_is_just_within_bounds_is_taken(pat: Person, field: str, value: Any) -> None:
    body = {"external_user_id": "pat", "query": "Where does the user live?", "time_filter_days": 3650, field: value}

    assert send(pat, "post", "memories/retrieve", body).status_code == 200


@requirement("end-users:retrieve:as-of")
def test_as_of_tells_what_was_known_then(alice: Person) -> None:
    start = timezone.now() - timedelta(days=10)
    with time_machine.travel(start, tick=False):
        first = told(alice, "pat", "User lives in Berlin near the river.")
        gone = told(alice, "pat", "User lives on a houseboat in Berlin.")
    with time_machine.travel(start + timedelta(days=2), tick=False):
        send(alice, "patch", f"memories/{first}", {"content": "User lives in Lisbon near the river."})
    with time_machine.travel(start + timedelta(days=4), tick=False):
        send(alice, "delete", f"memories/{first}")
        send(alice, "delete", f"memories/{gone}?hard_delete=true")
    pipeline.embed_all(alice.account)

    def then(days: float, query: str = "Where does the user live?") -> list[str]:
        moment = (start + timedelta(days=days)).isoformat()
        return contents(retrieve(alice, "pat", query, as_of=moment))

    assert then(-1) == []
    assert then(1) == ["User lives in Berlin near the river."]
    assert then(1, "What was known of Berlin?") == ["User lives in Berlin near the river."]
    assert then(3) == ["User lives in Lisbon near the river."]
    assert then(5) == []
    with isolation.account(alice.account.pk):
        assert MemoryVersion.objects.filter(content__contains="houseboat").count() == 0


@requirement("end-users:retrieve:waits-for-nobody")
def test_a_retrieval_notes_what_it_told(pat: Person) -> None:
    answer = retrieve(pat, "pat", "Where does the user live?")

    with isolation.account(pat.account.pk):
        (row,) = Retrieval.objects.filter(public_id=answer["retrieval_id"])
        ids = list(Memory.objects.filter(pk__in=row.memory_ids).values_list("public_id", flat=True))
        assert people.known(pat.account, "pat").pk == row.end_user_id
    assert sorted(map(str, ids)) == sorted(each["id"] for each in answer["data"])


@requirement("end-users:retrieve:k-of-k")
def test_one_persons_memories_are_all_found_among_those_of_thousands(alice: Person, charlie: Person) -> None:
    body = [
        {"external_user_id": "pat", "content": f"User likes tea of kind {at}.", "category": "preference"}
        for at in range(40)
    ]
    assert send(alice, "post", "memories/bulk", {"memories": body}).status_code == 201
    pipeline.embed_all(alice.account)
    with isolation.account(alice.account.pk):
        others = EndUser.objects.bulk_create(
            [EndUser(account=alice.account, external_id=f"other {at}") for at in range(500)]
        )
        copied(alice.account.pk, [row.pk for row in others])

    assert len(retrieve(alice, "pat", "Which tea does the user like?", limit=40)["data"]) == 40


def copied(account_pk: int, others: list[int]) -> None:
    """What is known of pat, known of others of the account, too: never analysed, as after an import."""
    columns = [
        str(field.column)
        for field in Memory._meta.concrete_fields
        if not field.generated and field.column not in ("id", "public_id", "end_user_id")
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO memories_memory (public_id, end_user_id, {', '.join(columns)})"  # noqa: S608
            f" SELECT gen_random_uuid(), other, {', '.join(columns)} FROM memories_memory"
            " CROSS JOIN unnest(%s::bigint[]) AS other WHERE account_id = %s",
            [others, account_pk],
        )


@requirement("end-users:retrieve:k-of-k")
def test_the_scan_goes_by_the_index_of_one_person(alice: Person) -> None:
    told(alice, "pat", LIVES)
    with isolation.account(alice.account.pk), CaptureQueriesContext(connection) as captured:
        end_user = people.known(alice.account, "pat")
        search.memories(alice.account, search.prepare_about("Where?"), Scope(end_user.pk), count=10)
        statement = next(each["sql"] for each in captured if "usual AS MATERIALIZED" in each["sql"])
        # What goes along with it in one message is not explained.
        with candidates.pinned_plan(), connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {statement[statement.index('WITH known') :]}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Seq Scan on memories_memory" not in plan
    assert "end_user_id" in plan


@pytest.mark.django_db(transaction=True)
@requirement("end-users:retrieve:waits-for-nobody")
def test_a_retrieval_waits_for_no_lock(transactional_db: None) -> None:
    alice = person("alice")
    told(alice, "pat", LIVES)
    held, done = threading.Event(), threading.Event()

    def write() -> None:
        with isolation.account(alice.account.pk):
            people.take_turn(people.known(alice.account, "pat"))
            list(Memory.objects.select_for_update())
            held.set()
            done.wait(30)
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert held.wait(30)
        answer = retrieve(alice, "pat", "Where does the user live?")
    finally:
        done.set()
        writer.join()
    assert contents(answer) == [LIVES]
    assert answer["retrieval_id"] is not None
    assert [row.access_count for row in diary.rows(alice, "pat")] == [0]


@requirement("end-users:retrieve:asks-once")
def test_an_open_question_comes_along_once(pat: Person) -> None:
    with isolation.account(pat.account.pk):
        end_user = people.known(pat.account, "pat")
        old, new = Memory.objects.order_by("id")[:2]
        conflict = Conflict.objects.create(
            account=pat.account, end_user=end_user, old=old, new=new, statement=new.content, question="Which is so?"
        )

    first = retrieve(pat, "pat", "Where does the user live?")
    assert (first["clarification_question"], first["clarification_id"]) == ("Which is so?", str(conflict.public_id))
    for query in ("Where does the user live?", "Where does she live?"):
        assert retrieve(pat, "pat", query)["clarification_question"] is None
