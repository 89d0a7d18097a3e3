"""Several at the same moment, each on a connection of its own: nothing is lost and nothing is there twice."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts import operations
from memories.end_users.intake import claims, worker
from tests.cast import Person
from tests.memories.broker import Broker
from tests.memories.end_users import chats, diary
from tests.requirements import requirement

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 8


def at_once(work: Any, times: int = TIMES) -> list[Any]:
    def alone(number: int) -> Any:
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(alone, range(times)))


@requirement("end-users:add:idempotent")
def test_the_same_key_from_everywhere_at_once_makes_one_job_and_gets_one_answer(alice: Person, broker: Broker) -> None:
    key = {"Idempotency-Key": "order-7"}
    answers = at_once(lambda _: chats.add(alice, chats.said(chats.LISBON), **key))

    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["status"] == "queued"
    assert len(chats.jobs(alice)) == 1
    assert operations.read(alice.account).used == 1


@requirement("end-users:add:idempotent")
def test_of_two_bodies_with_one_key_at_once_one_is_taken_and_the_other_is_a_conflict(
    alice: Person, broker: Broker
) -> None:
    def body(number: int) -> dict[str, Any]:
        return chats.said(f"My cat is {number} years old.", user=f"pat-{number}")

    answers = at_once(lambda number: chats.add(alice, body(number), **{"Idempotency-Key": "order-7"}))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (TIMES - 1)
    assert len(chats.jobs(alice)) == 1
    assert operations.read(alice.account).used == 1


@requirement("end-users:add:events")
def test_the_same_event_from_everywhere_at_once_makes_one_job(alice: Person, broker: Broker) -> None:
    event = {"service": "desk", "event_id": "ticket-4711"}
    answers = at_once(lambda _: chats.add(alice, chats.said(chats.LISBON, source=event)).json())

    assert {(answer["status"], answer["job_id"]) for answer in answers} == {("queued", answers[0]["job_id"])}
    assert len(chats.jobs(alice)) == 1
    assert operations.read(alice.account).used == 1


@requirement("end-users:add:gate-l3")
def test_the_same_said_from_everywhere_at_once_is_taken_in_once(alice: Person, broker: Broker) -> None:
    answers = at_once(lambda _: chats.add(alice, chats.said(chats.LISBON)).json()["status"])

    assert sorted(answers) == ["L3"] * (TIMES - 1) + ["queued"]
    assert len(chats.jobs(alice)) == 1
    assert operations.read(alice.account).used == 1


@requirement("end-users:jobs:order")
def test_workers_at_once_read_each_job_once_and_each_end_users_in_order(alice: Person, broker: Broker) -> None:
    users, ages = [f"pat-{number}" for number in range(5)], range(2, 8)
    for age in ages:
        for user in users:
            chats.added(alice, f"I live in street {age}.", user=user)
    order: list[tuple[int, int]] = []

    def work(_: int) -> None:
        while not all(job.status == "completed" for job in chats.jobs(alice)):
            claim = claims.take(alice.account.pk)
            if claim is not None:
                order.append((claim.end_user_id, claim.job_id))
                worker.read(claim)

    at_once(work, 4)

    assert len(order) == len(set(order)) == len(users) * len(ages)
    for end_user in {end_user for end_user, _ in order}:
        taken = [job for one, job in order if one == end_user]
        assert taken == sorted(taken)
    assert {job.attempts for job in chats.jobs(alice)} == {1}
    assert all(memory.seen_count == 1 for user in users for memory in diary.rows(alice, user))
