"""Front matter (YAML between two lines of dashes): a document's properties, kept as readable lines too. Pure."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

import yaml

from memories.company.reading.formats.page import moment

_BLOCK = re.compile(r"\A\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_LINE = re.compile(r"^([^\W\d_][\w .-]{0,60}?)[ \t]*:[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_LONGEST = 32_000
_LONGEST_VALUE = 2_000
_DATES = (
    "updated",
    "last updated",
    "updated at",
    "last modified",
    "modified",
    "date",
    "reviewed",
    "published",
    "created",
)
# How a site generator lays a page out; says nothing about the company.
_LAYOUT = frozenset(
    {"layout", "permalink", "redirect_from", "redirect_to", "slug", "weight", "nav_order", "sidebar", "cssclass"}
)


class _Loader(yaml.SafeLoader):
    """Safe YAML without aliases: a few hundred bytes of them unfold to gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def split(text: str) -> tuple[dict[str, str], str]:
    """Properties (lower-case names, values as text) and the text below the front matter.

    YAML that cannot be parsed is read line by line; a text without front matter has no properties."""
    found = _BLOCK.match(text)
    if not found or len(found.group(1)) > _LONGEST:
        return {}, text
    fields = _parsed(found.group(1))
    if fields is None:
        # Two rules around a paragraph are no front matter: nothing may be lost.
        return {}, text
    return fields, text[found.end() :]


def lines(properties: Mapping[str, str], body: str) -> str:
    """`body` with the properties as `Name: value` paragraphs below its first-level heading, or above all else.

    They are facts too (owner, status, date), and stay where a reader would look for them."""
    shown = [f"{_label(name)}: {value}" for name, value in properties.items() if name not in _LAYOUT | {"title"}]
    if not shown:
        return body
    block = "\n\n".join(shown)
    heading = re.match(r"\s*(# .+|.+\n=+[ \t]*)(?:\n|\Z)", body)
    if heading:
        return f"{heading.group(1).strip()}\n\n{block}\n\n{body[heading.end() :].lstrip()}"
    return f"{block}\n\n{body.lstrip()}"


def observed_at(properties: Mapping[str, str]) -> datetime | None:
    """When the document was last said to be true: its update, else its date."""
    dates = (moment(properties[name]) for name in _named(properties) if properties[name])
    return next((found for found in dates if found), None)


def _named(properties: Mapping[str, str]) -> Iterator[str]:
    plain = {re.sub(r"[_-]", " ", name): name for name in properties}
    return (plain[name] for name in _DATES if name in plain)


def _parsed(block: str) -> dict[str, str] | None:
    try:
        fields = yaml.load(block, Loader=_Loader)  # noqa: S506 - a child of SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError):
        return {name.lower(): value.strip("\"'") for name, value in _LINE.findall(block)} or None
    if not isinstance(fields, dict):
        return None
    values = {str(name).strip().lower(): _text(value)[:_LONGEST_VALUE].strip() for name, value in fields.items()}
    return {name: value for name, value in values.items() if name and value}


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_text(item)}" for key, item in value.items())
    return " ".join(str(value).split())


def _label(name: str) -> str:
    words = re.sub(r"[_-]+", " ", name).strip()
    return words[:1].upper() + words[1:]
