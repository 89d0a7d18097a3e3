"""A prompt that leans on the one before it is made whole: "and who owns it?", "what about Berlin?", "why?". Pure.

Deterministic and cautious: a prompt that can stand alone is left as it is, to the letter. What an agent's user got as
answers is not known here, only what was asked; so a "she" is resolved to the question that she was the answer to.
Source: contract company memory, triage "rewritten with the last 3 prompts of the session where it leans on them".
"""

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile

from memories import words
from memories.company.answering import quoting, small_talk, vocabulary

REMEMBERED = 3
# A longer prompt brings its own context, whatever pronouns it has.
LONGEST_LEANING = 16
_LONGEST_TOPIC = 12
_LONGEST_SUBJECT = 5
_LONGEST_EARLIER = 240

_WORD = re.compile(r"[^\W_]+(?:['’.\-_/][^\W_]+)*")
_OPENER = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|thanks|great|hm+|yes|no|right)[,.!]*\s+)*"
    r"(?P<word>(?:and|but|or|so|also|then|plus)[,\s]+)?(?P<about>(?:what|how)\s+about\s+|(?:the\s+)?same\s+(?:for|in|with)\s+)?",
    re.IGNORECASE,
)
_NAMES = re.compile(r"(?<!^)(?<![.!?]\s)\b[A-ZÀ-ÞΑ-ΩА-Я][\w&'’-]+(?:\s+[A-ZÀ-ÞΑ-ΩА-Я0-9][\w&'’-]*)*")
#: What may stand for its like: "in 2024" for "in 2023", one name for another.
_SHAPES = [
    re.compile(r"\b[QH][1-4](?:\s+(?:19|20)\d\d)?\b"),
    re.compile(r"\b(?:19|20)\d\d\b"),
    _NAMES,
]

#: "What did X say about Y?": what is asked about next is the answer, not X.
_WHAT_WAS_DONE = re.compile(r"\W*what\s+(?:did|has|have|had)\b", re.IGNORECASE)
_MORE = re.compile(
    r"\W*(?:(?:any|some|tell me|give me|show me|i need|a bit)\s+)*(?:more|further)"
    r"(?:\s+(?:details?|information|info|on that))?(?:\s+please)?\W*"
    r"|\W*(?:go on|continue|elaborate|expand|details)(?:\s+please)?\W*",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:(?:for|in|at|with|on|from|of)\s+)?(?:(?:the|our|a|an)\s+)?", re.IGNORECASE)
#: After a name and a form of "be": leaving, closed, still, a (customer).
_VERBAL = re.compile(r"[a-z]+(?:ing|ed|ly)|gone|still|not|so|an?|the", re.IGNORECASE)
_BORDER = re.compile(r"[,;:]|\b(?:and|if|when|because|but|while|or|before|after|once)\b", re.IGNORECASE)


def resolved(prompt: str, earlier: Sequence[str]) -> str:
    """`prompt`, made whole with the latest of `earlier` (oldest first, at most three count) where it leans on them."""
    before = ""
    for said in earlier[-REMEMBERED:]:
        said = quoting.shortened(quoting.folded(said), _LONGEST_EARLIER)
        if _content(said) and not small_talk.is_small_talk(said):
            before = _whole(said, before) if before and leans(said) else said
    return _whole(prompt, before) if before and leans(prompt) else prompt


def leans(prompt: str) -> bool:
    """Whether the prompt can be understood only with what was asked before."""
    tokens = _tokens(prompt)
    opener = _OPENER.match(prompt)
    if not tokens or len(tokens) > LONGEST_LEANING:
        return False
    if opener and opener["about"]:
        return True
    content = len(_content(prompt))
    if content == 0 or _MORE.fullmatch(prompt) or _points_back(prompt):
        return True
    if opener and opener["word"]:
        return content <= (1 if _is_question(tokens) else _LONGEST_SUBJECT)
    return tokens[0] in vocabulary.PREPOSITION | {"any"} and content <= 2 and not _is_question(tokens)


