"""The lines of an export, read and checked: what is wrong is told with its line, before anything is stored. Pure.

Texts go through the same bounds, and secrets are cut, as when they were recorded. The other side is export.py. Source:
contract knowledge, "Export".
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from accounts.errors import InvalidArguments
from memories import redaction, sameness, storable
from memories.agents import arguments
from memories.agents.arguments import Item
from memories.models import Record, Space, Tombstone

LONGEST_ID = 40
LONGEST_NAME = 120
#: What Postgres keeps and Python cannot read back lies outside these years, and no memory does.
_YEARS = range(1900, 2200)
_MOST_SEEN = 2**31 - 1


@dataclass(frozen=True, slots=True)
class SpaceLine:
    """`members` maps an address in lower case to whether it may write."""

    id: str
    name: str
    access: str
    members: dict[str, bool]
    created_at: datetime
    hidden_at: datetime | None


@dataclass(frozen=True, slots=True)
class SummaryLine:
    id: str
    space_id: str
    agent: str
    session: str
    trigger: str
    text: str
    item_count: int
    created_at: datetime
    hidden_at: datetime | None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """`item` holds text, kind, topics, links, who decided, and what it supersedes."""

    number: int
    id: str
    space_id: str
    summary_id: str
    agent: str
    session: str
    item: Item
    status: str
    superseded_by: str
    seen_count: int
    created_at: datetime
    last_seen_at: datetime
    hidden_at: datetime | None

    @property
    def is_in_force(self) -> bool:
        return self.status == Record.Status.ACTIVE and self.hidden_at is None

    @property
    def said(self) -> tuple[str, str, str]:
        """What may be said by one active record only: space, kind and the hash of the text."""
        return self.space_id, self.item.kind, sameness.text_hash(self.item.text)


@dataclass(frozen=True, slots=True)
class TombstoneLine:
    id: str
    thing: str
    deleted_by: str
    deleted_at: datetime


@dataclass(frozen=True, slots=True)
class Lines:
    """A whole export, each id once."""

    spaces: list[SpaceLine] = field(default_factory=list)
    summaries: list[SummaryLine] = field(default_factory=list)
    records: list[RecordLine] = field(default_factory=list)
    tombstones: list[TombstoneLine] = field(default_factory=list)


def read(given: Iterable[str | bytes]) -> Lines:
    """Raises InvalidArguments naming the first line that is wrong, and why."""
    lines = Lines()
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(given, start=1):
        if not line.strip():
            continue
        with _line(number):
            kind, made = _object(line)
            rows, reader = _READERS[kind]
            parsed = reader(number, made)
            if (kind, parsed.id) not in seen:
                seen.add((kind, parsed.id))
                getattr(lines, rows).append(parsed)
    _check_chains(lines.records)
    return lines


def _object(line: str | bytes) -> tuple[str, dict[str, Any]]:
    try:
        made = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidArguments("it is no JSON") from error
    if not isinstance(made, dict) or made.get("type") not in _READERS:
        raise InvalidArguments("it is no space, summary, record or tombstone of an export")
    return made["type"], made


def _space(number: int, made: Mapping[str, Any]) -> SpaceLine:
    return SpaceLine(
        id=_id(made, "id"),
        name=_name(made),
        access=arguments.choice(_text(made, "access"), "access", Space.Access.values),
        members=dict(_member(each) for each in _list(made, "members")),
        created_at=_moment(made, "created_at"),
        hidden_at=_hidden(made),
    )


def _name(made: Mapping[str, Any]) -> str:
    name = _label(made, "name")
    if not 1 <= len(name) <= LONGEST_NAME:
        raise InvalidArguments(f"name must have 1 to {LONGEST_NAME} characters", argument="name")
    return name


def _member(given: Any) -> tuple[str, bool]:
    if not isinstance(given, dict) or not isinstance(given.get("can_write", False), bool):
        raise InvalidArguments("members holds something that is no member", argument="members")
    return arguments.label(_text(given, "email"), "members").lower(), given.get("can_write", False)


def _summary(number: int, made: Mapping[str, Any]) -> SummaryLine:
    return SummaryLine(
        id=_id(made, "id"),
        space_id=_optional_id(made, "space_id"),
        agent=_label(made, "agent"),
        session=_label(made, "session"),
        trigger=arguments.trigger(_text(made, "trigger")),
        text=redaction.cut(arguments.summary_text(_text(made, "text"))).text,
        item_count=_count(made, "item_count", 0, arguments.MOST_ITEMS),
        created_at=_moment(made, "created_at"),
        hidden_at=_hidden(made),
    )


def _record(number: int, made: Mapping[str, Any]) -> RecordLine:
    return RecordLine(
        number=number,
        id=_id(made, "id"),
        space_id=_optional_id(made, "space_id"),
        summary_id=_optional_id(made, "summary_id"),
        agent=_label(made, "agent"),
        session=_label(made, "session"),
        item=_item(made),
        status=arguments.choice(_text(made, "status"), "status", Record.Status.values),
        superseded_by=_optional_id(made, "superseded_by"),
        seen_count=_count(made, "seen_count", 1, _MOST_SEEN),
        created_at=_moment(made, "created_at"),
        last_seen_at=_moment(made, "last_seen_at"),
        hidden_at=_hidden(made),
    )


def _item(made: Mapping[str, Any]) -> Item:
    given = {
        "kind": storable.check("kind", _text(made, "kind")),
        "text": _text(made, "text"),
        "decided_by": _text(made, "decided_by"),
        "topics": _texts(made, "topics"),
        "links": _texts(made, "links"),
        "supersedes": _optional_id(made, "supersedes"),
    }
    return arguments.item(given, "record").without_secrets()[0]


def _tombstone(number: int, made: Mapping[str, Any]) -> TombstoneLine:
    return TombstoneLine(
        id=_id(made, "id"),
        thing=arguments.choice(_text(made, "thing"), "thing", Tombstone.Thing.values),
        deleted_by=_label(made, "deleted_by"),
        deleted_at=_moment(made, "deleted_at"),
    )


_READERS: dict[str, tuple[str, Callable[[int, Mapping[str, Any]], Any]]] = {
    "space": ("spaces", _space),
    "summary": ("summaries", _summary),
    "record": ("records", _record),
    "tombstone": ("tombstones", _tombstone),
}


def _check_chains(records: Iterable[RecordLine]) -> None:
    """What is in force was replaced by nothing, and no chain of replacements comes back to where it began."""
    by_id = {row.id: row for row in records}
    sound: set[str] = set()
    for row in by_id.values():
        with _line(row.number):
            if row.superseded_by and row.status == Record.Status.ACTIVE:
                raise InvalidArguments("an active record is not superseded_by another", argument="superseded_by")
            if row.item.supersedes == row.id:
                raise InvalidArguments("a record does not supersede itself", argument="supersedes")
            _check_chain(row, by_id, sound)


def _check_chain(row: RecordLine, by_id: Mapping[str, RecordLine], sound: set[str]) -> None:
    walked: set[str] = set()
    link: RecordLine | None = row
    while link is not None and link.id not in sound:
        if link.id in walked:
            raise InvalidArguments("its chain of superseded_by comes back to itself", argument="superseded_by")
        walked.add(link.id)
        link = by_id.get(link.superseded_by)
    sound |= walked


def _id(made: Mapping[str, Any], name: str) -> str:
    found = _optional_id(made, name)
    if not found:
        raise InvalidArguments(f"{name} is missing", argument=name)
    return found


def _optional_id(made: Mapping[str, Any], name: str) -> str:
    found = storable.check(name, _text(made, name))
    if len(found) > LONGEST_ID:
        raise InvalidArguments(f"{name} has more than {LONGEST_ID} characters", argument=name)
    return found


def _label(made: Mapping[str, Any], name: str) -> str:
    return redaction.cut(arguments.label(_text(made, name), name)).text


def _text(made: Mapping[str, Any], name: str) -> str:
    value = made.get(name, "")
    if not isinstance(value, str):
        raise InvalidArguments(f"{name} must be text", argument=name)
    return value


def _list(made: Mapping[str, Any], name: str) -> list[Any]:
    value = made.get(name, [])
    if not isinstance(value, list):
        raise InvalidArguments(f"{name} must be a list", argument=name)
    return value


def _texts(made: Mapping[str, Any], name: str) -> list[str]:
    found = _list(made, name)
    if not all(isinstance(each, str) for each in found):
        raise InvalidArguments(f"{name} must be a list of texts", argument=name)
    return found


def _count(made: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = made.get(name, least)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidArguments(f"{name} must be a whole number from {least} to {most}", argument=name)
    return value


def _hidden(made: Mapping[str, Any]) -> datetime | None:
    return _moment(made, "hidden_at") if made.get("hidden_at") is not None else None


def _moment(made: Mapping[str, Any], name: str) -> datetime:
    try:
        moment = parse_datetime(_text(made, name))
        found = moment.astimezone(UTC) if moment is not None and moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        found = None
    if found is None or found.year not in _YEARS:
        raise InvalidArguments(
            f"{name} must be a moment with a time zone, from {_YEARS.start} to {_YEARS.stop - 1}", argument=name
        )
    return found


@contextmanager
def _line(number: int) -> Iterator[None]:
    try:
        yield
    except InvalidArguments as error:
        reason = error.message.rstrip(".")
        raise InvalidArguments(f"Line {number:,}: {reason}. Nothing was imported.", argument="lines") from error
