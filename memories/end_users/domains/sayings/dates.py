"""Dates in a statement, exactly or not at all: "2027-03-02", "2 March 2027", "March 2", "May 2027". Pure; English.

A day and month in figures are taken only where they can be read in one way (25/12/2026, not 03/02/2027).
"""

import calendar
import re
from datetime import date

_MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.casefold(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})\b",
        rf"\b(?P<first>\d{{1,2}})[-/.](?P<second>\d{{1,2}})[-/.]{_YEAR}\b",
        rf"\b{_DAY}\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+{_YEAR})?",
        rf"\b(?P<month>{_MONTH})\b\.?\s+{_DAY}\b(?:,?\s+{_YEAR})?",
        rf"\b(?P<month>{_MONTH})\b\.?,?\s+(?:of\s+)?{_YEAR}\b",
    )
)


def find(text: str, said_on: date) -> str | None:
    """The first date in `text` as ISO 8601: a day (2027-03-02) or, where only that is told, a month (2027-05).

    A day without its year is the next one from `said_on` on. None where there is none or it cannot be."""
    found = [match for form in _FORMS if (match := form.search(text))]
    if not found:
        return None
    # The longest of those that begin first: "2 March 2027" also holds "March 2027".
    return _read(min(found, key=lambda match: (match.start(), -match.end())), said_on)


def without(text: str) -> str:
    """`text` without its dates and the words that lead to them ("on", "in", "by")."""
    for form in _FORMS:
        text = re.sub(rf"\s*(?:\b(?:on|in|by|at|from|for|is|the)\s+)*{form.pattern}", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def is_past(iso: str, today: date) -> bool:
    """Whether a date as `find` gives it lies before `today`; a month does once it is over."""
    return iso < today.isoformat()[: len(iso)]


def _read(match: re.Match[str], said_on: date) -> str | None:
    parts = match.groupdict()
    if "first" in parts:
        return _in_figures(int(parts["first"]), int(parts["second"]), int(parts["year"]))
    month = _MONTHS.get(parts["month"].casefold()) or (int(parts["month"]) if parts["month"].isdigit() else 0)
    year = int(parts["year"]) if parts["year"] else None
    if "day" not in parts:
        return f"{year:04d}-{month:02d}"
    day = int(parts["day"])
    return _day(year, month, day) if year else _next(month, day, said_on)


def _in_figures(first: int, second: int, year: int) -> str | None:
    if first == second:
        return _day(year, first, second)
    if first > 12:
        return _day(year, second, first)
    return _day(year, first, second) if second > 12 else None


def _next(month: int, day: int, said_on: date) -> str | None:
    for year in range(said_on.year, said_on.year + 9):
        found = _day(year, month, day)
        if found and found >= said_on.isoformat():
            return found
    return None


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
