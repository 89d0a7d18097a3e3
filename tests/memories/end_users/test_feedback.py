"""What came of a retrieval, told over HTTP: importance moves, and a correction is remembered."""

import json
from dataclasses import replace
from typing import Any

import pytest

from accounts import api_keys, isolation
from memories.models import Memory, Retrieval
from tests.cast import Person
from tests.memories import pipeline
from tests.memories.end_users import diary
from tests.memories.end_users.diary import send, told
from tests.memories.end_users.test_retrieve import contents, retrieve
from tests.requirements import requirement

LIVES = "User lives in Lisbon with two cats."
CATS = "User's cats live on the balcony."
QUERY = "Where does the user live with the cats?"


@pytest.fixture
def asked(alice: Person) -> dict[str, Any]:
    """A retrieval that told two memories of importance 5."""
    told(alice, "pat", LIVES)
    told(alice, "pat", CATS)
    pipeline.embed_all(alice.account)
    answer: dict[str, Any] = retrieve(alice, "pat", QUERY)
    assert set(contents(answer)) == {LIVES, CATS}
    return answer


def tell(who: Person, answer: dict[str, Any], outcome: str, used: tuple[str, ...] = (), **more: Any) -> Any:
    ids = [each["id"] for each in answer["data"] if each["content"] in used]
    body = {"retrieval_id": answer["retrieval_id"], "outcome": outcome, "used_memory_ids": ids, **more}
    return send(who, "post", "memories/retrieval-feedback", body)


def importances(who: Person) -> dict[str, float]:
    return {row.content: row.importance_score for row in diary.rows(who, "pat")}


@requirement("end-users:feedback:moves")
@pytest.mark.parametrize(
    ("outcome", "used", "others"),
    [
        ("used_successfully", 5.5, 5.0),
        ("used_partially", 5.2, 5.0),
        ("ignored", 4.9, 4.9),
        ("not_useful", 4.5, 4.5),
        ("user_corrected", 4.0, 5.0),
        ("clarification_needed", 5.0, 5.0),
    ],
)
def test_each_outcome_moves_importance(
    alice: Person, asked: dict[str, Any], outcome: str, used: float, others: float
) -> None:
    answer = tell(alice, asked, outcome, (LIVES,))

    assert answer.status_code == 200, answer.content
    assert importances(alice) == pytest.approx({LIVES: used, CATS: others})
    assert answer.json()["data"] == {
        "retrieval_id": asked["retrieval_id"],
        "outcome": outcome,
        "memories_adjusted": (used != 5) + (others != 5),
        "correction_memory_id": None,
    }


@requirement("end-users:feedback:moves")
def test_a_move_is_a_version_that_says_why(alice: Person, asked: dict[str, Any]) -> None:
    tell(alice, asked, "used_successfully", (LIVES,), agent_confidence=0.5)

    memory = next(each["id"] for each in asked["data"] if each["content"] == LIVES)
    (_, moved) = send(alice, "get", f"memories/{memory}/history").json()["data"]
    assert (moved["change_type"], moved["reason"]) == ("importance_boost", "Told, and then used successfully.")
    assert importances(alice)[LIVES] == 5.25


@requirement("end-users:feedback:moves")
@pytest.mark.parametrize(("start", "outcome", "end"), [(9.8, "used_successfully", 10), (1.2, "not_useful", 1)])
def test_importance_stays_within_one_and_ten(
    alice: Person, asked: dict[str, Any], start: float, outcome: str, end: float
) -> None:
    with isolation.account(alice.account.pk):
        Memory.objects.update(importance_score=start)
    tell(alice, asked, outcome, (LIVES,))

    assert importances(alice)[LIVES] == end


@requirement("end-users:feedback:once")
def test_the_same_feedback_again_changes_nothing_and_another_is_refused(alice: Person, asked: dict[str, Any]) -> None:
    first = tell(alice, asked, "used_successfully", (LIVES,))
    again = tell(alice, asked, "used_successfully", (LIVES,))
    other = tell(alice, asked, "not_useful")

    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 422)
    assert again.json()["data"]["memories_adjusted"] == 0
    assert importances(alice)[LIVES] == 5.5


@requirement("end-users:feedback:correction")
def test_a_correction_is_remembered_as_a_memory_of_its_own(alice: Person, asked: dict[str, Any]) -> None:
    text = "User moved to Porto and has three cats."
    answer = tell(alice, asked, "user_corrected", (LIVES,), correction=text, agent_confidence=1)

    memory = send(alice, "get", f"memories/{answer.json()['data']['correction_memory_id']}").json()["data"]
    assert (memory["content"], memory["category"]) == (text, "fact")
    assert memory["provenance"] == {"retrieval_id": asked["retrieval_id"]}


@requirement("end-users:feedback:correction")
def test_a_secret_in_a_correction_is_cut(alice: Person, asked: dict[str, Any]) -> None:
    secret = "sk-ant-" + "api03-" + "Zx9" * 12
    tell(alice, asked, "user_corrected", correction=f"User's key for the robot is {secret}.")

    assert secret not in json.dumps([row.content for row in diary.rows(alice, "pat")])


@requirement("end-users:feedback:never-was")
def test_another_accounts_retrieval_is_one_that_never_was(
    alice: Person, charlie: Person, asked: dict[str, Any]
) -> None:
    def answered(retrieval: str) -> tuple[int, dict[str, Any]]:
        answer = tell(charlie, {"retrieval_id": retrieval, "data": []}, "used_successfully")
        return answer.status_code, {**answer.json(), "request_id": ""}

    foreign = answered(asked["retrieval_id"])
    assert foreign == answered("00000000-0000-4000-8000-000000000000") == answered("nonsense")
    assert (foreign[0], foreign[1]["code"]) == (404, "MEM_404")
    with isolation.account(alice.account.pk):
        assert Retrieval.objects.get().outcome == ""


@requirement("end-users:retrieve:permission")
def test_feedback_needs_the_permission_to_write(alice: Person, asked: dict[str, Any]) -> None:
    reads = replace(alice, product_secret=api_keys.issue(alice.account, name="reads", permissions=["read"]).secret)

    assert tell(reads, asked, "ignored").status_code == 403


@requirement("end-users:feedback:bounds")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("outcome", "great"),
        ("used_memory_ids", ["00000000-0000-4000-8000-000000000000"]),
        ("used_memory_ids", ["x"] * 51),
        ("used_memory_ids", "x"),
        ("agent_confidence", 1.01),
        ("agent_confidence", -0.01),
        ("agent_confidence", "0.5"),
        ("correction", "too short"),
        ("correction", "x" * 501),
        ("correction", "User lives in \x00 Lisbon."),
        ("retrieval_id", None),
        ("mood", "good"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_feedback_out_of_bounds_is_refused_by_name(
    alice: Person, asked: dict[str, Any], field: str, value: Any
) -> None:
    body = {"retrieval_id": asked["retrieval_id"], "outcome": "used_successfully", "correction": None, field: value}
    answer = send(alice, "post", "memories/retrieval-feedback", body)

    assert (answer.status_code, answer.json()["code"]) == (422, "REQ_422"), answer.content
    assert answer.json()["details"][0]["field"].split("[")[0] == field
    assert importances(alice)[LIVES] == 5
