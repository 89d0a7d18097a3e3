"""A language model puts a statement that no rule reads into sentences that one does. Knows no database.

("Trig proofs are User's nightmare." -> "User struggles with trigonometry proofs.") What it says is kept by the memory's
content hash and read by the same rules, so that edits, deletes and conflicts mean the same for it. Without a model the
rules alone decide.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memories import providers
from memories.deadline import Deadline
from memories.end_users.domains.base import Domain, Said
from memories.end_users.statements import LONGEST

MOST_STATEMENTS = 40
MOST_SENTENCES = 4
SECONDS = 60.0
_NUMBER = re.compile(r"\d+")
Restated = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Live:
    """A live memory of a person, with the hash by which its restated form is known."""

    content_hash: str
    said: Said


def unread(domain: Domain, memories: Sequence[Live], restated: Restated) -> list[Live]:
    """The newest memories that neither a rule nor the model has read; none where the model is not to be asked."""
    if not (providers.is_configured() and domain.restating):
        return []
    waiting = [each for each in memories if each.content_hash not in restated and not domain.reads(each.said)]
    return waiting[-MOST_STATEMENTS:]


def ask(domain: Domain, waiting: Sequence[Live]) -> dict[str, list[str]]:
    """By content hash, in which sentences the model put each statement that it was asked about; {} when it failed."""
    if not waiting:
        return {}
    session = providers.Session(Deadline.after(SECONDS))
    told = {str(number): each.said.content for number, each in enumerate(waiting)}
    answer = session.ask(_INSTRUCTIONS.format(forms=domain.restating), {"statements": told})
    restated = answer.get("restated") if answer else None
    if not isinstance(restated, dict):
        return {}
    return {
        each.content_hash: _grounded(restated.get(str(number)), each.said.content)
        for number, each in enumerate(waiting)
    }


_INSTRUCTIONS = (
    "Each numbered statement is about one person, called User. Say what it says of the User in the forms below, where "
    "it says something that one of them can hold; leave out a statement that says nothing of the kind. Add nothing, "
    "guess nothing, keep numbers and dates as they are, and take nothing for the User's that is said of somebody else. "
    "{forms} "
    'Answer with {{"restated": {{"<number>": ["<sentence>", …]}}}}.'
)


def _grounded(sentences: Any, content: str) -> list[str]:
    """Of what the model says of a statement, the sentences about the User whose figures all stand in the statement."""
    if not isinstance(sentences, list):
        return []
    figures = set(_NUMBER.findall(content))
    fitting = [
        " ".join(each.split())
        for each in sentences
        if isinstance(each, str)
        and each.startswith("User")
        and len(each) <= LONGEST
        and figures.issuperset(_NUMBER.findall(each))
    ]
    return fitting[:MOST_SENTENCES]
