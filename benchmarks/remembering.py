"""Dialogues in agent memory, and what it finds of them. Needs a Django that is set up; dialogue.py imports it then."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from accounts import isolation, membership
from accounts.caller import Caller
from accounts.models import Membership
from benchmarks.dialogue import ASKED_FOR, Asked, Dialogue, Score, Turn, score
from memories import embedding, indexing, search, words
from memories.agents import arguments, record, searching, spaces, windows
from memories.company.processing import vectors
from memories.errors import EmbedderUnavailable
from memories.models import Record

_WHOLE = search.RECORDS
_WEIGHTS = {
    "without vectors of the window": replace(_WHOLE, section=0.0),
    "without words": replace(_WHOLE, section_words=0.0, coverage=0.0),
    "without the session": replace(_WHOLE, coverage=0.0),
}
_NEIGHBOURS = "without neighbours"
_RARITY = "without inverse document frequency"
_DOWN = "without the embedder"
ABLATIONS = (*_WEIGHTS, _RARITY, _DOWN, _NEIGHBOURS)
#: Nothing in a dialogue of two friends answers these.
_UNRELATED = (
    "Which port does the load balancer listen on?",
    "How is the quarterly VAT return filed?",
    "What is the torque of the rear axle bolts?",
    "Which index speeds up the invoice query in Postgres?",
    "Who approves changes to the firewall rules?",
    "How many moles of sodium hydroxide neutralise the acid?",
    "When does the maintenance window of the mainframe start?",
    "What does error ERR-4912 mean?",
    "Which retention period applies to audit logs?",
    "How is the compiler flag for vectorisation called?",
)


class Memory:
    """An account with the dialogues in it, one in each of its spaces, all with vectors."""

    def __init__(self, account: str, dialogues: Sequence[Dialogue]) -> None:
        self.account = membership.account_named(account)
        self.dialogues = dialogues
        with isolation.account(self.account.pk):
            self.owner = self._owner()
        self.turns: dict[str, Turn] = {}
        self.spaces = {dialogue.name: spaces.create(self.owner, name=dialogue.name).id for dialogue in dialogues}
        for dialogue in dialogues:
            self._record(dialogue)
        self._embed()

    def score(self, *, without: str = "") -> Score:
        """`without`: one of ABLATIONS."""
        asked: list[Asked] = []
        found: list[list[Turn]] = []
        with self._switched_off(without):
            for dialogue in self.dialogues:
                asked += dialogue.questions
                found += [self._found(dialogue, question.question) for question in dialogue.questions]
        return score(asked, found)

    def floors(self) -> Iterator[str]:
        """For floors of the score: what is found above each, and how much comes back for unrelated questions."""
        with patch.object(search, "RECORD_FLOOR", 0.0):
            hits = [
                (dialogue, question, self._hits(dialogue, question.question))
                for dialogue in self.dialogues
                for question in dialogue.questions
            ]
            noise = [self._hits(dialogue, query) for dialogue in self.dialogues for query in _UNRELATED]
        for floor in (0.0, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3):
            kept = [[self.turns[hit.record.id] for hit in found if hit.score >= floor] for _, _, found in hits]
            rest = sum(sum(hit.score >= floor for hit in found) for found in noise) / len(noise)
            empty = sum(all(hit.score < floor for hit in found) for found in noise) / len(noise)
            found = score([asked for _, asked, _ in hits], kept)
            yield f"floor {floor:.2f}: {found}; unrelated: {rest:.1f} records, {100 * empty:.0f} % nothing"

    def _owner(self) -> Caller:
        owner = Membership.objects.filter(account=self.account, role=Membership.Role.OWNER).select_related("user").get()
        return Caller(account=self.account, surface="console", user=owner.user, role=owner.role)

    def _record(self, dialogue: Dialogue) -> None:
        sessions: dict[str, list[Turn]] = {}
        for turn in dialogue.turns:
            sessions.setdefault(turn.session, []).append(turn)
        for session, turns in sessions.items():
            for at in range(0, len(turns), arguments.MOST_ITEMS):
                some = turns[at : at + arguments.MOST_ITEMS]
                made = record.summary(
                    self.owner,
                    session=session,
                    space_id=self.spaces[dialogue.name],
                    items=[{"kind": "fact", "text": turn.text} for turn in some],
                )
                for taken, turn in zip(made.items, some, strict=True):
                    self.turns.setdefault(taken.record.id, turn)

    def _embed(self) -> None:
        while vectors.embed(self.account.pk) or self._is_waiting():
            pass
        with isolation.account(self.account.pk):
            indexing.count_words(self.account.pk, "record")

    def _is_waiting(self) -> bool:
        with isolation.account(self.account.pk):
            return Record.objects.filter(account=self.account, vector=None).exists()

    def _hits(self, dialogue: Dialogue, query: str) -> list[searching.Hit]:
        space = self.spaces[dialogue.name]
        asked = query[: arguments.LONGEST_QUERY]
        return searching.search(self.owner, query=asked, space_id=space, page_size=ASKED_FOR).records

    def _found(self, dialogue: Dialogue, query: str) -> list[Turn]:
        return [self.turns[hit.record.id] for hit in self._hits(dialogue, query)]

    @contextmanager
    def _switched_off(self, name: str) -> Iterator[None]:
        with ExitStack() as stack:
            if name in _WEIGHTS:
                stack.enter_context(patch.object(search, "RECORDS", _WEIGHTS[name]))
            elif name == _RARITY:
                stack.enter_context(patch.object(words, "rarity", lambda frequency, total: 1.0))
            elif name == _DOWN:
                stack.enter_context(patch.object(embedding, "queries", _unavailable))
            elif name == _NEIGHBOURS:
                stack.enter_context(patch.object(windows, "STEPS", (1.0,)))
                self._renew()
                stack.callback(self._renew_whole)
            yield

    def _renew(self) -> None:
        with isolation.account(self.account.pk):
            ids = list(Record.objects.filter(account=self.account).values_list("pk", flat=True))
            windows.renew(self.account.pk, ids)

    def _renew_whole(self) -> None:
        with patch.object(windows, "STEPS", (1.0, 0.5, 0.25)):
            self._renew()


def _unavailable(texts: Sequence[str]) -> list[Any]:
    raise EmbedderUnavailable
