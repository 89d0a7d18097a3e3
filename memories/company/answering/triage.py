"""Is this a question for company memory, and what is searched for? The first step of a retrieval.

The default works without a language model; where one is configured it decides and rewrites, within bounds. In doubt the
answer is to retrieve. Source: contract company memory, "triage".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models.functions import Lower

from accounts import isolation
from accounts.models import Account
from memories import words
from memories.company.answering import follow_ups, quoting, small_talk
from memories.deadline import Deadline
from memories.models import Document, Entity, Fact
from memories.providers import Session

#: Characters of a prompt that are searched for; of a longer one the part that asks. The default embedder reads about
#: 180 words.
LONGEST_QUERY = 1_000
_LONGEST_REASONING = 400
_LONGEST_SENTENCE = 300
_LONGEST_NAME = 5
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")

RETRIEVE: Final = "retrieve"
SKIP: Final = "skip"

INSTRUCTIONS = """You route prompts in front of a company's memory (people, owners, projects, decisions, processes,
customers, documents). Given: "prompt" and "earlier_prompts" (oldest first). Answer {"decision": "retrieve" or "skip",
"reasoning": one short sentence, "rewritten_query": the prompt as a question that stands alone}. Skip only small talk
and general programming questions that have nothing to do with one company; in doubt, retrieve. Rewrite only what leans
on an earlier prompt; otherwise repeat the prompt."""


@dataclass(frozen=True, slots=True)
class Triage:
    """`query` is what is searched for; `reasoning` is one plain sentence."""

    decision: Literal["retrieve", "skip"]
    reasoning: str
    query: str

    def structured(self) -> dict[str, str]:
        return {"decision": self.decision, "reasoning": self.reasoning, "rewritten_query": self.query}


def decide(account: Account, *, prompt: str, earlier: Sequence[str], model: Session) -> Triage:
    """What to do with the prompt, by the model where there is one. Holds no transaction while it is asked."""
    plain = by_rule(account, prompt=prompt, earlier=earlier, deadline=model.deadline)
    if plain.decision == SKIP and small_talk.is_small_talk(prompt):
        return plain
    decided = _by_model(prompt, earlier, model) or plain
    # A model errs, and a pasted page may talk it into skipping.
    if decided.decision == SKIP != plain.decision and _names_something_of(account, plain.query, model.deadline):
        return plain
    return decided


def by_rule(account: Account, *, prompt: str, earlier: Sequence[str], deadline: Deadline) -> Triage:
    """Small talk and plain coding questions are skipped, everything else is searched for.

    The account's names are read only where a prompt looks like a plain coding question.
    """
    if small_talk.is_small_talk(prompt):
        return Triage(SKIP, "The prompt is small talk; company memory was not searched.", prompt)
    query = salient(follow_ups.resolved(prompt, earlier))
    if small_talk.is_coding_question(prompt) and query == prompt and not _names_something_of(account, prompt, deadline):
        return Triage(
            SKIP,
            "The prompt is a general programming question that names nothing of the company; company memory was "
            "not searched.",
            prompt,
        )
    if query != prompt and len(prompt) <= LONGEST_QUERY:
        return Triage(
            RETRIEVE,
            "The prompt leans on an earlier one of the session, so it was made whole before the search.",
            query,
        )
    if len(prompt) > LONGEST_QUERY:
        return Triage(RETRIEVE, "The prompt is long; the part of it that asks was searched for.", query)
    return Triage(RETRIEVE, "The prompt may depend on what the company's documents say.", query)


def salient(prompt: str) -> str:
    """The part of a long prompt that asks, a sentence a line: its questions, the latest first, its beginning and end.

    Without a question the beginning and the end are all there is to go by, so more of them is taken.
    """
    if len(prompt) <= LONGEST_QUERY:
        return prompt
    told = list(dict.fromkeys(quoting.folded(part)[-_LONGEST_SENTENCE:] for part in _SENTENCE.findall(prompt)))
    told = [sentence for sentence in told if sentence]
    asking = [at for at, sentence in enumerate(told) if sentence.endswith(("?", "？"))]
    ends = (0, len(told) - 1) if asking else _from_both_ends(len(told))
    return "\n".join(told[at] for at in sorted(_fitting(told, [*reversed(asking), *ends])))


def _from_both_ends(count: int) -> list[int]:
    """0, the last, 1, the last but one, …"""
    return [at for pair in zip(range(count), reversed(range(count)), strict=True) for at in pair]


def _fitting(told: Sequence[str], order: Sequence[int]) -> set[int]:
    """Which sentences fit together into a query, taken in that order."""
    taken: set[int] = set()
    room = LONGEST_QUERY
    for at in order:
        if at not in taken and len(told[at]) < room:
            taken.add(at)
            room -= len(told[at]) + 1
    return taken


def _names_something_of(account: Account, prompt: str, deadline: Deadline) -> bool:
    """Whether an entity, a title or a rare word of the prompt is known to the account's documents."""
    unfamiliar = [number for word in small_talk.unfamiliar(prompt) for number in map(words.number, words.terms(word))]
    names = _names(prompt)
    with isolation.account(account.pk), deadline.in_database():
        return (
            (bool(unfamiliar) and Fact.objects.filter(account=account, terms__overlap=unfamiliar).exists())
            or Entity.objects.filter(account=account, normalized__in=names).exists()
            or Document.objects.of(account).alias(small=Lower("title")).filter(small__in=names).exists()
        )


def _names(prompt: str) -> list[str]:
    """Every run of two to five words of the prompt, in small letters: one word of the trade names nothing of ours."""
    spoken = [word.casefold() for word in re.findall(r"[\w'-]+", prompt)]
    runs = range(2, _LONGEST_NAME + 1)
    return [" ".join(spoken[at : at + length]) for length in runs for at in range(len(spoken) - length + 1)]


def _by_model(prompt: str, earlier: Sequence[str], model: Session) -> Triage | None:
    recent = [salient(said) for said in earlier[-follow_ups.REMEMBERED :]]
    answer = model.ask(INSTRUCTIONS, {"prompt": salient(prompt), "earlier_prompts": recent})
    if answer is None:
        return None
    decided = _checked(answer, known=f"{prompt}\n" + "\n".join(earlier))
    if decided is None:
        model.refuse("The language model's answer to triage was not what was asked for.")
    return decided


def _checked(answer: dict[str, Any], *, known: str) -> Triage | None:
    """None unless the answer has the right shape and its query is made of words that were said."""
    decision, reasoning, query = (answer.get(name) for name in ("decision", "reasoning", "rewritten_query"))
    if decision not in (RETRIEVE, SKIP) or not isinstance(reasoning, str) or not isinstance(query, str):
        return None
    query = quoting.folded(query)
    asked, said = set(words.content_terms(query)), set(words.content_terms(known))
    if not query or len(query) > LONGEST_QUERY or (asked and len(asked & said) * 2 < len(asked)):
        return None
    return Triage(
        RETRIEVE if decision == RETRIEVE else SKIP,
        quoting.shortened(quoting.folded(reasoning), _LONGEST_REASONING),
        query,
    )
