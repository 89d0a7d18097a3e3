"""The signs by which relevance judges, for questions whose truth is known. Needs a Django that is set up."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from accounts import isolation
from accounts.models import Account
from benchmarks.calibration import Asked, Row
from memories import coverage, relevance, search
from memories.relevance import Text

#: As many facts of each question as an answer leads with.
FACTS = 6


def rows(account: str, questions: Sequence[Mapping[str, Any]]) -> list[Row]:
    """`account`: its public id."""
    with isolation.every_account():
        asked = Account.objects.get(public_id=account)
    with isolation.account(asked.pk):
        return [row for question in questions for row in _of(asked, question)]


def asked(account: str, questions: Sequence[Mapping[str, Any]]) -> list[Asked]:
    """The signs of coverage for each question that found anything, of the part that is answered best."""
    with isolation.every_account():
        of = Account.objects.get(public_id=account)
    with isolation.account(of.pk):
        return [one for question in questions if (one := _covered(of, question)) is not None]


def _covered(account: Account, question: Mapping[str, Any]) -> Asked | None:
    gathered = _gathered(account, question, search.JUDGED)
    texts = {key: Text(s.terms, s.vector, s.text) for key, s in gathered.passages.sections.items()}
    parts = [part for at, part in enumerate(gathered.questions) if at == 0 or part.is_telling]
    found = [signs for part in parts if (signs := relevance.covered(part, gathered.passages.facts, texts)) is not None]
    if not found:
        return None
    best = max(found, key=coverage.probability)
    return Asked(
        account=account.name,
        is_answerable=question["kind"] != "unanswerable",
        signs=(best.meaning or 0.0, best.words, best.named, best.kind_missing),
    )


def _gathered(account: Account, question: Mapping[str, Any], facts: int) -> search.Gathered:
    return search.gather(account, search.prepare(question["question"]), facts, facts, search.COMPANY, search.Clock())


def _of(account: Account, question: Mapping[str, Any]) -> Iterator[Row]:
    gathered = _gathered(account, question, FACTS)
    chosen = [part for at, part in enumerate(gathered.questions) if at == 0 or part.is_telling]
    sections = {key: Text(s.terms, s.vector, s.text) for key, s in gathered.passages.sections.items()}
    for fact in gathered.passages.facts:
        section, text = sections[fact.section_id], Text(fact.terms, fact.vector)
        signs = max(
            ((part.cosine(text) or 0.0, part.cosine(section) or 0.0, part.implied(section)) for part in chosen), key=sum
        )
        yield Row(
            question=f"{account.public_id}/{question['id']}",
            is_answerable=question["kind"] != "unanswerable",
            answers=_holds(question, gathered.passages.sections[fact.section_id].text, fact.statement),
            signs=signs,
        )


def _holds(question: Mapping[str, Any], *texts: str) -> bool:
    folded = [" ".join(text.split()) for text in texts]
    return any(" ".join(gold.split()) in text for gold in question["gold_text"] for text in folded)
