"""Chat messages to statements about the user. Knows no database.

Source: contract end_users, "POST /v1/memories/add". Without a language model by rules; with one, the rules stand ready
for when it fails. Whatever stands in a message is data: nothing in it is done.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from memories import sameness
from memories.end_users import slots
from memories.end_users.reading import categories, confidence, contractions, dates, listening, person, prototypes, verbs
from memories.end_users.reading import model as by_model
from memories.end_users.reading.listening import Said
from memories.end_users.reading.turns import ASSISTANT, USER, Message
from memories.end_users.statements import LONGEST, SHORTEST, Statement
from memories.providers import Session
from memories.secret_tokens import MARK

__all__ = ["Extraction", "Message", "describe", "extract"]

_INSISTED = 1.5
# Of a kind that neither a rule nor an example knows: kept when it is said a second time.
_UNKNOWN = 0.5


# What is said of "there" and "it" alone, of the assistant, or of things that were named before.
_EMPTY = re.compile(
    r"^User's [\w ]{2,20} (?:did|does|do) (?:it|that|this)\b|^User (?:will |would |can |is going to "
    r"|has to )?\w+(?: (?:in|at|to|on|for|with))? (?:there|here"
    r"|it|this|that|them|so|too|him|her|one)\.$"
    r"|\bto \w+ (?:this|that)\b(?! \w+\b (?:that|which))|the assistant to (?:remember|save|store"
    r"|forget)\b|^(?:The assistant|They"
    r"|He|She|It|This|That|There|Then)\b"
)


@dataclass(frozen=True)
class Extraction:
    """statements: in the order in which they were said, each once, confidence 0.45 and above.

    degraded: a language model was to read, failed, and the rules read instead.
    """

    statements: list[Statement] = field(default_factory=list)
    degraded: bool = False


def extract(messages: Sequence[Message], *, observed_at: datetime, model: Session | None = None) -> Extraction:
    """What the chat says of its user. observed_at: when it was said, in the time zone that its days are meant in.

    Never raises for anything in a message."""
    said_on = observed_at.date()
    if model is not None:
        found = by_model.read(messages, said_on=said_on, session=model)
        if found is not None:
            return Extraction(found)
    return Extraction(_by_rules(messages, said_on), degraded=bool(model and model.failure))


def describe(content: str, category: str = "") -> Statement:
    """An explicit text as a statement: its words as they are, with slot, negation and what was not given."""
    text = person.third(contractions.expanded(content))
    kind = categories.of(text) or _nearest(text) or categories.OTHER
    slot = slots.of(content)
    return Statement(
        content=content,
        category=category or kind.category,
        importance=kind.importance,
        slot=slot.name,
        slot_value=slot.value,
        is_negated=slot.is_negated,
    )


def _by_rules(messages: Iterable[Message], said_on: date) -> list[Statement]:
    listener = listening.Listener()
    for message in messages:
        if message.role == USER:
            listener.hear_user(message.content)
        elif message.role == ASSISTANT:
            listener.hear_assistant(message.content)
    found = dict[str, Statement]()
    for said in listener.said:
        statement = _stated(said, said_on)
        if statement is not None:
            found.setdefault(sameness.normalised(statement.content), statement)
    return list(found.values())


def _stated(said: Said, said_on: date) -> Statement | None:
    content = _sentence(said.clause if said.is_told else person.third(said.clause), said_on)
    if not SHORTEST <= len(content) <= LONGEST or MARK in content or _EMPTY.search(content):
        return None
    kind, sure = categories.of(content), said.confidence
    if kind is None and not any(
        verbs.is_finite(word) or verbs.is_past(word) for word in content.casefold().rstrip(".").split()
    ):
        return None
    if kind is None:
        kind = prototypes.nearest(content)
        sure = min(sure, confidence.PLAIN - 0.2 if kind else _UNKNOWN)
    kind = kind or categories.OTHER
    if kind.category == prototypes.PASSING:
        return None
    slot = slots.of(content)
    importance = min(10.0, kind.importance + (_INSISTED if said.is_insisted else 0.0))
    return Statement(content, kind.category, importance, round(sure, 2), slot.name, slot.value, slot.is_negated)


def _sentence(text: str, said_on: date) -> str:
    """With its days dated, a capital in front and a full stop behind."""
    text = " ".join(dates.dated(text, said_on).split()).strip(" ,;:-–—")
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _nearest(text: str) -> categories.Kind | None:
    kind = prototypes.nearest(text)
    return None if kind is None or kind.category == prototypes.PASSING else kind
