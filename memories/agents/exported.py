"""The lines of an export, read and checked: what is wrong is told with its line, before anything is stored. Pure.

Texts go through the same bounds, and secrets are cut, as when they were recorded. The other side is export.py. Source:
contract knowledge, "Export".
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts.errors import InvalidArguments
from memories import lines, redaction, sameness, storable
from memories.agents import arguments
from memories.agents.arguments import Item
from memories.models import Record, Space, Tombstone

LONGEST_ID = 40
LONGEST_NAME = 120
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
    whole = Lines()
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(given, start=1):
        if not line.strip():
            continue
        with lines.on_line(number):
            kind, made = lines.typed(line, _READERS, "space, summary, record or tombstone")
            rows, reader = _READERS[kind]
            parsed = reader(number, made)
            if (kind, parsed.id) not in seen:
                seen.add((kind, parsed.id))
                getattr(whole, rows).append(parsed)
    _check_chains(whole.records)
    return whole


def _space(number: int, made: Mapping[str, Any]) -> SpaceLine:
    return SpaceLine(
        id=_id(made, "id"),
        name=_name(made),
        access=arguments.choice(lines.text(made, "access"), "access", Space.Access.values),
        members=dict(_member(each) for each in lines.several(made, "members")),
        created_at=lines.moment(made, "created_at"),
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
    return arguments.label(lines.text(given, "email"), "members").lower(), given.get("can_write", False)


def _summary(number: int, made: Mapping[str, Any]) -> SummaryLine:
    return SummaryLine(
        id=_id(made, "id"),
        space_id=_optional_id(made, "space_id"),
        agent=_label(made, "agent"),
        session=_label(made, "session"),
        trigger=arguments.trigger(lines.text(made, "trigger")),
        text=redaction.cut(arguments.summary_text(lines.text(made, "text"))).text,
        item_count=lines.count(made, "item_count", 0, arguments.MOST_ITEMS),
        created_at=lines.moment(made, "created_at"),
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
        status=arguments.choice(lines.text(made, "status"), "status", Record.Status.values),
        superseded_by=_optional_id(made, "superseded_by"),
        seen_count=lines.count(made, "seen_count", 1, _MOST_SEEN),
        created_at=lines.moment(made, "created_at"),
        last_seen_at=lines.moment(made, "last_seen_at"),
        hidden_at=_hidden(made),
    )


def _item(made: Mapping[str, Any]) -> Item:
    given = {
        "kind": storable.check("kind", lines.text(made, "kind")),
        "text": lines.text(made, "text"),
        "decided_by": lines.text(made, "decided_by"),
        "topics": lines.texts(made, "topics"),
        "links": lines.texts(made, "links"),
        "supersedes": _optional_id(made, "supersedes"),
    }
    return arguments.item(given, "record").without_secrets()[0]


def _tombstone(number: int, made: Mapping[str, Any]) -> TombstoneLine:
    return TombstoneLine(
        id=_id(made, "id"),
        thing=arguments.choice(lines.text(made, "thing"), "thing", Tombstone.Thing.values),
        deleted_by=_label(made, "deleted_by"),
        deleted_at=lines.moment(made, "deleted_at"),
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
        with lines.on_line(row.number):
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
    found = storable.check(name, lines.text(made, name))
    if len(found) > LONGEST_ID:
        raise InvalidArguments(f"{name} has more than {LONGEST_ID} characters", argument=name)
    return found


def _label(made: Mapping[str, Any], name: str) -> str:
    return redaction.cut(arguments.label(lines.text(made, name), name)).text


def _hidden(made: Mapping[str, Any]) -> datetime | None:
    return lines.optional_moment(made, "hidden_at")
