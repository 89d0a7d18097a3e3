"""Statements by a language model: asked with instructions and data apart, its answer checked before it counts.

A statement must be about the user, in bounds, and grounded: every number and name in it was said in the chat. What does
not pass is left out; an answer of another form is no answer, and the rules read instead.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from memories import redaction, scripts
from memories.end_users import slots
from memories.end_users.reading import categories, confidence
from memories.end_users.reading.turns import Message
from memories.end_users.statements import LONGEST, SHORTEST, Statement
from memories.providers import Session
from memories.secret_tokens import MARK

#: A longer chat is read by the rules: a model that sees half of it would miss what was taken back later.
MOST_CHARACTERS = 60_000
MOST_STATEMENTS = 100
INSTRUCTIONS = (
    "List what the chat in `messages` tells about its user that is worth remembering for later chats. "
    'Answer {"statements": [{"content", "category", "importance", "confidence"}]}; an empty list if there is nothing. '
    'content: one fact in one English sentence in the third person that begins with "User", 10 to'
    " 500 characters, with names, numbers "
    "and negations exactly as said; days said relatively get their date behind, reckoned from"
    " `said_on` (YYYY-MM-DD). "
    "category: preference, fact, goal, procedure, relationship or expertise. importance: 1 to 10."
    " confidence: 0 to 1, under 0.65 if the user "
    "hedges. Only what the user says or agrees to; where the user corrects something, only the"
    " corrected form. Leave out questions, greetings, "
    "hypotheticals, quotations, jokes, passing states, requests for the present task, secrets, and"
    " what only the assistant says."
)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-ZÀ-ÖØ-Þ][\w-]{2,}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ABOUT = re.compile(r"(?:The user|User)\b")
_NO_NAMES = frozenset(
    """user monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december the english""".split()  # noqa: SIM905
)


def read(messages: Sequence[Message], *, said_on: date, session: Session) -> list[Statement] | None:
    """What the model finds; None where there is none or it failed (`session.failure` says why)."""
    chat = [{"role": message.role, "content": message.content} for message in messages if message.role != "system"]
    if sum(len(turn["content"]) for turn in chat) > MOST_CHARACTERS:
        return None
    answer = session.ask(INSTRUCTIONS, {"said_on": said_on.isoformat(), "messages": chat})
    if answer is None:
        return None
    listed = answer.get("statements")
    if not isinstance(listed, list):
        session.refuse("The language model's answer had no list of statements.")
        return None
    said = " ".join(turn["content"] for turn in chat).casefold()
    found = [statement for item in listed[:MOST_STATEMENTS] if (statement := _checked(item, said, said_on))]
    if listed and not found:
        session.refuse("None of the language model's statements was grounded in the chat.")
        return None
    return list({statement.content.casefold(): statement for statement in found}.values())


def _checked(item: Any, said: str, said_on: date) -> Statement | None:
    """The statement, if it has the form that was asked for and says nothing that was not said."""
    if not isinstance(item, dict) or not isinstance(item.get("content"), str):
        return None
    content = redaction.cut(" ".join(item["content"].replace("\0", " ").split())).text
    content = re.sub(r"^The user\b", "User", content)
    sure = _number(item.get("confidence"), 0.0, 1.0, confidence.AGREED)
    if (
        not SHORTEST <= len(content) <= LONGEST
        or MARK in content
        or not _ABOUT.match(content)
        or sure < confidence.LEAST
    ):
        return None
    if not _is_grounded(content, said, said_on):
        return None
    known = categories.of(content) or categories.OTHER
    category = item.get("category")
    slot = slots.of(content)
    return Statement(
        content=content,
        category=category if isinstance(category, str) and category in categories.ALL else known.category,
        importance=_number(item.get("importance"), 1.0, 10.0, known.importance),
        confidence=sure,
        slot=slot.name,
        slot_value=slot.value,
        is_negated=slot.is_negated,
    )


def _is_grounded(content: str, said: str, said_on: date) -> bool:
    """Whether its numbers and names were said; the date that was reckoned may stand behind what was said."""
    told = re.sub(r"\((?:week of )?\d{4}(?:-\d\d){0,2}\)", "", content)
    numbers = [number for number in _NUMBER.findall(told) if number not in said and number != str(said_on.year)]
    names = [
        name
        for name in _NAME.findall(told)
        if name.casefold() not in _NO_NAMES and name.casefold().removesuffix("'s") not in said
    ]
    return not numbers and (not names or not scripts.is_latin(said))


def _number(value: Any, least: float, most: float, otherwise: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return otherwise
    return min(most, max(least, float(value)))
