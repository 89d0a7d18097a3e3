"""Documents as their owners see them: listed, looked at, deleted. Knows nothing of how they are read or searched."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments, NotFound
from accounts.models import Membership
from memories import work
from memories.company import readiness
from memories.company.processing import links
from memories.models import Document

LARGEST_PAGE = 200
LONGEST_QUERY = 200
_PUBLIC_ID = re.compile(r"doc_[0-9a-z]{20}")
_BIG = ("text", "properties")


@dataclass(frozen=True, slots=True)
class Page:
    """Some documents, newest first, each with its source; `counts` are those of the whole account by state."""

    items: Sequence[Document]
    next_cursor: str
    counts: dict[str, int]


def listed(caller: Caller, *, state: str = "", q: str = "", cursor: str = "", limit: int = 50) -> Page:
    """The account's documents, those in `state` and with `q` in their title or path. Raises InvalidArguments."""
    caller.require_scope(scopes.MEMORY_READ)
    _check(state, q, limit)
    with isolation.account(caller.account.pk):
        rows: QuerySet[Document] = Document.objects.of(caller.account).select_related("source").defer(*_BIG)
        if state:
            rows = rows.filter(state=state)
        if q:
            rows = rows.filter(Q(title__icontains=q) | Q(path__icontains=q))
        if cursor:
            rows = rows.filter(_behind(cursor))
        items = list(rows.order_by("-created_at", "-id")[: limit + 1])
        counts = Document.objects.of(caller.account).values_list("state").annotate(Count("id")).order_by()
        by_state = dict.fromkeys(Document.State.values, 0) | dict(counts)
    more = len(items) > limit
    return Page(items[:limit], _cursor(items[limit - 1]) if more else "", by_state)


def get(caller: Caller, public_id: str) -> Document:
    """One document with its source, without its text. Raises NotFound: also for another account's."""
    caller.require_scope(scopes.MEMORY_READ)
    with isolation.account(caller.account.pk):
        return _one(caller, public_id)


def delete(caller: Caller, public_id: str) -> Document:
    """Deletes a document with all that was made of it: it is gone from every answer when this returns.

    Returns what it was. Raises NotFound, ScopeMissing, PermissionMissing.
    """
    caller.require_scope(scopes.MEMORY_WRITE)
    caller.require_role(Membership.Role.MEMBER)
    with isolation.account(caller.account.pk):
        document = _one(caller, public_id)
        remove(caller.account.pk, [document.pk])
    return document


def remove(account_id: int, pks: Sequence[int]) -> None:
    """Deletes documents, and the entities that only they named. Inside `isolation.account`."""
    named = [entity for pk in pks for entity in links.spoken_of(account_id, pk)]
    Document.objects.filter(account_id=account_id, pk__in=pks).delete()
    links.drop_unspoken(account_id, named)
    readiness.refresh(account_id)
    work.embed_after_commit(account_id)


def _one(caller: Caller, public_id: str) -> Document:
    rows = Document.objects.of(caller.account).select_related("source").defer(*_BIG)
    document = rows.filter(public_id=public_id).first() if _PUBLIC_ID.fullmatch(public_id) else None
    if document is None:
        raise NotFound
    return document


def _check(state: str, q: str, limit: int) -> None:
    if state and state not in Document.State.values:
        raise InvalidArguments(f"state is one of {', '.join(Document.State.values)}.", argument="state")
    if len(q) > LONGEST_QUERY or "\x00" in q:
        raise InvalidArguments(f"q has at most {LONGEST_QUERY} characters.", argument="q")
    if not 1 <= limit <= LARGEST_PAGE:
        raise InvalidArguments(f"limit lies between 1 and {LARGEST_PAGE}.", argument="limit")


def _cursor(document: Document) -> str:
    return base64.urlsafe_b64encode(f"{document.created_at.isoformat()} {document.pk}".encode()).decode().rstrip("=")


def _behind(cursor: str) -> Q:
    try:
        moment, pk = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split(" ")
        created, last = datetime.fromisoformat(moment), int(pk)
    except (binascii.Error, ValueError) as error:
        raise InvalidArguments("This cursor is not one of ours. Start without one.", argument="cursor") from error
    if created.tzinfo is None or not 0 <= last < 2**63:
        raise InvalidArguments("This cursor is not one of ours. Start without one.", argument="cursor")
    return Q(created_at__lt=created) | Q(created_at=created, id__lt=last)
