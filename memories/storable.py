"""Text and moments that can be kept: what Postgres cannot store and no real text holds is refused by name. Pure."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.errors import InvalidArguments

_SURROGATE = re.compile("[\ud800-\udfff]")
# Wider ones are none that Postgres reads (MAX_TZDISP_HOUR).
_WIDEST_OFFSET = timedelta(hours=15, minutes=59)


def check(name: str, value: str) -> str:
    """`value` as it is. Raises InvalidArguments naming `name` for a NUL character or half of a surrogate pair."""
    if "\x00" in value:
        at = value.index("\x00") + 1
        raise InvalidArguments(f"{name} has a NUL character at position {at:,}; remove it.", argument=name)
    half = _SURROGATE.search(value)
    if half:
        raise InvalidArguments(
            f"{name} has half of a surrogate pair at position {half.start() + 1:,}, which is no character; remove it.",
            argument=name,
        )
    return value


def check_deep(name: str, value: Any) -> None:
    """As `check`, of every text in a value as JSON has it, the names of objects among them."""
    if isinstance(value, str):
        check(name, value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            check(name, str(key))
            check_deep(name, inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            check_deep(name, inner)


def is_moment(value: datetime) -> bool:
    """Whether Postgres takes a moment and gives it back: an offset in its range, years 1 to 9999 in UTC, too."""
    offset = value.utcoffset()
    if offset is None or abs(offset) > _WIDEST_OFFSET:
        return False
    try:
        value.astimezone(UTC)
    except OverflowError:
        return False
    return True
