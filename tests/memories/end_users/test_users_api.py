"""Who the end users are: listed, searched, counted, blocked. Ids are taken as given, in every form."""

from typing import Any
from urllib.parse import quote

import pytest

from accounts import isolation
from memories.models import EndUser
from tests.cast import Person
from tests.memories.end_users.diary import send, told
from tests.requirements import requirement

#: Each is somebody of their own.
ODD = [
    "a",
    "A",
    "a/stats",
    "stats",
    "a/stats/block",
    "/",
    "//a//",
    "a/",
    "a%2Fb",
    "a/b",
    "100%",
    "50%_off",
    'it\'s "quoted"',
    "caf\u00e9",
    "cafe\u0301",
    "\U0001f9d1\u200d\U0001f680 astronaut",
    "مستخدم",
    "顾客-七",
    "line\nbreak",
    "a?b=c#d&e;f",
    " spaces ",
    "a+b",
    "x" * 255,
    "\U0001f600" * 255,
]


def path(user: str, word: str = "") -> str:
    return f"tenant/users/{quote(user, safe='')}" + (f"/{word}" if word else "")


def listed(who: Person, query: str = "") -> list[str]:
    answer = send(who, "get", f"tenant/users{query}")
    assert answer.status_code == 200, answer.content
    return [each["external_user_id"] for each in answer.json()["data"]]


def saved(who: Person) -> set[str]:
    with isolation.account(who.account.pk):
        return set(EndUser.objects.filter(account=who.account).values_list("external_id", flat=True))


@requirement("end-users:ids:exact")
def test_every_odd_id_is_reached_by_its_path_and_is_nobody_else(alice: Person) -> None:
    for number, user in enumerate(ODD):
        for nth in range(number % 3 + 1):
            told(alice, user, f"User has the lucky number {number * 10 + nth}.")

    for number, user in enumerate(ODD):
        stats = send(alice, "get", path(user, "stats")).json()["data"]
        assert (stats["external_user_id"], stats["memory_count"]) == (user, number % 3 + 1)
        blocked = send(alice, "post", path(user, "block")).json()["data"]
        assert (blocked["external_user_id"], blocked["is_blocked"]) == (user, True)
        assert send(alice, "post", path(user, "unblock")).json()["data"]["blocked_at"] is None
        lines = b"".join(send(alice, "get", path(user, "export")).streaming_content)
        assert lines.count(b"\n") == number % 3 + 2


@requirement("end-users:ids:exact")
def test_erasing_by_an_odd_id_takes_that_one_alone(alice: Person) -> None:
    for user in ODD:
        told(alice, user, "User collects stamps of islands.")

    left = set(ODD)
    for user in ODD:
        answer = send(alice, "delete", path(user))
        assert answer.json()["data"] == {"deleted": True, "memories_removed": 1}, user
        left.discard(user)
        assert saved(alice) == left


@requirement("end-users:ids:exact")
def test_a_path_that_is_no_utf_8_names_nobody(alice: Person) -> None:
    told(alice, "\ufffd", "User collects stamps of islands.")

    assert send(alice, "delete", "tenant/users/%FF").json()["code"] == "PRX_404"
    assert saved(alice) == {"\ufffd"}


@requirement("end-users:list")
def test_users_are_listed_newest_first_page_by_page_at_a_fixed_cost(
    alice: Person, charlie: Person, django_assert_num_queries: Any
) -> None:
    for number in range(25):
        told(alice, f"customer-{number:02}", "User collects stamps of islands.")
    told(charlie, "customer-of-charlie", "User collects stamps of islands.")

    # The key; that it was used, between a savepoint and its end; between another two: how many there are, the rows,
    # and what each has.
    with django_assert_num_queries(8):
        first = send(alice, "get", "tenant/users?limit=10").json()
    with django_assert_num_queries(8):
        send(alice, "get", "tenant/users?limit=25")
    seen = [each["external_user_id"] for each in first["data"]]
    assert first["pagination"]["total"] == 25
    assert first["data"][0]["memory_count"] == 1
    while cursor := first["pagination"]["next_cursor"]:
        first = send(alice, "get", f"tenant/users?limit=10&cursor={cursor}").json()
        seen += [each["external_user_id"] for each in first["data"]]
    assert seen == [f"customer-{number:02}" for number in range(24, -1, -1)]


