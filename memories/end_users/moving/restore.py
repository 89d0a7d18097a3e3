"""Taking an export back: in one transaction, all or nothing, and twice doubles nothing. R6.

Ids stay as they were. Where one is taken, by another account or another end user, a new one is made out of whose it is
and the old one, so that the same import again finds it. What is there already stays as it is, a live memory that says
the same among it; nothing is settled anew. Vectors follow by a worker.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.models import Account, Membership
from memories import sameness, work
from memories.end_users import people, remember
from memories.end_users.moving import exported, kinds
from memories.end_users.moving.exported import Person, Read
from memories.end_users.moving.kinds import Kind
from memories.end_users.statements import Statement
from memories.models import (
    Conflict,
    DomainProfile,
    EndUser,
    ExtractionJob,
    Memory,
    MemoryVersion,
    PendingCandidate,
    Retrieval,
)

_BATCH = 500
_NAMESPACE = uuid.UUID("5b1f0c52-5a52-4d5e-9a77-0d0f1c3f6a11")


@dataclass(slots=True)
class Restored:
    """How many of each came in anew, and how many were there already."""

    end_users: int = 0
    memories: int = 0
    pending_candidates: int = 0
    conflicts: int = 0
    domain_profiles: int = 0
    jobs: int = 0
    retrievals: int = 0
    present: int = 0


@dataclass(frozen=True, slots=True)
class _Import:
    """What an import knows of one end user: id of the file -> row here."""

    account: Account
    end_user: EndUser
    person: Person
    taken: frozenset[UUID]
    done: Restored
    memories: dict[UUID, Memory] = field(default_factory=dict)

    @property
    def own(self) -> dict[str, Any]:
        return {"account": self.account, "end_user": self.end_user}

    def own_id(self, given: UUID) -> UUID:
        """The id that a row of the file gets where its own is taken."""
        return uuid.uuid5(_NAMESPACE, f"{self.account.public_id}/{given}/{self.end_user.external_id}")

    def left(self, kind: Kind) -> tuple[list[Read], dict[UUID, Any]]:
        """The lines whose rows are not here yet, and those that are, by the id of the file."""
        given = self.person.lines(kind)
        names = {name: each.id for each in given for name in (each.id, self.own_id(each.id))}
        rows = kind.model._default_manager.filter(**self.own, public_id__in=names)
        here = {names[row.public_id]: row for row in rows}  # type: ignore[attr-defined]
        left = [each for each in given if each.id not in here]
        self.done.present += len(given) - len(left)
        return left, here

    def new_id(self, each: Read) -> UUID:
        return self.own_id(each.id) if each.id in self.taken else each.id


def lines(caller: Caller, given: Iterable[str | bytes]) -> Restored:
    """Takes the lines of exports in. Raises InvalidArguments naming the line that is wrong; then nothing came in."""
    caller.require_scope(scopes.WRITE)
    caller.require_role(Membership.Role.ADMIN)
    read = exported.read(given)
    done = Restored()
    with isolation.account(caller.account.pk):
        taken = _taken(read)
        for end_user, person in _people(caller.account, read, done):
            people.take_turn(end_user, is_seen=False)
            _store(_Import(caller.account, end_user, person, taken, done))
        work.embed_after_commit(caller.account.pk)
    return done


def memory(end_user: EndUser, given: Iterable[str]) -> Memory | None:
    """Takes one memory back, from its person's line and its own, in a transaction and a turn of the caller's.

    None where it says what is known already.
    """
    (person,) = exported.read(given)
    (line,) = person.lines(kinds.MEMORY)
    earlier = Memory.objects.filter(account=end_user.account_id, end_user=end_user, public_id=line.links["previous"])
    run = _Import(end_user.account, end_user, person, frozenset(), Restored(), {row.public_id: row for row in earlier})
    _memories(run)
    return run.memories[line.id] if run.done.memories else None


def _taken(read: Sequence[Person]) -> frozenset[UUID]:
    """Which ids of the file are there already, anywhere: all accounts are looked at, and nothing but ids."""
    found: set[UUID] = set()
    with isolation.every_account():
        for model in (Memory, Conflict, ExtractionJob, Retrieval):
            kind = next(kind for kind in kinds.ALL if kind.model is model)
            ids = [each.id for person in read for each in person.lines(kind)]
            found.update(model._default_manager.filter(public_id__in=ids).values_list("public_id", flat=True))
    return frozenset(found)


def _people(account: Account, read: Sequence[Person], done: Restored) -> list[tuple[EndUser, Person]]:
    """Each person's row, made where it is missing, in the order in which turns are taken."""
    by_id = {person.external_id: person for person in read}
    rows = EndUser.objects.filter(account=account, external_id__in=by_id)
    there = set(rows.values_list("external_id", flat=True))
    EndUser.objects.bulk_create(
        [
            EndUser(account=account, external_id=name, **person.itself.values)
            for name, person in by_id.items()
            if name not in there
        ],
        batch_size=_BATCH,
        ignore_conflicts=True,
    )
    done.end_users, done.present = len(by_id) - len(there), done.present + len(there)
    return [(row, by_id[row.external_id]) for row in rows.all().order_by("pk")]


