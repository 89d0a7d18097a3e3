"""Taking an export back: the same rows with the same ids, times, states and links, all or nothing.

Twice is once: a row that is there already, by its id or as imported before, is left as it is; so is a statement that
another active record makes, and what was deleted here stays deleted. An id that another account of this installation
uses gets a new one, and the old one is remembered (`imported_id`). Texts go through the same bounds and
secrets are cut as when they were recorded. Source: contract knowledge, "Export"; R6.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments, PermissionMissing
from accounts.models import Membership
from memories import indexing, redaction, work
from memories.agents import arguments, sameness, spaces, windows
from memories.models import Record, Space, SpaceMember, Summary, Tombstone

_BATCH = 500
_TYPES = ("space", "summary", "record", "tombstone")


@dataclass(frozen=True, slots=True)
class Restored:
    """How many rows of each type came in anew, and how many were there already."""

    spaces: int
    summaries: int
    records: int
    tombstones: int
    present: int


@dataclass(slots=True)
class _Import:
    """What an import knows: id of the file -> row here, by type; and the rows that are new."""

    caller: Caller
    rows: dict[str, dict[str, Any]] = field(default_factory=lambda: {kind: {} for kind in _TYPES})
    fresh: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_TYPES, 0))
    present: int = 0


def lines(caller: Caller, given: Iterable[str | bytes]) -> Restored:
    """Takes the lines of an export in. Raises InvalidArguments naming the line that is wrong; then nothing came in.

    Owners, admins, and agents of theirs may: an import makes spaces and says who reads them.
    """
    caller.require_scope(scopes.DECISIONS_WRITE)
    read = _read(given)
    with isolation.account(caller.account.pk):
        windows.take_turn(caller.account.pk)
        if not spaces.reach(caller).is_above and caller.surface != "command":
            raise PermissionMissing("Only owners and admins of the account import memories.")
        run = _Import(caller)
        _spaces(run, read["space"])
        _tombstones(run, read["tombstone"])
        _summaries(run, read["summary"])
        _records(run, read["record"])
        work.embed_after_commit(caller.account.pk)
    new = run.fresh
    return Restored(new["space"], new["summary"], new["record"], new["tombstone"], run.present)


def _read(given: Iterable[str | bytes]) -> dict[str, list[tuple[int, dict[str, Any]]]]:
    read: dict[str, list[tuple[int, dict[str, Any]]]] = {kind: [] for kind in _TYPES}
    for number, line in enumerate(given, start=1):
        if line.strip():
            made = _object(line, number)
            read[made["type"]].append((number, made))
    return read


def _object(line: str | bytes, number: int) -> dict[str, Any]:
    try:
        made = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _wrong(number, "is no JSON") from error
    if not isinstance(made, dict) or made.get("type") not in _TYPES or not isinstance(made.get("id"), str):
        raise _wrong(number, "is no space, summary, record or tombstone of an export")
    return made


def _spaces(run: _Import, given: list[tuple[int, dict[str, Any]]]) -> None:
    account = run.caller.account
    for number, made in given:
        with _line(number):
            name = redaction.cut(arguments.label(_text(made, "name"), "name")).text
            present = _present(run, Space, made["id"]) or Space.objects.filter(account=account, name=name).first()
            if present is not None:
                run.rows["space"][made["id"]] = present
                run.present += 1
                continue
            space = Space.objects.create(
                account=account,
                name=name,
                access=arguments.choice(_text(made, "access"), "access", Space.Access.values),
                **_identity(Space, made),
            )
            run.rows["space"][made["id"]] = space
            run.fresh["space"] += 1
            _members(space, made.get("members") or ())


def _members(space: Space, given: Iterable[Mapping[str, Any]]) -> None:
    """Those who belong to this account too; an address that does not is passed over."""
    wanted = {str(each.get("email", "")).lower(): each.get("can_write") is True for each in given}
    rows = Membership.objects.filter(account_id=space.account_id, user__email__in=list(wanted)).select_related("user")
    SpaceMember.objects.bulk_create(
        SpaceMember(account_id=space.account_id, space=space, user=row.user, can_write=wanted[row.user.email.lower()])
        for row in rows
    )


def _tombstones(run: _Import, given: list[tuple[int, dict[str, Any]]]) -> None:
    account = run.caller.account
    there = set(Tombstone.objects.filter(account=account).values_list("thing_id", flat=True))
    for number, made in given:
        with _line(number):
            thing = arguments.choice(_text(made, "thing"), "thing", Tombstone.Thing.values)
            thing_id = arguments.label(made["id"], "id")[:40]
            if thing_id in there:
                run.present += 1
                continue
            Tombstone.objects.create(
                account=account,
                thing=thing,
                thing_id=thing_id,
                deleted_by=arguments.label(_text(made, "deleted_by"), "deleted_by"),
                deleted_at=_moment(made, "deleted_at"),
            )
            there.add(thing_id)
            run.fresh["tombstone"] += 1


def _summaries(run: _Import, given: list[tuple[int, dict[str, Any]]]) -> None:
    for number, made in given:
        with _line(number):
            if _is_there(run, Summary, "summary", made["id"]):
                continue
            text = redaction.cut(arguments.summary_text(_text(made, "text"))).text
            row = Summary.objects.create(
                account=run.caller.account,
                space=_linked(run, "space", made, "space_id"),
                text=text,
                trigger=arguments.trigger(_text(made, "trigger")),
                item_count=_count(made, "item_count"),
                content_hash=sameness.text_hash(text),
                **_labels(made, "agent", "session"),
                **_identity(Summary, made),
            )
            run.rows["summary"][made["id"]] = row
            run.fresh["summary"] += 1


def _records(run: _Import, given: list[tuple[int, dict[str, Any]]]) -> None:
    new: list[tuple[Record, dict[str, Any]]] = []
    for number, made in given:
        with _line(number):
            if _is_there(run, Record, "record", made["id"]) or _is_said(run, made):
                continue
            row = _record(run, made)
            row.save(force_insert=True)
            run.rows["record"][made["id"]] = row
            run.fresh["record"] += 1
            new.append((row, made))
    for row, made in new:
        row.supersedes = _linked(run, "record", made, "supersedes")
        row.superseded_by = _linked(run, "record", made, "superseded_by")
    linked = [row for row, _ in new if row.supersedes_id or row.superseded_by_id]
    Record.objects.bulk_update(linked, ["supersedes", "superseded_by"], batch_size=_BATCH)
    windows.renew(run.caller.account.pk, [row.pk for row, _ in new])


def _record(run: _Import, made: dict[str, Any]) -> Record:
    item = arguments.item(made, "record")
    text = redaction.cut(item.text).text
    topics = [redaction.cut(topic).text for topic in item.topics]
    return Record(
        account=run.caller.account,
        space=_linked(run, "space", made, "space_id"),
        summary=_linked(run, "summary", made, "summary_id"),
        kind=item.kind,
        status=arguments.choice(_text(made, "status"), "status", Record.Status.values),
        text=text,
        text_hash=sameness.text_hash(text),
        decided_by=redaction.cut(item.decided_by).text,
        topics=topics,
        links=[redaction.cut(link).text for link in item.links],
        seen_count=_count(made, "seen_count"),
        last_seen_at=_moment(made, "last_seen_at"),
        **_labels(made, "agent", "session"),
        **_identity(Record, made),
        terms=indexing.terms("record", text, " ".join(topics)),
    )


def _is_said(run: _Import, made: dict[str, Any]) -> bool:
    """Whether another active record says it already: then that one stands for it."""
    if made.get("status") != Record.Status.ACTIVE or made.get("hidden_at"):
        return False
    text = redaction.cut(arguments.record_text(_text(made, "text"), "text")).text
    twin = Record.objects.filter(
        account=run.caller.account,
        space=_linked(run, "space", made, "space_id"),
        kind=_text(made, "kind"),
        text_hash=sameness.text_hash(text),
        status=Record.Status.ACTIVE,
        hidden_at=None,
    ).first()
    if twin is None:
        return False
    run.rows["record"][made["id"]] = twin
    run.present += 1
    return True


def _is_there(run: _Import, model: type[Any], kind: str, given_id: str) -> bool:
    if Tombstone.objects.filter(account=run.caller.account, thing_id=given_id[:40]).exists():
        run.present += 1
        return True
    present = _present(run, model, given_id)
    if present is None:
        return False
    run.rows[kind][given_id] = present
    run.present += 1
    return True


def _present(run: _Import, model: type[Any], given_id: str) -> Any:
    rows = model.objects.filter(account=run.caller.account)
    return rows.filter(public_id=given_id[:40]).first() or rows.filter(imported_id=given_id[:40]).first()


def _linked(run: _Import, kind: str, made: Mapping[str, Any], name: str) -> Any:
    """The row here that the file's id means; None for an empty one and for one that did not come along."""
    return run.rows[kind].get(_text(made, name))


