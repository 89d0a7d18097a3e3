"""What every format's reader hands up. Pure."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from dateutil import parser

_NUMBERS_ONLY = re.compile(r"[\d\s./-]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True)
class Page:
    """One document as its reader found it.

    `title` is what its writer called it (front matter, subject); `label` is what a program wrote into the file's
    properties, good enough where the text has no heading. Both may be empty."""

    markdown: str
    title: str = ""
    label: str = ""
    observed_at: datetime | None = None
    properties: dict[str, str] = field(default_factory=dict)


def moment(value: object) -> datetime | None:
    """A date or time as an aware datetime (UTC where none is named), or None for what is no certain date.

    `03/04/2025` is nobody's certain date; `2025-03-04`, `4 March 2025` and RFC 5322 dates are."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    text = str(value).strip()
    try:
        return moment(datetime.fromisoformat(text))
    except ValueError:
        pass
    if len(text) > 40 or not _YEAR.search(text) or _NUMBERS_ONLY.fullmatch(text):
        return None
    try:
        return moment(parser.parse(text, default=datetime(2000, 1, 1, tzinfo=UTC)))
    except (ValueError, OverflowError):
        return None
