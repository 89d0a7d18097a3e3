"""Every search goes through here, and nothing else ranks.

One score for every candidate, the same at every size of account, because each part is absolute and none depends on what
else was found:

    score = cosine(fact) + 0.8 cosine(section) + 0.4 mean cosine(document) + 0.2 share(fact) + 0.2 share(section)

`share` is BM25 divided by the weight of all the question's words: how much of what was asked for the text says, rare
words first. A fact is read with its neighbourhood (its section under its headings, its document), since a sentence
alone rarely names its subject. What has no vector of the present model yet is scored by its words.

A prompt of several questions is searched as a whole and by each part, in turn, so that each part has its facts among
the first; a document that was already taken from gives way a little to others, and a passage that says itself that
something else took its place gives way to the present. The depth of the search does not depend
on how many facts are asked for.

Agent memory is ranked by the same form with weights of its own: a record by its window, which stands to it as a section
to a fact, and by its session. There nothing is judged but by a floor; active records come first.

End-user memory has a form of its own (memory_relevance.py): its texts are single short sentences about one person.
Weights and depths: benchmarks/quality.py and benchmarks/dialogue.py print what each is worth.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from accounts.models import Account
from memories import (
    candidates,
    clauses,
    coverage,
    embedding,
    headlines,
    memory_candidates,
    memory_relevance,
    mentions,
    noted,
    passages,
    record_candidates,
    relevance,
    words,
)
from memories.candidates import Candidate, Query, Statistics, Weights
from memories.embedders.base import Vector
from memories.errors import EmbedderUnavailable
from memories.memory_relevance import Asked
from memories.passages import FoundFact, FoundSection, Passages
from memories.record_candidates import Scope
from memories.relevance import Question
from memories.warm import copies

COMPANY = Weights()
# A text without a vector has about this cosine with a question: measured on dialogues, as a line over its share.
RECORDS = Weights(
    fact=0.0, section=1.0, document=0.0, fact_words=0.0, section_words=0.8, coverage=0.3, unseen_base=0.28, unseen=0.3
)
# The score of a record that says every word of the question in its window, and means the same: all that can be reached
# without an identifier.
_HIGHEST = 2.1
# A record with less of that does not answer. Statements in other words come to a cosine of 0.27 and more, strangers to
# 0.21 and less; in dialogues, where all is akin, the floor costs no evidence (benchmarks/dialogue.py prints that).
RECORD_FLOOR = 0.12
# So many facts are judged, however few are asked for: the label must not depend on that.
JUDGED = 12
# So many records are judged beside them.
RECORDED = 4
# How much of the whole prompt goes into the search for one of its parts ("… and when is it paid?").
WHOLE_IN_PART = 0.5
# What an identifier in the question adds to the weight of its word: whoever types `ERR-4912` means that row.
IDENTIFIER = 2.0
# What a fact that something else took the place of must be better by: the present leads.
SUPERSEDED = 0.35
# What a further fact of the same document, and of the same section, must be better by.
SAME_DOCUMENT = 0.15
SAME_SECTION = 0.08
NO_VECTORS = "The embedding model did not answer, so this was found by words alone."
BY_WORDS = "This was found by words alone, and what is told often."
UNREAD_SCRIPT = "The embedding model does not know this script, so this was found by words alone."


@dataclass(frozen=True)
class Prepared:
    """A prompt ready to be searched for: itself, then its parts, each with its vector. See Found for `degraded`."""

    texts: list[str]
    vectors: Sequence[Vector | None]
    degraded: str

    @property
    def parts(self) -> list[str]:
        return self.texts[1:]


@dataclass(frozen=True)
class Found:
    """What a prompt found, best first. With `coverage` "none" nothing relevant is known: no facts and no sections.

    `degraded` says why the search was weaker than usual, else it is empty. `stages`: milliseconds each. `unmentioned`:
    the identifiers of the prompt that stand nowhere in what was found.
    """

    facts: list[FoundFact]
    sections: list[FoundSection]
    coverage: str
    clauses: list[str] = field(default_factory=list)
    degraded: str = ""
    stages: dict[str, float] = field(default_factory=dict)
    unmentioned: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gathered:
    """What a prompt brought up, best first, before it is judged: the prompt and its parts, and passages."""

    questions: list[Question]
    passages: Passages
    excerpts: list[int]


def prepare(prompt: str) -> Prepared:
    """Takes a prompt apart and embeds it. Before a transaction, so that a slow embedder holds no connection."""
    return _embedded([prompt, *clauses.split(prompt)])


def prepare_whole(query: str) -> Prepared:
    """The same for a query that is not taken apart."""
    return _embedded([query])


def _embedded(texts: list[str]) -> Prepared:
    read = [text for text in texts if embedding.reads(text)]
    try:
        vectors = dict(zip(read, embedding.queries(read), strict=True))
    except EmbedderUnavailable:
        return Prepared(texts, [None] * len(texts), NO_VECTORS)
    degraded = "" if len(read) == len(texts) else UNREAD_SCRIPT
    return Prepared(texts, [vectors.get(text) for text in texts], degraded)


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record by its key. `score` is from 0 to 1; `match` tells what found it: meaning, words or both."""

    record_id: int
    score: float
    match: str


