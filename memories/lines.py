"""JSON Lines of an export, taken apart: an object a line, its values by name and type. Pure.

What is wrong raises InvalidArguments; `on_line` puts the number of the line before it. Each kind of memory says for
itself what its lines hold.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from accounts.errors import InvalidArguments

Line = Mapping[str, Any]
#: What Postgres keeps and Python cannot read back lies outside these years, and no memory does.
YEARS = range(1900, 2200)


def typed(line: str | bytes, types: Collection[str], what: str) -> tuple[str, Line]:
    """The object of a line with its type; `what` names the types in words."""
    try:
        made = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidArguments("it is no JSON") from error
    if not isinstance(made, dict) or not isinstance(made.get("type"), str) or made["type"] not in types:
        raise InvalidArguments(f"it is no {what} of an export")
    return made["type"], made


def text(made: Line, name: str) -> str:
    """Empty where it is missing."""
    value = made.get(name, "")
    if not isinstance(value, str):
        raise InvalidArguments(f"{name} must be text", argument=name)
    return value


def several(made: Line, name: str) -> list[Any]:
    value = made.get(name, [])
    if not isinstance(value, list):
        raise InvalidArguments(f"{name} must be a list", argument=name)
    return value


def texts(made: Line, name: str) -> list[str]:
    found = several(made, name)
    if not all(isinstance(each, str) for each in found):
        raise InvalidArguments(f"{name} must be a list of texts", argument=name)
    return found


def count(made: Line, name: str, least: int, most: int) -> int:
    """`least` where it is missing."""
    value = made.get(name, least)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidArguments(f"{name} must be a whole number from {least} to {most}", argument=name)
    return value


def optional_moment(made: Line, name: str) -> datetime | None:
    return moment(made, name) if made.get(name) is not None else None


def moment(made: Line, name: str) -> datetime:
    """In UTC."""
    try:
        read = parse_datetime(text(made, name))
        found = read.astimezone(UTC) if read is not None and read.tzinfo is not None else None
    except (ValueError, OverflowError):
        found = None
    if found is None or found.year not in YEARS:
        raise InvalidArguments(
            f"{name} must be a moment with a time zone, from {YEARS.start} to {YEARS.stop - 1}", argument=name
        )
    return found


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """Says of what goes wrong on which line it did."""
    try:
        yield
    except InvalidArguments as error:
        reason = error.message.rstrip(".")
        raise InvalidArguments(f"Line {number:,}: {reason}. Nothing was imported.", argument="lines") from error
