"""The question that an end user is asked about two memories that do not fit together. Pure."""

import re

_IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
_SAME = frozenset("can will would could should may might must no not never lived worked used".split())  # noqa: SIM905

_SAID = re.compile(
    r"(?:the )?user (?P<adverb>(?:no longer|now|currently|also|still|never|really|usually|often|only|just) )?"
    r"(?P<verb>\S+)(?P<rest>.*)$",
    re.IGNORECASE,
)


def question(old: str, new: str) -> str:
    """ "Which is right: you live in Berlin, or you live in Lisbon? Or do both hold?" """
    one, other = second_person(old), second_person(new)
    if one and other:
        return f"I want to be sure that I have it right. Is it that {one}, or that {other}? Or are both true?"
    return f"I have two notes that may not fit together: “{old}” and “{new}” Which one is right, or are both true?"


def second_person(content: str) -> str:
    """ "User lives in Berlin." as "you live in Berlin"; empty where the statement has another form."""
    text = " ".join(content.split()).rstrip(".!;, ")
    if owned := re.match(r"(?:the )?user['’]s (.+)$", text, re.IGNORECASE):
        return f"your {owned[1]}"
    said = _SAID.match(text)
    if said is None:
        return ""
    rest = re.sub(r"\b(?:his|her|their)\b", "your", said["rest"])
    return f"you {said['adverb'] or ''}{_verb(said['verb'])}{rest}"


def _verb(verb: str) -> str:
    """The form that goes with "you": "lives" as "live", "studies" as "study", "watches" as "watch"."""
    lower = verb.lower()
    negated = re.match(r"(is|has|was|does)n['’]t$", lower)
    if negated:
        return f"{_IRREGULAR[negated[1]]}n't"
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower in _SAME or not lower.endswith("s") or lower.endswith("ss"):
        return verb
    if lower.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:ch|sh|ss|x|zz)es$", lower) else verb[:-1]
