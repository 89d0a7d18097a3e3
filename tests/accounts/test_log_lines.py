"""Log lines about errors of the database: what was wrong is there, the values are not."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from accounts import isolation
from accounts.log_lines import Formatter
from memories.models import EndUser, Memory
from tests.cast import Person
from tests.requirements import requirement

MARK = "zyxomarvel\n\nand more of it"


def twice(who: Person) -> None:
    for _ in range(2):
        EndUser.objects.create(account=who.account, external_id=MARK)


def out_of_range(who: Person) -> None:
    row = EndUser.objects.create(account=who.account, external_id=MARK)
    Memory.objects.create(account=who.account, end_user=row, content=MARK, importance_score=11)


def malformed(who: Person) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM nowhere WHERE said = %s", [MARK])


@requirement("logs:no-values")
@pytest.mark.parametrize("deed", [twice, out_of_range, malformed])
def test_no_log_line_has_the_values_that_the_database_refused(alice: Person, deed: Callable[[Person], None]) -> None:
    told = ""
    try:
        with isolation.account(alice.account.pk), transaction.atomic():
            deed(alice)
    except (IntegrityError, ProgrammingError) as error:
        assert "zyxomarvel" in str(error), "nothing was told, so nothing is proved"
        raised = (type(error), error, error.__traceback__)
        record = logging.LogRecord("pam", logging.ERROR, __file__, 1, "It failed: %r", (error,), raised)
        told = formatter.format(record)

    assert "IntegrityError" in told or "ProgrammingError" in told
    assert "zyxomarvel" not in told
    assert "and more of it" not in told


@requirement("logs:no-values")
def test_the_log_of_the_embedded_postgres_has_no_statement_that_failed(alice: Person) -> None:
    with pytest.raises(ProgrammingError), isolation.account(alice.account.pk), transaction.atomic():
        malformed(alice)

    logs = Path(os.environ["PAM_HOME"]) / "logs"
    assert any(logs.iterdir())
    assert not [path for path in logs.iterdir() if b"zyxomarvel" in path.read_bytes()]
