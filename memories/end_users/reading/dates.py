"""Days said relatively get their date: "next Friday" said on 30 November 2026 is "next Friday (2026-12-04)". Pure.

What names a span gets as much of the date as it names: "next month (2026-12)", "last year (2025)".
"""

import re
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from memories.end_users.reading import verbs

_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]  # fmt: skip
_NUMBERS = {"a": 1, "an": 1} | {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
    )
}
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}|a couple of|a few)"
_DAY = "|".join(_DAYS)
_MONTH = "|".join(_MONTHS)
_DATED = r"(?! \(\d{4})(?!,? (?:19|20)\d\d)"
_FUTURE = re.compile(
    r"\b(?:will|going to|(?:is|are|am) \w+ing|(?:wants?|plans?|hopes?|needs?) to|has to|have to|would like"
    r"|due|starts?|ends?|begins?)\b",
    re.I,
)
_PHRASE = re.compile(
    rf"\b(?:(?P<near>the day after tomorrow|the day before yesterday|tomorrow|yesterday|today|tonight|last night"
    rf"|this (?:morning|afternoon|evening))"
    rf"|(?P<which>next|last|this|this coming|this past) (?P<unit>week(?:end)?|month|year|{_DAY}|{_MONTH}"
    rf"|spring|summer|autumn|fall|winter)"
    rf"|(?:in|within(?! an? | one )) {_COUNT} (?P<ahead>day|week|month|year)s?(?:' time)?"
    rf"|{_COUNT.replace('count', 'back')} (?P<ago>day|week|month|year)s? ago"
    rf"|(?:on|until|till|by|before) (?P<on>{_DAY})|in (?P<in>{_MONTH}))\b{_DATED}",
    re.IGNORECASE,
)
_SPRING = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_FEW = {"a couple of": 2, "a few": 3}


def dated(text: str, day: date) -> str:
    """`text`, said on `day`, with a date behind each relative one."""

    def with_date(found: re.Match[str]) -> str:
        before = text[: found.start()]
        is_past = _is_past(before) and not _FUTURE.search(before)
        try:
            when = _when(found, day, is_past)
        except (OverflowError, ValueError):
            when = ""
        return f"{found[0]} ({when})" if when else found[0]

    return _PHRASE.sub(with_date, text)


def _is_past(text: str) -> bool:
    said = text.casefold().split()
    return any(word in ("was", "were") or verbs.is_past(word) for word in said)


def _when(found: re.Match[str], day: date, is_past: bool) -> str:
    said = {name: value.casefold() for name, value in found.groupdict().items() if value}
    if "near" in said:
        return _near(said["near"], day).isoformat()
    if "which" in said:
        return _which(said["which"].split()[-1], said["unit"], day)
    if "ahead" in said:
        return _shifted(day, said["count"], said["ahead"], 1)
    if "ago" in said:
        return _shifted(day, said["back"], said["ago"], -1)
    if "on" in said:
        return _weekday(day, said["on"], -1 if is_past else 1).isoformat()
    return _month(day, _MONTHS.index(said["in"]) + 1, -1 if is_past else 1)


def _near(phrase: str, day: date) -> date:
    days = {
        "the day after tomorrow": 2,
        "the day before yesterday": -2,
        "tomorrow": 1,
        "yesterday": -1,
        "last night": -1,
    }
    return day + timedelta(days.get(phrase, 0))


def _which(which: str, unit: str, day: date) -> str:
    """`which`: next, last, this, coming or past."""
    step = {"next": 1, "last": -1, "past": -1}.get(which, 0)
    if unit in _DAYS:
        return _weekday(day, unit, step or 1).isoformat()
    if unit == "weekend":
        saturday = day + timedelta(5 - day.weekday())
        return (saturday + timedelta(7 * step)).isoformat()
    if unit == "week":
        monday = day - timedelta(day.weekday()) + timedelta(7 * step)
        return f"week of {monday.isoformat()}"
    if unit == "month":
        return (day + relativedelta(months=step)).strftime("%Y-%m")
    if unit == "year":
        return str(day.year + step)
    if unit in _MONTHS:
        return _month(day, _MONTHS.index(unit) + 1, step or 1)
    return _month(day, _SPRING[unit], step or 1)[:4]


def _weekday(day: date, name: str, direction: int) -> date:
    """The nearest such day after (or before) `day`, never `day` itself."""
    away = (_DAYS.index(name) - day.weekday()) % 7
    if direction > 0:
        return day + timedelta(away or 7)
    return day - timedelta((7 - away) % 7 or 7)


def _month(day: date, month: int, direction: int) -> str:
    """The nearest such month, the present one included where it is still to come."""
    year = day.year
    if direction > 0 and month < day.month:
        year += 1
    if direction < 0 and month >= day.month:
        year -= 1 if month > day.month else 0
    return f"{year}-{month:02}"


def _shifted(day: date, count: str, unit: str, sign: int) -> str:
    number = int(count) if count.isdigit() else _FEW.get(count) or _NUMBERS[count]
    moved = day + relativedelta(**{f"{unit}s": sign * number})  # type: ignore[arg-type]
    return moved.isoformat() if unit in ("day", "week") else moved.strftime("%Y-%m" if unit == "month" else "%Y")
