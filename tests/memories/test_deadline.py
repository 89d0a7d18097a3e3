import time

import pytest
from django.db import OperationalError, connection, transaction

from memories.deadline import Deadline
from memories.errors import RetrievalTimeout
from tests.requirements import requirement


def test_what_is_left_never_goes_below_zero() -> None:
    assert 9 < Deadline.after(10).left <= 10
    assert Deadline.after(-5).left == 0


@requirement("retrieve:deadline")
def test_after_the_deadline_nothing_goes_on() -> None:
    Deadline.after(10).check()

    with pytest.raises(RetrievalTimeout):
        Deadline.after(-1).check()


@requirement("retrieve:deadline")
def test_a_running_statement_is_cancelled_at_the_deadline(db: None) -> None:
    deadline = Deadline.after(0.15)
    began = time.monotonic()

    with pytest.raises(OperationalError), transaction.atomic(), deadline.in_database(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(30)")

    assert time.monotonic() - began < 5
    assert deadline.is_over


@requirement("retrieve:deadline")
def test_no_statement_starts_after_the_deadline(db: None) -> None:
    with (
        pytest.raises(RetrievalTimeout),
        transaction.atomic(),
        Deadline.after(-1).in_database(),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT 1")


@pytest.mark.django_db(transaction=True)
def test_the_bound_ends_with_the_transaction() -> None:
    with transaction.atomic(), Deadline.after(60).in_database(), connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        inside = cursor.fetchone()
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        outside = cursor.fetchone()

    assert inside[0] in ("1min", "59999ms", "59998ms")
    assert outside == ("0",)
