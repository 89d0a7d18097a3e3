"""Spaces: named areas inside an account, and how far a caller reaches into them.

An agent's key reaches as far as the person who made it. Owners and admins reach every space of their account; others
those that are open to the account, and those that list them. A viewer writes nowhere. A key without a person (made by a
command, or whose person has left) reaches the open ones only. A space that may not be read is not there: NotFound, in
the same words as for an id that never was.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, models, transaction

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments, NotFound, PermissionMissing
from accounts.models import Membership, User
from memories import redaction
from memories.agents import arguments
from memories.errors import AlreadyExists
from memories.models import Space, SpaceMember, Tombstone

LONGEST_NAME = 120
_ABOVE = (Membership.Role.OWNER, Membership.Role.ADMIN)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one caller reaches: `role` of the person behind, empty without one; `listed` maps space -> may write."""

    role: str
    listed: dict[int, bool]

    @property
    def is_above(self) -> bool:
        return self.role in _ABOVE

    def reads(self, space: Space) -> bool:
        if space.hidden_at is not None:
            return False
        return self.is_above or space.access == Space.Access.ACCOUNT or space.pk in self.listed

    def writes(self, space: Space) -> bool:
        if not self.writes_whole:
            return False
        return self.is_above or space.access == Space.Access.ACCOUNT or self.listed.get(space.pk, False)

    @property
    def writes_whole(self) -> bool:
        """Whether it may write what belongs to the account as a whole."""
        return self.role != Membership.Role.VIEWER

    def readable(self, prefix: str = "space") -> models.Q:
        """The condition on rows that hang on a space, or on none, that the caller reads."""
        shown = models.Q(**{f"{prefix}__isnull": True})
        if self.is_above:
            return shown | models.Q(**{f"{prefix}__hidden_at": None})
        is_open = models.Q(**{f"{prefix}__access": Space.Access.ACCOUNT, f"{prefix}__hidden_at": None})
        is_listed = models.Q(**{f"{prefix}__in": list(self.listed), f"{prefix}__hidden_at": None})
        return shown | is_open | is_listed


@dataclass(frozen=True, slots=True)
class SpaceShown:
    """A space as its readers see it."""

    id: str
    name: str
    access: str
    can_write: bool
    created_at: datetime


def person_id(caller: Caller) -> int | None:
    """Whose reach a caller has: the person's row."""
    if caller.user is not None:
        return caller.user.pk
    return caller.key.created_by_id if caller.key is not None else None


def reach(caller: Caller) -> Reach:
    """Two queries. Runs inside `isolation.account`."""
    who = person_id(caller)
    if who is None:
        return Reach("", {})
    role = Membership.objects.filter(account=caller.account, user_id=who).values_list("role", flat=True).first()
    if role is None:
        return Reach("", {})
    rows = SpaceMember.objects.filter(account=caller.account, user_id=who)
    return Reach(role, dict(rows.values_list("space_id", "can_write")))


def own_account(caller: Caller, account_id: str) -> None:
    """An empty `account_id` is the caller's own; any other raises NotFound."""
    if account_id not in ("", caller.account.public_id):
        raise NotFound


def readable(caller: Caller, space_id: str, within: Reach) -> Space | None:
    """The space of that id; None for an empty one, which means the account as a whole. Raises NotFound."""
    if not space_id:
        return None
    arguments.label(space_id, "space_id")
    space = Space.objects.filter(account=caller.account, public_id=space_id, hidden_at=None).first()
    if space is None or not within.reads(space):
        raise NotFound(f"There is no space {space_id[:60]!r}.")
    return space


def writable(caller: Caller, space_id: str, within: Reach) -> Space | None:
    """The same for writing. Raises PermissionMissing where the caller reads but does not write."""
    space = readable(caller, space_id, within)
    if not within.writes_whole:
        raise PermissionMissing
    if space is not None and not within.writes(space):
        raise PermissionMissing(f"You read the space {space_id[:60]!r} but may not write in it.")
    return space


def listed(caller: Caller) -> list[SpaceShown]:
    """The spaces that the caller reads, by name. Three queries."""
    caller.require_scope(scopes.DECISIONS_READ)
    with isolation.account(caller.account.pk):
        within = reach(caller)
        rows = Space.objects.filter(account=caller.account, hidden_at=None).order_by("name", "id")
        return [_shown(space, within) for space in rows if within.reads(space)]


def get(caller: Caller, space_id: str) -> SpaceShown:
    """One space. Raises NotFound."""
    caller.require_scope(scopes.DECISIONS_READ)
    with isolation.account(caller.account.pk):
        within = reach(caller)
        space = readable(caller, space_id, within)
        if space is None:
            raise NotFound
        return _shown(space, within)


def unreadable(caller: Caller, within: Reach) -> int:
    """How many spaces of the account the caller does not reach: a briefing says that there are some, no more."""
    rows = Space.objects.filter(account=caller.account, hidden_at=None)
    return sum(not within.reads(space) for space in rows)


