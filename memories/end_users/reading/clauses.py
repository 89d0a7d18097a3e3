"""A sentence to the clauses that it joins, each with its own subject: "I'm a nurse and love hiking" says two things.

Pure. Goes in: a sentence whose short forms are written out (`contractions`).
"""

import re

from memories.end_users.reading import verbs, worth

MOST = 12
# "Ideally remote, I have two children": so few words before the subject say nothing by themselves.
_FRAGMENT = 3
_OPENING = re.compile(
    r"^(?:(?:(?:probably|maybe|perhaps|hopefully|usually)(?=, (?:I|my)\b)|oh|ah|hmm+|um+|uh|well|so"
    r"|ok(?:ay)?|hi(?: there)?|hello(?: there)?|hey(?: there)?|good"
    r" (?:morning|evening|afternoon)|thanks(?: a lot| so much)?"
    r"|thank you(?: so much| very much)?|great|cool|nice|perfect|sure|yes|yeah|yep|yup|right|exactly"
    r"|true|also|and|but|plus|then|anyway|btw|by the way"
    r"|fyi|for your information|honestly|to be (?:honest|fair|clear)|just so you know|as you know|you"
    r" know|look|listen|please (?:note|remember|keep in mind)(?: that)?"
    r"|(?:please )?(?:note|remember|do not forget|keep in mind|be aware|know)(?: that)?|you should"
    r" know(?: that)?|I should (?:mention|add|say)(?: that)?"
    r"|I (?:just )?(?:want|wanted|would like) (?:you )?to (?:know|mention|add|say|let you know|tell"
    r" you|remember)(?: that)?|let me (?:add|mention|tell you)(?: that)?"
    r"|I forgot to (?:say|mention|add)(?: that)?|for (?:context|background|reference|the record)|some"
    r" (?:context|background)|in case (?:it helps|it matters|you need it)"
    r"|one more thing|another thing|about me|a bit about me|first(?: of all)?|second(?:ly)?|finally"
    r"|lastly|in fact|as I (?:said|mentioned)(?: before| earlier)?"
    r"|(?:can|could|will|would) you (?:please )?(?:remember|note|keep in mind|save|store)(?: that)?"
    r"|the reason (?:why )?I (?:ask|am asking) is(?: that)?"
    r"|the thing is|fun fact|good news|bad news|update|quick (?:update|note)|unfortunately|luckily"
    r"|fortunately|sadly|actually|lol|haha+|no(?:pe)?(?: thanks| thank you)?(?=,)|(?:as )?I (?:said"
    r"|told you|mentioned)(?: already| before)?(?: that)?(?= (?:I|my)\b)|wow)"
    r"(?:[,:;!.-]+ *| +(?=(?:so|well|hey|hi|ok|okay|yeah|no|actually|honestly|btw|um|uh|also|I|my|we"
    r"|our|please|from|call|when|whenever|do|never|always|the|no|every|since|as)\b)))+",
    re.IGNORECASE,
)
_OWN = (
    r"(?:I|we|you|my|our|he|she|his|her|they|their|(?:[\w-]+ ){1,5}(?=(?:helps?|makes?|gives?|lets?"
    r"|suits?|works? for|bothers?|annoys?) (?:me|us)\b)|(?:everyone|everybody|people|friends)(?="
    r" calls? me)"
    r"|(?:this|that|it|there)(?= (?:is|was|has|does|did|still|makes|took)\b))\b"
)
# "… and every Sunday I …": a time or place may stand before the subject.
_BEFORE = r"(?:(?:every|on|since|in|at|by|during|after|before|for|these|most) [\w-]+(?: [\w-]+)?,? )?"
_BORDER = re.compile(
    rf"\s*;\s+|:\s+(?={_OWN})|\s+[-–—]{{1,2}}\s+(?={_OWN})|,?\s+(?:and|but|so|yet|plus|although|though|whereas|while)"
    rf"(?: (?:also|then|that is why|now|honestly|yes|actually))?,?\s+(?={_BEFORE}{_OWN}|please "
    rf"|(?:maybe|perhaps|probably) {_OWN})"
    rf"|,\s+(?={_OWN} )",
    re.IGNORECASE,
)
# ", so what can I cook?": the question goes, what is told before it stays.
_ASKED_AFTER = re.compile(
    r",?\s+(?:so|and|but)?,?\s*(?=(?:what|which|who|where|when|how|why)(?: \w+){0,2} (?:is|are|do|does"
    r"|can|could|should|would|will)\b"
    r"|(?:can|could|would|will|should|do|does|is|are) (?:you|I|we|there|it|this|that)\b)[^.]*\?$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",? (?:right|remember|you know|ok(?:ay)?|yeah|is not it|you see|correct|by the way|btw|though|lol"
    r"|haha+|I am afraid|as you know|please)\s*([?.!]*)$",
    re.I,
)
_LEADING = re.compile(
    r"^(?:when|whenever|while|because|since|if|after|before|as|although|though|once|until|unless|every"
    r" time|each time|as soon as|given that|even though)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|given that|seeing that|considering(?: that)?|as)\s+((?:I (?:am|have|do not"
    r"|cannot|only|live|work|no longer|never|use|prefer|hate|was)|my \w+ (?:is|has|are"
    r"|cannot))\b.+?)[?.!]*$",
    re.IGNORECASE,
)
# "A curry without peanuts, because I'm allergic to them": what "them" is.
_WITHOUT = re.compile(
    r"\b(?:without|with no|free of|no|instead of|except) (?:any )?([a-z]+(?: [a-z]+)?),? $", re.IGNORECASE
)
_WHY = re.compile(
    r"\bbecause ((?:my (?:[\w-]+ ){1,3}(?:is|are|has|have|lives?|works?)|I am (?:allergic|intolerant|a"
    r"|an|vegan|vegetarian)|I have) .+)$",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r",? (?:and|but|so) (?P<the>the )?(?!(?:I|we|my|our|he|she|his|her|they|their|it|that|this|who"
    r"|which)\b)[a-z-]+(?: [a-z-]+)? (?:is|are|was|were|has|have been|does|did|must|should|can|will)\b",
    re.IGNORECASE,
)
_THINKING = re.compile(
    r"(?:I|we) (?:think|believe|know|hope|guess|feel|say|like|love|hate|prefer|want|wish|find|see)\b"
    r"|.*\b(?:that|if|when|whenever|because|how)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^(?:speaking )?as (an? (?:[\w-]+ ){0,3}[\w-]+)(?: (?:in|from|at|with|of) [^,]{2,40})?, ", re.IGNORECASE
)
_CALLED = re.compile(r"^I am ((?:[A-Z][\w'-]+ ?){1,3}), (?=(?:an?|the|\d+)\b)", re.UNICODE)
_BE_ITEM = (
    r"(?:an? |the |\d{1,3}\b|allergic |from |based |married|single|divorced|vegan|vegetarian"
    r"|originally |born |currently |into |fluent |new |retired|self-employed|interested |left-handed"
    r"|colou?r)"
)
# "I am using Django for a side project, a recipe app": what follows the comma explains a thing, not the user.
_NO_LIST = re.compile(r"(?:\w+ing|in|at|on|with|near|about|the)\b", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:so|because|that|who|which|but|when)\b", re.IGNORECASE)
_BE_LIST = re.compile(rf",? and (?={_BE_ITEM})|, (?={_BE_ITEM})", re.IGNORECASE)


def opened(sentence: str) -> str:
    """A sentence without its "By the way," and "Please remember that"."""
    return _OPENING.sub("", sentence).strip()


def insists(sentence: str) -> bool:
    """Whether the writer asks that this be remembered."""
    return bool(
        re.search(
            r"^(?:[\w ,]{0,20})\b(?<!I )(?:remember|do not forget|keep in mind|please note|you should know)\b",
            sentence[:60],
            re.IGNORECASE,
        )
    )


def of(sentence: str) -> list[str]:
    """The clauses, in order, each beginning with its subject where it has one; at most MOST."""
    is_told = insists(sentence)
    sentence = _TAG.sub(r"\1", opened(sentence))
    sentence = sentence.rstrip("? ") if is_told and not worth.is_question(sentence.rstrip("? ")) else sentence
    if role := _ROLE.match(sentence):
        return [f"I am {role[1]}", *of(sentence[role.end() :])][:MOST]
    if sentence.endswith("?") and (asked := _ASKED_AFTER.search(sentence)) and _stands_alone(sentence[: asked.start()]):
        sentence = sentence[: asked.start()]
    sentence = sentence.rstrip(" .!…,;")
    sentence = _of_ours(sentence)
    if called := _CALLED.match(sentence):
        return [f"I am {called[1]}", *of(f"I am {sentence[called.end() :]}")][:MOST]
    found = list[str]()
    for part in _parts(sentence):
        found += _predicates(part)
    return [clause.strip(" ,") for clause in found if clause.strip(" ,")][:MOST]


def why(clause: str) -> str:
    """What a statement gives as its reason, where that says something of the user by itself; else empty."""
    found = _WHY.search(clause)
    return found[1] if found else ""


def _of_ours(sentence: str) -> str:
    """ "Our backend is Django and the front end is Svelte": the second is ours, too. What is told of a thing that is
    nobody's ("I'm on the Team plan and billing is broken") is cut off."""
    found = _ANOTHER.search(sentence)
    if not found or not re.match(rf"{_BEFORE}(?:I|we|my|our)\b", sentence, re.IGNORECASE) or _THINKING.match(sentence):
        return sentence
    if (owned := re.match(r"(?:my|our) ", sentence, re.IGNORECASE)) and found["the"]:
        return f"{sentence[: found.start()]} and {owned[0].lower()}{sentence[found.end('the') :]}"
    return sentence[: found.start()] if not found["the"] else sentence


def reason(sentence: str) -> str:
    """What a question or a command tells of its writer by the way: "… because I'm allergic to nuts"; else empty."""
    found = _REASON.search(sentence)
    if not found:
        return ""
    meant = _WITHOUT.search(sentence[: found.start()])
    return re.sub(r"\b(?:them|it|those|that)$", meant[1], found[1]) if meant else found[1]


def _parts(sentence: str) -> list[str]:
    """Cut where a new subject begins; "When I was ten, my family moved" is one."""
    parts, start = list[str](), 0
    is_led = bool(_LEADING.match(sentence))
    for border in _BORDER.finditer(sentence):
        left, right = sentence[start : border.start()], sentence[border.end() :]
        if is_led and start == 0 and border[0].lstrip().startswith(","):
            is_led = False
            continue
        is_fragment = (
            border[0].strip() in (":", ",")
            and (border[0].strip() == ":" or len(left.split()) <= _FRAGMENT)
            and not is_led
        )
        if (not _stands_alone(left) and not is_fragment) or not _stands_alone(right):
            continue
        if border[0].strip() == "," and not _is_led_by_subject(left):
            continue
        parts.append(left)
        start = border.end()
    return [*parts, sentence[start:]]


def _is_led_by_subject(left: str) -> bool:
    return bool(re.match(_OWN, left.strip(), re.IGNORECASE)) or worth.is_command(left) or len(left.split()) <= _FRAGMENT


def _stands_alone(text: str) -> bool:
    """Whether a subject is followed by a verb: "my cat" after "I love my dog and" is none."""
    said = text.split()
    if len(said) < 2:
        return False
    if worth.is_command(text):
        return True
    if said[0].casefold() in ("i", "we", "you", "they", "he", "she"):
        return said[1].casefold() != "and"
    if said[0].casefold() == "please":
        return True
    return any(
        verbs.is_finite(word.casefold().strip(",.")) or word.casefold() in verbs.PLAIN or verbs.is_past(word.casefold())
        for word in said[1:8]
    )


def _predicates(clause: str) -> list[str]:
    """ "I live in Berlin and work as a nurse": two; "I am 34, vegetarian and from Lyon": three."""
    subject = re.match(r"(I|we) (am|are)? ?", clause, re.IGNORECASE)
    if not subject:
        return [clause]
    who = subject[1] if subject[1] != "i" else "I"
    found = list[str]()
    for part in _verbal(clause, who):
        be = re.match(r"(?:I am|we are) ", part)
        if be and not re.search(r"\b(?:and|or|,) (?:\w+ing)\b", part):
            first, *others = _BE_LIST.split(part[be.end() :])
            is_list = _are_short([first, *others]) and not _NO_LIST.match(first) and not _JOINED.search(first)
            found += [be[0] + item for item in (first, *others)] if is_list else [part]
        else:
            found.append(part)
    return found


def _are_short(items: list[str]) -> bool:
    return len(items) > 1 and all(items) and len(items[0].split()) <= 8


def _verbal(clause: str, who: str) -> list[str]:
    """Cut before each further verb in the present or past whose subject is left out."""
    parts, start = list[str](), 0
    for join in re.finditer(
        r",? (?:and|but) (?:also |then |now |still |currently |usually |never |always |only |really "
        r"|mostly )?(?=([a-z]+) \S)|, (?=([a-z]+) \S)",
        clause,
    ):
        word = join[1] or (join[2] if " and " in clause[join.end() :] else "") or ""
        if (
            not _begins_predicate(word)
            or re.match(r"\w+ (?:it|them|him|her)\b", clause[join.end() :])
            or _is_infinitive(clause[start : join.start()])
            or len(clause[start : join.start()].split()) < 3
        ):
            continue
        parts.append(clause[start : join.start()])
        adverb = re.search(
            r"(?:also|still|currently|usually|never|always|only|really|mostly)(?= $)", clause[join.start() : join.end()]
        )
        start = adverb.start() + join.start() if adverb else join.end()
    parts.append(clause[start:])
    return [parts[0], *(f"{who} {part}" for part in parts[1:])]


def _begins_predicate(word: str) -> bool:
    return word in verbs.PLAIN or (verbs.is_past(word) and word in verbs.PAST)


def _is_infinitive(left: str) -> bool:
    """ "I like to cook and bake": the second verb hangs on the first."""
    words = left.casefold().split()
    return (
        any(
            word in ("to", "can", "will", "would", "who", "that", "which", "when", "whenever", "if")
            or word.endswith("n't")
            for word in words
        )
        and "to live" not in left
    )
