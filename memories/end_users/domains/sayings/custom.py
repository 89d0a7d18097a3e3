"""What a clause says of somebody as a customer: plan, product, the tone they want, the channel they use. Pure;
English."""

import re

from memories.end_users.domains.sayings import things
from memories.end_users.domains.sayings.clauses import Clause

_PLANS = (
    "free|basic|starter|standard|plus|pro|professional|premium|teams?|business|enterprise|gold|silver|platinum|trial"
    "|unlimited|family|individual|student|growth|scale|personal|hobby|lite|essentials?|ultimate|prepaid|postpaid"
    "|developer"
)
_NOUN = r"(?:plans?|tier|subscription|package|membership|edition|account)"
_ARTICLE = r"(?:(?:the|an?|our|his|her|their)\s+)?"
_NAMED_PLAN = rf"(?P<plan>[\w+.'-]+(?:\s+[\w+.'-]+){{0,3}}?)\s+{_NOUN}\b"
_KNOWN_PLAN = rf"(?P<known>(?:{_PLANS})(?:\s+(?:{_PLANS}|annual|monthly|yearly|plus))?)\b"
_ON_PLAN = re.compile(
    rf"(?:(?:is|be)\s+(?:on|subscribed\s+to|using|paying\s+for)|subscribes\s+to|subscribed\s+to|uses|pays\s+for|has"
    rf"|bought|chose"
    rf"|(?:upgraded|downgraded|switched|moved|changed|migrated|went)(?:\s+\w+)?(?:\s+from\s+.+?)?\s+(?:back\s+)?to"
    rf"|signed\s+up\s+for)\s+"
    rf"{_ARTICLE}(?:{_NAMED_PLAN}|{_KNOWN_PLAN}(?=$|\s*[,(]|\s+(?:since|and|with|for|last|this|in|on)\b))",
    re.IGNORECASE,
)
_PLAN_IS = re.compile(
    rf"(?:(?:current|support|subscription|phone|data"
    rf"|mobile)\s+)?{_NOUN}\s+(?:type\s+)?is\s+(?:now\s+)?{_ARTICLE}(?P<plan>[\w+.'-]+(?:\s+[\w+.'-]+){{0,3}}?)(?:\s+{_NOUN})?$",
    re.IGNORECASE,
)
_A_CUSTOMER = re.compile(
    rf"(?:is|be)\s+an?\s+{_KNOWN_PLAN}\s+(?:customer|user|subscriber|member|client)", re.IGNORECASE
)
_ENDED = re.compile(
    rf"(?:has\s+)?(?:cancelled|canceled|ended|left|dropped|stopped)\s+{_ARTICLE}(?:{_NAMED_PLAN}|{_NOUN}\b)",
    re.IGNORECASE,
)
_NO_PLAN = frozenset(
    {"new", "old", "own", "bank", "user", "email", "current", "google", "savings", "checking", "joint"}
)

_PRODUCT_IS = re.compile(r"(?:product|device|model)\s+is\s+(?P<x>.+)", re.IGNORECASE)
_OWNS = re.compile(
    r"(?:has\s+)?(?:bought|purchased|ordered|owns|own)\s+(?P<x>(?!#|\d|on\b|from\b|it\b|them\b).+)", re.IGNORECASE
)
_USES = re.compile(
    r"(?:uses|(?:is|be)\s+using)\s+(?P<x>(?:the\s+)?(?:[A-Z][\w+.-]*(?:\s+[A-Z0-9][\w+.-]*){0,4}|[\w-]+\s+"
    r"(?:app|software|router|modem|phone|card|device|platform|service|plugin|extension|api|website|dashboard)))"
)
_AFTER_PRODUCT = re.compile(
    r"\s+(?:on|from|at|for|to|in|with|last|this|yesterday|today|daily|every|two|three|\d+\s+\w+\s+ago|because)\b.*$",
    re.IGNORECASE,
)

_TONES = (
    "formal|informal|casual|friendly|polite|professional|direct|blunt|warm|empathetic|calm|patient|brief|concise|short"
    "|detailed|simple|plain|humorous|technical|non-technical|respectful|relaxed|straightforward|neutral|cheerful"
)
_TONE = re.compile(
    rf"(?:(?:preferred\s+)?tone\s+is\s+|(?:prefers?|wants?|likes?|appreciates?|expects?|asks?\s+for"
    rf"|asked\s+for)\s+(?:[\w-]+\s+){{0,4}}?)"
    rf"(?P<x>(?:{_TONES})(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+but\s+)(?:{_TONES}))*)\b\s*(?P<of>tone|answers?"
    rf"|repl(?:y|ies)|responses?"
    rf"|language|messages?|emails?|communication|style|wording|explanations?|manner|way|support|$)",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"(?:prefers?|wants?|likes?)\s+to\s+be\s+(?:addressed|spoken\s+to|treated|written\s+to)\s+(?P<x>formally"
    r"|informally|casually|politely|directly|respectfully)",
    re.IGNORECASE,
)
_MOOD = re.compile(
    r"(?:is|be|was|feels?|felt|sounds?|seems?|got|gets?)\s+(?:\w+\s+)?(?P<x>frustrated|angry|upset|annoyed|impatient"
    r"|disappointed|furious"
    r"|unhappy|dissatisfied|worried|anxious|confused|satisfied|happy|pleased|grateful|polite|friendly)\b",
    re.IGNORECASE,
)

