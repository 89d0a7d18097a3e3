"""Asks an imported account in this process, whole or with an ingredient of the search switched off.

Needs a Django that is set up; quality.py imports it when that is so.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from accounts import isolation
from accounts.caller import Caller
from accounts.models import Account
from benchmarks.quality import BEST, Answer
from memories import candidates, clauses, embedding, search, words
from memories.company.answering import retrieve
from memories.deadline import Deadline
from memories.errors import EmbedderUnavailable

_WHOLE = search.COMPANY
_WEIGHTS = {
    "without the fact's vector": replace(_WHOLE, fact=0.0),
    "without the section's vector": replace(_WHOLE, section=0.0),
    "without the document's vector": replace(_WHOLE, document=0.0),
    "without the fact's words": replace(_WHOLE, fact_words=0.0),
    "without the section's words": replace(_WHOLE, section_words=0.0),
    "without words": replace(_WHOLE, fact_words=0.0, section_words=0.0),
    "without neighbourhood": replace(_WHOLE, section=0.0, document=0.0, section_words=0.0),
}
# More facts than an account holds that is scanned whole.
_EVERY = 1_000_000
_PARTS = "without taking prompts apart"
_VARIETY = "without giving way to others"
_RARITY = "without inverse document frequency"
_VECTORS = "without vectors"
ABLATIONS = (*_WEIGHTS, _PARTS, _VARIETY, _RARITY, _VECTORS)


def answers(account: str, questions: Sequence[dict[str, Any]], *, without: str = "") -> list[Answer]:
    """One answer a question, in order. `account`: its public id; `without`: one of ABLATIONS."""
    with isolation.every_account():
        caller = Caller(account=Account.objects.get(public_id=account), surface="command")
    with _switched_off(without):
        return [_answer(caller, question["question"]) for question in questions]


def agreement(account: str, questions: Sequence[dict[str, Any]]) -> float:
    """The share of places among the first facts that the same fact holds when every fact is scored in full."""
    with isolation.every_account():
        asked = Account.objects.get(public_id=account)
    prompts = [search.prepare(question["question"]) for question in questions]
    chosen = [_first(asked, prompt) for prompt in prompts]
    with patch.object(candidates, "NEAREST_FACTS", _EVERY):
        every = [_first(asked, prompt) for prompt in prompts]
    same = [one == other for pair in zip(chosen, every, strict=True) for one, other in zip(*pair, strict=True)]
    return sum(same) / len(same) if same else 1.0


def _first(account: Account, prompt: search.Prepared) -> list[int]:
    with isolation.account(account.pk):
        found = search.gather(account, prompt, search.JUDGED, search.JUDGED, search.COMPANY, search.Clock())
    return [fact.id for fact in found.passages.facts]


def _answer(caller: Caller, prompt: str) -> Answer:
    found = retrieve.retrieve(caller, prompt=prompt, deadline=Deadline.after(120))
    facts = found.findings.facts[:BEST]
    return Answer(
        paths=frozenset(origin.source_path for fact in facts for origin in fact.origins),
        report=" ".join(found.content_text.split()),
        coverage=found.findings.coverage,
        tokens=found.estimated_tokens,
    )


@contextmanager
def _switched_off(name: str) -> Iterator[None]:
    with ExitStack() as stack:
        if name in _WEIGHTS:
            stack.enter_context(patch.object(search, "COMPANY", _WEIGHTS[name]))
        elif name == _PARTS:
            stack.enter_context(patch.object(clauses, "split", lambda prompt: []))
        elif name == _VARIETY:
            stack.enter_context(patch.multiple(search, SAME_DOCUMENT=0.0, SAME_SECTION=0.0))
        elif name == _RARITY:
            stack.enter_context(patch.object(words, "rarity", lambda frequency, total: 1.0))
        elif name == _VECTORS:
            stack.enter_context(patch.object(embedding, "queries", _unavailable))
        yield


def _unavailable(texts: Sequence[str]) -> list[Any]:
    raise EmbedderUnavailable
