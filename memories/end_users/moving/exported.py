"""The lines of an export, read and checked whole, before anything is stored. Pure.

Texts go through the bounds of their columns, and secrets are cut, as when they came in. Each line says whose it is; an
end user's own line comes before what is theirs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.errors import InvalidArguments
from memories import lines
from memories.end_users import people
from memories.end_users.errors import Refused
from memories.end_users.moving import kinds
from memories.end_users.moving.columns import identifier, optional_identifier
from memories.end_users.moving.kinds import Kind
from memories.lines import Line
from memories.models import ExtractionJob

MOST_LINES = 100_000
MOST_PEOPLE = 5_000
NO_ID = UUID(int=0)
_BY_NAME = {kind.name: kind for kind in kinds.ALL}


@dataclass(frozen=True, slots=True)
class Read:
    """One line. `id` is NO_ID where its row has none; `links` holds the ids that it names, and a memory's states."""

    number: int
    id: UUID
    values: dict[str, Any]
    links: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Person:
    """What the lines say of one end user, by type, each id once."""

    external_id: str
    itself: Read
    by_kind: dict[str, list[Read]] = field(default_factory=dict)

    def lines(self, kind: Kind) -> list[Read]:
        return self.by_kind.get(kind.name, [])


def read(given: Iterable[str | bytes]) -> list[Person]:
    """Raises InvalidArguments naming the first line that is wrong, and why."""
    found: dict[str, Person] = {}
    whose: dict[tuple[str, UUID], str] = {}
    for number, line in enumerate(given, start=1):
        if not line.strip():
            continue
        with lines.on_line(number):
            if number > MOST_LINES:
                raise InvalidArguments(f"an import has at most {MOST_LINES:,} lines")
            name, made = lines.typed(line, _BY_NAME, "line about an end user")
            _take(found, whose, _BY_NAME[name], number, made)
    for person in found.values():
        _check_chains(person.lines(kinds.MEMORY))
    return list(found.values())


def _take(found: dict[str, Person], whose: dict[tuple[str, UUID], str], kind: Kind, number: int, made: Line) -> None:
    external_id = _external_id(made)
    if kind is kinds.END_USER:
        found.setdefault(external_id, Person(external_id, Read(number, NO_ID, kind.read(made))))
        if len(found) > MOST_PEOPLE:
            raise InvalidArguments(f"an import has at most {MOST_PEOPLE:,} end users")
        return
    if external_id not in found:
        raise InvalidArguments("its end user's own line must come before it")
    has_id = "public_id" in kind.linked
    parsed = Read(number, identifier(made, "id") if has_id else NO_ID, kind.read(made), _links(kind, made))
    _check(kind, parsed)
    if has_id and (kind.name, parsed.id) in whose:
        if whose[kind.name, parsed.id] != external_id:
            raise InvalidArguments("its id stands on a line of another end user", argument="id")
        return
    whose[kind.name, parsed.id] = external_id
    found[external_id].by_kind.setdefault(kind.name, []).append(parsed)


def _external_id(made: Line) -> str:
    try:
        return people.check_id(lines.text(made, "external_user_id"))
    except Refused as error:
        raise InvalidArguments(f"external_user_id {error.details[0].reason}", argument="external_user_id") from error


def _links(kind: Kind, made: Line) -> dict[str, Any]:
    if kind is kinds.MEMORY:
        return {"previous": optional_identifier(made, "previous_version_id"), "versions": _versions(made)}
    if kind is kinds.CONFLICT:
        return {"old": identifier(made, "old_id"), "new": optional_identifier(made, "new_id")}
    if kind is kinds.RETRIEVAL:
        return {
            "memories": [identifier({"memory_ids": each}, "memory_ids") for each in lines.texts(made, "memory_ids")]
        }
    return {}


def _versions(made: Line) -> list[dict[str, Any]]:
    found = []
    for each in lines.several(made, "versions"):
        if not isinstance(each, Mapping):
            raise InvalidArguments("versions must be a list of objects", argument="versions")
        found.append(kinds.VERSION.read(each))
    if len({each["version"] for each in found}) < len(found):
        raise InvalidArguments("versions has the same version twice", argument="versions")
    return found


def _check(kind: Kind, parsed: Read) -> None:
    """What no single column can tell."""
    values = parsed.values
    if kind is kinds.MEMORY and values["is_archived"] != (values["archived_at"] is not None):
        raise InvalidArguments("archived_at goes with is_archived: both or neither", argument="archived_at")
    if kind is kinds.JOB:
        is_over = values["status"] in (ExtractionJob.Status.COMPLETED, ExtractionJob.Status.DEAD)
        if is_over != (values["completed_at"] is not None):
            raise InvalidArguments("completed_at goes with a job that is over", argument="completed_at")
        _check_messages(values["messages"])


def _check_messages(messages: list[Any]) -> None:
    for each in messages:
        is_message = isinstance(each, dict) and set(each) == {"role", "content"}
        if not is_message or not all(isinstance(value, str) for value in each.values()):
            raise InvalidArguments("messages holds something that is no message", argument="messages")


def _check_chains(memories: Iterable[Read]) -> None:
    """No chain of previous versions comes back to where it began."""
    by_id = {each.id: each for each in memories}
    sound: set[UUID] = set()
    for each in by_id.values():
        walked: set[UUID] = set()
        link: Read | None = each
        while link is not None and link.id not in sound:
            with lines.on_line(link.number):
                if link.id in walked:
                    raise InvalidArguments("its chain of previous_version_id comes back to itself")
            walked.add(link.id)
            link = by_id.get(link.links["previous"])
        sound |= walked
