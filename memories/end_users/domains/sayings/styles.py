"""How somebody wants things to be explained. Pure; English."""

import re

from memories.end_users.domains.sayings import things
from memories.end_users.domains.sayings.clauses import Clause

_WISH = re.compile(
    r"(?:(?:strongly\s+)?prefers?|likes?|loves?|wants?|needs?|enjoys?|asks?\s+for|asked\s+for|would\s+like"
    r"|benefits\s+from"
    r"|appreciates?|favou?rs?|responds?\s+(?:best|well|better)\s+to|works?\s+best\s+with"
    r"|(?:learns?|understands?|remembers?|studies)\s+(?:things\s+|topics\s+|new\s+\w+\s+)?(?:best|better|well"
    r"|most\s+easily)\s+(?:with|by|through|from|using|when|via|in|if)"
    r"|(?:learns?|understands?)\s+(?:by|through|from|with))\s+(?P<x>.+)",
    re.IGNORECASE,
)
_STYLE_IS = re.compile(
    r"(?:(?:preferred|favou?rite)\s+)?(?:explanation|learning|teaching|tutoring)\s+style\s+is\s+(?P<x>.+)",
    re.IGNORECASE,
)
_LEARNER = re.compile(r"(?:is|be)\s+an?\s+(?P<x>[\w-]+(?:\s+[\w-]+)?\s+learner)", re.IGNORECASE)
#: What an explanation can be like; a wish without one of these is about something else.
_ABOUT = re.compile(
    r"\b(?:expla\w+|steps?|step-by-step|examples?|visual\w*|diagrams?|pictures?|drawings?|videos?|analog\w+"
    r"|metaphors?|stor(?:y|ies)"
    r"|short|concise|brief|detail\w*|thorough|simple|plain|practi[cs]e|practising|quiz\w*|hands-on|interactive"
    r"|worked|slow\w*|pace|real[- ](?:life|world)|formulas?|proofs?|derivations?|hints?|summar\w+|bullet\w*|mnemonics?"
    r"|flash\s?cards?|tables?|charts?|graphs?|mind\s?maps?|trial\s+and\s+error|teaching|repetition|socratic|questions?"
    r"|intuition|theory|theoretical|code|doing|reading|listening|discuss\w+|games?|exercises?|humou?r|answers?)\b",
    re.IGNORECASE,
)
_IN_LANGUAGE_ONLY = re.compile(r"^(?:\w+\s+)?(?:explanations?|answers?|lessons?|to\s+\w+)\s+in\s+[A-Z]\w+$")
_LEAD = re.compile(
    r"^(?:(?:the\s+assistant\s+|you\s+|me\s+|it\s+|tutors?\s+|teachers?\s+)?to\s+(?:keep|be\s+given|get|have|see|use"
    r"|receive|give)"
    r"|to\s+be\s+(?:taught|shown)(?:\s+(?:with|by|through))?|(?:things|topics|concepts|ideas"
    r"|everything)\s+(?:to\s+be\s+)?(?=explained|shown|taught)"
    r"|learning\s+(?:with|by|through|from)|being\s+(?:given|shown)|lots?\s+of|many|some|the|an?)\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:,\s*)?\b(?:over|rather\s+than|instead\s+of|to\s+(?:long|abstract|theory)|because|since"
    r"|when\s+(?:learning|studying)|whenever|as\s+(?:it|they)\b).*$",
    re.IGNORECASE,
)


def told(clause: Clause) -> str | None:
    """The wish in the clause's own words: "step-by-step explanations", "visual learner"; None for none."""
    declared = _STYLE_IS.match(clause.text) or _LEARNER.match(clause.text)
    wish = declared or _WISH.match(clause.text)
    if wish is None or not (declared or _ABOUT.search(wish["x"])):
        return None
    style = _cleaned(wish["x"])
    return style if things.is_thing(style) and not _IN_LANGUAGE_ONLY.match(style) else None


def _cleaned(phrase: str) -> str:
    style = _TAIL.sub("", phrase)
    before = ""
    while before != style:
        before = style
        style = _LEAD.sub("", style).strip(" .,;:")
    return style
