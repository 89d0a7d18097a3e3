"""How the columns of a row stand on a line: each is written as it is and read back within its bounds. Pure.

What is wrong raises InvalidArguments, which names the column.
"""

import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.errors import InvalidArguments
from memories import lines, redaction, storable
from memories.lines import Line

MOST = 2**31 - 1
_MOST_JSON = 200_000


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the model, under the same name on the line; `read(line, name)` gives its value."""

    name: str
    read: Callable[[Line, str], Any]

    def of(self, line: Line) -> Any:
        return self.read(line, self.name)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value


def identifier(made: Line, name: str) -> uuid.UUID:
    found = optional_identifier(made, name)
    if found is None:
        raise InvalidArguments(f"{name} is missing", argument=name)
    return found


def optional_identifier(made: Line, name: str) -> uuid.UUID | None:
    """None where it is missing or null."""
    if made.get(name) is None:
        return None
    try:
        return uuid.UUID(lines.text(made, name))
    except ValueError as error:
        raise InvalidArguments(f"{name} must be a UUID", argument=name) from error


def words(name: str, *, most: int, least: int = 0) -> Column:
    """Text of `least` to `most` characters; secrets are cut out of it."""

    def read(made: Line, name: str) -> str:
        value = storable.check(name, lines.text(made, name))
        if not least <= len(value) <= most:
            raise InvalidArguments(f"{name} must have {least} to {most} characters", argument=name)
        # A mark may be longer than the secret that it stands for.
        return redaction.cut(value).text[:most]

    return Column(name, read)


def choice(name: str, values: Sequence[str], *, or_none: bool = False) -> Column:
    allowed = [*values, ""] if or_none else list(values)

    def read(made: Line, name: str) -> str:
        value = lines.text(made, name)
        if value not in allowed:
            raise InvalidArguments(f"{name} must be one of {', '.join(values)}", argument=name)
        return value

    return Column(name, read)


def number(name: str, least: float, most: float) -> Column:
    def read(made: Line, name: str) -> float:
        value = made.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise InvalidArguments(f"{name} must be a number from {least:g} to {most:g}", argument=name)
        return float(value)

    return Column(name, read)


def whole(name: str, *, least: int = 0, most: int = MOST) -> Column:
    return Column(name, lambda made, name: lines.count(made, name, least, most))


def truth(name: str) -> Column:
    def read(made: Line, name: str) -> bool:
        value = made.get(name, False)
        if not isinstance(value, bool):
            raise InvalidArguments(f"{name} must be true or false", argument=name)
        return value

    return Column(name, read)


def moment(name: str) -> Column:
    return Column(name, lines.moment)


def optional_moment(name: str) -> Column:
    return Column(name, lines.optional_moment)


def digest(name: str) -> Column:
    """64 hexadecimal digits."""

    def read(made: Line, name: str) -> str:
        value = lines.text(made, name)
        if len(value) != 64 or set(value) - set("0123456789abcdef"):
            raise InvalidArguments(f"{name} must be 64 hexadecimal digits", argument=name)
        return value

    return Column(name, read)


def nested(name: str, kind: type[dict[str, Any]] | type[list[Any]], *, most: int = _MOST_JSON) -> Column:
    """An object or a list of any content, of at most `most` characters as JSON; secrets are cut at any depth."""
    what = "an object" if kind is dict else "a list"

    def read(made: Line, name: str) -> Any:
        value = made.get(name, kind())
        if not isinstance(value, kind):
            raise InvalidArguments(f"{name} must be {what}", argument=name)
        try:
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (ValueError, RecursionError) as error:
            raise InvalidArguments(f"{name} must be {what} that JSON can write", argument=name) from error
        if len(text) > most:
            raise InvalidArguments(f"{name} must have at most {most:,} characters as JSON", argument=name)
        storable.check(name, text.replace("\\u0000", "\x00"))
        return redaction.cut_deep(value)

    return Column(name, read)
