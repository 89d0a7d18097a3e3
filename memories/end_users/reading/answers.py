"""What a short answer says with the question before it: "What's your favourite editor?" "Vim." Pure.

It comes out as a clause of the user's own: "my favourite editor is Vim".
"""

import re

from memories.end_users.reading import claims, contractions, open_questions, straight

MOST_WORDS = 12
_NO_ANSWER = re.compile(
    r"^(?:I do not know|I am not sure|no idea|not sure|dunno|idk|maybe|perhaps|hmm+|it depends|depends"
    r"|skip|pass|later|never ?mind|whatever|none of your|why|what|who|how|thanks?|thank you|ok(?:ay)?"
    r"|cool|great|nice|please|hello|hi|hey"
    r"|good|fine|sounds? good|go ahead|let us|I would rather not|no comment|good question|anything"
    r"|something|no thanks|not now|wait|stop|lol|haha)\b",
    re.IGNORECASE,
)
_FILLED = re.compile(
    r"^(?:(?:oh|ah|well|um+|uh|hmm+|so|mostly|mainly|probably|definitely|I guess|I think|I would say"
    r"|usually|currently|just|that would be|that is|it is|it's|they are|those are|actually|honestly"
    r"|easy|easily|hard to say,? but|for now)[,:! ]+)+",
    re.IGNORECASE,
)
_AND_MORE = re.compile(
    r"^(?!I\b|we\b|my\b)(?P<short>[^.;]{1,60}?),? (?:but|and|so|because|though|although) (?P<more>(?:I"
    r"|we|my|our|the)\b.+)$",
    re.IGNORECASE,
)
_HEDGED = re.compile(r"\b(?:probably|maybe|perhaps|I guess|I think|might)\b", re.IGNORECASE)
_DEGREE = re.compile(
    r"^(?:(?:just |only |not )?(?:a (?:little|bit|lot)|fluently|very well|(?:not )?(?:very|so|too)"
    r" (?:well|often|much)|sometimes|often|rarely|every (?:day|week|now and then)|daily|weekly"
    r"|occasionally|now and then|once in a while|badly|well))\b",
    re.IGNORECASE,
)
_DIET = re.compile(
    r"^[\w-]+[- ]free\b|^(?:vegan|vegetarian|pescatarian|halal|kosher|keto|lactose intolerant|coeliac"
    r"|celiac|diabetic|allergic)\b",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"\b(?:call|address) you\b|\b(?:have|get|know|ask(?: for)?|tell me|give me|share|provide|confirm"
    r"|send me|tell us|give us) your\b",
    re.IGNORECASE,
)
_ASKED_BEFORE = re.compile(
    r"^(?:.*[.!,:;] )?(?=(?:and |so |but )?(?:what|which|where|who|whom|when|how|do|are|have|can|is"
    r"|does|in which|on which|at which|for which)\b)",
    re.IGNORECASE,
)


def and_more(sentence: str) -> tuple[str, str]:
    """A short answer and what is said besides: "Perpignan, but we are moving to Girona"."""
    found = _AND_MORE.match(sentence)
    return (found["short"], found["more"]) if found else (sentence, "")


def answered(said: str, answer: str) -> tuple[str, bool]:
    """The clause that a short answer makes of the assistant's last question, and whether it is hedged; else empty."""
    asked = [one for one in claims.questions(said) if one.endswith("?")]
    answer = contractions.expanded(answer).strip()
    is_of_another = (
        bool(
            re.match(
                r"(?:(?:she|he|they) (?:is|are|has|was|will|does)|it (?:has|was|will|does)) (?!called|named)",
                answer,
                re.IGNORECASE,
            )
        )
        and bool(asked)
        and not re.search(r"\bname\b", asked[-1])
    )
    if is_of_another or not asked or not answer or len(answer.split()) > MOST_WORDS or answer.endswith("?"):
        return "", False
    question = claims.TAGGED.sub("", asked[-1]).rstrip("? ")
    if (claims.OF_ASSISTANT.search(question) and not _NAMING.search(question)) or _NO_ANSWER.match(answer):
        return "", False
    return _clause(question, answer), bool(_HEDGED.search(answer))


def _clause(question: str, answer: str) -> str:
    value = _value(answer)
    said_yes, is_choice = claims.yes_no(_last_part(question))
    if said_yes:
        return _to_yes_no(said_yes, answer, is_choice)
    if not value or re.match(r"(?:I|my|we)\b", value) or claims.is_denial(answer):
        return (
            _none_of(question)
            if claims.is_denial(answer) or re.fullmatch(r"(?:none|nothing|nobody|no one)", value, re.IGNORECASE)
            else ""
        )
    return open_questions.told(_last_part(question), value)


