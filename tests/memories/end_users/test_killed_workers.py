"""Real workers, killed in the middle of reading what end users said: nothing is lost, and nothing is there twice."""

from collections.abc import Callable

import pytest

from accounts import isolation
from memories.end_users.intake import sweeping
from memories.models import Memory
from tests.cast import Person
from tests.memories.end_users import chats
from tests.memories.real_workers import Worker, until
from tests.requirements import requirement

USERS, TIMES = 12, 5


@requirement("end-users:jobs:killed")
@pytest.mark.django_db(transaction=True)
def test_workers_killed_again_and_again_lose_nothing_and_double_nothing(
    alice: Person, start_worker: Callable[[], Worker]
) -> None:
    for number in range(USERS):
        for time in range(TIMES):
            chats.added(alice, f"I like the board game Quoridor{time}x{number}.", user=f"pat-{number}")

    def finished() -> int:
        return sum(job.status == "completed" for job in chats.jobs(alice))

    def has_come_to(most: int) -> Callable[[], bool]:
        def holds() -> bool:
            sweeping.sweep()  # as beat would
            return finished() >= most

        return holds

    for most in (1, 15, 30):
        worker = start_worker()
        until(has_come_to(most), seconds=60)
        worker.kill()
    start_worker()
    until(has_come_to(USERS * TIMES), seconds=120)

    done = chats.jobs(alice)
    assert all(job.messages == [] for job in done)
    with isolation.account(alice.account.pk):
        kept = list(Memory.objects.values_list("content", "seen_count"))
    for number in range(USERS):
        for time in range(TIMES):
            assert [seen for content, seen in kept if f"Quoridor{time}x{number}." in content] == [1]
    assert sum(job.memories_created for job in done) == len(kept)
