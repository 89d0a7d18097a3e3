"""Recording what a session decided: one transaction, or nothing. Secrets are cut first.

Who records in an account takes turns by a lock on it for the length of the transaction, so that a retry, the same
statement twice, and two that would replace the same record are each seen. The constraint on active records holds the
same promise in the database. Vectors are made afterwards by a worker; until then a record is found by its words.

Source: contract knowledge, "memory_record_summary"; cases R1 to R15.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Account
from memories import indexing, redaction, sameness, work
from memories.agents import arguments, shown, similar, spaces, supersession, windows
from memories.agents.arguments import Item
from memories.agents.shown import RecordShown, SummaryShown
from memories.agents.similar import Similar
from memories.agents.spaces import Reach
from memories.models import Record, Space, Summary

CREATED, SEEN_AGAIN = "created", "seen_again"
#: The same content again within this time is a retry of a call whose answer was lost.
RETRIED_WITHIN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one item; `similar` are active records that say nearly the same, for the agent to judge."""

    record: RecordShown
    outcome: str
    similar: tuple[Similar, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """`redactions`: how many secrets were cut out of what was given."""

    summary: SummaryShown
    items: tuple[Taken, ...]
    redactions: int

    def structured(self) -> dict[str, Any]:
        return {
            "summary": self.summary.structured(),
            "items": [
                {
                    "record": taken.record.structured(),
                    "outcome": taken.outcome,
                    "similar": [near.structured() for near in taken.similar],
                }
                for taken in self.items
            ],
            "redactions": self.redactions,
        }


@dataclass(frozen=True, slots=True)
class _Given:
    """A session's account of itself, within bounds and without secrets."""

    agent: str
    session: str
    trigger: str
    text: str
    items: tuple[Item, ...]
    redactions: int = 0

    def content_hash(self, space: Space | None) -> str:
        said = [self.agent, self.session, self.trigger, self.text, space.pk if space else None]
        return hashlib.sha256(json.dumps([said, [asdict(each) for each in self.items]]).encode()).hexdigest()


def summary(
    caller: Caller,
    *,
    agent: str = "",
    session: str = "",
    trigger: str = "",
    text: str = "",
    items: Sequence[Mapping[str, Any]] = (),
    space_id: str = "",
    account_id: str = "",
) -> Recorded:
    """Keeps a summary and its items, all or nothing.

    Raises InvalidArguments naming what is out of bounds, NotFound for a space or record that the caller does not read,
    PermissionMissing where it may not write, FailedPrecondition for a record that was replaced already.
    """
    caller.require_scope(scopes.DECISIONS_WRITE)
    spaces.own_account(caller, account_id)
    given = _cut(_checked(agent, session, trigger, text, items))
    with isolation.account(caller.account.pk):
        windows.take_turn(caller.account.pk)
        within = spaces.reach(caller)
        space = spaces.writable(caller, space_id, within)
        before = _recorded_before(caller.account, given.content_hash(space))
        if before is not None:
            return _again(before, given)
        kept = _kept(caller.account, space, given)
        taken = _take(caller, space, kept, given.items, within)
        work.embed_after_commit(caller.account.pk)
        return Recorded(shown.summary(kept), _told(caller.account, taken), given.redactions)


def _checked(agent: str, session: str, trigger: str, text: str, items: Sequence[Mapping[str, Any]]) -> _Given:
    given = _Given(
        agent=arguments.label(agent, "agent"),
        session=arguments.label(session, "session"),
        trigger=arguments.trigger(trigger),
        text=arguments.summary_text(text),
        items=tuple(arguments.items(items)),
    )
    if not given.text and not given.items:
        raise InvalidArguments("Give a text, or items, or both: there is nothing to record.", argument="text")
    return given


def _cut(given: _Given) -> _Given:
    """Every text of it without secrets, counted. What is cut out of a text leaves a mark in its place."""
    labels = [redaction.cut(text) for text in (given.agent, given.session, given.text)]
    items = [each.without_secrets() for each in given.items]
    agent, session, text = (label.text for label in labels)
    count = sum(label.count for label in labels) + sum(cut for _, cut in items)
    kept = tuple(each for each, _ in items)
    return replace(given, agent=agent, session=session, text=text, items=kept, redactions=count)


def _recorded_before(account: Account, content_hash: str) -> Summary | None:
    rows = Summary.objects.filter(
        account=account, content_hash=content_hash, created_at__gt=timezone.now() - RETRIED_WITHIN, hidden_at=None
    )
    return rows.select_related(*shown.SUMMARY_RELATED).order_by("-created_at").first()


def _again(before: Summary, given: _Given) -> Recorded:
    """The answer to a retry: what the first call left, with no second row and nothing counted twice."""
    hashes = {(each.kind, sameness.text_hash(each.text)) for each in given.items}
    rows = Record.objects.filter(account=before.account_id, space=before.space_id, hidden_at=None)
    rows = rows.filter(text_hash__in=[text_hash for _, text_hash in hashes]).order_by("id")
    latest = {(row.kind, row.text_hash): row for row in rows.select_related(*shown.RECORD_RELATED)}
    wanted = [latest.get((each.kind, sameness.text_hash(each.text))) for each in given.items]
    taken = tuple(
        Taken(shown.record(row), CREATED if row.summary_id == before.pk else SEEN_AGAIN)
        for row in wanted
        if row is not None
    )
    return Recorded(shown.summary(before), taken, given.redactions)


def _kept(account: Account, space: Space | None, given: _Given) -> Summary:
    return Summary.objects.create(
        account=account,
        space=space,
        agent=given.agent,
        session=given.session,
        trigger=given.trigger,
        text=given.text,
        item_count=len(given.items),
        content_hash=given.content_hash(space),
    )


def _take(
    caller: Caller, space: Space | None, kept: Summary, items: Sequence[Item], within: Reach
) -> list[tuple[Record, str]]:
    """Each item's row with its outcome, in the order given, stored and linked."""
    active = _active(caller.account, space, items)
    topics = {row.pk: row.topics for row in active.values()}
    fresh: list[Record] = []
    taken: list[tuple[Record, str]] = []
    for each in items:
        key = (each.kind, sameness.text_hash(each.text))
        if key in active:
            _see_again(active[key], each, kept)
            taken.append((active[key], SEEN_AGAIN))
        else:
            active[key] = _new(space, kept, each)
            fresh.append(active[key])
            taken.append((active[key], CREATED))
    windows.settle(fresh)
    Record.objects.bulk_create(fresh)
    seen = {row.pk: row for row, outcome in taken if outcome == SEEN_AGAIN}
    Record.objects.bulk_update(seen.values(), ["seen_count", "last_seen_at", "topics", "links", "terms"])
    windows.renew(caller.account.pk, [pk for pk, row in seen.items() if row.topics != topics.get(pk, row.topics)])
    for (row, _), each in zip(taken, items, strict=True):
        if each.supersedes:
            supersession.replace(caller, row, each.supersedes, within)
    return taken


def _active(account: Account, space: Space | None, items: Sequence[Item]) -> dict[tuple[str, str], Record]:
    hashes = {sameness.text_hash(each.text) for each in items}
    rows = Record.objects.filter(account=account, space=space, status=Record.Status.ACTIVE, hidden_at=None)
    rows = rows.filter(text_hash__in=hashes).select_related(*shown.RECORD_RELATED).defer(*shown.UNREAD)
    return {(row.kind, row.text_hash): row for row in rows}


def _new(space: Space | None, kept: Summary, each: Item) -> Record:
    return Record(
        account_id=kept.account_id,
        space=space,
        summary=kept,
        kind=each.kind,
        text=each.text,
        text_hash=sameness.text_hash(each.text),
        agent=kept.agent,
        session=kept.session,
        decided_by=each.decided_by,
        topics=list(each.topics),
        links=list(each.links),
        created_at=kept.created_at,
        last_seen_at=kept.created_at,
        terms=indexing.terms("record", each.text, " ".join(each.topics)),
    )


def _see_again(row: Record, each: Item, kept: Summary) -> None:
    """Counts it and joins topics and links, up to their bound; the first ones stay, and so does `created_at`."""
    row.seen_count += 1
    row.last_seen_at = kept.created_at
    row.topics = list(dict.fromkeys([*row.topics, *each.topics]))[: arguments.MOST_TOPICS]
    row.links = list(dict.fromkeys([*row.links, *each.links]))[: arguments.MOST_LINKS]
    row.terms = indexing.terms("record", row.text, " ".join(row.topics))


def _told(account: Account, taken: Sequence[tuple[Record, str]]) -> tuple[Taken, ...]:
    near = similar.to(account, [row for row, outcome in taken if outcome == CREATED])
    return tuple(Taken(shown.record(row), outcome, near.get(row.pk, ())) for row, outcome in taken)
