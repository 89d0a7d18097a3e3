"""Whether a statement says that something is so, or that it is not; and what it would say without the "not". Pure.

"User no longer eats meat" and "User eats meat" are about one matter: taken apart, both say "eats meat", one negated.
English only; a statement in another language is taken as affirmed.
"""

import re
import unicodedata
from typing import NamedTuple

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_SHORTENED = {
    r"\bcan't\b": "can not",
    r"\bcannot\b": "can not",
    r"\bwon't\b": "will not",
    r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should)n't\b": r"\1 not",
    r"\bwould (?:like|love|prefer)\b": "wants",
    r"\b(?:(?:has|had) )?(?:started|begun|began) (?:to (?=\w)|(?=(?!working\b)\w+ing\b))": "",
    r"^(I)'m\b": r"\1 am",
    r"^(I|they|we)'ve\b": r"\1 have",
}
_ADVERBS = re.compile(
    r"\b(?:now|currently|still|actually|just|recently|already|also|really|officially|finally|presently|nowadays"
    r"|these days|at the moment|at present|right now|for now|by now|as of (?:now|today)|today)\b(?:,\s*)?",
    re.IGNORECASE,
)
_LATELY = re.compile(r"\s*\b(?:any ?more|any longer)\b", re.IGNORECASE)
#: Each way to say no, with what stands in its place in the affirmed sentence; the first that is found counts.
_NEGATIONS = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (
            r"\b(?:was fired from|was laid off (?:by|from)|resigned from|(?:left|quit) (?:the|his|her|their|a) "
            r"job (?:at|with))\b",
            "works at",
        ),
        (r"\b(is|are|am|was|has|can|will) (?:not|no longer|never)\b", r"\1"),
        (r"\b(?:no longer|never|(?:do|does|did) not(?: ever)?|refuses to|will not|avoids|has never)\b\s*", ""),
        (r"\b(?:has )?(?:stopped|quit|given up|gave up|cut out|went off|has gone off)\b\s*", ""),
        (r"\bused to\b\s*", ""),
        (r"\b(?:dislikes?|hates?|detests?|loathes?|can stand|is averse to)\b", "likes"),
        (r"\b(?:has|have|owns?) no\b", "has a"),
        (r"\b([a-z]+s) no (?=\w)", r"\1 "),
        (r"\bmoved (?:away from|out of)\b", "lives in"),
        (r"\b(?:has )?cancell?ed (?:the|his|her|their) (?:\w+ )?(?=subscription|plan|membership)", "has the any "),
        (r"\bprefers? not to\b", "wants to"),
    )
)
_PAST = re.compile(
    r"\b(?:used to|formerly|previously|in the past|until (?:19|20)\d\d|from (?:19|20)\d\d to (?:19|20)\d\d|years ago"
    r"|as a (?:child|kid|teenager)|back then|once (?:lived|worked|had)|(?<!was )(?<!is )(?:lived|worked|resided))\b",
    re.IGNORECASE,
)


class Polarity(NamedTuple):
    """affirmed: the statement without its negation and without words like "now" and "still"."""

    affirmed: str
    is_negated: bool
    is_past: bool


def plain(content: str) -> str:
    """In one Unicode form, on one line, with straight quotes and long forms ("does not"), without a closing mark."""
    text = " ".join(unicodedata.normalize("NFKC", content).translate(_QUOTES).split())
    for short, long in _SHORTENED.items():
        text = re.sub(short, long, text, flags=re.IGNORECASE)
    return text.rstrip(".!?;:, ")


def of(content: str) -> Polarity:
    """Taken apart. Double negation ("does not dislike") comes out as affirmed."""
    text = plain(content)
    is_past = bool(_PAST.search(text))
    text = _LATELY.sub("", _ADVERBS.sub("", text))
    times = 0
    for pattern, instead in _NEGATIONS:
        text, found = pattern.subn(instead, text, count=1)
        times += found
    return Polarity(" ".join(text.split()).strip(" ,"), times % 2 == 1, is_past)