def _store(run: _Import) -> None:
    _memories(run)
    _candidates(run)
    _conflicts(run)
    _profiles(run)
    _jobs(run)
    _retrievals(run)


def _memories(run: _Import) -> None:
    left, here = run.left(kinds.MEMORY)
    run.memories.update(here)
    live = {row.content_hash: row for row in Memory.objects.filter(**run.own, is_archived=False)}
    made: list[tuple[Read, Memory]] = []
    for each in left:
        row = _memory(run, each)
        twin = None if row.is_archived else live.setdefault(row.content_hash, row)
        if twin is None or twin is row:
            made.append((each, row))
        else:
            run.done.present += 1
        run.memories[each.id] = twin or row
    Memory.objects.bulk_create([row for _, row in made], batch_size=_BATCH)
    _link(run, made)
    MemoryVersion.objects.bulk_create(
        [MemoryVersion(**run.own, memory=row, **state) for each, row in made for state in each.links["versions"]],
        batch_size=_BATCH,
    )
    run.done.memories += len(made)


def _memory(run: _Import, each: Read) -> Memory:
    told = each.values
    statement = Statement(content=told["content"], category=told["category"])
    return Memory(**run.own, public_id=run.new_id(each), **{**remember.stated(statement), **told})


def _link(run: _Import, made: Sequence[tuple[Read, Memory]]) -> None:
    """Ties new memories to what they took the place of, as far as that came along or is here."""
    linked = []
    for each, row in made:
        earlier = run.memories.get(each.links["previous"])
        if earlier is not None and earlier.pk != row.pk:
            row.previous_version = earlier
            linked.append(row)
    Memory.objects.bulk_update(linked, ["previous_version"], batch_size=_BATCH)


def _candidates(run: _Import) -> None:
    given = {sameness.text_hash(each.values["content"]): each for each in run.person.lines(kinds.CANDIDATE)}
    rows = PendingCandidate.objects.filter(**run.own, content_hash__in=given)
    there = set(rows.values_list("content_hash", flat=True))
    PendingCandidate.objects.bulk_create(
        PendingCandidate(**run.own, content_hash=name, **each.values)
        for name, each in given.items()
        if name not in there
    )
    run.done.pending_candidates += len(given) - len(there)
    run.done.present += len(there)


def _conflicts(run: _Import) -> None:
    """Those whose memories came along or are here."""
    left, _ = run.left(kinds.CONFLICT)
    made = []
    for each in left:
        old, new = run.memories.get(each.links["old"]), run.memories.get(each.links["new"])
        if old is None or (new is None and each.links["new"] is not None):
            run.done.present += 1
            continue
        made.append(Conflict(**run.own, public_id=run.new_id(each), old=old, new=new, **each.values))
    Conflict.objects.bulk_create(made, batch_size=_BATCH)
    run.done.conflicts += len(made)


def _profiles(run: _Import) -> None:
    given = {each.values["domain"]: each for each in run.person.lines(kinds.PROFILE)}
    there = set(DomainProfile.objects.filter(**run.own, domain__in=given).values_list("domain", flat=True))
    DomainProfile.objects.bulk_create(
        DomainProfile(**run.own, **each.values) for name, each in given.items() if name not in there
    )
    run.done.domain_profiles += len(given) - len(there)
    run.done.present += len(there)


def _jobs(run: _Import) -> None:
    """A job that somebody was at work on waits again."""
    left, _ = run.left(kinds.JOB)
    told = ExtractionJob.objects.filter(**run.own).exclude(source_event_id="")
    events = set(told.values_list("source_service", "source_event_id"))
    made = []
    for each in left:
        values = dict(each.values)
        event = (values["source_service"], values["source_event_id"])
        if event in events:
            run.done.present += 1
            continue
        if values["source_event_id"]:
            events.add(event)
        if values["status"] == ExtractionJob.Status.PROCESSING:
            values["status"] = ExtractionJob.Status.QUEUED
        made.append(ExtractionJob(**run.own, public_id=run.new_id(each), due_at=timezone.now(), **values))
    ExtractionJob.objects.bulk_create(made, batch_size=_BATCH)
    run.done.jobs += len(made)


def _retrievals(run: _Import) -> None:
    left, _ = run.left(kinds.RETRIEVAL)
    made = []
    for each in left:
        told = [run.memories[name].pk for name in each.links["memories"] if name in run.memories]
        made.append(Retrieval(**run.own, public_id=run.new_id(each), memory_ids=told, **each.values))
    Retrieval.objects.bulk_create(made, batch_size=_BATCH)
    run.done.retrievals += len(made)
