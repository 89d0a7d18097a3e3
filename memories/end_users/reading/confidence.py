"""How sure a statement is: what is plainly said, what is hedged, what is only a thought. Pure.

Source: contract end_users: 0.65 and above is kept, 0.45 to 0.64 waits until it is said a second time, less is dropped.
"""

import re

PLAIN = 0.9
FROM_ANSWER = 0.85
AGREED = 0.8
UNSURE = 0.55
LEAST = 0.45
KEPT = 0.65

_HEDGE = re.compile(
    r"\b(?:I (?:think|guess|believe(?! in)|suppose|feel like|assume|suspect|doubt)|I am (?:thinking (?:of"
    r"|about)|considering|not (?:sure|certain)|toying with|tempted|wondering)|maybe|perhaps|possibly"
    r"|probably|"
    r"might|may(?! (?:\d|be reached|first|1))|could be|not sure (?:if|whether)|kind of want|sort of"
    r" want|one day|some ?day|at some point|in theory|as far as I know|if I remember|I am fairly sure"
    r"|apparently|"
    r"thinking (?:of|about)|considering|I seem to|it seems)\b",
)
_TWICE = re.compile(r"\b(?:no idea|who knows|not sure at all|I don't know)\b", re.IGNORECASE)
_SURE = re.compile(r"\b(?:definitely|certainly|for sure|absolutely|always|never)\b", re.IGNORECASE)


def of(clause: str) -> float:
    """0 to 1, of a clause in the first person; each further hedge makes it less sure."""
    hedges = len(_HEDGE.findall(clause))
    if _TWICE.search(clause):
        hedges += 2
    if not hedges:
        return PLAIN + (0.05 if _SURE.search(clause) else 0.0)
    return max(0.0, UNSURE - 0.05 * (hedges - 1))
