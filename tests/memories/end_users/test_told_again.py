"""What was told a moment ago and what is told often: faster, and the same."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone
from django_redis import get_redis_connection

from accounts import api_keys, isolation
from accounts.models import Account
from memories.end_users import keeping, people, traces
from memories.end_users.traces import Trace
from memories.models import Memory
from tests.cast import Person
from tests.memories import pipeline
from tests.memories.end_users.diary import send, told
from tests.memories.end_users.test_retrieve import contents, retrieve
from tests.requirements import requirement

QUERY = "Where does the user live?"
LIVES = "User lives in Lisbon with two cats."
ALLERGY = "User is allergic to peanuts."


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(keeping, "_away_until", 0.0)
    # A machine that is busy with other things is no degraded one.
    settings.PAM_EMBEDDING_TIMEOUT_SECONDS = 60


@pytest.fixture
def pat(alice: Person) -> Person:
    told(alice, "pat", LIVES, importance_score=9)
    told(alice, "pat", ALLERGY, importance_score=8)
    pipeline.embed_all(alice.account)
    return alice


def plain(answer: Any) -> dict[str, Any]:
    """The answer without what differs from request to request."""
    return {key: value for key, value in answer.items() if key not in ("cached", "request_id", "timestamp")}


@requirement("end-users:cache:again")
def test_the_same_request_within_a_minute_is_answered_from_the_cache(pat: Person) -> None:
    first = retrieve(pat, "pat", QUERY)
    again = retrieve(pat, "pat", QUERY)

    assert (first["cached"], again["cached"]) == (False, True)
    assert plain(again) == plain(first)
    assert again["request_id"] != first["request_id"]


@requirement("end-users:cache:again")
def test_a_minute_later_it_is_answered_anew(pat: Person) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        retrieve(pat, "pat", QUERY)
        clock.shift(timedelta(seconds=60))
        assert retrieve(pat, "pat", QUERY)["cached"] is True
        clock.shift(timedelta(seconds=1))
        assert retrieve(pat, "pat", QUERY)["cached"] is False


@requirement("end-users:cache:same-request")
@pytest.mark.parametrize(
    "more",
    [
        {"limit": 9},
        {"categories": ["fact"]},
        {"agent_id": "bot"},
        {"time_filter_days": 3},
        {"format": "xml"},
        {"context_max_tokens": 499},
        {"as_of": "2030-01-01T00:00:00Z"},
        {"query": QUERY.lower()},
    ],
    ids=str,
)
def test_a_request_that_differs_in_anything_is_another(pat: Person, more: dict[str, Any]) -> None:
    retrieve(pat, "pat", QUERY)

    assert retrieve(pat, "pat", **{"query": QUERY, **more})["cached"] is False


@requirement("end-users:cache:same-request")
def test_a_key_of_other_permissions_and_another_mode_get_an_answer_of_their_own(pat: Person) -> None:
    retrieve(pat, "pat", QUERY)
    for permissions, cached in ((["read"], False), (list(api_keys.scopes.API_KEY), True)):
        key = api_keys.issue(pat.account, name="other", permissions=permissions, rate_limit_per_minute=1000)
        assert retrieve(replace(pat, product_secret=key.secret), "pat", QUERY)["cached"] is cached
    Account.objects.update(memory_mode=Account.MemoryMode.DEGRADED_RETRIEVE)
    assert retrieve(pat, "pat", QUERY)["cached"] is False


WRITES: dict[str, Callable[[Person, str], Any]] = {
    "add": lambda who, _: told(who, "pat", "User collects old maps of islands."),
    "seen again": lambda who, _: told(who, "pat", LIVES),
    "change": lambda who, key: send(who, "patch", f"memories/{key}", {"importance_score": 2}),
    "archive": lambda who, key: send(who, "delete", f"memories/{key}"),
    "delete": lambda who, key: send(who, "delete", f"memories/{key}?hard_delete=true"),
}


@requirement("end-users:cache:never-after-a-write", "end-users:hot:dropped")
@pytest.mark.parametrize("write", WRITES)
def test_after_a_write_nothing_from_before_it_is_told(
    pat: Person, write: str, django_capture_on_commit_callbacks: Any
) -> None:
    before = _hot(pat)
    key = before["data"][0]["id"]

    with django_capture_on_commit_callbacks(execute=True):
        WRITES[write](pat, key)
    assert _kept(pat) == [0, 0]
    after = retrieve(pat, "pat", QUERY)
    assert (after["cached"], after["memories_from_hot_tier"]) == (False, 0)
    assert (LIVES in contents(after)) == (write not in ("archive", "delete"))


def _hot(who: Person) -> Any:
    """The answer to a question that was asked five times, each time a little differently."""
    for number in range(5):
        retrieve(who, "pat", f"{QUERY}{'?' * number}")
    return retrieve(who, "pat", f"{QUERY} Please!")


def _kept(who: Person) -> list[int]:
    """Whether Valkey holds answers, and a hot tier, about pat."""
    with isolation.account(who.account.pk):
        end_user = people.known(who.account, "pat")
    names = [cache.make_key(traces.key(who.account.pk, end_user.pk, kind)) for kind in (Trace.ANSWERS, Trace.HOT)]
    return [get_redis_connection("default").exists(name) for name in names]


@requirement("end-users:hot:counted")
def test_what_is_important_and_told_five_times_comes_from_the_hot_tier(pat: Person) -> None:
    answer = _hot(pat)

    assert (contents(answer), answer["memories_from_hot_tier"]) == ([LIVES], 1)
    assert _kept(pat) == [1, 1]


@requirement("end-users:hot:counted")
@pytest.mark.parametrize("change", [{"importance_score": 7.9}, {"access_count": 0}], ids=str)
def test_what_is_less_important_or_told_less_often_does_not(pat: Person, change: dict[str, float]) -> None:
    with isolation.account(pat.account.pk):
        Memory.objects.update(access_count=3)
        Memory.objects.filter(content=LIVES).update(**change)
    retrieve(pat, "pat", QUERY)
    retrieve(pat, "pat", f"{QUERY}?")

    assert retrieve(pat, "pat", f"{QUERY}??")["memories_from_hot_tier"] == 0


@requirement("end-users:hot:same-answer")
def test_with_valkey_down_the_answer_is_the_same(pat: Person, dead_broker: None, settings: Any) -> None:
    _hot(pat)
    asked = {"limit": 3, "format": "xml"}
    with_valkey = retrieve(pat, "pat", QUERY, **asked)
    settings.CACHES = {
        **settings.CACHES,
        "default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"},
    }

    without = retrieve(pat, "pat", QUERY, **asked)
    assert with_valkey["memories_from_hot_tier"] == 1
    differing = ("memories_from_hot_tier", "retrieval_id", "data")
    assert {**plain(without), **dict.fromkeys(differing)} == {**plain(with_valkey), **dict.fromkeys(differing)}
    assert (without["cached"], without["memories_from_hot_tier"]) == (False, 0)
    assert contents(without) == contents(with_valkey)


@requirement("end-users:cache:never-after-a-write")
def test_an_answer_that_a_write_overtook_is_not_kept(pat: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    from_before = keeping.together

    def overtaken(commands: Any) -> Any:
        kept = from_before(commands)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE memories_enduser SET revision = revision + 1")
        return kept

    monkeypatch.setattr(keeping, "together", overtaken)
    with transaction.atomic():
        retrieve(pat, "pat", QUERY)
    assert _kept(pat) == [0, 0]
