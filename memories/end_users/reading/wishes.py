"""How a user wants to be answered: "Keep answers short", "From now on reply in German". Pure.

What is to be done once ("Translate this into German") is no wish: a word for always must stand there, or one for the
assistant's own way of answering.
"""

import re

from memories.end_users.reading import verbs

_ALWAYS = re.compile(
    r"\b(?:always|never|from now on|in (?:the )?future|going forward|by default|every time|each time"
    r"|whenever|any ?more|in general|generally|at all times|do not (?:suggest|recommend|mention|bring"
    r" up|ask (?:me )?about|talk about|offer|propose)|do not (?:call|phone|ring)(?: me)?$|do not"
    r" (?:ever )?\w+ (?:any|anything"
    r"|anyone)|do not (?:ever )?(?:call|address|e-?mail|phone|contact|text|interrupt) me|for all"
    r" (?:future )?\w+)\b",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"\b(?:(?:your|the|all|my|all your) )?(?:answers?|replies|responses?|explanations?|messages"
    r"|emoji(?:s|is)?|bullet(?: point|ed list)?s?|small talk|jargon|tone|code (?:samples|examples"
    r"|first)|"
    r"metric(?: units)?|imperial units|celsius|fahrenheit|markdown|first name|informal(?:ly)?"
    r"|formal(?:ly)?|short sentences|plain (?:english|language|words|text)|simple (?:words|language"
    r"|english)|"
    r"british spelling|american spelling|dates? (?:in|as)|24-hour|step by step|correct (?:my|me)|my"
    r" (?:mistakes|grammar|spelling)|write to me|(?:e-?mail"
    r"|text|message) me instead|(?:like|as if) I am"
    r"|more (?:formal|informal|casual|concise|detailed|direct|polite)|sources|pronouns)\b",
    re.IGNORECASE,
)
_DONE_ONCE = re.compile(
    r"\b(?:this|that|these|the (?:following|above|email|mail|letter|text|function|code|last|previous"
    r"|first)|it|again|now|for me to|a (?:list|table|poem|story|summary))\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^(?:(?:please|kindly|so|and|but|also|just|can you|could you|would you|will you|I (?:want|need"
    r"|would like|would love|would prefer|prefer|like|expect|ask) (?:it if )?(?:you|the assistant)(?:"
    r" to)?|you (?:should|must|can|have to|need to|may)|"
    r"from now on|in (?:the )?future|going forward|by default|generally|in general|whenever possible"
    r"|please do)[, ]+)*",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"^(?:do not |never |always )\w+\b|^(?:do not |not |avoid |stop |never |always |no more )*(?:keep"
    r"|answer|reply|respond|use|write"
    r"|give|show|explain|address|call|speak|talk|be|include|skip|avoid|stop|start|end|format|put|make"
    r"|add|ask|tell|send|"
    r"using|giving|writing|asking|sending|calling|adding|cite|quote|prefer|stick|switch|limit|mention"
    r"|translate|recommend|suggest|remind|contact|leave|drop|correct|e-?mail|text|message)\b",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"^(?:(?:please|just|you can|you may|everyone|everybody|people|my friends|friends|but|and|so)"
    r" )*(?:calls? me) (?P<name>[A-Z][\w'-]*(?: [A-Z][\w'-]*)?)(?= (?:by|please|from|instead|not)\b"
    r"|[,.!]|$)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"^(?:please )?no (?P<what>(?:more )?(?:emoji(?:s|is)?|bullet points|jargon|small talk|markdown"
    r"|apologies|filler|fluff|exclamation marks|long (?:answers|explanations))\b[^,.!]{0,40})",
    re.IGNORECASE,
)
_BRIEFLY = re.compile(
    r"^(?P<how>(?:short(?:er)?|brief|concise|detailed|long(?:er)?|simple|formal|informal|plain)"
    r" (?:answers|replies|responses|explanations)(?: only)?)(?:,? please)?$",
    re.IGNORECASE,
)
_WHENEVER = re.compile(
    r"^(?P<when>(?:when|whenever|if|every time|each time) (?:you|I) [^,]{3,60}), (?:please )?(?!I\b"
    r"|my\b|we\b|you\b|it\b|they\b|the\b|there\b|what\b|how\b)",
    re.IGNORECASE,
)
_ABOUT_MEMORY = re.compile(
    r"\b(?:remember|memori[sz]e|save|store|forget|record) (?:this|that|it|anything|what)\b", re.IGNORECASE
)
_NEGATED = re.compile(r"^(?:do not |never |avoid |stop )", re.IGNORECASE)


def of(clause: str) -> tuple[str, float]:
    """The wish in the third person with its confidence; empty where the clause is none."""
    lead = _IMPERATIVE.match(clause)
    if named := _CALL.match(clause) or _CALL.match(clause[lead.end() if lead else 0 :]):
        name = named["name"]
        is_friends = re.match(r"(?:everyone|everybody|people|my friends|friends)", clause, re.IGNORECASE)
        return (f"User goes by {name}" if is_friends else f"User wants to be called {name}"), 0.95
    if refused := _REFUSED.match(clause):
        return f"User wants no {refused['what'].removesuffix(' please').strip()}", 0.85
    if briefly := _BRIEFLY.match(clause):
        return f"User prefers {briefly['how'].lower()}", 0.85
    return _imperative(clause)


def _imperative(clause: str) -> tuple[str, float]:
    is_always = bool(_ALWAYS.search(clause))
    is_manner = bool(_MANNER.search(clause))
    if found := _WHENEVER.match(clause):
        wish, sure = _imperative(f"always {clause[found.end() :]}")
        return (
            (f"{wish.replace(' always ', ' ', 1)} {_of_user(_condition(found['when']))}", sure) if wish else ("", 0.0)
        )
    lead = _IMPERATIVE.match(clause)
    rest = clause[lead.end() if lead else 0 :].strip(" ,")
    if not _VERB.match(rest) or not (is_always or is_manner) or _ABOUT_MEMORY.search(rest):
        return "", 0.0
    if not is_always and _DONE_ONCE.search(rest):
        return "", 0.0
    rest = rest.rstrip("?.! ").removesuffix(", please").removesuffix(" please")
    return _wanted(rest), 0.9 if is_always and is_manner else 0.8


def _condition(when: str) -> str:
    """ "When you suggest code" -> "when it suggests code"."""
    when = re.sub(r"\b[Yy]ou ([a-z]+)\b", lambda found: f"it {verbs.third(found[1])}", when)
    return when[:1].lower() + when[1:]


def _wanted(rest: str) -> str:
    """ "do not use emojis" -> "User does not want the assistant to use emojis"."""
    rest = rest[:1].lower() + rest[1:]
    if not (negated := _NEGATED.match(rest)):
        return f"User wants the assistant to {_of_user(rest)}"
    rest = rest[negated.end() :]
    is_noun = negated[0].casefold().startswith(("avoid", "stop")) and not re.match(r"\w+ing\b", rest)
    if is_noun and negated[0].casefold().startswith("avoid"):
        return f"User wants the assistant to avoid {_of_user(rest)}"
    rest = re.sub(r"^(\w+?)(?:ing)\b", lambda found: _base(found[1]), rest)
    return f"User does not want the assistant to {_of_user(rest)}"


def _base(stem: str) -> str:
    return {
        "us": "use",
        "giv": "give",
        "writ": "write",
        "mak": "make",
        "quot": "quote",
        "cit": "cite",
        "includ": "include",
    }.get(stem, stem)


def _of_user(text: str) -> str:
    """Whoever is spoken to is the assistant here, and "me" the user."""
    for first, third in (
        (r"\b[Yy]our\b", "its"),
        (r"\byou\b", "it"),
        (r"\bme\b", "them"),
        (r"\bmy\b", "their"),
        (r"\bI am\b", "they are"),
        (r"\bI\b", "they"),
    ):
        text = re.sub(first, third, text)
    return text
