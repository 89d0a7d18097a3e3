"""`retrieve_memory`: a prompt in, a report out. Puts the steps in order, times them, and keeps to the deadline.

readiness -> triage -> search -> targeting -> entities and relationships -> summary -> report

What is relevant is search's to say, what a prompt means is triage's, how it reads is report's. No transaction is held
while a language model is asked. Source: seed `retrieve_memory`; contract company memory, "retrieve_memory".
"""

import json
import logging
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.db import InterfaceError, InternalError, OperationalError

from accounts import isolation
from accounts.caller import Caller
from accounts.models import Account
from memories import redaction, search, tokens
from memories.company import readiness
from memories.company.answering import arguments, excerpts, graph, report, summary, targeting, triage
from memories.company.answering.findings import Fact, Findings, Origin, Phase
from memories.company.answering.retrieval import Retrieval
from memories.company.readiness import ReadinessReport
from memories.deadline import Deadline
from memories.errors import MemoryNotReady, MemoryUnavailable, NoSourcesConnected, RetrievalTimeout
from memories.passages import DOCUMENT, FoundFact
from memories.providers import Session
from memories.search import Found

logger = logging.getLogger(__name__)

MOST_FACTS = 12
MOST_SECTIONS = 8
#: The first facts are told however relevant; further ones, and what is told of entities, unless they are less relevant
#: than the best one by more than this share.
ALWAYS_TOLD = 5
FAR = 0.2
LONGEST_STATEMENT = 400
#: What the protocol puts around an answer, and diagnostics that are known only at its end.
ENVELOPE_TOKENS = 200
#: By so much the JSON may hold more tokens for its length than the report: names of fields, numbers, paths.
DENSER = 1.6
Progress = Callable[[str], None]


@dataclass
class _Run:
    """The clock of one retrieval."""

    deadline: Deadline
    progress: Progress | None
    began: float = field(default_factory=time.perf_counter)
    stages: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str, saying: str = "") -> Iterator[None]:
        """Times one step in milliseconds; none begins after the deadline."""
        self.deadline.check()
        if self.progress is not None and saying:
            self.progress(saying)
        began = time.perf_counter()
        try:
            yield
        finally:
            self.stages[name] = _milliseconds(began)

    @contextmanager
    def rows_of(self, account: Account) -> Iterator[None]:
        with isolation.account(account.pk), self.deadline.in_database():
            yield


def retrieve(
    caller: Caller,
    *,
    prompt: str,
    earlier_prompts: Sequence[str] = (),
    session_id: str = "",
    deadline: Deadline,
    progress: Progress | None = None,
    request_id: str = "",
) -> Retrieval:
    """What the account's documents say about `prompt`.

    `earlier_prompts` are those of the session, oldest first; the last three count. `progress` is told a short sentence
    at each longer step. Raises InvalidArguments, NoSourcesConnected, MemoryNotReady, MemoryUnavailable (database away,
    or no document could be read) and RetrievalTimeout.
    """
    prompt = redaction.cut(arguments.prompt(prompt)).text
    if session_id:
        arguments.session_id(session_id)
    try:
        return _retrieved(
            caller.account, prompt, earlier_prompts, _Run(deadline, progress), request_id or str(uuid.uuid4())
        )
    except (OperationalError, InterfaceError, InternalError) as error:
        if deadline.is_over:
            raise RetrievalTimeout from error
        logger.exception("the database failed during a retrieval")
        raise MemoryUnavailable from error


def _retrieved(account: Account, prompt: str, earlier: Sequence[str], run: _Run, request_id: str) -> Retrieval:
    with run.stage("readiness"), run.deadline.in_database():
        ready = _required(readiness.of(account))
    model = Session(run.deadline)
    with run.stage("triage", "Reading the question"):
        decided = triage.decide(account, prompt=prompt, earlier=earlier, model=model)
    made = Retrieval(request_id, ready.state, decided, Phase(), Findings(), "", degraded_reason=_without(model))
    if decided.decision == triage.SKIP:
        text = report.skipped(prompt, decided)
        return _closed(replace(made, content_text=text, estimated_tokens=tokens.count(text)), run, model)
    with run.stage("embedding", "Searching the documents"):
        asked = search.prepare(decided.query)
    with run.rows_of(account):
        with run.stage("search"):
            found = search.find(account, asked, facts=MOST_FACTS, sections=MOST_SECTIONS, with_records=True)
            found = replace(found, facts=told(found.facts))
        with run.stage("targeting"):
            of_documents = [fact for fact in found.facts if fact.kind == DOCUMENT]
            phase = targeting.phase(decided.query, found.sections, of_documents)
        with run.stage("reading", "Reading what was found"):
            findings = _findings(account, decided.query, found)
    with run.stage("summary", "Summing up"):
        findings = _summed_up(decided.query, findings, ready, model)
    reasons = [reason for reason in (found.degraded, _without(model)) if reason]
    made = replace(made, phase=phase, findings=findings, degraded_reason=" ".join(reasons))
    with run.stage("report", "Writing the report"):
        made = _fitted(made, prompt)
    return _closed(made, run, model)


