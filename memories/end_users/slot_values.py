"""What stands in a slot, in one form: "now Lisbon, Portugal" and "Lisbon, Portugal" are one value. Pure."""

import re

from memories import words

LONGEST = 200
_NUMBERS = dict(
    zip(
        [
            "no",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        range(21),
        strict=False,
    )
) | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_MONTH = "|".join(sorted((*_MONTHS, *(month[:3] for month in _MONTHS), "sept"), key=len, reverse=True))
_DATES = (
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<name>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}}))?"),
    re.compile(rf"\b(?P<name>{_MONTH})\b\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?\b"),
)
_DATED = re.compile(
    rf"^(?:19|20)\d\d$|\b(?:\d{{2}}-\d{{2}}|(?<=in )(?:19|20)\d\d|{'|'.join(_MONTHS[:4] + _MONTHS[5:])}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next)\b"
)
# A value ends where the sentence goes on to say something else. A name goes on with a capital: "Johnson and Johnson".
_END = re.compile(
    r"\s*(?:[;(–—]|(?<!\d):|\s-\s|,(?=\s*[a-z])|\b(?:and|or)(?=\s+[a-z])|\b(?i:but|since|because|where|which"
    r"|who|while|until|after"
    r"|before|when|if|instead|yesterday|today|tonight|tomorrow|originally|recently|lately|(?:\w+ )?(?:days?"
    r"|weeks?|months?|years?) ago|due to|though|near|close to|together with|along with|rather than|every|each"
    r"|on weekdays"
    r"|for (?:work|now|the|a|an|his|her|their|\d|many|two|three|several|some)|with (?:his|her|their|a|an|two"
    r"|three|\d)"
    r"|as (?:a|an|the|his|her|their)|from (?:now|next)|(?:in|last|next|this) (?:year|month|week|spring|summer|autumn"
    r"|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}))\b)"
    r".*$",
    re.DOTALL,
)
_ARTICLE = re.compile(
    r"^(?:(?:a|an|the|his|her|their|my|its|about|around|roughly|approximately|only|exactly|to|in|at|on)\s+)+"
)


_RECKONED = re.compile(r"\((\d{4}-\d\d(?:-\d\d)?)\)")


def reckoned(text: str) -> str:
    """The day that stands in brackets behind one that was told relatively: "next Friday (2026-12-04)"; else empty."""
    found = _RECKONED.search(text)
    return found[1] if found else ""


def cut(text: str) -> str:
    """The value alone, without what the sentence goes on with. "Johnson and Johnson" stays whole."""
    kept = _END.sub("", text.strip())
    return kept.strip(" ,'\"")


def normal(text: str) -> str:
    """Folded, without articles, numbers as digits, dates as year-month-day; at most LONGEST characters."""
    value = dates(words.fold(text)).strip(" .,!?'\"")
    value = _ARTICLE.sub("", value)
    return " ".join(digits(value).replace(",", " ").split())[:LONGEST]


def dates(text: str) -> str:
    """Every date of a folded text as year-month-day, or month-day where no year is said."""
    for pattern in _DATES:
        text = pattern.sub(_date, text)
    return text


def _date(found: re.Match[str]) -> str:
    parts = found.groupdict()
    month = _month(parts["name"]) if parts.get("name") else int(parts["month"])
    day = f"{month:02}-{int(parts['day']):02}"
    return f"{parts['year']}-{day}" if parts["year"] else day


def _month(name: str) -> int:
    return next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def has_date(value: str) -> bool:
    """Whether a normal value holds a date, a year, a weekday or a month."""
    return bool(_DATED.search(value))


def digits(text: str) -> str:
    """Numbers in words as digits ("two" as 2, "50k" as 50000), without commas within, of a folded text."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"\b(\d{1,3}(?:\.\d+)?)\s?k\b", lambda found: f"{float(found[1]) * 1000:g}", text)
    return re.sub(rf"\b(?:{'|'.join(_NUMBERS)})\b", lambda found: str(_NUMBERS[found[0]]), text)


def numbers(value: str) -> list[str]:
    """The numbers of a normal value, in order."""
    return re.findall(r"\d+(?:[.:]\d+)?", value)


def phone(text: str) -> str:
    """The digits of a telephone number, with a leading plus where there is one; empty if there are too few."""
    found = re.search(r"\+?\d[\d\s()./-]{5,}\d", text)
    kept = re.sub(r"[^\d+]", "", found[0]) if found else ""
    return kept if len(kept.lstrip("+")) >= 7 else ""


def address(text: str) -> str:
    """The mail address in a text, in lower case; empty if there is none."""
    found = re.search(r"[^\s@<>\"',;]+@[^\s@<>\"',;]+\.[^\W\d_]{2,}", text)
    return found[0].casefold() if found else ""
