"""One breath, several matters: "a 34-year-old nurse living in Berlin" tells an age, a trade and a home. Pure.

Each gets a clause of its own, so that a later one takes the place of just what it contradicts. A place alone ("a nurse
in Lyon") stays: it may be where one works or where one lives.
"""

import re

from memories.end_users.reading import verbs

_AGED = re.compile(r"^I am (?P<article>an?|the) (?P<age>[1-9]\d|1[01]\d)[- ]years?[- ]old (?P<what>.+)$", re.IGNORECASE)
_TRADE = r"(?P<what>(?:an? |the )[^,]{2,60}?)"
_AND_PLACE = re.compile(
    rf"^I am {_TRADE},? (?:and )?(?:currently |now |originally |who is )*"
    r"(?P<how>living|based|located|residing|working|studying|from|born) (?P<where>.+)$"
)
_AND_FIRM = re.compile(rf"^I am {_TRADE} (?:at|for) (?P<firm>[A-Z0-9][\w&.'’-]*(?: [A-Z&][\w&.'’-]*)*)(?P<rest>.*)$")
_WHO = re.compile(rf"^I am {_TRADE},? who (?:also |really |currently )*(?P<verb>[a-z]+) (?P<rest>.+)$")
# At these one does not work: "a student at MIT".
_NO_TRADE = re.compile(
    r"\b(?:student|pupil|senior|junior|sophomore|freshman|patient|guest|member|fan|customer|regular"
    r"|visitor|subscriber"
    r"|user|undergraduate|postgraduate|resident|trainee|volunteer)s?\b",
    re.IGNORECASE,
)
_DONE = {"living": "live", "residing": "live", "working": "work", "studying": "study"}
_AN = re.compile(r"^[aeiou](?!ni|se|ro)", re.IGNORECASE)


def apart(clause: str) -> list[str]:
    """The clauses that one tells; one that tells a single matter comes back alone."""
    if found := _AGED.match(clause):
        article = "an" if _AN.match(found["what"]) else "a"
        return [f"I am {found['age']} years old", *apart(f"I am {article} {found['what']}")]
    if (found := _WHO.match(clause)) and (base := verbs.base(found["verb"])):
        return [*apart(f"I am {found['what']}"), f"I {base} {found['rest']}"]
    if found := _AND_PLACE.match(clause):
        done = _DONE.get(found["how"])
        said = f"I {done} {found['where']}" if done else f"I am {found['how']} {found['where']}"
        return [*apart(f"I am {found['what']}"), said]
    if (found := _AND_FIRM.match(clause)) and not _NO_TRADE.search(found["what"]):
        return [f"I am {found['what']}", f"I work at {found['firm']}{found['rest']}"]
    return [clause]
