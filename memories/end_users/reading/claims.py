"""Yes and no: what the assistant says of the user, and what agreeing or denying makes of it. Pure.

A claim counts only where the user agrees, and comes out in their own person: "So you work in finance?" "Yes." is
"I work in finance".
"""

import re

from memories.end_users.reading import contractions, sentences, verbs
from memories.end_users.reading.persons import own

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
OF_ASSISTANT = re.compile(
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
_ASIDE = re.compile(
    r"(?:obviously|of course|sadly|unfortunately|luckily|thank god|thankfully|actually|please|thanks|I"
    r" am afraid|sorry|definitely|absolutely|indeed)",
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
TAGGED = re.compile(
    r",? (?:I (?:assume|guess|take it|suppose|presume|believe|imagine)|right|correct|is that right|is"
    r" that correct|is it not|are not you|do not you|have not you"
    r"|yes|no|is that so|am I right)\s*\?$",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?:so |and |but |ok(?:ay)?,? |great,? |also,? |then,? |by the way,? )*(?P<aux>do|are|have|can"
    r"|were) you (?P<rest>.+)$",
    re.IGNORECASE,
)
_IS_YOUR = re.compile(r"^(?:so |and )?(?P<aux>is|are|was|does|has) your (?P<rest>.+)$", re.IGNORECASE)


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
    last = TAGGED.sub("", told[-1]).rstrip("?.! ")
    if OF_ASSISTANT.search(last):
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


def _bare(text: str) -> str:
    return text.strip(" .!")