def _identity(model: type[Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """Id and times of the file; a new id where another account has that one, so all accounts are looked at."""
    given_id = arguments.label(made["id"], "id")[:40]
    hidden = {"hidden_at": _moment(made, "hidden_at")} if made.get("hidden_at") else {}
    times = {"created_at": _moment(made, "created_at"), **hidden}
    with isolation.every_account():
        is_taken = model.objects.filter(public_id=given_id).exists()
    return {"imported_id": given_id, **times} if is_taken else {"public_id": given_id, **times}


def _labels(made: Mapping[str, Any], *names: str) -> dict[str, str]:
    return {name: redaction.cut(arguments.label(_text(made, name), name)).text for name in names}


def _text(made: Mapping[str, Any], name: str) -> str:
    value = made.get(name, "")
    if not isinstance(value, str):
        raise InvalidArguments(f"{name} must be text.", argument=name)
    return value


def _count(made: Mapping[str, Any], name: str) -> int:
    value = made.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**15:
        raise InvalidArguments(f"{name} is no count.", argument=name)
    return value


def _moment(made: Mapping[str, Any], name: str) -> datetime:
    try:
        moment = parse_datetime(_text(made, name))
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise InvalidArguments(f"{name} is no moment with a time zone.", argument=name)
    return moment


@contextmanager
def _line(number: int) -> Iterator[None]:
    """What is wrong in it is told with the line's number."""
    try:
        yield
    except InvalidArguments as error:
        raise _wrong(number, f"cannot be taken in: {error.message.rstrip('.')}") from error


def _wrong(number: int, reason: str) -> InvalidArguments:
    return InvalidArguments(f"Line {number:,} {reason}. Nothing was imported.", argument="lines")
