"""Open questions, and the clause in the user's person that a short answer makes of each: "Where do you live?". Pure."""

import re

from memories.end_users.reading import straight
from memories.end_users.reading.persons import own

_TIME = re.compile(r"^(?:on|in|at|every|next|last|tomorrow|today|yesterday|around|about)\b", re.IGNORECASE)


def _thing(found: re.Match[str], value: str) -> str:
    verb = {"'s": "is"}.get(found["be"], found["be"])
    if found["what"] == "name":
        value = value[:1].upper() + value[1:] if value.islower() else value
    return f"my {own(found['what'])} {verb} {straight.small(value)}"


def _age(found: re.Match[str], value: str) -> str:
    number = re.search(r"\d{1,3}|[a-z]+(?:-[a-z]+)?", value.casefold())
    return f"I am {number[0]} years old" if number else ""


def _how_many(found: re.Match[str], value: str) -> str:
    what, verb = found["what"], found["verb"]
    number = re.match(
        r"(?:about |around |at least |over |roughly |just |only )?(?:\d[\d.,]*|[a-z]+)", value, re.IGNORECASE
    )
    if not number:
        return ""
    value = value if value.split()[0].isupper() else value[:1].lower() + value[1:]
    if named := re.match(r"[:,(]\s*(.+?)\)?$", value[number.end() :].strip()):
        return f"I {verb} {number[0].lower()} {what}: {named[1]}"
    return f"I {verb} {value}" if len(value.split()) > 2 else f"I {verb} {value} {what}"


def _where(found: re.Match[str], value: str) -> str:
    verb = found["verb"].strip()
    lead = "I am" if verb in ("from", "based", "located", "living", "staying") else "I"
    if verb.endswith("from"):
        return f"{lead} {verb} {re.sub(r'^(?:from|in) ', '', value)}"
    if re.match(r"(?:in|at|on|near|from|outside|around|by)\b", value):
        return f"{lead} {verb} {value}"
    return f"{lead} {verb} {'at' if verb == 'staying' or (verb == 'work' and _is_firm(value)) else 'in'} {value}"


def _plan(found: re.Match[str], value: str) -> str:
    what = found["what"]
    value = re.sub(r"^(?:the|on the) ", "", value)
    return f"I am on the {value}" + ("" if what.split()[-1].casefold() in value.casefold() else f" {what}")


def _within(found: re.Match[str], value: str) -> str:
    value = re.sub(r"^(?:in|at) ", "", value)
    return f"I {'work in' if found['what'].casefold() in ('industry', 'field', 'department') else 'am in'} {value}"


def _given(found: re.Match[str], value: str) -> str:
    return f"my {found['what'] or found['other']} is {re.sub(r'^(?:called|named) ', '', value)}"


def _is_firm(value: str) -> bool:
    return bool(
        re.search(r"\b(?:Inc|Ltd|GmbH|Corp|LLC|Bank|University|Hospital|School|Labs?|Group|Company|AG|the)\b", value)
    )


def _living(found: re.Match[str], value: str) -> str:
    if re.match(r"(?:an?|the) ", value):
        return f"I am {value}"
    if re.match(r"(?:in|at|for|as|with)\b", value):
        return f"I work {value}"
    article = "an" if value[:1].casefold() in "aeiou" else "a"
    return (
        f"I work as {article} {value[:1].lower() + value[1:]}"
        if not value.split()[0].endswith("ing")
        else f"I work in {value[:1].lower() + value[1:]}"
    )


def _which(found: re.Match[str], value: str) -> str:
    verb, what = found["verb"], found["what"]
    if found["rest"] and re.match(r"(?:best|most|usually|mainly|currently|right now)\b", found["rest"].strip()):
        return f"I {verb} {value}"
    if verb in ("use", "have") and what:
        noun = re.sub(r"^(?:kind|type|sort|brand|make) of ", "", what)
        return (
            f"I {verb} {value} as my {noun}"
            if verb == "use" and noun != "operating systems" and not noun.endswith("s")
            else f"I {verb} {value}"
        )
    return _with(verb, value, found["rest"])


def _back(rest: str) -> str:
    rest = (rest or "").strip()
    return f" {own(rest)}" if rest and not re.match(r"(?:usually|mainly|most|best)\b", rest) else ""


def _be_what(found: re.Match[str], value: str) -> str:
    value = re.sub(rf"^(?:{re.escape(found['prep'])}) ", "", value) if found["prep"] else value
    return f"I am {found['what']}{' ' + found['prep'] if found['prep'] else ''} {value}"


def _do_what(found: re.Match[str], value: str) -> str:
    """ "What do you do in your free time?" names no verb that can be said again."""
    if found["verb"] == "do":
        rest = own((found["rest"] or "").strip())
        return f"{rest[:1].upper()}{rest[1:]}, I do {value}" if rest else ""
    return _with(found["verb"], value, found["rest"])


def _with(verb: str, value: str, rest: str | None) -> str:
    """A preposition that was left at the question's end stands before the answer: "listen to jazz"."""
    rest = (rest or "").strip()
    if re.fullmatch(r"(?:to|in|on|at|with|for|from|about|of|as)", rest):
        return f"I {verb} {rest} {re.sub(rf'^{rest} ', '', value)}"
    return f"I {verb} {straight.small(value)}{_back(rest)}"


