"""The short summary at the head of a report: what was found, or plainly what was not. Source: seed, `context_summary`.

The default repeats the best statements. A language model may word it better, but only out of the facts that were found:
a summary with a number or an address that no fact has is refused.
"""

import re
from collections.abc import Sequence

from memories.company.answering import asked, quoting
from memories.company.answering.findings import Fact
from memories.providers import Session

LONGEST = 600
_LONGEST_STATEMENT = 280
_LONGEST_TITLE = 80
_FACTS_FOR_MODEL = 10
#: A second statement joins the summary only when it answers about as well as the first.
_AS_GOOD = 0.85

INSTRUCTIONS = """You word a summary of facts that were found in a company's documents for a question.
Given: "question", "coverage" and "facts" (numbered, with sources). Answer {"summary": text}: at most 60 words, plain
sentences, one paragraph, only what the facts say, no names or numbers that they don't have. If they do not answer the
question, say so."""

_PRECISE = re.compile(r"https?://\S+|\w+@\w+\.\w+|\d+(?:[.,:/-]\d+)*")


def by_rule(query: str, facts: Sequence[Fact], coverage: str, *, hint: str = "") -> str:
    """`hint` is a sentence on what may help, told where nothing or little was found."""
    if coverage == "none" or not facts:
        return f"Nothing was found in company memory that answers this. {hint}".strip()
    if coverage == "limited":
        return f"{_limited(query, facts)} {hint}".strip()
    first, *further = sorted(facts, key=lambda fact: -fact.relevance)
    best = [first, *(fact for fact in further[:1] if fact.relevance >= first.relevance * _AS_GOOD)]
    told = " ".join(f"{_stopped(fact.statement)} ({_titled(fact)})" for fact in best)
    return told if coverage == "comprehensive" else f"{told} This may answer only part of the question."


def by_model(query: str, facts: Sequence[Fact], coverage: str, model: Session) -> str:
    """The model's wording, or nothing when it failed or said what the facts do not."""
    if not facts:
        return ""
    told = [
        {"number": number, "statement": fact.statement, "source": fact.origins[0].title}
        for number, fact in enumerate(facts[:_FACTS_FOR_MODEL], start=1)
    ]
    answer = model.ask(INSTRUCTIONS, {"question": query, "coverage": coverage, "facts": told})
    if answer is None:
        return ""
    text = answer.get("summary")
    known = " ".join([query, *(fact.statement for fact in facts[:_FACTS_FOR_MODEL])])
    if not isinstance(text, str) or not text.strip() or not set(_PRECISE.findall(text)) <= set(_PRECISE.findall(known)):
        model.refuse("The language model's summary was refused: it was empty or said what no fact says.")
        return ""
    return quoting.shortened(quoting.folded(text), LONGEST)


def _limited(query: str, facts: Sequence[Fact]) -> str:
    said = asked.said_words(query)
    mentioned = asked.spoken_of(said, " ".join(f"{fact.statement} {fact.origins[0].tree_path}" for fact in facts))
    missing = [word for word in said if word not in mentioned]
    if not mentioned:
        return "The documents come near this question, but none of them answers it."
    text = f"The documents mention {asked.listed(mentioned)}, but none of them clearly answers the question."
    return f"{text} Nothing that was found speaks of {asked.listed(missing)}." if missing else text


def _titled(fact: Fact) -> str:
    return quoting.shortened(fact.origins[0].title, _LONGEST_TITLE)


def _stopped(statement: str) -> str:
    text = quoting.shortened(quoting.folded(statement), _LONGEST_STATEMENT)
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
