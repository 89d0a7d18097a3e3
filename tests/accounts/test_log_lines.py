"""Log lines about errors of the database: what was wrong is there, the values are not."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from accounts.log_lines import Formatter
from accounts.models import User
from pam.logs import JSONFormatter
from tests.requirements import requirement

MARK = "zyxomarvel\n\nand more of it"


def twice() -> None:
    """Of tables behind row-level security Postgres tells no values; of others it does."""
    for _ in range(2):
        User.objects.create(email=MARK)


def malformed() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nowhere, %s", [MARK])


@requirement("logs:no-values")
@pytest.mark.parametrize("formatter", [Formatter("%(message)s"), JSONFormatter()])
@pytest.mark.parametrize("deed", [twice, malformed])
def test_no_log_line_has_the_values_that_the_database_refused(
    db: None, deed: Callable[[], None], formatter: logging.Formatter
) -> None:
    with pytest.raises((IntegrityError, ProgrammingError)) as refused, transaction.atomic():
        deed()
    assert "zyxomarvel" in str(refused.value), "nothing was told, so nothing is proved"
    record = logging.LogRecord("pam", logging.ERROR, __file__, 1, "It failed: %r", (refused.value,), refused._excinfo)

    told = formatter.format(record)

    assert "It failed: " in told
    assert "Traceback" in told
    assert "zyxomarvel" not in told
    assert "and more of it" not in told


@requirement("logs:no-values")
def test_the_log_of_the_embedded_postgres_has_no_statement_that_failed(db: None) -> None:
    with pytest.raises(ProgrammingError), transaction.atomic():
        malformed()

    logs = Path(os.environ["PAM_HOME"]) / "logs"
    assert any(logs.iterdir())
    assert not [path for path in logs.iterdir() if b"zyxomarvel" in path.read_bytes()]
