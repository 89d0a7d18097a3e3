"""JSON to readable Markdown: nested headings, lists, and a table for a list of flat objects. Pure."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from memories import redaction
from memories.company.reading.formats import decoding, table
from memories.company.reading.formats.page import Page, moment
from memories.errors import Unreadable

_DEEPEST = 60
_DEEPEST_HEADING = 5
_TITLES = ("title", "name", "label", "id", "key")
_DATES = ("updated_at", "updated", "last_updated", "modified", "date", "created_at", "published")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def read(content: bytes) -> Page:
    """A JSON document, or one JSON value a line."""
    # Before it is words: there the second value of a list stands far from the name that tells what it is.
    value = redaction.cut_fields(_parsed(decoding.text(content)))
    title, observed_at = "", None
    if isinstance(value, dict):
        title = next((value[key] for key in _TITLES[:2] if isinstance(value.get(key), str)), "")
        observed_at = next(
            filter(None, (moment(value[key]) for key in _DATES if isinstance(value.get(key), str))), None
        )
    heading = [f"# {title}"] if title else []
    return Page("\n\n".join([*heading, *_blocks(value, 2)]), title=title, observed_at=observed_at)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise Unreadable("The JSON is nested too deeply to be read.") from error
    except ValueError as error:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            raise Unreadable(f"This is not valid JSON: {_place(error)}.") from error


def _place(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno}, column {error.colno}"
    return "a number is too long"


def _blocks(value: Any, level: int) -> Iterator[str]:
    """Paragraphs, lists, tables and headings; `level` is that of the next heading."""
    if level > _DEEPEST:
        raise Unreadable("The JSON is nested too deeply to be read.")
    if isinstance(value, dict):
        yield from _object(value, level)
    elif isinstance(value, list):
        yield from _list(value, level)
    elif text := _text(value):
        yield text


def _object(value: Mapping[str, Any], level: int) -> Iterator[str]:
    """Plain values first, as a list; then each nested one under its name."""
    plain = [f"- {key}: {_text(item)}" for key, item in value.items() if not _is_nested(item) and _text(item)]
    if plain:
        yield "\n".join(plain)
    for key, item in value.items():
        if _is_nested(item) and item:
            yield _heading(_words(key), level)
            yield from _blocks(item, level + 1)


def _list(value: Sequence[Any], level: int) -> Iterator[str]:
    if all(not _is_nested(item) for item in value):
        yield "\n".join(f"- {_text(item)}" for item in value if _text(item))
    elif all(isinstance(item, dict) and not any(map(_is_nested, item.values())) for item in value):
        yield from _table(value)
    else:
        for number, item in enumerate(value, start=1):
            yield _heading(_name(item) or f"Item {number}", level)
            yield from _blocks(item, level + 1)


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    header = list(dict.fromkeys(key for row in rows for key in row))
    kept = islice(rows, table.MAX_ROWS)
    yield table.markdown(header, ([_text(row.get(key)) for key in header] for row in kept))
    if len(rows) > table.MAX_ROWS:
        yield table.cut_short("this list")


def _is_nested(value: Any) -> bool:
    """A short list of plain values is read in one line; everything else that holds something is nested."""
    if isinstance(value, list):
        return any(isinstance(item, (dict, list)) for item in value) or len(", ".join(map(_text, value))) > 200
    return isinstance(value, dict)


def _name(item: Any) -> str:
    if not isinstance(item, dict):
        return ""
    return next((str(item[key]) for key in _TITLES if isinstance(item.get(key), (str, int)) and item[key] != ""), "")


def _heading(title: str, level: int) -> str:
    title = " ".join(title.split())
    return f"{'#' * level} {title}" if level <= _DEEPEST_HEADING else f"**{title}**"


def _words(key: str) -> str:
    text = " ".join(_CAMEL.sub(" ", key).replace("_", " ").replace("-", " ").split())
    return text[:1].upper() + text[1:] or key


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    return " ".join(str(value).split())
