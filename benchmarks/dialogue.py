"""How well agent memory finds what was said: dialogues recorded turn by turn, asked questions with known evidence.

    python -m benchmarks dialogue --file FILE [--ablation]

The file is a JSON list of conversations in the form of the LoCoMo data set: `conversation` holds `session_1`,
`session_2`, … (lists of turns with `speaker`, `text` and `dia_id`) and `session_1_date_time`, …; `qa` holds questions
with `evidence`, the `dia_id`s of the turns that answer. Each conversation goes into a space of its own, each turn is
one record of its session, by the service that `memory_record_summary` calls; each question is asked of the service that
`memory_search_records` calls.
"""

import importlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

from benchmarks import running
from benchmarks.figures import Figure

BEST_TURNS, BEST_SESSIONS = 10, 5
ASKED_FOR = 50
_TURN = re.compile(r"D:?\s*(\d+)\s*:\s*(\d+)")


@dataclass(frozen=True)
class Turn:
    name: str
    session: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A question with the names of the turns that answer it."""

    question: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class Dialogue:
    name: str
    turns: list[Turn]
    questions: list[Asked]


@dataclass(frozen=True)
class Score:
    """Shares of the evidence that was found, from 0 to 1, as means over the questions."""

    by_turn: float
    by_session: float

    def __str__(self) -> str:
        return f"evidence by turn {self.by_turn:.3f}, by session {self.by_session:.3f}"


def read(path: Path) -> list[Dialogue]:
    return [_dialogue(made) for made in json.loads(path.read_text())]


def _dialogue(made: Mapping[str, Any]) -> Dialogue:
    turns = list(_turns(made["conversation"]))
    questions = [Asked(asked["question"], _evidence(asked)) for asked in made["qa"]]
    return Dialogue(made["sample_id"], turns, [asked for asked in questions if asked.evidence])


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    number = 1
    while (session := f"session_{number}") in conversation:
        date = conversation.get(f"{session}_date_time", "")
        for turn in conversation[session]:
            yield Turn(turn["dia_id"], session, f"{turn['speaker']} ({date}): {turn['text']}")
        number += 1


def _evidence(asked: Mapping[str, Any]) -> frozenset[str]:
    named = _TURN.findall(" ".join(asked.get("evidence") or []))
    return frozenset(f"D{int(session)}:{int(turn)}" for session, turn in named)


def score(asked: Sequence[Asked], found: Sequence[Sequence[Turn]]) -> Score:
    """`found`: for each question the turns that came back, best first."""
    by_turn, by_session = [], []
    for question, turns in zip(asked, found, strict=True):
        first = {turn.name for turn in turns[:BEST_TURNS]}
        by_turn.append(len(first & question.evidence) / len(question.evidence))
        sessions = list(dict.fromkeys(_session(turn.name) for turn in turns))[:BEST_SESSIONS]
        wanted = {_session(name) for name in question.evidence}
        by_session.append(len(wanted.intersection(sessions)) / len(wanted))
    return Score(sum(by_turn) / len(by_turn), sum(by_session) / len(by_session))


def _session(name: str) -> str:
    return name.split(":")[0]


def run(file: Path, *, ablation: bool = False) -> list[Figure]:
    """Records the dialogues into a PAM of its own, asks every question, and returns the figures."""
    with running.pam() as pam:
        account = pam.account("dialogue")["account"]
        os.environ.update(pam.environment, DJANGO_SETTINGS_MODULE="pam.settings")
        django.setup()
        # Models can be imported only now that Django knows which database is meant.
        remembering = importlib.import_module("benchmarks.remembering")
        memory = remembering.Memory(account, read(file))
        for name in remembering.ABLATIONS if ablation else ():
            print(f"{name:46} {memory.score(without=name)}", flush=True)
        for line in memory.floors() if ablation else ():
            print(line, flush=True)
        found = memory.score()
        return [
            Figure("evidence among the first 10 records", found.by_turn, "", 0.76, False),
            Figure("sessions of the evidence among the first 5", found.by_session, "", 0.88, False),
        ]