_CHANNELS = {
    r"e-?mail(?:s|ed)?": "email",
    r"phone(?:\s+calls?)?|telephone|calls?|called|ring": "phone",
    r"live\s+chat|chat|web\s?chat": "chat",
    r"whats\s?app": "whatsapp",
    r"sms|text(?:\s+messages?)?|texted": "sms",
    r"in[- ]app(?:\s+messages?)?": "in-app",
    r"telegram": "telegram",
    r"signal": "signal",
    r"slack": "slack",
    r"(?:microsoft\s+)?teams": "teams",
    r"messenger": "messenger",
    r"twitter|x\s+dms?": "twitter",
    r"instagram(?:\s+dms?)?": "instagram",
    r"video(?:\s+calls?)?": "video",
    r"(?:post|letters?)": "post",
    r"tickets?": "ticket",
}
_CHANNEL = rf"(?P<x>{'|'.join(_CHANNELS)})\b(?!\s+number|\s+address|\s+case)"
_BY = r"(?:by|via|over|through|on|in|using|with)\s+(?:the\s+|an?\s+)?"
_CHANNEL_RULES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:prefers?|wants?|likes?|would\s+like|asks?|asked)\s+(?:to\s+be\s+|to\s+"
        rf"|being\s+)?(?:only\s+)?(?:contact\w*|reach\w*|updat\w+|inform\w*|support\w*|communicat\w*|help\w*|"
        rf"notif\w+|hear\w*|repl\w+|answer\w*|follow-?ups?|get\s+\w+|receive\s+\w+|talk\w*|speak\w*"
        rf"|write)(?:\s+\w+){{0,3}}?\s+{_BY}{_CHANNEL}",
        rf"(?:prefers?|would\s+rather\s+use|likes?\s+to\s+use)\s+(?:to\s+be\s+|the\s+|to\s+use\s+)?{_CHANNEL}",
        rf"wants?\s+to\s+be\s+{_CHANNEL}",
        rf"(?:(?:preferred|favou?rite|usual|contact|support)\s+)*(?:contact\s+)?(?:channel|method|way)(?:\s+(?:of"
        rf"|for|to)\s+\w+(?:\s+\w+)?)?\s+is\s+(?:{_BY})?{_CHANNEL}",
        rf"(?:usually\s+)?(?:contact(?:s|ed)|reach(?:es|ed)\s+out\s+to|writes\s+to"
        rf"|gets\s+in\s+touch\s+with)\s+(?:\w+\s+){{0,3}}?{_BY}{_CHANNEL}",
    )
)  # fmt: skip


def plan(clause: Clause) -> str | None:
    """The plan that the clause says the customer is on (or, negated, is not); "" where it says that it ended."""
    if _ENDED.match(clause.text):
        return "" if not clause.is_negated else None
    for form in (_ON_PLAN, _PLAN_IS, _A_CUSTOMER):
        match = form.match(clause.text)
        name = match and next((match[group] for group in ("plan", "known") if match.groupdict().get(group)), None)
        if name and name.casefold() not in _NO_PLAN:
            return things.clean(name)
    return None


def product(clause: Clause) -> str | None:
    """The product that the clause says the customer has or uses."""
    for form in (_PRODUCT_IS, _OWNS, _USES):
        match = form.match(clause.text)
        if match:
            name = things.clean(_AFTER_PRODUCT.sub("", match["x"]))
            return name if things.is_thing(name) else None
    return None


def tone(clause: Clause) -> str | None:
    """The tone that the customer wants: "formal", "short and friendly"."""
    addressed = _ADDRESSED.match(clause.text)
    if addressed:
        return addressed["x"].casefold().removesuffix("ly")
    match = _TONE.match(clause.text)
    return " ".join(match["x"].casefold().split()) if match else None


def mood(clause: Clause) -> str | None:
    """How the customer was said to be: "frustrated"."""
    match = _MOOD.match(clause.text)
    return match["x"].casefold() if match else None


def channel(clause: Clause) -> str | None:
    """How the customer wants to be reached, under one name each: email, phone, chat, whatsapp, sms, …"""
    for form in _CHANNEL_RULES:
        match = form.match(clause.text)
        if match:
            return next(name for words_, name in _CHANNELS.items() if re.fullmatch(words_, match["x"], re.IGNORECASE))
    return None