def records(
    account: Account, asked: Prepared, scope: Scope, *, count: int, weights: Weights | None = None
) -> list[FoundRecord]:
    """The records in scope that answer: active ones first, the best first. Runs inside `isolation.account`.

    The first ones do not depend on `count`, of which there are at most record_candidates.DEPTH.
    """
    text, vector = asked.texts[0], asked.vectors[0]
    known = candidates.statistics(account, words.content_terms(text), record_candidates.KINDS)
    rarities = known.rarities["record"]
    shares = words.shares(words.content_terms(text), rarities)
    query = record_candidates.Query(vector, _shares(text, rarities), shares)
    found = record_candidates.scored(account, query, scope, weights or RECORDS, known)
    shown = [each for each in found if each.score >= RECORD_FLOOR * _HIGHEST][:count]
    return [FoundRecord(each.record_id, round(min(each.score / _HIGHEST, 1.0), 4), _match(each)) for each in shown]


def prepare_about(query: str, *, by_words: bool = False) -> Prepared:
    """A question about an end user. Nothing is embedded `by_words`, or where it is general."""
    asked = Asked(query)
    if by_words or asked.is_general:
        return Prepared([query], [None], BY_WORDS if by_words else "")
    return replace(_embedded([asked.subject]), texts=[query])


def memories(
    account: Account,
    asked: Prepared,
    scope: memory_candidates.Scope,
    *,
    count: int,
    held: Mapping[int, str] | None = None,
) -> list[memory_relevance.Found]:
    """The memories of one end user that are wanted for a question, the most wanted first; none where nothing is.

    held: texts of memories that need not be read again, by key. One statement; runs inside `isolation.account`. The
    first ones do not depend on `count`.
    """
    question = Asked(asked.texts[0])
    found = memory_candidates.scored(
        account,
        question.question(asked.vectors[0]),
        scope,
        question.weights,
        manner=memory_relevance.MANNER,
        held=held,
    )
    return memory_relevance.judge(question, found, with_hot=asked.degraded == BY_WORDS)[:count]


def _match(candidate: record_candidates.Candidate) -> str:
    if not candidate.is_near:
        return "words"
    return "both" if candidate.is_said else "meaning"


def find(
    account: Account,
    asked: Prepared,
    *,
    facts: int = 12,
    sections: int = 8,
    weights: Weights | None = None,
    with_records: bool = False,
) -> Found:
    """The facts and sections of company memory that answer a prompt. Runs inside `isolation.account`.

    With records, what was recorded for the account as a whole is among the facts, after those of documents.
    """
    clock = Clock()
    gathered = gather(account, asked, max(facts, JUDGED), sections, weights or COMPANY, clock)
    with clock.stage("records"):
        recorded = _recorded(account, asked) if with_records and noted.are_there(account) else Passages([], {})
    with clock.stage("judge"):
        found_sections = {**gathered.passages.sections, **recorded.sections}
        found_facts = _telling([*gathered.passages.facts, *recorded.facts], found_sections)
        gone, answerable, highest = _unmentioned(asked, found_facts, found_sections)
        questions = [gathered.questions[at] for at in answerable]
        judged = relevance.judge(questions, found_facts, found_sections, at_most=highest)
    excerpts = [section for section in judged.sections if section.id in gathered.excerpts]
    of_documents = [fact for fact in judged.facts if fact.kind == passages.DOCUMENT]
    of_records = [fact for fact in judged.facts if fact.kind != passages.DOCUMENT]
    found = [*of_documents[:facts], *of_records]
    return Found(found, excerpts, judged.coverage, asked.parts, asked.degraded, clock.stages, tuple(gone))


def _telling(facts: list[FoundFact], sections: Mapping[int, FoundSection]) -> list[FoundFact]:
    """Without those that are a heading and say nothing, where there are others."""
    said = [
        fact
        for fact in facts
        if not headlines.is_bare(
            fact.statement,
            " > ".join([fact.heading, *(f"{origin.tree_path} > {origin.title}" for origin in fact.sources)]),
            sections[fact.section_id].text,
        )
    ]
    return said or facts


def _unmentioned(
    asked: Prepared, facts: Sequence[FoundFact], sections: Mapping[int, FoundSection]
) -> tuple[list[str], list[int], str]:
    """The identifiers that nothing found holds; which of the prompt and its parts can be answered all the same (by
    their places, the prompt's is 0); and the best label that is left.
    """
    every = list(range(len(asked.texts)))
    if not mentions.named(asked.texts[0]):
        return [], every, coverage.COMPREHENSIVE
    texts = [fact.statement for fact in facts]
    texts += [f"{each.text}\n{each.tree_path}\n{each.heading}\n{each.title}\n{each.path}" for each in sections.values()]
    gone = mentions.missing(asked.texts[0], texts)
    if not gone:
        return [], every, coverage.COMPREHENSIVE
    others = [
        at
        for at, text in enumerate(asked.texts)
        if at and not mentions.missing(text, texts) and mentions.asks_of_others(text, ())
    ]
    if others:
        return gone, others, coverage.PARTIAL
    return gone, every, coverage.LIMITED if mentions.asks_of_others(asked.texts[0], gone) else coverage.NONE