def _none_of(question: str) -> str:
    found = re.match(r"(?:what|which|how many) (?:[\w-]+ )?([\w-]+) do you (\w+)$", question, re.IGNORECASE)
    return f"I do not {found[2]} any {found[1]}" if found else ""


def _to_yes_no(said_yes: str, answer: str, is_choice: bool) -> str:
    rest = _value(claims.after(answer))
    if claims.is_denial(answer):
        if rest and (some := re.match(r"(I have) some\b", said_yes)) and rest.casefold() in said_yes.casefold():
            return f"{some[1]} no {rest}"
        is_own = bool(re.match(r"(?:(?:but|and) )?(?:I|we|my)\b", rest)) and not re.search(r"\bstill\b", said_yes)
        return claims.denied(said_yes) if not is_choice and (not rest or is_own) else ""
    if is_choice:
        chosen = rest or ""
        return _chosen(said_yes, chosen)
    if rest and _DEGREE.match(rest):
        return f"{said_yes} {rest[:1].lower()}{rest[1:]}".replace(" some ", " ")
    if claims.is_agreement(answer):
        return _elaborated(said_yes, rest) if rest else said_yes
    return _elaborated(said_yes, rest) if _fits(said_yes, rest) else ""


def _chosen(said_yes: str, chosen: str) -> str:
    """ "Do you prefer tea or coffee?" "Coffee": what was offered must be what was chosen."""
    at = said_yes.casefold().find(chosen.casefold())
    if not chosen or at < 0:
        return ""
    chosen = said_yes[at : at + len(chosen)]
    found = re.match(r"(I(?: am)? (?:\w+ (?:in|at|with|on|to) |\w+ )?)", said_yes)
    return f"{found[1]}{chosen}" if found else ""


def _fits(said_yes: str, rest: str) -> bool:
    return bool(rest) and bool(re.search(r"\bsome\b|\ba\b|\ban\b", said_yes)) and not re.match(r"(?:I|my|we)\b", rest)


def _elaborated(said_yes: str, rest: str) -> str:
    """ "Do you have any pets?" "Yes, two cats" -> "I have two cats"; "Yes, for ten years" goes behind."""
    if re.match(r"(?:I|my|we|but|and|because|please|thanks?|thank)\b", rest):
        return said_yes
    if re.search(r"\bdietary\b", said_yes):
        return (
            f"I am {straight.small(rest)}"
            if _DIET.match(rest)
            else f"my dietary restrictions are {straight.small(rest)}"
        )
    if re.search(r"\ballergies\b", said_yes):
        return f"I am allergic to {_small(rest.removeprefix('to ').removeprefix('some '))}"
    if re.match(
        r"(?:in|at|for|since|with|from|on|every|twice|once|about|near|to|by|as|mostly|sometimes|a bit|a"
        r" little|very|quite|three times|daily|weekly)\b",
        rest,
    ):
        comma = "," if re.search(rf"\b{rest.split()[0]}\b", said_yes) else ""
        return f"{said_yes}{comma} {rest}"
    if (found := re.match(r"I have some ([a-z]+s)$", said_yes)) and not re.match(
        r"(?:\d|an?\b|the\b|one|two|three|four|five|six|some|many|my)", rest
    ):
        return f"my {found[1]} are {straight.small(rest)}"
    if found := re.match(r"(.*?)\b(?:some|an?)\b", said_yes):
        return f"{found[1]}{rest}"
    return said_yes


def _small(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:].islower() else text


def _value(answer: str) -> str:
    value = _FILLED.sub("", answer).strip(" .!,;:-–—\"'")
    value = re.split(r"[.!;](?: |$)", value)[0]
    value = re.sub(r",? (?:please|thanks?|thank you|I guess|I think|lol|haha|actually|of course|mostly)$", "", value)
    head, _, tail = value.partition(" ")
    small = head.casefold() in _SMALL
    return f"{head.lower()}{' ' + tail if tail else ''}" if small else value


def _last_part(question: str) -> str:
    """The question proper: behind "Nice to meet you, " and the like."""
    found = _ASKED_BEFORE.match(question)
    part = question[found.end() :] if found else question
    return re.sub(r"^(?:and|so|but) ", "", part, flags=re.IGNORECASE).strip()


_SMALL = frozenset(
    """a an the my in at on for every two three four five six seven eight nine ten one none about around since with from
    by to both mostly almost early late once twice yes no we our and or being as near it they""".split()  # noqa: SIM905
)
