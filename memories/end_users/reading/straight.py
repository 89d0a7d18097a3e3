"""Clauses put straight: "Knitting is my favourite hobby" says "my favourite hobby is knitting". Pure."""

import re

_INTRODUCED = re.compile(r"^I am ((?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?[A-ZÀ-ÖØ-Þ][\w'’-]+(?: [A-ZÀ-ÖØ-Þ][\w'’-]+)?)$")
_AGED = re.compile(r"^I am (?:already |now |just |only |almost |nearly )*(?:[1-9]\d|1[01]\d)$")
# What a person is, not what they are called: German, Muslim, Capricorn.
_PEOPLE = re.compile(
    r"(?:ian|ean|can|ish|ese|ench|utch|eek|wiss|erman|man|zech|hai|aqi|aeli|ani|ailian|uslim|ewish|indu|ikh|atholic"
    r"|hristian|uddhist|rotestant|rthodox|theist|gnostic|Scots|Scot|Dane|Swede|Finn|Pole|Turk|Kurd"
    r"|Serb|Croat|Filipin[oa]"
    r"|Latin[oa]|Black|White|Asian|Hispanic|Capricorn|Aries|Leo|Virgo|Libra|Taurus|Gemini|Pisces|OK|Ok)$"
)
_WRONGLY = re.compile(
    r"^you (?:got|have|had|spelled|wrote|misspelled) (?P<mine>my [\w -]{2,30}?)(?: wrong)?,? (?:it"
    r"|that) is (?P<what>.+)$",
    re.IGNORECASE,
)
_FAVOURITE = re.compile(
    r"^(?P<what>[^,]{2,60}?) (?P<be>is|are) (?P<mine>my (?:all-time )?(?:favou?rite|preferred|go-to"
    r"|ideal) [\w -]{2,40})$"
)
_IS_WHAT = re.compile(
    r"^(?P<what>[^,]{2,60}?) (?:is|are) (?P<kind>what|where|who|how) I (?P<verb>[\w -]{2,40})$", re.IGNORECASE
)
_WHAT_IS = re.compile(
    r"^(?:what|all) (?:that )?I (?P<verb>(?:really |only |actually |always |just )*(?:want|need|like"
    r"|love|hate|prefer|enjoy|dislike|miss))(?: most| best| more than anything)? is (?P<what>.+)$",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(
    r"^(?:it|today|tomorrow) is (?P<mine>my (?:[\w-]+ ){0,2}(?:birthday|anniversary|wedding)(?: day)?)"
    r" ?(?P<day>today|tomorrow)?$",
    re.IGNORECASE,
)


def put(clause: str) -> str:
    """The clause in its plain order; one that is so already comes back as it is."""
    if _AGED.match(clause):
        return f"{clause} years old"
    if (found := _INTRODUCED.match(clause)) and not _PEOPLE.search(found[1]) and not found[1].isupper():
        return f"my name is {found[1]}"
    if found := _WRONGLY.match(clause):
        return f"{found['mine']} is {found['what']}"
    if found := _FAVOURITE.match(clause):
        return f"{found['mine']} {found['be']} {small(found['what'])}"
    if found := _WHAT_IS.match(clause):
        return f"I {found['verb']} {found['what']}"
    if found := _IS_WHAT.match(clause):
        return _about(found)
    if found := _BIRTHDAY.match(clause):
        day = found["day"] or ("" if clause.casefold().startswith("it ") else clause.split()[0].casefold())
        return f"{found['mine']} is {day}" if day else clause
    return clause


def _about(found: re.Match[str]) -> str:
    """ "Berlin is where I live" -> "I live in Berlin"; "Sushi is what I love most" -> "I love sushi most"."""
    verb, what = found["verb"], small(found["what"])
    if found["kind"].casefold() == "where":
        return f"I {verb} in {what}"
    head, _, tail = verb.partition(" ")
    return f"I {head} {what} {tail}".strip()


def small(text: str) -> str:
    """A common word that stood at a sentence's start, without its capital; a name keeps it."""
    head, _, tail = text.partition(" ")
    is_common = head[1:].islower() and (head.endswith("ing") or head.casefold() in _COMMON)
    return f"{head.lower()} {tail}".strip() if is_common else text


_COMMON = frozenset(
    """red blue green yellow black white orange purple pink brown grey gray coffee tea milk water beer wine sushi
    pizza pasta guitar piano chess football soccer tennis music jazz rock classical books reading spring summer
    autumn winter cats dogs the a an my peanuts nuts early late vegetarian vegan none both dark light short long
    metric morning mornings evenings weekends remote gluten-free tabs spaces""".split()  # noqa: SIM905
)
