"""Profiles as they are kept: each with the revision of the end user under which it was gathered.

All of it runs inside `isolation.account`. The revision is read before the memories are, so that what is stored is at
least as new as it says; a writer in between has raised the revision, and the next reader gathers anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from accounts.models import Account
from memories import work
from memories.end_users import traces
from memories.end_users.domains.base import Domain, Profile, Said
from memories.end_users.domains.profiles import restating
from memories.end_users.domains.profiles.restating import Live, Restated
from memories.models import DomainProfile, EndUser, Memory

#: The newest memories of a person are read, so that one with very many does not keep a reader waiting.
MOST_MEMORIES = 2_000
AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Kept:
    """A person's profile; `gathered_at` is when. restated: see DomainProfile."""

    profile: Profile
    gathered_at: datetime
    restated: Restated = field(default_factory=dict)


def of(account: Account, end_user: EndUser, domain: Domain) -> Kept:
    """The profile of one person, whose row was read in this transaction or before."""
    return of_many(account, [end_user], domain)[end_user.pk]


def of_many(account: Account, end_users: Sequence[EndUser], domain: Domain) -> dict[int, Kept]:
    """The profiles of these people by their pk: one query, and three more where any has to be gathered."""
    rows = DomainProfile.objects.filter(account=account, domain=domain.name, end_user__in=end_users)
    stored = {row.end_user_id: row for row in rows}
    stale = [each for each in end_users if not _is_current(stored.get(each.pk), each, domain)]
    restated = {pk: row.restated for pk, row in stored.items()}
    gathered = _gathered(account, stale, domain, restated) if stale else {}
    return {each.pk: gathered.get(each.pk) or _kept(stored[each.pk]) for each in end_users}


def _is_current(row: DomainProfile | None, end_user: EndUser, domain: Domain) -> bool:
    return row is not None and row.revision == end_user.revision and row.schema_version == domain.schema_version


def _kept(row: DomainProfile) -> Kept:
    return Kept(row.data, row.last_extraction_at, row.restated)


def _gathered(
    account: Account, end_users: Sequence[EndUser], domain: Domain, restated: Mapping[int, Restated]
) -> dict[int, Kept]:
    """Profiles made anew, and stored for those who were not erased meanwhile."""
    memories = live(account, end_users)
    now = timezone.now()
    made = {each.pk: _made(domain, memories.get(each.pk, []), restated.get(each.pk, {}), now) for each in end_users}
    store(account, end_users, domain, made)
    unread = [pk for pk in made if restating.unread(domain, memories.get(pk, []), made[pk].restated)]
    work.after_commit((work.RESTATE, (account.pk, pk)) for pk in unread)
    return made


def _made(domain: Domain, memories: Sequence[Live], restated: Restated, now: datetime) -> Kept:
    """What no live memory says any more is restated no longer."""
    living = {
        each.content_hash: list(restated[each.content_hash]) for each in memories if each.content_hash in restated
    }
    return Kept(domain.gather(list(in_words(memories, living))), now, living)


def unread(account: Account, end_user: EndUser, domain: Domain) -> list[Live]:
    """The person's memories that a language model has still to restate."""
    kept = of(account, end_user, domain)
    return restating.unread(domain, live(account, [end_user]).get(end_user.pk, []), kept.restated)


def add_restated(account: Account, end_user_pk: int, domain: Domain, said: Restated) -> None:
    """Gathers a person anew with what a model restated; does nothing where they were erased."""
    person = EndUser.objects.filter(account=account, pk=end_user_pk).first()
    if person is None:
        return
    row = DomainProfile.objects.filter(account=account, end_user=person, domain=domain.name).first()
    restated = {**(row.restated if row else {}), **said}
    made = _made(domain, live(account, [person]).get(person.pk, []), restated, timezone.now())
    store(account, [person], domain, {person.pk: made})


def in_words(memories: Iterable[Live], restated: Restated) -> Iterable[Said]:
    """Each memory as it stands, or as it was restated."""
    for each in memories:
        sentences = restated.get(each.content_hash)
        if sentences:
            yield from (Said(sentence, each.said.at) for sentence in sentences)
        else:
            yield each.said


def live(account: Account, end_users: Sequence[EndUser]) -> dict[int, list[Live]]:
    """The live memories of these people, oldest first; of each the newest MOST_MEMORIES."""
    rank = Window(RowNumber(), partition_by="end_user_id", order_by=[F("observed_at").desc(), F("id").desc()])
    rows = Memory.objects.filter(account=account, end_user__in=end_users, is_archived=False)
    newest = rows.annotate(rank=rank).filter(rank__lte=MOST_MEMORIES).order_by("observed_at", "id")
    found: dict[int, list[Live]] = defaultdict(list)
    for pk, content, at, is_negated, content_hash in newest.values_list(
        "end_user_id", "content", "observed_at", "is_negated", "content_hash"
    ):
        found[pk].append(Live(content_hash, Said(content, at, is_negated)))
    return found


def store(account: Account, end_users: Sequence[EndUser], domain: Domain, made: Mapping[int, Kept]) -> None:
    held = traces.hold_all(account.pk, [each.pk for each in end_users])
    rows = [
        DomainProfile(
            account=account,
            end_user=each,
            domain=domain.name,
            data=made[each.pk].profile,
            restated=made[each.pk].restated,
            revision=each.revision,
            schema_version=domain.schema_version,
            last_extraction_at=made[each.pk].gathered_at,
        )
        for each in end_users
        if each.pk in held
    ]
    DomainProfile.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["account", "end_user", "domain"],
        update_fields=["data", "restated", "revision", "schema_version", "last_extraction_at"],
    )


def stale(account: Account, domain: Domain) -> list[EndUser]:
    """Up to AT_ONCE people whose profile has to be gathered."""
    current = DomainProfile.objects.filter(
        account=account,
        end_user=OuterRef("pk"),
        domain=domain.name,
        revision=OuterRef("revision"),
        schema_version=domain.schema_version,
    )
    people = EndUser.objects.filter(account=account, blocked_at=None)
    return list(people.filter(~Exists(current)).order_by("pk")[:AT_ONCE])


def catch_up(account: Account, domain: Domain, *, rounds: int) -> bool:
    """Gathers up to AT_ONCE profiles in each of so many rounds; whether none is left to gather."""
    for _ in range(rounds):
        people = stale(account, domain)
        if people:
            of_many(account, people, domain)
        if len(people) < AT_ONCE:
            return True
    return False


def forget(account: Account, end_user: EndUser) -> None:
    """Takes the stored copies away, with every word in them: when a memory was deleted for good."""
    DomainProfile.objects.filter(account=account, end_user=end_user).delete()
