"""Which kind of thing a question asks for, and whether a text holds one: a number of bells, a price, a day, a person.

Only from words and marks, so it errs towards no kind at all: an answer that is worded otherwise must not count against
a passage. Pure. The summary prefers a statement with the kind asked for; coverage takes its absence as a sign.
"""

import re
from collections.abc import Set
from dataclasses import dataclass

from memories import words

_COUNTING = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|both|none"
)
_NUMBER = rf"(?:\d[\d.,]*|\b(?:{_COUNTING})(?:-(?:{_COUNTING}))?\b|\b(?:no|once|twice)\b)"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_SPAN = rf"{_NUMBER}[- ]+(?:\w+ ){{0,2}}(?:second|minute|hour|day|week|month|year|night|period)s?\b"
_DURATION = rf"{_SPAN}|\b(?:for ever|never|at once|immediately|within|until)\b"
_WHEN = (
    rf"\b(?:19|20)\d\d\b|\b\d{{1,2}}:\d\d\b|\b(?:{_MONTHS}|{_DAYS}|spring|summer|autumn|winter|noon|midnight)\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b\d+ ?[ap]\.?m\b"
    rf"|\b(?:after|before|within|until|every) (?:\w+ ){{0,3}}(?:days?|weeks?|months?|years?|hours?|minutes?)\b|{_SPAN}"
)
_MONEY = (
    r"[$€£¥]\s?\d|\d[\d,.]*\s*(?:thousand |million )?(?:pounds?|euros?|dollars?|cents?|pence|francs?|usd|eur|gbp|chf)\b"
    r"|\bfree\b|\d\s*(?:%|per ?cent)|\b(?:price|cost|fee|thousands)\b.*\d"
)
_NAME = (
    r"(?:^|[\s(|:;,.>])(?!(?:The|A|An|In|On|At|If|We|You|It|Each|Every|When|Where|This|Our|Your) )"
    r"[A-Z][\w’'.-]+ (?:(?:[A-Z]\.|de|von|van|of) )?[A-Z][\w’'-]+"
)
_ROLE = (
    r"\b(?:[Tt]eam|[Dd]irector|[Mm]anager|[Ss]upervisor|[Ll]eads?|[Oo]fficer|[Cc]ommittee|[Bb]oard|[Hh]ead|[Aa]dmins?"
    r"|[Ss]taff|[Oo]ffice|[Dd]esk|[Cc]aptain|[Ll]eadership|[Cc]hair)\b"
)
_HOW_MANY = re.compile(r"\bhow many ((?:[\w-]+ ){0,2}[\w-]+)", re.I)
# The first that a question matches is the one it asks for.
_ASKED = [
    (re.compile(asked, re.I), re.compile(held, flags))
    for asked, held, flags in (
        (r"\b(?:what|which) (?:percentage|percent|share|proportion)\b", r"\d\s*(?:%|per ?cent)", re.I),
        (r"\bhow (?:long|soon|quickly)\b|\bdelivery time\b", _DURATION, re.I),
        (
            r"^(?!who|why|how do|how can).*\b(?:how much|price|salary|fees?|wage|fine|penalty|earns?|rent|costs?)\b",
            rf"{_MONEY}|{_NUMBER}",
            re.I,
        ),
        (r"^(?:\w+ ){0,2}(?:when|what time|(?:which|what) (?:day|year|date)|until when)\b", _WHEN, re.I),
        (r"\b(?:who|whom|whose)\b", f"{_NAME}|{_ROLE}", 0),
        (
            r"\bhow (?:old|big|large|high|heavy|wide|tall|warm|deep|often|far|fast)\b|\b(?:maximum|minimum|average)\b",
            rf"{_NUMBER}|\b(?:daily|weekly|monthly|yearly|every)\b",
            re.I,
        ),
    )
]
# "64 complaints", "Twenty-two station clocks", and a cell of a table, "Clocks: 22".
_AFTER_NUMBER = re.compile(_NUMBER + r"((?:[- |*]+[^\W\d]\S*){1,4})", re.I)
_BEFORE_NUMBER = re.compile(r"([^\W\d][\w-]*)\W{1,4}" + _NUMBER, re.I)


@dataclass(frozen=True)
class Kind:
    """What is asked for. `counted`: the terms of what "how many" counts, one of which must stand beside a number."""

    held: re.Pattern[str] | None = None
    counted: Set[str] = frozenset()

    def is_in(self, text: str) -> bool:
        """Whether a text holds a thing of this kind."""
        if self.held is not None:
            return bool(self.held.search(text))
        beside = [found[1] for pattern in (_AFTER_NUMBER, _BEFORE_NUMBER) for found in pattern.finditer(text)]
        return any(not self.counted.isdisjoint(words.terms(part)) for part in beside)


def asked(question: str) -> Kind | None:
    """The kind of thing that a question asks for; None where nothing tells."""
    if counting := _HOW_MANY.search(question):
        counted = frozenset(words.content_terms(counting[1]))
        return Kind(counted=counted) if counted else None
    return next((Kind(held) for pattern, held in _ASKED if pattern.search(question)), None)