def _tokens(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _content(text: str) -> list[str]:
    return [
        word
        for word in _tokens(text)
        if word not in words.STOP_WORDS | vocabulary.ONE | vocabulary.PERSON | vocabulary.PREPOSITION
    ]


def _is_question(tokens: list[str]) -> bool:
    return any(token in vocabulary.QUESTION or token in vocabulary.AUXILIARY for token in tokens)


def _points_back(prompt: str) -> bool:
    """A pronoun whose antecedent is not in the prompt itself."""
    for found in _WORD.finditer(prompt):
        word = found.group().casefold()
        before, after = prompt[: found.start()], _tokens(prompt[found.end() :])
        if word in vocabulary.PERSON | vocabulary.THING | vocabulary.OWNER and _has_antecedent(word, before):
            continue
        if word in vocabulary.PERSON | vocabulary.OWNER or (
            word in vocabulary.THING and _is_pronoun(word, before, after)
        ):
            return True
        if (
            word in vocabulary.ONE
            and _tokens(before)[-1:] in (["the"], ["that"], ["this"], ["other"], ["which"])
            and not after
        ):
            return True
        if word in vocabulary.PLACE and not after:
            return True
    return False


def _has_antecedent(word: str, before: str) -> bool:
    """Something named in an earlier clause; for plurals and owners in the same one ("can interns log their hours")."""
    clauses = [border for border in _BORDER.finditer(before) if _tokens(before[border.end() :])]
    if clauses and _content(before[: clauses[-1].start()]):
        return True
    if word in vocabulary.PERSON | vocabulary.OWNER and _NAMES.search(before):
        return True
    return word in vocabulary.OWNER | {"they", "them", "her", "his"} and len(_content(before)) >= 2


def _is_pronoun(word: str, before: str, after: list[str]) -> bool:
    last = (_tokens(before) or [""])[-1]
    if word == "it":
        ahead = after[:3]
        return not (vocabulary.EXPLETIVE & set(ahead) and {"to", "that", "for", "if"} & set(after))
    if word in vocabulary.POINTING:
        is_joined = not last or last in words.STOP_WORDS | vocabulary.PREPOSITION | vocabulary.FRAME
        return not after or (last not in vocabulary.SAYING and is_joined and after[0] not in vocabulary.NOW)
    return True


def _whole(prompt: str, before: str) -> str:
    """The prompt with what it leans on. `before` stands alone."""
    opener = _OPENER.match(prompt)
    rest = prompt[opener.end() :].strip() if opener else prompt.strip()
    question = before.rstrip(" ?.!")
    if _MORE.fullmatch(rest):
        return before
    if not _points_back(rest) and not _is_question(_tokens(rest)) and _content(rest):
        return _varied(rest.rstrip(" ?.!"), question)
    topic = "" if _WHAT_WAS_DONE.match(question) else _topic(question)
    pointed = _replaced(rest, topic) if topic else rest
    if pointed != rest:
        return _capital(pointed)
    rest = rest.rstrip(" ?.!")
    return f"{_capital(rest)}? ({_asked(question)})" if _content(rest) else f"{question}: {rest.casefold()}?"


def _varied(subject: str, question: str) -> str:
    """The earlier question about something else: a name for a name, a year for a year, "interns" for "all interns"."""
    bare = _LEADING.sub("", subject)
    for shape in _SHAPES:
        new, old = shape.search(f". {bare}" if shape is not _NAMES else f"x {bare}"), list(shape.finditer(question))
        is_whole = new and old and (new.group() == bare or (shape is _NAMES and old[-1].end() == len(question)))
        if is_whole and bare.split()[0].casefold() not in words.STOP_WORDS:
            return f"{question[: old[-1].start()]}{bare}{question[old[-1].end() :]}?"
    swapped = _same_head(bare, question)
    return swapped or f"{_capital(subject)}? ({_asked(question)})"


def _same_head(subject: str, question: str) -> str:
    """ "part-time employees" takes the place of "full-time employees" in the earlier question."""
    new, found = _WORD.findall(subject), list(_WORD.finditer(question))
    heads = [at for at, word in enumerate(found) if new and word.group().casefold() == new[-1].casefold()]
    if not heads or len(new) < 2:
        return ""
    first = max(0, heads[-1] - len(new) + 1)
    while first < heads[-1] and found[first].group().casefold() in words.STOP_WORDS:
        first += 1
    return f"{question[: found[first].start()]}{subject}{question[found[heads[-1]].end() :]}?"


def _topic(question: str) -> str:
    """What a question is about, as a phrase: "How do I get a new laptop" is about "a new laptop". Empty if too long."""
    clause = re.split(r"[,;:]\s|\s(?:and|but)\s(?=who|what|when|where|how|why)", question, maxsplit=1)[0]
    every = clause.split()
    spoken = list(dropwhile(lambda word: word.casefold() in vocabulary.FRAME, every))
    framed = [word.casefold() for word in every[: len(every) - len(spoken)]]
    cut = next((at for at, word in enumerate(spoken) if at and word.casefold() in vocabulary.AUXILIARY), len(spoken))
    spoken = spoken[:cut]
    if len(spoken) > 2 and spoken[1].casefold() in vocabulary.DETERMINER and spoken[0].islower():
        spoken = spoken[1:]
    whole = len(spoken)
    while spoken and spoken[-1].casefold() in vocabulary.TRAILING:
        spoken.pop()
    if _hides_a_verb(framed, spoken, is_cut=len(spoken) < whole):
        spoken = _name_at_the_head(spoken)
    phrase = " ".join(spoken)
    return phrase if _content(phrase) and len(spoken) <= _LONGEST_TOPIC else ""


def _hides_a_verb(framed: Sequence[str], spoken: Sequence[str], *, is_cut: bool) -> bool:
    """Whether what is left of a question after `framed` may hold its verb: "Why is | Brackwater leaving"."""
    last = max((at for at, word in enumerate(framed) if word in vocabulary.AUXILIARY), default=-1)
    if last < 0 or any(word not in vocabulary.QUESTION | vocabulary.SUBJECT for word in framed[last + 1 :]):
        return False
    if framed[last] in vocabulary.BEFORE_A_VERB:
        return not is_cut
    after_name = spoken[len(_name_at_the_head(spoken)) :]
    return len(after_name) < len(spoken) and any(_VERBAL.fullmatch(word) for word in after_name)


def _name_at_the_head(spoken: Sequence[str]) -> list[str]:
    """ "Brackwater leaving" -> Brackwater; nothing where it does not begin with a name."""
    return list(takewhile(lambda word: word[:1].isupper() or word[:1].isdigit(), spoken))


def _replaced(prompt: str, topic: str) -> str:
    """The first pronoun for a thing gives way to the topic; a person, a place or "that plan" cannot be replaced so."""
    tokens = list(_WORD.finditer(prompt))
    for at, found in enumerate(tokens):
        word = found.group().casefold()
        following = tokens[at + 1].group().casefold() if at + 1 < len(tokens) else ""
        if word in vocabulary.PERSON | vocabulary.PLACE:
            return prompt
        if (
            word in vocabulary.POINTING
            and following
            and following not in words.STOP_WORDS
            and following not in vocabulary.EXPLETIVE | vocabulary.TRAILING
        ):
            return prompt
        if word in vocabulary.THING:
            return prompt[: found.start()] + topic + prompt[found.end() :]
        if word in vocabulary.OWNER:
            return f"{prompt[: found.start()]}{topic}{_possessive(topic)}{prompt[found.end() :]}"
    return prompt


def _asked(question: str) -> str:
    return question if question.endswith(")") else f"{question}?"


def _possessive(topic: str) -> str:
    return "'" if topic.endswith("s") else "'s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