@requirement("end-users:list")
@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("50%", {"50%_off"}),
        ("%", {"50%_off"}),
        ("_", {"50%_off", "snake_case"}),
        ("e_c", {"snake_case"}),
        ("SNAKE", {"snake_case", "snakeXcase"}),
        ("\\", {"back\\slash"}),
        ("É", {"café"}),
        ("nobody", set()),
        ("'; DROP TABLE memories_enduser; --", set()),
    ],
)
def test_a_search_takes_signs_for_themselves_and_letters_in_any_case(
    alice: Person, search: str, found: set[str]
) -> None:
    for user in ("50%_off", "snake_case", "snakeXcase", "back\\slash", "café"):
        told(alice, user, "User collects stamps of islands.")

    assert set(listed(alice, f"?search={quote(search)}")) == found


@requirement("end-users:list")
@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("limit=0", 422, "REQ_422"),
        ("limit=51", 422, "REQ_422"),
        ("limit=ten", 422, "REQ_422"),
        ("cursor=nonsense", 400, "TEN_400"),
        ("search=" + "x" * 256, 422, "REQ_422"),
        ("search=%00", 422, "REQ_422"),
        ("page=2", 422, "REQ_422"),
    ],
)
def test_a_list_out_of_bounds_is_refused(alice: Person, query: str, status: int, code: str) -> None:
    answer = send(alice, "get", f"tenant/users?{query}")

    assert (answer.status_code, answer.json()["code"]) == (status, code)


@requirement("end-users:list")
def test_a_cursor_is_of_one_list_and_one_account(alice: Person, charlie: Person) -> None:
    for who in (alice, charlie):
        for number in range(3):
            told(who, f"customer-{number}", "User collects stamps of islands.")
    cursor = send(alice, "get", "tenant/users?limit=1").json()["pagination"]["next_cursor"]

    for who, query in ((charlie, ""), (alice, "&search=customer")):
        answer = send(who, "get", f"tenant/users?limit=1&cursor={cursor}{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "TEN_400")


@requirement("end-users:stats")
def test_stats_count_what_is_remembered_at_a_fixed_cost(alice: Person, django_assert_num_queries: Any) -> None:
    told(alice, "kim", "User wants to run a marathon.", "goal", importance_score=8)
    told(alice, "kim", "User likes olives and capers.", "preference", importance_score=4)
    gone = told(alice, "kim", "User dislikes the colour beige.", "preference")
    send(alice, "delete", f"memories/{gone}")

    # As for the list; seven as the service says.
    with django_assert_num_queries(12):
        stats = send(alice, "get", path("kim", "stats")).json()["data"]

    assert (stats["memory_count"], stats["archived_count"], stats["average_importance"]) == (2, 1, 6.0)
    assert stats["by_category"]["goal"] == stats["by_category"]["preference"] == 1
    assert stats["by_category"]["fact"] == 0
    assert stats["jobs"] == {"queued": 0, "processing": 0, "completed": 0, "dead": 0}


@requirement("end-users:block")
def test_somebody_blocked_is_told_nothing_new_until_unblocked(alice: Person) -> None:
    told(alice, "kim", "User likes olives and capers.")

    first = send(alice, "post", path("kim", "block")).json()["data"]
    again = send(alice, "post", path("kim", "block")).json()["data"]
    refused = send(
        alice, "post", "memories", {"external_user_id": "kim", "content": "User likes rain.", "category": "preference"}
    )

    assert first["is_blocked"]
    assert again["blocked_at"] == first["blocked_at"]
    assert (refused.status_code, refused.json()["code"]) == (403, "PRX_403")
    send(alice, "post", path("kim", "unblock"))
    told(alice, "kim", "User likes rain on the roof.")


@requirement("end-users:unknown")
@pytest.mark.parametrize(
    ("method", "word"), [("get", "stats"), ("get", "export"), ("post", "block"), ("post", "unblock"), ("delete", "")]
)
def test_a_strangers_end_user_and_nobodys_are_not_found_in_the_same_words(
    alice: Person, charlie: Person, method: str, word: str
) -> None:
    told(alice, "kim", "User likes olives and capers.")

    foreign, never_was = (send(charlie, method, path(user, word)).json() for user in ("kim", "nobody"))

    assert {**foreign, "request_id": ""} == {**never_was, "request_id": ""}
    assert foreign["code"] == "PRX_404"
    assert saved(charlie) == set()
    assert saved(alice) == {"kim"}


@requirement("end-users:unknown")
@pytest.mark.parametrize(
    ("method", "word"), [("get", "stats"), ("get", "export"), ("post", "block"), ("post", "unblock"), ("delete", "")]
)
@pytest.mark.parametrize("user", ["a\x00b", "x" * 256])
def test_what_can_be_nobodys_id_is_not_found_either(alice: Person, method: str, word: str, user: str) -> None:
    answer = send(alice, method, path(user, word))

    assert (answer.status_code, answer.json()["code"]) == (404, "PRX_404"), answer.content
