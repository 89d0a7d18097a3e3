"""Profiles for an account's own pages: one student's, and lists of students and of customers.

Lists are of everybody whom the account serves and has not blocked; where another domain is in force, or none, they are
empty, and a single profile is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Account
from memories import page_tokens
from memories.end_users import people
from memories.end_users.domains import registry
from memories.end_users.domains.base import Ask, Domain, Profile
from memories.end_users.domains.profiles import choosing, keep, setup
from memories.end_users.domains.profiles.keep import Kept
from memories.end_users.errors import BadSetting, EndUserBlocked, refused
from memories.models import EndUser, TenantSettings

USUAL, MOST = 10, 50


@dataclass(frozen=True, slots=True)
class Shown:
    """A person's profile as their domain shows it at this moment."""

    external_user_id: str
    last_seen_at: datetime
    fields: Profile
    schema_version: int
    gathered_at: datetime


@dataclass(frozen=True, slots=True)
class Page:
    """Profiles, where the next page begins (empty on the last one), and how many people are on all pages."""

    people: list[Shown]
    next_cursor: str
    limit: int
    total: int


def profile(caller: Caller, *, domain: str, external_user_id: str) -> Shown | None:
    """The whole profile of one person; None for somebody who was never seen, of whom nothing is known that the domain
    asks for, or where it is not the account's domain. Raises Refused, EndUserBlocked."""
    caller.require_scope(scopes.READ)
    people.check_id(external_user_id)
    with isolation.account(caller.account.pk, is_lasting=False):
        settings, chosen = _in_force(caller.account, domain)
        person = EndUser.objects.filter(account=caller.account, external_id=external_user_id).first()
        if chosen is None or person is None:
            return None
        if person.blocked_at is not None:
            raise EndUserBlocked
        kept = keep.of(caller.account, person, chosen)
        if not kept.profile:
            return None
        ask = Ask(timezone.now(), choices=choosing.choices(caller.account, settings, chosen, [kept.profile]))
        return _shown(person, kept, chosen, chosen.shown(kept.profile, ask))


def listed(
    caller: Caller, *, domain: str, cursor: str = "", limit: int = USUAL, external_user_id: str | None = None
) -> Page:
    """A page of the account's people with the gist of each, the newest first. Four queries, and three more where
    profiles have to be gathered.

    Raises Refused for a bound, BadSetting for a cursor of another list."""
    caller.require_scope(scopes.READ)
    if not 1 <= limit <= MOST:
        raise refused("limit", f"must be 1 to {MOST}.")
    named = {} if external_user_id is None else {"external_id": people.check_id(external_user_id)}
    marks = {"list": domain, "account": caller.account.public_id, **named}
    after = _after(cursor, marks)
    with isolation.account(caller.account.pk, is_lasting=False):
        settings, chosen = _in_force(caller.account, domain)
        if chosen is None:
            return Page([], "", limit, 0)
        rows = EndUser.objects.filter(account=caller.account, blocked_at=None, **named)
        total = rows.count()
        found = list(rows.filter(after).order_by("-created_at", "-id")[: limit + 1])
        told = _gists(caller.account, settings, chosen, found[:limit])
    token = page_tokens.after(found[limit - 1], marks) if len(found) > limit else ""
    return Page(told, token, limit, total)


def _after(cursor: str, marks: dict[str, Any]) -> Any:
    try:
        return page_tokens.older(cursor, marks, argument="cursor")
    except InvalidArguments as error:
        raise BadSetting(error.message, argument="cursor") from error


def _in_force(account: Account, domain: str) -> tuple[TenantSettings, Domain | None]:
    settings = setup.of(account)
    return settings, registry.named(domain) if settings.domain_schema == domain else None


def _gists(account: Account, settings: TenantSettings, domain: Domain, found: Sequence[EndUser]) -> list[Shown]:
    kept = keep.of_many(account, found, domain)
    chosen = choosing.choices(account, settings, domain, [each.profile for each in kept.values()])
    ask = Ask(timezone.now(), choices=chosen)
    return [_shown(person, kept[person.pk], domain, domain.gist(kept[person.pk].profile, ask)) for person in found]


def _shown(person: EndUser, kept: Kept, domain: Domain, fields: Profile) -> Shown:
    return Shown(person.external_id, person.last_seen_at, fields, domain.schema_version, kept.gathered_at)