def create(caller: Caller, *, name: str, access: str = "") -> SpaceShown:
    """Makes a space; who makes it writes in it. Raises AlreadyExists for a name that is taken.

    A key without a person can be no member, so it makes open spaces only.
    """
    caller.require_scope(scopes.DECISIONS_WRITE)
    name = _name(name)
    access = arguments.choice(access or Space.Access.MEMBERS, "access", Space.Access.values)
    who = person_id(caller)
    if who is None and access == Space.Access.MEMBERS:
        raise InvalidArguments("No person stands behind this key, so access must be `account`.", argument="access")
    with isolation.account(caller.account.pk):
        writable(caller, "", reach(caller))
        with _taken(name):
            space = Space.objects.create(account=caller.account, name=name, access=access, created_by_id=who)
        if who is not None:
            SpaceMember.objects.create(account=caller.account, space=space, user_id=who, can_write=True)
        return _shown(space, reach(caller))


def change(caller: Caller, space_id: str, *, name: str | None = None, access: str | None = None) -> SpaceShown:
    """Renames a space, or opens and closes it. Needs the right to write in it."""
    caller.require_scope(scopes.DECISIONS_WRITE)
    with isolation.account(caller.account.pk):
        within = reach(caller)
        space = _existing(caller, space_id, within)
        space.name = space.name if name is None else _name(name)
        space.access = space.access if access is None else arguments.choice(access, "access", Space.Access.values)
        with _taken(space.name):
            space.save(update_fields=["name", "access"])
        return _shown(space, within)


def delete(caller: Caller, space_id: str) -> None:
    """The space with its records and summaries, for good; a tombstone without content stays. Owners and admins may."""
    caller.require_scope(scopes.DECISIONS_WRITE)
    with isolation.account(caller.account.pk):
        within = reach(caller)
        space = _existing(caller, space_id, within)
        if not within.is_above:
            raise PermissionMissing("Only owners and admins of the account delete a space.")
        Tombstone.objects.create(
            account=caller.account,
            thing=Tombstone.Thing.SPACE,
            thing_id=space.public_id,
            deleted_by=actor(caller),
        )
        space.delete()


def admit(caller: Caller, space_id: str, email: str, *, can_write: bool) -> None:
    """Lists a person of the account as reader, or writer. Raises NotFound for one who does not belong to it."""
    caller.require_scope(scopes.DECISIONS_WRITE)
    with isolation.account(caller.account.pk):
        space = _existing(caller, space_id, reach(caller))
        SpaceMember.objects.update_or_create(
            account=caller.account, space=space, user=_member(caller, email), defaults={"can_write": can_write}
        )


def dismiss(caller: Caller, space_id: str, email: str) -> None:
    """Takes a person off a space's list. Raises NotFound for one who is not on it."""
    caller.require_scope(scopes.DECISIONS_WRITE)
    with isolation.account(caller.account.pk):
        space = _existing(caller, space_id, reach(caller))
        gone, _ = SpaceMember.objects.filter(account=caller.account, space=space, user=_member(caller, email)).delete()
        if not gone:
            raise NotFound


def members(caller: Caller, space_id: str) -> Sequence[SpaceMember]:
    """Who is listed, with their `user`, by address."""
    caller.require_scope(scopes.DECISIONS_READ)
    with isolation.account(caller.account.pk):
        space = readable(caller, space_id, reach(caller))
        if space is None:
            raise NotFound
        return list(space.members.select_related("user").order_by("user__email"))


def actor(caller: Caller) -> str:
    """Who did something, as tombstones and logs keep it: a person's address, or a key's id."""
    return caller.user.email if caller.user is not None else caller.identity


def _existing(caller: Caller, space_id: str, within: Reach) -> Space:
    space = writable(caller, space_id, within)
    if space is None:
        raise NotFound
    return space


def _member(caller: Caller, email: str) -> User:
    rows = Membership.objects.filter(account=caller.account, user__email__iexact=email[:254].replace("\x00", ""))
    membership = rows.select_related("user").first()
    if membership is None:
        raise NotFound("No member of this account has that address.")
    return membership.user


def _name(value: str) -> str:
    name = redaction.cut(arguments.label(value, "name")).text
    if not 1 <= len(name) <= LONGEST_NAME:
        raise InvalidArguments(f"A space needs a name of 1 to {LONGEST_NAME} characters.", argument="name")
    return name


@contextmanager
def _taken(name: str) -> Iterator[None]:
    """The constraint on names becomes AlreadyExists, without spoiling the transaction around it."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise AlreadyExists(f"This account has a space called {name[:60]!r} already.") from error


def _shown(space: Space, within: Reach) -> SpaceShown:
    return SpaceShown(space.public_id, space.name, space.access, within.writes(space), space.created_at)
