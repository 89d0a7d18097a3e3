"""What a clause says of how somebody stands with a topic: weak, strong, a gap in an idea, or at work on it. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memories.end_users.domains.sayings import things
from memories.end_users.domains.sayings.clauses import Clause

WEAK, STRONG, GAP, STUDIED = "weak", "strong", "gap", "studied"
#: What saying the contrary of a state comes to: "no longer struggles with" is no longer weak, which is not strong yet.
_CONTRARY = {WEAK: STUDIED, STRONG: WEAK, GAP: STUDIED}
_GOOD_SHARE, _BAD_SHARE = 0.8, 0.5


@dataclass(frozen=True)
class Standing:
    """A topic as it was told, and how the user stands with it."""

    topic: str
    state: str


_BE = r"(?:(?:is|be|feels?|felt|seems?|gets?|got|became|becomes)\s+)?"
_HAS = r"(?:has|have|had)\s+"
_X = r"(?P<x>.+)"
_UP = r"(?P<x>.+?)"


def _rule(state: str, pattern: str, contrary: str = "") -> tuple[re.Pattern[str], str, str]:
    return re.compile(pattern, re.IGNORECASE), state, contrary or _CONTRARY.get(state, "")


_HARD = r"(?:hard|difficult|tough|confusing|challenging|tricky|complicated|unclear|impossible|boring and hard)"
_EASY = r"(?:easy|simple|straightforward|manageable)"
_AREA = r"(?:topics?|subjects?|areas?|points?|chapters?|concepts?|skills?|side|ones?)"
_BAD = r"(?:weak(?:est)?|worst|poor(?:est)?|difficult|hardest|problem(?:atic)?|least\s+confident)"
_FINE = r"(?:strong(?:est)?|best|good|easiest|most\s+confident)"
_RULES = (
    _rule(WEAK, rf"{_BE}struggl(?:es?|ed|ing)\s+(?:with|in|at|on|to\s+(?:understand|solve|learn|do|grasp"
        rf"|remember))\s+{_X}"),
    _rule(WEAK, rf"(?:finds?|found|finding)\s+{_UP}\s+(?:to\s+be\s+)?{_HARD}\b"),
    _rule(STRONG, rf"(?:finds?|found|finding)\s+{_UP}\s+(?:to\s+be\s+)?{_EASY}\b"),
    _rule(WEAK, rf"{_BE}(?:weak|bad|poor|terrible|lost|behind|stuck|slow|insecure|nervous|unsure"
        rf"|uncomfortable)\s+(?:in|at|with|on|about)\s+{_X}"),
    _rule(STRONG, rf"{_BE}(?:good|strong|great|excellent|proficient|confident|comfortable|skilled|brilliant|better"
        rf"|talented)\s+(?:in|at|with|about|on)\s+{_X}"),
    _rule(STRONG, rf"{_HAS}(?:no|little)\s+(?:trouble|difficulty|difficulties|problems?|issues?)\s+(?:with|in"
        rf"|understanding|solving|learning)\s+{_X}"),
    _rule(WEAK, rf"{_HAS}(?:(?:an?|some|much|a\s+lot\s+of|great|constant)\s+)?(?:trouble|difficulty|difficulties"
        rf"|problems?|a\s+hard\s+time|issues?)\s+(?:with|in|understanding|solving|learning|remembering|doing)\s+{_X}"),
    _rule(WEAK, rf"{_BE}having\s+(?:trouble|difficulty|difficulties|problems|a\s+hard\s+time)\s+(?:with|in"
        rf"|understanding|solving|learning)\s+{_X}"),
    _rule(WEAK, rf"(?:makes?|made|keeps?\s+making)\s+(?:\w+\s+){{0,2}}(?:mistakes?|errors?)\s+(?:in|with|on"
        rf"|when)\s+{_X}"),
    _rule(WEAK, rf"(?:keeps?\s+getting|gets?|got)\s+{_UP}\s+wrong\b"),
    _rule(WEAK, rf"(?:needs?|wants?|asked\s+for|would\s+like)\s+(?:(?:more|extra|some)\s+)?(?:help|practice|support"
        rf"|revision|to\s+(?:work|practi[cs]e))\s+(?:with|in|on|for|understanding|solving)\s+(?!the\s+exam|(?:his"
        rf"|her|their)\s+exam){_X}"),
    _rule(WEAK, rf"(?:needs?|wants?)\s+to\s+(?:improve|get\s+better|strengthen|catch\s+up)\s+(?:(?:in|at|on"
        rf"|with)\s+)?{_X}"),
    _rule(WEAK, rf"(?:has\s+)?failed\s+(?:(?:in|at)\s+)?(?:(?:the|a|his|her|their)\s+)?{_UP}(?:\s+(?:test|exam|quiz"
        rf"|paper))?$", STUDIED),
    _rule(STRONG, rf"(?:has\s+)?(?:mastered|aced|excels?\s+(?:in|at)|excelled\s+(?:in|at)|understood)\s+{_X}", GAP),
    _rule(STRONG, rf"can\s+(?:solve|explain|prove|derive)\s+{_X}", WEAK),
    _rule(GAP, rf"{_BE}confused\s+(?:about|by|with|between|over)\s+{_X}"),
    _rule(GAP, rf"(?:keeps?\s+)?(?:misunderstands?|misunderstood|misunderstanding|forgets?|forgot"
        rf"|forgetting)\s+(?!to\b){_X}"),
    _rule(GAP, rf"{_HAS}(?:a\s+|some\s+)?(?:(?:concept(?:ual)?|knowledge)\s+)?(?:gaps?|misconceptions?"
        rf"|misunderstandings?)\s+(?:in|about|with|on|around|of)\s+{_X}"),
    _rule(GAP, rf"(?:has\s+)?missed\s+(?:the\s+)?(?:lessons?|class(?:es)?|chapters?)\s+(?:on|about|of)\s+{_X}"),
    _rule(STRONG, rf"(?:understands?|gets?\s+the\s+idea\s+of|grasps?)\s+(?:(?:how|why|what"
        rf"|when)\s+(?:to\s+\w+\s+)?)?(?!best|better|more|the\s+assistant){_X}", GAP),
    _rule(STRONG, rf"can\s+(?:understand|grasp|follow)\s+{_X}", GAP),
    _rule(STUDIED, rf"(?:(?:is|be|has|have)\s+)?(?:been\s+)?(?:learn(?:ing|ed|t)|study(?:ing)?|studied|revis(?:ing"
        rf"|ed|es?)|practi[sc](?:ing|ed|es?)|review(?:ing|ed|s)?|working\s+on|finish(?:ed|ing)|complet(?:ed|ing)"
        rf"|cover(?:ed|ing)|start(?:ed|ing)\s+(?:with\s+)?|going\s+(?:over|through))\s+(?!for\b|in\b|at\b|with\b"
        rf"|to\b|from\b|by\b){_X}"),
    _rule(WEAK, rf"(?:\w+\s+)?{_BAD}\s+{_AREA}\s+(?:is|are|includes?)\s+{_X}"),
    _rule(STRONG, rf"(?:\w+\s+)?{_FINE}\s+{_AREA}\s+(?:is|are|includes?)\s+{_X}"),
    _rule(WEAK, rf"weakness(?:es)?\s+(?:is|are|includes?)\s+{_X}"),
    _rule(STRONG, rf"strengths?\s+(?:is|are|includes?)\s+{_X}"),
    _rule(GAP, rf"(?:concept(?:ual)?\s+)?gaps?\s+(?:is|are|includes?)\s+{_X}"),
    _rule(WEAK, rf"{_UP}\s+(?:is|are)\s+(?:the\s+)?(?:user|student|learner)'s\s+{_BAD}\s+{_AREA}\b"),
    _rule(STRONG, rf"{_UP}\s+(?:is|are)\s+(?:the\s+)?(?:user|student|learner)'s\s+{_FINE}\s+{_AREA}\b"),
)  # fmt: skip
_DENIED = re.compile(
    r"(?:know|understand|get|remember|grasp|see)s?\s+(?:(?:how|why|what|when|where)\s+)?(?P<x>.+)", re.IGNORECASE
)
_MIXED = re.compile(
    r"(?:keeps?\s+)?(?:confus(?:es?|ing)|mix(?:es|ing)?(?:\s+up)?)\s+(?P<a>.+?)\s+(?:with|and"
    r"|for)\s+(?P<b>.+?)(?:\s+up)?$",
    re.IGNORECASE,
)
_SCORE = re.compile(
    r"(?:has\s+)?(?:scored|scores|got|gets|received|achieved)\s+(?P<n>\d{1,3}(?:\.\d+)?)\s*"
    r"(?:(?P<percent>%|per\s?cent)|(?:/|\s*out\s+of\s+)\s*(?P<of>\d{1,4}))\s+(?:in|on|for)\s+(?P<x>.+)",
    re.IGNORECASE,
)
_TEST = re.compile(r"\s+(?:tests?|exams?|quiz(?:zes)?|papers?|assignments?|homework|class)$", re.IGNORECASE)
_LANGUAGE_USE = re.compile(r"^(?:best|better|more|well)\b", re.IGNORECASE)


def standings(clause: Clause) -> list[Standing]:
    """What the clause says of topics: by the first rule that fits, [] where none does."""
    for read in _READERS:
        found = list(read(clause))
        if found:
            return found
    return []


def _scored(clause: Clause) -> Iterator[Standing]:
    match = _SCORE.match(clause.text)
    if match and not clause.is_negated:
        share = float(match["n"]) / float(match["of"] or 100)
        state = STRONG if share >= _GOOD_SHARE else WEAK if share < _BAD_SHARE else STUDIED
        yield from _each(match["x"], state)


def _mixed_up(clause: Clause) -> Iterator[Standing]:
    match = _MIXED.match(clause.text)
    if match:
        topic = f"{things.clean(match['a'])} and {things.clean(match['b'])}"
        if things.is_thing(topic):
            yield Standing(topic, STUDIED if clause.is_negated else GAP)


def _unknown(clause: Clause) -> Iterator[Standing]:
    match = _DENIED.match(clause.text) if clause.is_negated else None
    if match:
        yield from _each(match["x"], GAP)


def _ruled(clause: Clause) -> Iterator[Standing]:
    for pattern, state, contrary in _RULES:
        match = pattern.match(clause.text)
        if match:
            told = contrary if clause.is_negated else state
            if told:
                yield from _each(match["x"], told)
            return


def _each(phrase: str, state: str) -> Iterator[Standing]:
    if _LANGUAGE_USE.match(phrase):
        return
    for topic in things.of(phrase):
        topic = _TEST.sub("", topic)
        if things.is_thing(topic):
            yield Standing(topic, state)


_READERS: tuple[Callable[[Clause], Iterator[Standing]], ...] = (_scored, _mixed_up, _unknown, _ruled)
