"""What a short answer says with the question before it: "What's your favourite editor?" "Vim." Pure.

Both come out as a clause of the user's own: "my favourite editor is Vim". A claim of the assistant's counts only where
the user agrees to it, and then in the user's person: "So you work in finance?" "Yes, right." is "I work in finance".
"""

import re

from memories.end_users.reading import contractions, open_questions, sentences, straight, verbs
from memories.end_users.reading.persons import own

MOST_WORDS = 12
_YES = re.compile(
    r"^(?:oh |ah |well,? |um+,? )?(?:yes|yeah|yep|yup|yea|sure|right|correct|exactly|indeed|of course"
    r"|absolutely|definitely|certainly|true|that is (?:right|correct|true|it|me)|you are right|you got"
    r" it|spot on|I (?:do|am|have|can|did)(?=[,.! ]*$|,)"
    r"|sí|ja|oui|affirmative|precisely|totally|both)\b[,.! ]*",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:oh |ah |well,? |um+,? )?(?:no|nope|nah|not (?:really|at all|any ?more|yet)|never|I do not|I"
    r" am not|I have not|I cannot|wrong|incorrect|that is (?:wrong|not (?:right|correct|true)))\b(?!"
    r" (?:one|idea|more|problem|worries|need|longer|thanks))[,.! ]*",
    re.IGNORECASE,
)
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
_HEDGED = re.compile(r"\b(?:probably|maybe|perhaps|I guess|I think|might)\b", re.IGNORECASE)
_OF_ASSISTANT = re.compile(
    r"\b(?:would you like(?! to (?:learn|achieve|become|study))|do you want(?! to (?:learn|achieve"
    r"|become|study))|do you need|shall I|should I|can I|may I|could I|would you mind"
    r"|want me to|like me to|does that|does this|is that (?:ok|all)|is there anything|anything else"
    r"|ready to|do you mean|did you mean"
    r"|have you (?:tried|checked|looked|considered)|did you|are you (?:ready|sure|there|looking|having"
    r"|asking|seeing|getting|trying|able|ok)|could you (?:tell|share|clarify|provide|send|give|please)"
    r"|can you (?:tell|share|clarify|provide|send|give|see|please|confirm)|how can I|what can I|how"
    r" may I|what would you like(?! to (?:learn|achieve|become|study|do (?:after|in five)|be ))|what"
    r" do you (?:mean|think|need|want)|which (?:one|of these)|how"
    r" (?:are you|is it going|was your|do you feel)|what are you (?:doing|looking|working on now)|what"
    r" happened|what brings)\b",
    re.IGNORECASE,
)
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
_ASIDE = re.compile(
    r"(?:obviously|of course|sadly|unfortunately|luckily|thank god|thankfully|actually|please|thanks|I"
    r" am afraid|sorry|definitely|absolutely|indeed)",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"\b(?:call|address) you\b|\b(?:have|get|know|ask(?: for)?|tell me|give me|share|provide|confirm"
    r"|send me|tell us|give us) your\b",
    re.IGNORECASE,
)
_CONFIRMING = re.compile(
    r"^(?:is that|is this|am I|did I get that|have I got that|is it)?,? ?(?:right|correct|so|true|is"
    r" not it|yes|are not you|do not you|not so|got it right|did I get that right)\??$",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"^(?:(?:so|and|then|ok(?:ay)?|right|great|ah|oh|got it|i see|nice|cool|thanks|understood|noted"
    r"|sure|alright|perfect|wonderful)[,.! -]+|so )*"
    r"(?:(?:it (?:sounds|seems|looks) like|I (?:understand|assume|guess|take it|believe|think|see"
    r"|gather|hear|will (?:remember|note))(?: that)?|just to (?:confirm|be sure|check)[,:]?(?: that)?"
    r"|if I (?:understand|understood)(?: you)? (?:correctly|right),|to confirm[,:]?|you (?:said"
    r"|mentioned|told me)(?: that)?|let me confirm[,:]?|noted that|it appears(?: that)?|presumably|I"
    r" remember(?: that)?|I have noted that) )?"
    r"(?P<claim>(?:you|your)\b.+)",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r",? (?:right|correct|is that right|is that correct|is it not|are not you|do not you|have not you"
    r"|yes|no|is that so|am I right)\s*\?$",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?:so |and |but |ok(?:ay)?,? |great,? |also,? |then,? |by the way,? )*(?P<aux>do|are|have|can"
    r"|were) you (?P<rest>.+)$",
    re.IGNORECASE,
)
_IS_YOUR = re.compile(r"^(?:so |and )?(?P<aux>is|are|was|does|has) your (?P<rest>.+)$", re.IGNORECASE)
_ASKED_BEFORE = re.compile(
    r"^(?:.*[.!,:;] )?(?=(?:and |so |but )?(?:what|which|where|who|whom|when|how|do|are|have|can|is"
    r"|does|in which|on which|at which|for which)\b)",
    re.IGNORECASE,
)


def questions(said: str) -> list[str]:
    """The sentences of what the assistant said, short forms written out."""
    return [contractions.expanded(sentence) for sentence in sentences.of(said)]


def claim(said: str) -> str:
    """What the assistant says of the user, in the user's person; empty where there is nothing to agree to."""
    told = [one for one in questions(said) if not re.match(r"(?:is|was) (?:there|it)\b", one, re.IGNORECASE)]
    if told and _CONFIRMING.match(_bare(told[-1])):
        told = told[:-1]
    if not told:
        return ""
    last = _TAGGED.sub("", told[-1]).rstrip("?.! ")
    if _OF_ASSISTANT.search(last):
        return ""
    if found := _CLAIM.match(last):
        return own(found["claim"])
    return yes_no(last)[0]


