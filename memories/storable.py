"""Text that can be kept: what Postgres cannot store and no real text holds is refused by name. Pure."""

import re

from accounts.errors import InvalidArguments

_SURROGATE = re.compile("[\ud800-\udfff]")


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
