"""The signs by which relevance judges, for questions whose truth is known. Needs a Django that is set up."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from accounts import isolation
from accounts.models import Account
from benchmarks.calibration import Row
from memories import search
from memories.relevance import Text

#: As many facts of each question as an answer leads with.
FACTS = 6


def rows(account: str, questions: Sequence[Mapping[str, Any]]) -> list[Row]:
    """`account`: its public id."""
    with isolation.every_account():
        asked = Account.objects.get(public_id=account)
    with isolation.account(asked.pk):
        return [row for question in questions for row in _of(asked, question)]


def _of(account: Account, question: Mapping[str, Any]) -> Iterator[Row]:
    asked = search.prepare(question["question"])
    gathered = search.gather(account, asked, FACTS, FACTS, search.COMPANY, search.Clock())
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
