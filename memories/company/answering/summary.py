"""The short summary at the head of a report: what was found, or plainly what was not. Source: seed, `context_summary`.

The default repeats the best statements. A language model may word it better, but only out of the facts that were found:
a summary with a number or an address that no fact has is refused. In the same call it judges whether they answer.
"""

import re
from collections.abc import Sequence

from memories import grammar, kinds
from memories.company.answering import asked, quoting
from memories.company.answering.findings import FAINT, Fact
from memories.providers import Session

LONGEST = 600
LABELS = ("comprehensive", "partial", "limited")
_LONGEST_STATEMENT = 280
_LONGEST_TITLE = 80
_FACTS_FOR_MODEL = 10
#: A second statement joins the summary only when it answers about as well as the first.
_AS_GOOD = 0.85
#: What a statement without the kind of thing asked for (a number, a price, a day, a person) counts beside one with it.
_OTHER_KIND = 0.4
#: What was done is told before what is still to come where it is worth so much of it.
_TO_COME = 0.6

INSTRUCTIONS = """You word a summary of facts that were found in a company's documents for a question, and judge whether
they answer it. Given: "question", "coverage" (a guess by rule) and "facts" (numbered, with sources). Answer
{"summary": text, "coverage": label}. The text: at most 60 words, plain sentences, one paragraph, only what the facts
say, no names or numbers that they don't have. A fact with a "standing" was replaced: never state it as the present. If
the facts do not answer the question, say so. The label: "comprehensive" when they answer all of it, "partial" when they
answer a part, "limited" when they are about the same subject but do not hold what is asked for."""

_PRECISE = re.compile(r"https?://\S+|\w+@\w+\.\w+|\d+(?:[.,:/-]\d+)*")


def by_rule(query: str, facts: Sequence[Fact], coverage: str, *, hint: str = "") -> str:
    """`hint` is a sentence on what may help, told where nothing or little was found."""
    if coverage == "none" or not facts:
        return f"Nothing was found in company memory that answers this. {hint}".strip()
    if coverage == "limited":
        return f"{_limited(query, facts)} {hint}".strip()
    best = _best(query, facts)
    told = " ".join(_told(fact) for fact in best)
    if _is_still_to_come(query, best[0]):
        return f"{told} Nothing that was found says that it has happened."
    return told if coverage == "comprehensive" else f"{told} This may answer only part of the question."


def settled(query: str, facts: Sequence[Fact], label: str) -> str:
    """The label; at most "partial" where the question asks what was done and the best statement says what will be."""
    is_whole = label == "comprehensive" and bool(facts)
    return "partial" if is_whole and _is_still_to_come(query, _best(query, facts)[0]) else label


def unmentioned(identifiers: Sequence[str]) -> str:
    """A sentence on what stands nowhere; empty where there is nothing of the kind."""
    return f"No document mentions {asked.listed(identifiers)}." if identifiers else ""


def by_model(query: str, facts: Sequence[Fact], coverage: str, model: Session) -> tuple[str, str]:
    """The model's wording and its label; no wording, and the label given, when it failed or said what no fact says.

    A label that is none of LABELS leaves the given one. "none" is not the model's to say: what was found is shown.
    """
    if not facts:
        return "", coverage
    told = [
        {"number": number, "statement": fact.statement, "source": fact.origins[0].title} | _standing(fact)
        for number, fact in enumerate(facts[:_FACTS_FOR_MODEL], start=1)
    ]
    answer = model.ask(INSTRUCTIONS, {"question": query, "coverage": coverage, "facts": told})
    if answer is None:
        return "", coverage
    text = answer.get("summary")
    known = " ".join([query, *(fact.statement for fact in facts[:_FACTS_FOR_MODEL])])
    if not isinstance(text, str) or not text.strip() or not set(_PRECISE.findall(text)) <= set(_PRECISE.findall(known)):
        model.refuse("The language model's summary was refused: it was empty or said what no fact says.")
        return "", coverage
    label = answer.get("coverage")
    return quoting.shortened(quoting.folded(text), LONGEST), label if label in LABELS else coverage


def _best(query: str, facts: Sequence[Fact]) -> list[Fact]:
    """One statement or two: what holds still before what was replaced, the kind asked for before other kinds."""
    kind = kinds.asked(query)
    worth = {
        fact: fact.relevance * (1.0 if kind is None or kind.is_in(fact.statement) else _OTHER_KIND)
        for fact in facts
        if not fact.superseded
    } or {fact: fact.relevance for fact in facts}
    ranked = sorted(worth, key=lambda fact: -worth[fact])
    first = _done(query, [fact for fact in ranked if worth[fact] >= worth[ranked[0]] * _TO_COME])
    further = [fact for fact in ranked if fact is not first]
    as_good = [fact for fact in further[:1] if worth[fact] >= worth[first] * _AS_GOOD]
    return [first, *(fact for fact in as_good if _joins(query, first, fact))]


def _done(query: str, ranked: Sequence[Fact]) -> Fact:
    """The first one; where it is still to come, the next that is done and names all of the question that it names."""
    first = ranked[0]
    if not _is_still_to_come(query, first):
        return first
    said = asked.said_words(query)
    named = set(asked.spoken_of(said, first.statement))
    done = (fact for fact in ranked[1:] if not _is_still_to_come(query, fact))
    return next((fact for fact in done if named <= set(asked.spoken_of(said, fact.statement))), first)


def _joins(query: str, first: Fact, second: Fact) -> bool:
    """Whether a second statement speaks of what is asked about: of all that the first one names, or of something else
    that the question names and the first one does not."""
    said = asked.said_words(query)
    of_first, of_second = (set(asked.spoken_of(said, fact.statement)) for fact in (first, second))
    return bool(of_second) and (of_second >= of_first or not of_second <= of_first)


def _is_still_to_come(query: str, fact: Fact) -> bool:
    return grammar.asks_of_the_past(query) and grammar.is_still_to_come(fact.statement)


def _told(fact: Fact) -> str:
    statement = f"{_stopped(fact.statement)} ({_titled(fact)})"
    if not fact.superseded:
        return statement
    return f"{fact.superseded[:1].upper()}{fact.superseded[1:]}, no longer the present: {statement}"


def _limited(query: str, facts: Sequence[Fact]) -> str:
    said = asked.said_words(query)
    nearest = "The nearest statements are shown." if all(fact.relevance < FAINT for fact in facts) else ""
    mentioned = asked.spoken_of(said, " ".join(f"{fact.statement} {fact.origins[0].tree_path}" for fact in facts))
    missing = [word for word in said if word not in mentioned]
    if not mentioned:
        return f"The documents come near this question, but none of them answers it. {nearest}".strip()
    clearly = "" if nearest else "clearly "
    text = f"The documents mention {asked.listed(mentioned)}, but none of them {clearly}answers the question."
    text = f"{text} Nothing that was found speaks of {asked.listed(missing)}." if missing else text
    return f"{text} {nearest}".strip()


def _standing(fact: Fact) -> dict[str, str]:
    return {"standing": fact.superseded} if fact.superseded else {}


def _titled(fact: Fact) -> str:
    return quoting.shortened(fact.origins[0].title, _LONGEST_TITLE)


def _stopped(statement: str) -> str:
    text = quoting.shortened(quoting.folded(statement), _LONGEST_STATEMENT)
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
