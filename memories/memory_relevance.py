"""How far a memory of an end user is wanted for a question, from 0 to 1, and which are told. Pure but for word numbers.

Five signs, each a term of one logistic model: meaning, words, what it is about, importance and recency. They are added
up where the rows are (memory_candidates.py); their weights, and every floor, stand here. benchmarks/recall.py prints
what they reach, and how they are fitted.

    what is asked of somebody      the memories that stand out; where none does, none
    something to be said to them   ("explain …", "review …") how answers should be comes along with what stands out
    how to treat them              ("How should I respond to this user?") the important preferences
    what is known of them          the important memories of every kind
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np

from memories import kinds, matters, words
from memories.embedders.base import Vector
from memories.memory_candidates import Candidate, Question, Weights

#: Fitted on benchmarks/data/recall_questions.jsonl, then rounded. Importance and recency are lower than a fit has them:
#: which questions are asked says little of them.
WEIGHTS = Weights(
    constant=-4.5,
    meaning=1.48,
    unseen=3.5,
    words=0.35,
    about=0.2,
    touching=1.9,
    importance=0.6,
    on_the_matter=0.6,
    recency=0.2,
)
#: What a memory counts less that holds nothing of the kind that is asked for (a day, a name, a number).
NO_SUCH_KIND = 1.4
#: A memory less likely to be wanted is not told, nor one that has less than this share of the best one's likelihood.
FLOOR = 0.08
SHARE_OF_BEST = 0.25
#: The same for a question that has an answer ("Where …", "Does she …"), beside which little else is wanted.
SHARE_OF_ANSWER = 0.4
#: From here on something answers, and how answers should be is told beside it, for so much of what it counts alone.
ANSWERS = 0.3
BESIDE = 0.5
#: What a memory on manner counts more among those that are read, so that it is there to be told.
MANNER = 4.0
#: What a memory of a category that the question names counts more ("What are her goals?").
NAMED_CATEGORY = 2.5
#: How to treat somebody: from constant, a preference, one on manner, and importance (5 to 10 is 0 to 1).
TREATING = {"constant": -2.8, "preference": 1.8, "manner": 2.0, "importance": 3.0}
KNOWING = {"constant": -0.9, "importance": 3.0}
GENERAL_FLOOR = 0.35
#: Where the question itself says nothing, the scan brings up what is important and on manner.
GENERAL = replace(
    WEIGHTS,
    constant=0.0,
    meaning=0.0,
    unseen=0.0,
    words=0.0,
    about=0.0,
    touching=0.0,
    importance=3.0,
    on_the_matter=0.0,
)
#: Two memories of that cosine say the same, if no number, name or negation tells them apart.
SAME = 0.93


class Kind(Enum):
    """What a question is after."""

    OF_THEM = "of them"
    TO_THEM = "to them"
    TREATING = "treating"
    KNOWING = "knowing"


def _stems(text: str) -> frozenset[str]:
    return frozenset(words.terms(text))


_PERSON = _stems("user users customer customers client clients student person end-user end guest patient member caller")
_OF_PERSON = re.compile(
    r"\b(?:this|the|our|that|an?|your) (?:end[- ]?)?(?:user|customer|client|student|person|guest|patient|member|caller)"
    r"(?:'s|’s)?(?!\w)",
    re.IGNORECASE,
)
_TREAT = _stems(
    """respond response reply answer treat talk speak address approach handle interact communicate communication greet
    deal prefer prefers preference preferences preferred behave adapt personalise personalize tailor"""
)
_KNOW = _stems(
    """know known tell remember remembered recall summary summarise summarize profile context background memory memories
    information info overview detail everything important facts fact learned"""
)
_BESIDE = _stems("good best way properly style help assist serve write conversation chat")
_VERBAL = re.compile(
    r"\b(?:explain|teach|write|draft|review|summari[sz]e|describe|answer|reply|respond|tell|translate|understand|compose"
    r"|reword|rewrite|present|walk me)\b",
    re.IGNORECASE,
)
_EXPLAINING = re.compile(r"\b(?:explain|teach|review|summari[sz]e|describe|understand|walk me)\b", re.IGNORECASE)
_BEFORE = r"\W*(?:(?:at|by|for|from|in|of|on|to|with) )?"
_ASKING = re.compile(rf"{_BEFORE}(?:who|whom|whose|which|what|when|where)\b", re.IGNORECASE)
_ANSWERABLE = re.compile(
    rf"{_BEFORE}(?:who|whom|whose|which|what|when|where|is|are|was|does|do|did|has|have"
    r"|how (?:much|many|old|long|often|big|tall|far))\b",
    re.IGNORECASE,
)
_CATEGORIES = {
    "preference": _stems("preference preferences preferred"),
    "goal": _stems("goal goals aim aims objective objectives ambition ambitions target targets"),
    "procedure": _stems("procedure procedures routine routines habit habits workflow workflows process processes"),
    "relationship": _stems("relationship relationships relatives family"),
    "expertise": _stems("expertise skill skills expert experience"),
}
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NOT = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|\w+n['’]t|hates?|dislikes?|stopped|avoids?)\b", re.IGNORECASE
)
_NAME = re.compile(r"(?<=\w )[A-Z]\w+")


@dataclass(frozen=True)
class Asked:
    """A question about somebody, taken apart."""

    text: str

    @cached_property
    def subject(self) -> str:
        """The question without naming whom it is about, as it is compared: "where does live?"."""
        rest = " ".join(_OF_PERSON.sub(" ", self.text).split())
        return rest if words.tokens(rest) else self.text

    @cached_property
    def words(self) -> list[str]:
        return [term for term in words.content_terms(self.text) if term not in _PERSON]

    @cached_property
    def matters(self) -> list[str]:
        return [each for each in matters.terms(self.text) if each != matters.MANNER_TERM]

    @cached_property
    def category(self) -> str:
        """The category that the question names; empty where none."""
        return next((name for name, said in _CATEGORIES.items() if said & set(self.words)), "")

    @cached_property
    def wanted(self) -> kinds.Kind | None:
        """The kind of thing that is asked for: a day, a name, a number; None where that can't be told."""
        return kinds.asked(self.text)

    @cached_property
    def kind(self) -> Kind:
        rest = set(words.content_terms(self.text)) - _PERSON
        if rest <= _TREAT | _KNOW | _BESIDE and words.tokens(self.text):
            if rest & _TREAT:
                return Kind.TREATING
            if not rest & _BESIDE:
                return Kind.KNOWING
        return Kind.TO_THEM if _VERBAL.search(self.text) and not _ASKING.match(self.text) else Kind.OF_THEM

    @property
    def is_explaining(self) -> bool:
        """Whether how they like things told counts, whatever it is about."""
        return bool(_EXPLAINING.search(self.text))

    @property
    def share_of_best(self) -> float:
        return SHARE_OF_ANSWER if _ANSWERABLE.match(self.text) else SHARE_OF_BEST

    @property
    def is_general(self) -> bool:
        """Whether it is after what is important of somebody, whatever that is: then its meaning is not compared."""
        return self.kind in (Kind.TREATING, Kind.KNOWING)

    @property
    def weights(self) -> Weights:
        return GENERAL if self.is_general else WEIGHTS

    def question(self, vector: Vector | None) -> Question:
        return Question(vector, self.words, self.matters)


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that is told, with its relevance from 0 to 1."""

    memory: Candidate
    relevance: float


def judge(asked: Asked, candidates: Sequence[Candidate], *, with_hot: bool = False) -> list[Found]:
    """What is told of the candidates, the most wanted first, near-duplicates once.

    with_hot: what is hot is told besides, where the account is served by words and what is hot alone.
    """
    if asked.is_general:
        general = _treating if asked.kind is Kind.TREATING else _knowing
        found = [Found(each, general(each)) for each in candidates]
        floor = GENERAL_FLOOR
    else:
        found = [
            Found(each, _probability(_log_odds(asked, each))) for each in candidates if each.is_near or _counts(each)
        ]
        best = max((each.relevance for each in found), default=0.0)
        floor = max(FLOOR, asked.share_of_best * best)
        if asked.kind is Kind.TO_THEM and (best >= ANSWERS or asked.is_explaining):
            found = [_with_manner(each) for each in found]
    if with_hot:
        found = [replace(each, relevance=max(each.relevance, floor * each.memory.is_hot)) for each in found]
    told = sorted((each for each in found if each.relevance >= floor), key=lambda each: -each.relevance)
    return _once(told)


def _counts(candidate: Candidate) -> bool:
    """Whether a memory whose meaning could not be compared has another sign for it."""
    return candidate.is_said or candidate.is_hot


def _log_odds(asked: Asked, candidate: Candidate) -> float:
    lacks_kind = asked.wanted is not None and not asked.wanted.is_in(candidate.content)
    return candidate.score + NAMED_CATEGORY * (candidate.category == asked.category) - NO_SUCH_KIND * lacks_kind


def _with_manner(found: Found) -> Found:
    return replace(found, relevance=max(found.relevance, BESIDE * _treating(found.memory) * found.memory.is_manner))


def _knowing(candidate: Candidate) -> float:
    return _probability(KNOWING["constant"] + KNOWING["importance"] * (candidate.importance - 5) / 5)


def _treating(candidate: Candidate) -> float:
    importance = (candidate.importance - 5) / 5
    return _probability(
        TREATING["constant"]
        + TREATING["preference"] * (candidate.category == "preference")
        + TREATING["manner"] * candidate.is_manner
        + TREATING["importance"] * importance
    )


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _once(found: Sequence[Found]) -> list[Found]:
    """Without those that say what a more wanted one says already."""
    kept: list[Found] = []
    vectors: list[Vector | None] = []
    for each in found:
        vector = _vector(each.memory)
        if not any(_same(each.memory, vector, one.memory, other) for one, other in zip(kept, vectors, strict=True)):
            kept.append(each)
            vectors.append(vector)
    return kept


def _vector(candidate: Candidate) -> Vector | None:
    # As halfvec_send writes it: the number of dimensions and a reserved word, two bytes each, then the numbers.
    return None if candidate.vector is None else np.frombuffer(candidate.vector, ">f2", offset=4).astype(np.float32)


def _same(one: Candidate, one_vector: Vector | None, other: Candidate, other_vector: Vector | None) -> bool:
    if _telling(one.content) != _telling(other.content):
        return False
    if one_vector is not None and other_vector is not None:
        return float(one_vector @ other_vector) >= SAME
    return set(words.content_terms(one.content)) == set(words.content_terms(other.content))


def _telling(text: str) -> tuple[frozenset[str], bool, frozenset[str]]:
    """What tells two statements of the same words apart: numbers, whether it is denied, names."""
    return frozenset(_NUMBER.findall(text)), bool(_NOT.search(text)), frozenset(_NAME.findall(text))
