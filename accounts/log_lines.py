"""What a log line may say of an error of the database: what was wrong, not the values that it was wrong about.

Postgres tells the values of a row that it refuses ("DETAIL: Key (…)=(…) already exists", "Failing row contains (…)"),
and they may be somebody's words. Knows nothing of who logs.
"""

import logging
import re

#: From the detail to the end of the error: the next one of a chain, or of the record.
_VALUES = re.compile(
    r"(?:\\n|\n)(?:DETAIL|LINE \d+|CONTEXT|QUERY):.*?(?=\n\n(?:The above exception|During handling)|\Z)", re.DOTALL
)


def without_values(text: str) -> str:
    """A message or a traceback without what the database quotes of values and statements."""
    return _VALUES.sub("", text)


class Formatter(logging.Formatter):
    """The usual lines, without these."""

    def format(self, record: logging.LogRecord) -> str:
        return without_values(super().format(record))
