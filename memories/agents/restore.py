"""Taking an export back: the same rows with the same ids, times, states and links, all or nothing.

Twice is once: a row that is there already, by its id or as imported before, is left as it is; so is a statement that
another active record makes, and what was deleted here stays deleted. An id that another account of this installation
uses gets a new one, and the old one is remembered (`imported_id`). Rows are looked up and stored in bulk: the account's
other writers wait for it. Source: contract knowledge, "Export"; R6.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import PermissionMissing
from accounts.models import Account, Membership
from memories import indexing, sameness, work
from memories.agents import exported, spaces, windows
from memories.agents.exported import Lines, RecordLine, SpaceLine, SummaryLine
from memories.models import Record, Space, SpaceMember, Summary, Tombstone

_BATCH = 500


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
    """What an import knows: id of the file -> row here, and what was deleted here before."""

    account: Account
    deleted: frozenset[str]
    rows: dict[str, Any] = field(default_factory=dict)
    present: int = 0

    def is_left(self, given: Iterable[Any], there: dict[str, Any]) -> list[Any]:
        """Those lines that are not here yet; the others are counted, and known by their rows."""
        left = []
        for line in given:
            if line.id in there:
                self.rows[line.id] = there[line.id]
            elif line.id not in self.deleted:
                left.append(line)
        self.present += len(list(given)) - len(left)
        return left


def lines(caller: Caller, given: Iterable[str | bytes]) -> Restored:
    """Takes the lines of an export in. Raises InvalidArguments naming the line that is wrong; then nothing came in.

    Owners, admins, and agents of theirs may: an import makes spaces and says who reads them.
    """
    caller.require_scope(scopes.DECISIONS_WRITE)
    _require_above(caller)
    read = exported.read(given)
    with isolation.account(caller.account.pk):
        windows.take_turn(caller.account.pk)
        restored = _store(caller.account, read)
        work.embed_after_commit(caller.account.pk)
    return restored


def _require_above(caller: Caller) -> None:
    """Asked before the lines are read: whoever may not import is not told what is wrong with them."""
    with isolation.account(caller.account.pk):
        if not spaces.reach(caller).is_above and caller.surface != "command":
            raise PermissionMissing("Only owners and admins of the account import memories.")


def _store(account: Account, read: Lines) -> Restored:
    deleted = Tombstone.objects.filter(account=account).values_list("thing_id", flat=True)
    run = _Import(account, frozenset(deleted))
    made_spaces = _spaces(run, read.spaces)
    tombstones = _tombstones(run, read)
    summaries = _summaries(run, read.summaries)
    records = _records(run, read.records)
    return Restored(made_spaces, summaries, records, tombstones, run.present)


def _spaces(run: _Import, given: Sequence[SpaceLine]) -> int:
    by_name = {space.name: space for space in Space.objects.filter(account=run.account)}
    there = _there(run.account, Space, [line.id for line in given])
    named = {line.id: by_name[line.name] for line in given if line.name in by_name}
    left = run.is_left(given, named | there)
    identities = _identities(Space, left)
    # Two lines of one name: the first one makes the space.
    first = {line.name: line for line in reversed(left)}
    made = {
        name: Space(account=run.account, name=name, access=line.access, **identities[line.id])
        for name, line in first.items()
    }
    Space.objects.bulk_create(made.values(), batch_size=_BATCH)
    run.rows |= {line.id: made[line.name] for line in left}
    _members(run.account, [(made[name], line.members) for name, line in first.items()])
    return len(made)


def _members(account: Account, given: Sequence[tuple[Space, dict[str, bool]]]) -> None:
    """Those who belong to this account too; an address that does not is passed over."""
    people = Membership.objects.filter(account=account).select_related("user")
    by_email = {row.user.email.lower(): row.user for row in people}
    SpaceMember.objects.bulk_create(
        SpaceMember(account=account, space=space, user=by_email[email], can_write=can_write)
        for space, members in given
        for email, can_write in members.items()
        if email in by_email
    )


def _tombstones(run: _Import, read: Lines) -> int:
    """What the file says was deleted stays deleted: its own lines for such ids are passed over, too."""
    left = [line for line in read.tombstones if line.id not in run.deleted]
    run.present += len(read.tombstones) - len(left)
    made = [
        Tombstone(
            account=run.account,
            thing=line.thing,
            thing_id=line.id,
            deleted_by=line.deleted_by,
            deleted_at=line.deleted_at,
        )
        for line in left
    ]
    Tombstone.objects.bulk_create(made, batch_size=_BATCH)
    return len(made)


def _summaries(run: _Import, given: Sequence[SummaryLine]) -> int:
    left = run.is_left(given, _there(run.account, Summary, [line.id for line in given]))
    identities = _identities(Summary, left)
    made = {
        line.id: Summary(
            account=run.account,
            space=run.rows.get(line.space_id),
            agent=line.agent,
            session=line.session,
            trigger=line.trigger,
            text=line.text,
            item_count=line.item_count,
            content_hash=sameness.text_hash(line.text),
            **identities[line.id],
        )
        for line in left
    }
    Summary.objects.bulk_create(made.values(), batch_size=_BATCH)
    run.rows |= made
    return len(made)


def _records(run: _Import, given: Sequence[RecordLine]) -> int:
    there = _there(run.account, Record, [line.id for line in given])
    left = run.is_left(given, there | _said_here(run, given, there))
    identities = _identities(Record, left)
    made: dict[str, Record] = {}
    active: dict[tuple[str, str, str], Record] = {}
    for line in left:
        if line.is_in_force and line.said in active:
            run.rows[line.id] = active[line.said]
            run.present += 1
            continue
        made[line.id] = _record(run, line, identities[line.id])
        if line.is_in_force:
            active[line.said] = made[line.id]
    Record.objects.bulk_create(made.values(), batch_size=_BATCH)
    run.rows |= made
    _link(run, [(made[line.id], line) for line in left if line.id in made])
    windows.renew(run.account.pk, [row.pk for row in made.values()])
    return len(made)


def _said_here(run: _Import, given: Sequence[RecordLine], there: dict[str, Any]) -> dict[str, Record]:
    """The active records here that say what a line of the file says: they stand for it."""
    wanted = {line.said[2] for line in given if line.is_in_force and line.id not in there}
    rows = Record.objects.filter(account=run.account, status=Record.Status.ACTIVE, hidden_at=None)
    here = {(row.space_id, row.kind, row.text_hash): row for row in rows.filter(text_hash__in=wanted)}
    found = {}
    for line in given:
        space = run.rows.get(line.space_id)
        twin = here.get((space.pk if space else None, line.item.kind, line.said[2])) if line.is_in_force else None
        if twin is not None:
            found[line.id] = twin
    return found


def _record(run: _Import, line: RecordLine, identity: dict[str, Any]) -> Record:
    item = line.item
    return Record(
        account=run.account,
        space=run.rows.get(line.space_id),
        summary=run.rows.get(line.summary_id),
        kind=item.kind,
        status=line.status,
        text=item.text,
        text_hash=sameness.text_hash(item.text),
        agent=line.agent,
        session=line.session,
        decided_by=item.decided_by,
        topics=list(item.topics),
        links=list(item.links),
        seen_count=line.seen_count,
        last_seen_at=line.last_seen_at,
        **identity,
        terms=indexing.terms("record", item.text, " ".join(item.topics)),
    )


def _link(run: _Import, made: Sequence[tuple[Record, RecordLine]]) -> None:
    """Ties the new rows to those they replaced and that replaced them, as far as these came along or are here."""
    linked = []
    for row, line in made:
        row.supersedes = run.rows.get(line.item.supersedes)
        row.superseded_by = run.rows.get(line.superseded_by)
        if row.supersedes_id or row.superseded_by_id:
            linked.append(row)
    Record.objects.bulk_update(linked, ["supersedes", "superseded_by"], batch_size=_BATCH)


def _there(account: Account, model: type[Any], ids: Sequence[str]) -> dict[str, Any]:
    """Id of the file -> row here, for those that are here, by their own id or as imported before."""
    rows = model.objects.filter(account=account)
    imported = {row.imported_id: row for row in rows.filter(imported_id__in=ids)}
    return imported | {row.public_id: row for row in rows.filter(public_id__in=ids)}


def _identities(model: type[Any], given: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """Id and times of each line; a new id where another account has it, so all accounts are looked at."""
    with isolation.every_account():
        taken = set(model.objects.filter(public_id__in=[line.id for line in given]).values_list("public_id", flat=True))
    return {
        line.id: {
            "imported_id" if line.id in taken else "public_id": line.id,
            "created_at": line.created_at,
            "hidden_at": line.hidden_at,
        }
        for line in given
    }