_WHAT = r"(?:what|which)"
_QUESTIONS = tuple(
    (re.compile(pattern, re.IGNORECASE), build)
    for pattern, build in (
        (
            rf"{_WHAT} (?:should|may|can|shall) I call you|how (?:should|may) I (?:call|address) you|{_WHAT} do"
            rf" you (?:like|want|prefer) to be called",
            lambda found, value: f"call me {value}",
        ),
        (
            r"(?:and |what about |how about |what (?:is|are) )?your (?P<what>[a-z][\w -]+)$",
            lambda found, value: f"my {found['what']} is {value}",
        ),
        (r"how old are you|what (?:is|are) your age", _age),
        (
            r"(?:what|how) do you do(?: for a living| for work| professionally)?$|what is your (?:job"
            r"|profession|occupation)$",
            _living,
        ),
        (
            rf"(?:{_WHAT}|who|when|where|how (?:tall|big|old|large|much|long)) (?P<be>is|are|was|were) your"
            rf" (?P<what>.+)$",
            _thing,
        ),
        (r"how many (?P<what>[\w -]+?) do you (?P<verb>have|own|speak|use|run|work|drink|need)\b.*$", _how_many),
        (
            r"(?:in )?(?:where|which city|what city|which country|what country|which town)(?: exactly)?(?: do"
            r" you| are you) (?P<verb>live|work|study|come from|from|based|located|living|staying|grow up|go to"
            r" school)(?: in)?(?: now| at the moment| these days| currently)?$",
            _where,
        ),
        (
            rf"(?:on )?{_WHAT} (?P<what>(?:\w+ )?(?:plan|tier|team|version|subscription))(?: are you| do"
            rf" you)(?: on| use| have| in)*(?: on)?$",
            _plan,
        ),
        (
            r"(?:at )?what time do you (?:usually |normally )?(?P<verb>[\w ]+)$",
            lambda found, value: f"I usually {found['verb']} {value if _TIME.match(value) else 'at ' + value}",
        ),
        (
            rf"(?:in )?{_WHAT} (?P<what>grade|class|year|level|standard|school|university|department|industry"
            rf"|field|country|city|town|state|region)"
            r"(?: of school)? (?:are you|do you (?:live|work|study))(?: (?:in|at|currently|now))*$",
            _within,
        ),
        (
            r"(?:can|could|may) I (?:please )?(?:have|get|know|ask(?: for)?) your (?P<what>[\w -]+)|(?:can"
            r"|could|would) you (?:please )?(?:tell|give|share|provide|confirm|send)"
            r"(?: me| us)?(?: with)? your (?P<other>[\w -]+?)(?: with me| please)?$",
            _given,
        ),
        (
            r"what (?:would you like|do you (?:want|hope|plan)) to (?P<verb>\w+)(?P<rest> .*)?$",
            lambda found, value: f"I want to {found['verb']} {re.sub(r'^to (?:learn )?', '', straight.small(value))}",
        ),
        (
            rf"(?:in )?{_WHAT} (?P<what>(?!do|are|is)[\w -]+?) do you (?:usually |mainly |mostly |currently "
            rf"|normally )?(?P<verb>\w+)(?P<rest> .*)?$",
            _which,
        ),
        (rf"{_WHAT} are you (?P<what>[\w-]+)(?: (?P<prep>to|in|for|at|on|with|of|by|about|as))?$", _be_what),
        (
            rf"{_WHAT}(?: (?!are)[\w-]+){{0,3}} are you (?P<what>\w+ing)(?: (?P<prep>to|in|for|at|on|with|of|by"
            rf"|about|as|from))?(?: now| currently| at the moment)?$",
            _be_what,
        ),
        (
            rf"{_WHAT} do you (?:usually |mainly |mostly |currently |normally |prefer to"
            rf" )?(?P<verb>\w+)(?P<rest> .*)?$",
            _do_what,
        ),
        (
            r"who do you (?P<verb>work|live|report|travel)(?P<rest> (?:for|with|to))$",
            lambda found, value: f"I {found['verb']}{found['rest']} {re.sub(r'^(?:for|with|to) ', '', value)}",
        ),
        (
            r"when do you (?:usually |normally )?(?P<verb>[\w ]+)$",
            lambda found, value: f"I usually {found['verb']} {value if _TIME.match(value) else 'at ' + value}",
        ),
        (
            r"how long have you been (?P<verb>.+)$",
            lambda found, value: (
                f"I have been {own(found['verb'])} {value if re.match(r'(?:for|since)', value) else 'for ' + value}"
            ),
        ),
        (r"how often do you (?P<verb>.+)$", lambda found, value: f"I {own(found['verb'])} {value}"),
        (
            r"how do you (?P<verb>(?:like|take|prefer|get to|commute|travel)\b.*)$",
            lambda found, value: f"I {own(found['verb'])} {straight.small(value)}",
        ),
    )
)


def told(question: str, value: str) -> str:
    """The clause that `value` makes of the question, without its mark; empty where it is none that is known."""
    for pattern, build in _QUESTIONS:
        if found := pattern.match(question):
            return build(found, value)
    return ""
