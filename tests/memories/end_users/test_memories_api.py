"""Single memories over HTTP: what goes in comes out, changes leave a history, and errors have the contract's shape."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.cast import Person
from tests.memories.end_users import diary
from tests.memories.end_users.diary import send
from tests.requirements import requirement

GIVEN = {"external_user_id": "pat", "content": "User prefers short answers.", "category": "preference"}


def refused(answer: Any) -> list[str]:
    """The fields that a 422 names."""
    body = answer.json()
    assert (answer.status_code, body["code"], body["error"]) == (422, "REQ_422", "invalid_request"), body
    assert set(body) == {"error", "code", "request_id", "details"}
    return [detail["field"] for detail in body["details"]]


@requirement("end-users:memories:round-trip")
def test_a_memory_is_written_listed_shown_changed_and_deleted(alice: Person) -> None:
    written = send(alice, "post", "memories", {**GIVEN, "importance_score": 8, "metadata": {"plan": r"C:\u0000"}})
    assert written.status_code == 201
    memory = written.json()["data"]
    assert memory["content"] == GIVEN["content"]
    assert (memory["importance_score"], memory["metadata"]) == (8.0, {"plan": r"C:\u0000"})

    listed = send(alice, "get", "memories?external_user_id=pat").json()
    assert listed["data"] == [memory]
    assert listed["pagination"] == {"next_cursor": None, "limit": 10, "total": 1}
    assert send(alice, "get", f"memories/{memory['id']}").json()["data"] == memory

    changed = send(alice, "patch", f"memories/{memory['id']}", {"content": "User prefers long answers."}).json()["data"]
    assert changed["content"] == "User prefers long answers."
    assert send(alice, "delete", f"memories/{memory['id']}").json()["data"] == {"deleted": True, "hard_delete": False}
    assert send(alice, "get", "memories?external_user_id=pat").json()["data"] == []
    archived = send(alice, "get", "memories?external_user_id=pat&include_archived=true").json()["data"]
    assert [each["is_archived"] for each in archived] == [True]

    history = send(alice, "get", f"memories/{memory['id']}/history").json()["data"]
    assert [(each["version"], each["change_type"], each["content"]) for each in history] == [
        (1, "created", "User prefers short answers."),
        (2, "manual_edit", "User prefers long answers."),
        (3, "archived", "User prefers long answers."),
    ]
    assert send(alice, "delete", f"memories/{memory['id']}?hard_delete=true").status_code == 200
    gone = send(alice, "get", f"memories/{memory['id']}")
    assert (gone.status_code, gone.json()["code"]) == (404, "MEM_404")
    assert diary.rows(alice, "pat") == []


@requirement("end-users:memories:seen-again")
@pytest.mark.parametrize(
    "again", ["user prefers  short answers", "User prefers short answers.", "USER PREFERS SHORT ANSWERS!"]
)
def test_the_same_text_again_is_one_memory(alice: Person, again: str) -> None:
    first = diary.told(alice, "pat", GIVEN["content"], "preference")

    assert diary.told(alice, "pat", again, "preference", importance_score=9) == first
    (row,) = diary.rows(alice, "pat")
    assert (row.seen_count, row.importance_score, row.content) == (2, 9.0, GIVEN["content"])


@requirement("end-users:memories:seen-again")
def test_texts_that_differ_in_a_number_are_two(alice: Person) -> None:
    diary.told(alice, "pat", "User runs Redis 6 at work.")
    diary.told(alice, "pat", "User runs Redis 7 at work.")

    assert len(diary.rows(alice, "pat")) == 2


@requirement("end-users:isolation")
def test_ids_that_differ_in_case_or_unicode_form_are_different_people(alice: Person) -> None:
    names = ["Zoé", "Zoe\u0301", "zoé", "a/b", 'a"b', "🦦", "x" * 255]
    for name in names:
        diary.told(alice, name, f"User is called by {len(name)} signs.")

    for name in names:
        assert len(diary.rows(alice, name)) == 1


@requirement("end-users:memories:bounds")
@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"external_user_id": ""}, "external_user_id"),
        ({"external_user_id": "x" * 256}, "external_user_id"),
        ({"external_user_id": 7}, "external_user_id"),
        ({"external_user_id": "a\x00b"}, "external_user_id"),
        ({"external_user_id": "\ud800"}, "external_user_id"),
        ({"content": "123456789"}, "content"),
        ({"content": "x" * 501}, "content"),
        ({"content": "half of a \ud800 pair"}, "content"),
        ({"content": None}, "content"),
        ({"category": "hobby"}, "category"),
        ({"importance_score": 0.9}, "importance_score"),
        ({"importance_score": 10.1}, "importance_score"),
        ({"importance_score": "5"}, "importance_score"),
        ({"importance_score": True}, "importance_score"),
        ({"agent_id": "x" * 201}, "agent_id"),
        ({"metadata": [1]}, "metadata"),
        ({"metadata": {"a": "x" * 8000}}, "metadata"),
        ({"metadata": {"a": "b\x00"}}, "metadata"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_what_cannot_be_taken_is_named_and_nothing_is_kept(alice: Person, given: dict[str, Any], field: str) -> None:
    assert refused(send(alice, "post", "memories", {**GIVEN, **given})) == [field]
    assert diary.rows(alice, "pat") == []


@requirement("end-users:memories:bounds")
@pytest.mark.parametrize(
    "given",
    [
        {"content": "1234567890"},
        {"content": "x" * 500},
        {"importance_score": 1},
        {"importance_score": 10},
        {"agent_id": "x" * 200},
        {"agent_id": None},
    ],
)
def test_what_lies_just_within_the_bounds_is_taken(alice: Person, given: dict[str, Any]) -> None:
    assert send(alice, "post", "memories", {**GIVEN, **given}).status_code == 201


@requirement("end-users:memories:bulk")
def test_a_bulk_is_kept_whole_or_not_at_all(alice: Person) -> None:
    several = [
        {**GIVEN, "content": f"User owns boat number {at}.", "external_user_id": f"u{at % 3}"} for at in range(500)
    ]
    made = send(alice, "post", "memories/bulk", {"memories": several})
    assert made.status_code == 201
    assert [each["content"] for each in made.json()["data"]] == [each["content"] for each in several]

    wrong = [{**GIVEN, "content": "User owns a plane."}, {**GIVEN, "category": "?"}]
    assert refused(send(alice, "post", "memories/bulk", {"memories": wrong})) == ["memories[1].category"]
    assert refused(send(alice, "post", "memories/bulk", {"memories": []})) == ["memories"]
    too_many = {"memories": [*several, GIVEN]}
    assert refused(send(alice, "post", "memories/bulk", too_many)) == ["memories"]
    assert diary.rows(alice, "pat") == []


@requirement("end-users:memories:list")
def test_a_list_goes_by_pages_and_filters(alice: Person, charlie: Person) -> None:
    for at in range(5):
        diary.told(alice, "pat", f"User has fact number {at}.", agent_id="bot" if at % 2 else "")
    diary.told(alice, "pat", "User wants to sail round the world.", "goal")
    first = send(alice, "get", "memories?external_user_id=pat&limit=4").json()
    cursor = first["pagination"]["next_cursor"]
    second = send(alice, "get", f"memories?external_user_id=pat&limit=4&cursor={cursor}").json()

    assert (len(first["data"]), len(second["data"]), second["pagination"]["next_cursor"]) == (4, 2, None)
    assert first["pagination"]["total"] == 6
    goals = send(alice, "get", "memories?external_user_id=pat&categories=goal,procedure").json()["data"]
    assert [each["category"] for each in goals] == ["goal"]
    assert len(send(alice, "get", "memories?external_user_id=pat&agent_id=bot").json()["data"]) == 2
    for other in (f"external_user_id=sam&limit=4&cursor={cursor}", "external_user_id=pat&cursor=forged"):
        answer = send(alice, "get", f"memories?{other}")
        assert (answer.status_code, answer.json()["code"]) == (400, "TEN_400")
    assert send(charlie, "get", f"memories?external_user_id=pat&limit=4&cursor={cursor}").json()["code"] == "TEN_400"


@requirement("end-users:memories:list")
@pytest.mark.parametrize(
    ("query", "field"),
    [("limit=0", "limit"), ("limit=51", "limit"), ("limit=x", "limit"), ("categories=hobby", "categories")],
)
def test_a_list_refuses_what_is_out_of_bounds(alice: Person, query: str, field: str) -> None:
    assert refused(send(alice, "get", f"memories?external_user_id=pat&{query}")) == [field]


@requirement("end-users:memories:list")
@pytest.mark.parametrize("limit", [1, 50])
def test_a_list_asks_the_database_a_fixed_number_of_times(
    alice: Person, django_assert_num_queries: Any, limit: int
) -> None:
    for at in range(12):
        diary.told(alice, "pat", f"User has fact number {at}.")
    with django_assert_num_queries(7):
        # the key; when it was used; [savepoint; how many; the page; release]
        send(alice, "get", f"memories?external_user_id=pat&limit={limit}")


@requirement("end-users:secrets")
def test_a_secret_is_cut_out_of_content_and_metadata(alice: Person) -> None:
    made = send(
        alice,
        "post",
        "memories",
        {**GIVEN, "content": "User's password is hunter2hunter2.", "metadata": {"Api-Key": "abc123def456"}},
    ).json()["data"]

    assert "hunter2" not in json.dumps(made)
    assert "abc123" not in json.dumps(made)
    (row,) = diary.rows(alice, "pat")
    assert "hunter2" not in row.content


@requirement("end-users:keys:only-api-keys")
@pytest.mark.parametrize(
    "scheme", ["{0}", "Bearer {0}", "apikey {0}", "APIKEY {0}", "ApiKey  {0}", "ApiKey mem_wrong", ""]
)
def test_anything_but_an_api_key_to_the_letter_is_refused(alice: Person, scheme: str) -> None:
    header = scheme.format(alice.product_secret)
    answer = Client().get("/v1/memories?external_user_id=pat", headers={"Authorization": header} if header else {})

    assert (answer.status_code, answer.json()["code"]) == (401, "AUTH_001")
    assert alice.product_secret not in answer.content.decode()


@requirement("end-users:keys:only-api-keys")
def test_the_key_of_another_surface_is_refused_on_both_sides(alice: Person) -> None:
    agent = Client().get("/v1/memories?external_user_id=pat", headers={"Authorization": f"ApiKey {alice.secret}"})
    product = Client().get("/v1/decisions/records", headers={"Authorization": f"Bearer {alice.product_secret}"})

    assert agent.json()["code"] == "AUTH_001"
    assert product.status_code == 401


@requirement("end-users:errors:json")
@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("get", "memories/none/of/this", None, 404, "REQ_404"),
        ("get", "tenant/nothing", None, 404, "REQ_404"),
        ("put", "memories", "{}", 405, "REQ_405"),
        ("post", "memories", "{", 422, "REQ_422"),
        ("post", "memories", '{"content": NaN}', 422, "REQ_422"),
        ("post", "memories", "[" * 100_000, 422, "REQ_422"),
        ("post", "memories", "[]", 422, "REQ_422"),
        ("post", "memories", b"\xff\xfe{}", 422, "REQ_422"),
        ("post", "memories", '"' + "x" * (1024 * 1024) + '"', 413, "REQ_413"),
        ("patch", "memories/no-uuid", '{"content": "User is somebody."}', 404, "MEM_404"),
    ],
)
def test_every_error_is_json_of_one_shape(
    alice: Person, method: str, path: str, body: str | None, status: int, code: str
) -> None:
    answer = send(alice, method, path, body)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert set(answer.json()) == {"error", "code", "request_id", "details"}


@requirement("end-users:memories:edit")
def test_a_memory_cannot_be_made_the_double_of_another(alice: Person) -> None:
    first = diary.told(alice, "pat", "User lives in Berlin.")
    second = diary.told(alice, "pat", "User works in Lisbon.")

    assert refused(send(alice, "patch", f"memories/{second}", {"content": "user lives in berlin"})) == ["content"]
    send(alice, "delete", f"memories/{first}")
    diary.told(alice, "pat", "User lives in Berlin.")
    assert refused(send(alice, "patch", f"memories/{first}", {"is_archived": False})) == ["content"]
    assert refused(send(alice, "patch", f"memories/{second}", {})) == ["body"]