def is_agreement(answer: str) -> bool:
    return bool(_YES.match(answer)) and not _NO.match(answer)


def is_denial(answer: str) -> bool:
    return bool(_NO.match(answer))


def after(answer: str) -> str:
    """What stands behind "Yes," or "No,"."""
    for pattern in (_YES, _NO):
        if found := pattern.match(answer):
            rest = answer[found.end() :].strip(" ,.!")
            return "" if _ASIDE.fullmatch(rest) else rest
    return answer.strip()


def denied(clause: str) -> str:
    """ "I work in finance" -> "I do not work in finance"; empty where it is not known how."""
    if found := re.match(
        r"((?:I|my [\w -]+?) (?:am|are|is|was|were|have been|can|will|would|should)) (?:not )?(.+)$", clause
    ):
        return f"{found[1]} not {found[2]}"
    if found := re.match(r"I (?!do )([a-z]+) (.+)$", clause):
        some = re.sub(r"\bsome\b", "any", found[2])
        return f"I do not {found[1]} {some}" if not verbs.is_past(found[1]) else ""
    return ""


def yes_no(question: str) -> tuple[str, bool]:
    """What "yes" to a question says, and whether it leaves a choice ("tea or coffee"), which "yes" does not settle."""
    question = re.sub(
        r"^would you (?:say|consider|call)(?: that)? (?=you )", "", question.rstrip("?.! "), flags=re.IGNORECASE
    )
    if re.match(r"you (?:are|have|like|love|work|live)\b", question):
        return own(question), False
    is_choice = bool(re.search(r"\bor\b", question)) and not re.search(
        r"\bor (?:not|something|anything|so)\b", question
    )
    if found := _INVERTED.match(question):
        aux, rest = (
            found["aux"].casefold(),
            re.sub(r"\b(?:ever|already|also|perhaps|by any chance|maybe) ", "", found["rest"]),
        )
        rest = re.sub(r"\bany\b", "some", own(rest))
        lead = {"do": "I", "are": "I am", "have": "I have", "can": "I can", "were": "I was"}[aux]
        return f"{lead} {rest}", is_choice
    if found := _IS_YOUR.match(question):
        return _of_thing(found["aux"].casefold(), own(found["rest"])), is_choice
    return "", False


def _of_thing(aux: str, rest: str) -> str:
    """ "is your name Ana" -> "my name is Ana"; the thing is taken to be one word, or all but the last."""
    said = rest.split()
    if aux in ("does", "has") or len(said) < 2:
        return ""
    cut = next(
        (
            at
            for at, word in enumerate(said)
            if at and word in ("a", "an", "the", "in", "on", "at", "from", "still", "also")
        ),
        len(said) - 1,
    )
    capital = next((at for at, word in enumerate(said) if at and word[:1].isupper()), None)
    cut = capital if capital is not None else cut
    return f"my {' '.join(said[:cut])} {aux} {' '.join(said[cut:])}"


def answered(said: str, answer: str) -> tuple[str, bool]:
    """The clause that a short answer makes of the assistant's last question, and whether it is hedged; else empty."""
    asked = [one for one in questions(said) if one.endswith("?")]
    answer = contractions.expanded(answer).strip()
    is_of_another = (
        bool(re.match(r"(?:she|he|they|it) (?:is|has|was|will|does) (?!called|named)", answer, re.IGNORECASE))
        and bool(asked)
        and not re.search(r"\bname\b", asked[-1])
    )
    if is_of_another or not asked or not answer or len(answer.split()) > MOST_WORDS or answer.endswith("?"):
        return "", False
    question = _TAGGED.sub("", asked[-1]).rstrip("? ")
    if (_OF_ASSISTANT.search(question) and not _NAMING.search(question)) or _NO_ANSWER.match(answer):
        return "", False
    return _clause(question, answer), bool(_HEDGED.search(answer))


def _clause(question: str, answer: str) -> str:
    value = _value(answer)
    said_yes, is_choice = yes_no(_last_part(question))
    if said_yes:
        return _to_yes_no(said_yes, answer, is_choice)
    if not value or re.match(r"(?:I|my|we)\b", value) or is_denial(answer):
        return (
            _none_of(question)
            if is_denial(answer) or re.fullmatch(r"(?:none|nothing|nobody|no one)", value, re.IGNORECASE)
            else ""
        )
    return open_questions.told(_last_part(question), value)


def _none_of(question: str) -> str:
    found = re.match(r"(?:what|which|how many) (?:[\w-]+ )?([\w-]+) do you (\w+)$", question, re.IGNORECASE)
    return f"I do not {found[2]} any {found[1]}" if found else ""


def _to_yes_no(said_yes: str, answer: str, is_choice: bool) -> str:
    rest = _value(after(answer))
    if is_denial(answer):
        if rest and (some := re.match(r"(I have) some\b", said_yes)) and rest.casefold() in said_yes.casefold():
            return f"{some[1]} no {rest}"
        return "" if is_choice or rest else denied(said_yes)
    if is_choice:
        chosen = rest or ""
        return _chosen(said_yes, chosen)
    if rest and _DEGREE.match(rest):
        return f"{said_yes} {rest[:1].lower()}{rest[1:]}".replace(" some ", " ")
    if is_agreement(answer):
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


def _bare(text: str) -> str:
    return text.strip(" .!")


def _last_part(question: str) -> str:
    """The question proper: behind "Nice to meet you, " and the like."""
    found = _ASKED_BEFORE.match(question)
    part = question[found.end() :] if found else question
    return re.sub(r"^(?:and|so|but) ", "", part, flags=re.IGNORECASE).strip()


_SMALL = frozenset(
    """a an the my in at on for every two three four five six seven eight nine ten one none about around since with from
    by to both mostly almost early late once twice yes no we our and or being as near it they""".split()  # noqa: SIM905
)