def _recorded(account: Account, asked: Prepared) -> Passages:
    whole = Prepared(asked.texts[:1], asked.vectors[:1], asked.degraded)
    best = records(account, whole, noted.SCOPE, count=RECORDED)
    return noted.read(account, [record.record_id for record in best])


def gather(account: Account, asked: Prepared, facts: int, sections: int, weights: Weights, clock: "Clock") -> Gathered:
    """The best facts and sections for a prompt and its parts."""
    texts, vectors = asked.texts, asked.vectors
    with clock.stage("scan"):
        asked_for, known = queries(account, asked)
        scored = copies.scored(account, asked_for, weights, known.facts)
        if scored is None:
            scored = candidates.scored(account, asked_for, weights, known)
    with clock.stage("rank"):
        scored = [_present_first(found) for found in scored]
        best_facts, best_sections = _best_facts(scored, facts), _best_sections(scored, sections)
    with clock.stage("read"):
        found = passages.read(account, {fact.fact_id: fact.statement_hash for fact in best_facts}, best_sections)
    rarities = known.rarities["fact"]
    questions = [Question(text, rarities, vector, known.facts) for text, vector in zip(texts, vectors, strict=True)]
    return Gathered(questions, found, best_sections)


def queries(account: Account, asked: Prepared) -> tuple[list[Query], Statistics]:
    """What is scanned for, the whole prompt and its parts, with what is known of its words."""
    terms = {term for text in asked.texts for term in words.content_terms(text)}
    known = candidates.statistics(account, terms)
    return _queries(asked.texts, asked.vectors, known.rarities), known


def _queries(
    texts: Sequence[str], vectors: Sequence[Vector | None], rarities: dict[str, dict[str, float]]
) -> list[Query]:
    """The whole prompt, then each part with half of the whole mixed in: every score is linear in vector and words."""
    asked = [
        Query(vector, *(_shares(text, rarities[kind]) for kind in candidates.KINDS))
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return asked[:1] + [query.mixed(asked[0], WHOLE_IN_PART) for query in asked[1:]]


def _shares(text: str, rarities: dict[str, float]) -> dict[int, float]:
    shares = words.shares(words.content_terms(text), rarities)
    exact = [words.number(term) for term in words.identifiers(text)]
    return shares | {term: shares[term] + IDENTIFIER / len(exact) for term in exact if term in shares}


def _present_first(found: list[Candidate]) -> list[Candidate]:
    """Facts of passages that say themselves that something else took their place, moved down."""
    if not any(candidate.is_superseded for candidate in found):
        return found
    return sorted(map(_present, found), key=_best_first)


def _present(candidate: Candidate) -> Candidate:
    return candidate._replace(score=candidate.score - SUPERSEDED) if candidate.is_superseded else candidate


def _best_first(candidate: Candidate) -> tuple[float, int]:
    return -candidate.score, candidate.fact_id


def _best_facts(scored: Sequence[Sequence[Candidate]], count: int) -> list[Candidate]:
    """Takes the best of each query in turn, while what stands beside a taken one gives way; no statement twice."""
    scores = [{candidate.fact_id: candidate.score for candidate in found} for found in scored]
    by_id = {candidate.fact_id: candidate for found in scored for candidate in found}
    beside = _Beside(by_id.values())
    taken: dict[str, Candidate] = {}
    turn = 0
    while len(taken) < count and any(scores):
        left = scores[turn % len(scores)]
        turn += 1
        if not left:
            continue
        best = by_id[max(left, key=left.__getitem__)]
        if best.statement_hash not in taken:
            taken[best.statement_hash] = best
        for others in scores:
            beside.give_way(others, best)
    return list(taken.values())


class _Beside:
    """Which facts stand in one document, and in one section."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._in_document: dict[int, list[int]] = {}
        self._in_section: dict[int, list[int]] = {}
        for candidate in candidates:
            self._in_document.setdefault(candidate.document_id, []).append(candidate.fact_id)
            self._in_section.setdefault(candidate.section_id, []).append(candidate.fact_id)

    def give_way(self, left: dict[int, float], taken: Candidate) -> None:
        """Takes one out of the scores that are left, and lowers what stands beside it."""
        left.pop(taken.fact_id, None)
        for key in self._in_document[taken.document_id]:
            if key in left:
                left[key] -= SAME_DOCUMENT
        for key in self._in_section[taken.section_id]:
            if key in left:
                left[key] -= SAME_SECTION


def _best_sections(scored: Sequence[Sequence[Candidate]], count: int) -> list[int]:
    """The sections of the best facts, of each query in turn: what is worth an excerpt."""
    orders = [list(dict.fromkeys(candidate.section_id for candidate in found)) for found in scored]
    in_turn = [order[at] for at in range(count) for order in orders if at < len(order)]
    return list(dict.fromkeys(in_turn))[:count]


class Clock:
    """Milliseconds of each stage."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.stages[name] = (time.perf_counter() - started) * 1000
