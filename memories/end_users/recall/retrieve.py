"""`POST /v1/memories/retrieve`: what a product should know of its user for a question, ready for a prompt.

In this order: whom it is about; how the account is served (accounts/allowance.py); an answer of the last minute; what
is wanted of all that is remembered (memories/search.py); what the account's domain tells first; the context. Then what
was told is noted. Trouble of ours never fails the product's own work: it gets no context, and is told so.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import DatabaseError, InterfaceError

from accounts import allowance, isolation, scopes
from accounts.allowance import WORKING, Allowance, Mode
from accounts.caller import Caller
from accounts.models import Account
from memories import search
from memories.end_users.conflicts import asking
from memories.end_users.domains.profiles import telling as profiles
from memories.end_users.errors import EndUserBlocked
from memories.end_users.recall import as_of, context, copies, result_cache, telling, told
from memories.end_users.recall.asked import Request
from memories.end_users.recall.context import Block, Item
from memories.end_users.recall.copies import Copies
from memories.end_users.recall.hot_tier import HotTier
from memories.end_users.recall.telling import Person
from memories.end_users.recall.told import Told, ToldMemory
from memories.memory_candidates import Scope
from memories.memory_relevance import Found
from memories.models import EndUser
from memories.search import Prepared

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is told, and how the account was served."""

    told: Told
    allowance: Allowance


def retrieve(caller: Caller, request: Request) -> Answer:
    """Raises ScopeMissing and EndUserBlocked; somebody who was never seen has nothing, and is not made by asking."""
    caller.require_scope(scopes.READ)
    account = caller.account
    with isolation.account(account.pk, once=True):
        person = telling.person(account, request.external_user_id)
    if person is not None and person.is_blocked:
        raise EndUserBlocked
    spent = allowance.spend(account)
    if spent.mode not in WORKING:
        return Answer(Told(is_passthrough=True), spent)
    if person is None:
        return Answer(Told(), spent)
    try:
        return Answer(_told(caller, request, person, by_words=spent.mode == Mode.DEGRADED_RETRIEVE), spent)
    except (DatabaseError, InterfaceError):
        logger.exception("A retrieval of account %d found nothing to answer with", account.pk)
        allowance.give_back(account, spent)
        return Answer(Told(is_passthrough=True, is_degraded=True), spent)


def _told(caller: Caller, request: Request, person: Person, *, by_words: bool) -> Told:
    account, end_user = caller.account, person.end_user
    marks = [by_words, person.domain, person.mark]
    field = result_cache.field(request.plain, permissions=caller.scopes, revision=end_user.revision, marks=marks)
    kept = copies.read(account.pk, end_user.pk, end_user.revision, field)
    if (before := _again(kept)) is not None:
        return before
    asked = search.prepare_about(request.query, by_words=by_words)
    found = _found(account, request, person, asked, kept, by_words=by_words)
    block = _block(account, person, request, is_alone=not found)
    answer = _answer(request, found, block, is_degraded=bool(asked.degraded))
    return _noted(account, person, answer, found, field, kept.hot if request.as_of is None else None)


def _again(kept: Copies) -> Told | None:
    try:
        return told.again(kept.answer) if kept.answer is not None else None
    except (TypeError, KeyError):
        return None


def _found(
    account: Account, request: Request, person: Person, asked: Prepared, kept: Copies, *, by_words: bool
) -> list[Found]:
    scope = Scope(
        person.end_user.pk,
        categories=tuple(sorted(set(request.categories))),
        agent_id=request.agent_id,
        since=request.since,
        as_of=request.as_of,
    )
    if request.as_of is None:
        held = kept.hot.texts
    else:
        held = {}
        with isolation.account(account.pk):
            earlier = as_of.reworded(person.end_user, request.as_of)
        scope = replace(scope, changed=as_of.indexed(earlier, by_words=by_words))
    with isolation.account(account.pk):
        return search.memories(account, asked, scope, count=request.limit, held=held)


def _block(account: Account, person: Person, request: Request, *, is_alone: bool) -> Block:
    """What the account's domain tells first: at most half of the room, all of it where no memory is told.

    A profile is of today, so an answer as of an earlier day has none."""
    if not person.domain or request.as_of is not None:
        return Block()
    most = request.context_max_tokens if is_alone else request.context_max_tokens // 2
    if request.format == context.JSON:
        lines = profiles.lines(account, person.end_user, query=request.query, max_tokens=most)
        return Block(lines=lines)
    text = profiles.block(account, person.end_user, query=request.query, max_tokens=most, format=request.format)
    return Block(text)


def _answer(request: Request, found: Sequence[Found], block: Block, *, is_degraded: bool) -> Told:
    items = [Item(each.memory.content, each.memory.category, each.memory.importance) for each in found]
    answer = Told(
        data=[_shown(each, item, request.format) for each, item in zip(found, items, strict=True)],
        memories_from_hot_tier=sum(each.memory.is_held for each in found),
        is_degraded=is_degraded,
    )
    return answer.with_context(
        context.addition(items, request.format, max_tokens=request.context_max_tokens, block=block)
    )


def _shown(found: Found, item: Item, form: str) -> ToldMemory:
    memory = found.memory
    accessed = memory.last_accessed_at
    return ToldMemory(
        id=str(memory.public_id),
        content=memory.content,
        category=memory.category,
        importance_score=memory.importance,
        last_accessed=None if accessed is None else accessed.isoformat().replace("+00:00", "Z"),
        relevance_score=round(found.relevance, 6),
        context_snippet=context.snippet(item, form),
    )


def _asking(account: Account, end_user: EndUser, answer: Told) -> Told:
    """With the question that settles a contradiction, which nobody else is asked any more."""
    question = asking.take_question(account, end_user)
    if question is None:
        return answer
    return replace(answer, clarification_question=question.text, clarification_id=str(question.id))


def _noted(
    account: Account, person: Person, answer: Told, found: Sequence[Found], field: str, hot: HotTier | None
) -> Told:
    """The answer with its `retrieval_id` and the question that is due, kept for the next minute.

    The transaction is not waited for on its way to the disk: what was told is told, counted or not."""
    end_user = person.end_user
    try:
        with isolation.account(account.pk, is_lasting=False):
            noted = telling.note(end_user, [each.memory.memory_id for each in found])
            if noted is None:
                return Told()
            answer = replace(answer, retrieval_id=str(noted))
            if person.has_question:
                answer = _asking(account, end_user, answer)
            grown = None if hot is None else hot.with_told(each.memory for each in found)
            copies.keep(account.pk, end_user.pk, field, answer.kept, grown if grown != hot else None)
            if telling.revision(end_user) != end_user.revision:
                copies.drop(account.pk, end_user.pk)
    except (DatabaseError, InterfaceError):
        logger.exception("A retrieval of account %d was told and not noted", account.pk)
    return answer