def _required(ready: ReadinessReport) -> ReadinessReport:
    """Raises what the contract's table of errors says for each state that cannot be asked."""
    if ready.ready:
        return ready
    if ready.state == readiness.State.WAITING_FOR_SOURCES:
        raise NoSourcesConnected(readiness_state=ready.state)
    if ready.state == readiness.State.ERROR:
        raise MemoryUnavailable(
            "None of the imported documents could be read. The Sources page says why for each of them.",
            readiness_state=ready.state,
        )
    wait = f" {ready.estimated_wait_message}" if ready.estimated_wait_message else ""
    raise MemoryNotReady(f"{MemoryNotReady.default_message}{wait}", readiness_state=ready.state)


def _findings(account: Account, query: str, found: Found) -> Findings:
    facts = tuple(_fact(fact) for fact in found.facts)
    near = [fact for fact in facts if fact.relevance >= FAR * facts[0].relevance and not fact.superseded]
    return Findings(
        facts=facts,
        entities=graph.entities(account, query, near) if near else (),
        relationships=graph.relationships(account, near) if near else (),
        excerpts=excerpts.of(found.sections, found.facts),
        coverage=summary.settled(query, facts, found.coverage),
        unmentioned=found.unmentioned,
    )


def told(facts: Sequence[FoundFact]) -> list[FoundFact]:
    """The first ones as search ranked them and further ones that come near, each group with the most relevant first.

    Search ranks better than relevance alone does, so that which facts are the first ones is for search to say. What was
    recorded stands among the first ones where it comes near.
    """
    of_documents = [fact for fact in facts if fact.kind == DOCUMENT]
    recorded = [fact for fact in facts if fact.kind != DOCUMENT]
    best = max((fact.relevance for fact in [*facts[:ALWAYS_TOLD], *recorded]), default=0.0)
    first = of_documents[:ALWAYS_TOLD] + [fact for fact in recorded if fact.relevance >= FAR * best]
    first.sort(key=lambda fact: -fact.relevance)
    near = [fact for fact in of_documents[ALWAYS_TOLD:] if fact.relevance >= FAR * best]
    return first + sorted(near, key=lambda fact: -fact.relevance)


def _fact(fact: FoundFact) -> Fact:
    origins = tuple(Origin(origin.title, origin.path, origin.tree_path) for origin in fact.sources)
    return Fact(
        statement=_bounded(fact.statement),
        relevance=fact.relevance,
        origins=origins,
        observed_at=fact.sources[0].observed_at,
        pks=(fact.id,),
        superseded=fact.superseded,
        kind=fact.kind,
    )


def _bounded(statement: str) -> str:
    """Counting is left out where a text has fewer bytes than it may have tokens."""
    if len(statement.encode()) <= LONGEST_STATEMENT:
        return statement
    return tokens.truncate_to(statement, LONGEST_STATEMENT)


def _summed_up(query: str, findings: Findings, ready: ReadinessReport, model: Session) -> Findings:
    """With its summary, and with the label that a language model gave where one was asked."""
    hint = "Naming the person, project or document that it is about may help."
    if ready.estimated_wait_message:
        hint = f"Not all documents are in yet ({ready.estimated_wait_message.rstrip('.')}): ask again later."
    text, coverage = summary.by_model(query, findings.facts, findings.coverage, model)
    findings = replace(findings, coverage=summary.settled(query, findings.facts, coverage))
    findings = findings.nearest() if findings.is_thin else findings
    text = text or summary.by_rule(query, findings.facts, findings.coverage, hint=hint)
    return replace(findings, summary=f"{summary.unmentioned(findings.unmentioned)} {text}".strip())


def _without(model: Session) -> str:
    """What to tell when the language model failed; empty when it did not, or there is none."""
    return f"{model.failure} Triage, summary and coverage were worked out without it." if model.failure else ""


def _fitted(made: Retrieval, prompt: str) -> Retrieval:
    """The answer with as many items as fit into its tokens, the report, its JSON and all."""
    while True:
        text = report.rendered(prompt, made.triage, made.phase, made.findings, degraded=made.degraded_reason)
        made = replace(made, content_text=text, estimated_tokens=tokens.count(text))
        size, items = _size(made), len(made.findings.items)
        if size <= settings.PAM_MAX_REPORT_TOKENS or not items:
            return made
        too_much = 1 - settings.PAM_MAX_REPORT_TOKENS / size
        made = replace(
            made,
            findings=made.findings.without_least(max(1, round(items * too_much))),
            phase=made.phase.narrowed(1 - too_much),
        )


def _size(made: Retrieval) -> int:
    """Tokens of the whole tool answer: the text, and the structured content that has it again.

    Counted only where it may matter: what the JSON adds to the report is the same words again, and few names.
    """
    answer = {"content": [{"type": "text", "text": made.content_text}], "structuredContent": made.structured()}
    written = json.dumps(answer, ensure_ascii=False)
    estimate = made.estimated_tokens * len(written) / len(made.content_text) * DENSER
    if estimate + ENVELOPE_TOKENS <= settings.PAM_MAX_REPORT_TOKENS:
        return round(estimate)
    return tokens.count(written) + ENVELOPE_TOKENS


def _closed(made: Retrieval, run: _Run, model: Session) -> Retrieval:
    run.deadline.check()
    return replace(
        made,
        duration_ms=round(_milliseconds(run.began)),
        model_calls=model.calls,
        stages=run.stages,
    )


def _milliseconds(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 2)
