"""What a few English words do in a sentence: verbs, and what is still to come. Lists, no parser. Pure."""

import re

from memories import words


def spoken(text: str) -> frozenset[str]:
    """A list of words, written as a paragraph."""
    return frozenset(text.split())


_AUXILIARIES = spoken(
    """is are was were am be been has have had do does did can could will would shall should may might must isn't
    aren't wasn't weren't hasn't haven't don't doesn't didn't can't won't"""
)
_VERBS = spoken(
    """accept agree allow announce answer apply approve arrange arrive ask become begin believe belong bring build
    buy call cancel care change check choose close come complain consider contain continue cost cover create
    deal decide deliver depend describe differ drop employ end ensure expect explain fail finish fit follow
    found get give go handle happen hear help hire hold ignore include increase inform install introduce join
    keep know last lead learn leave let live look lose make manage mean meet mention move need occur offer open
    order own pay perform plan prefer prevent promise provide put reach read receive recommend refuse remain
    remove replace report require resign resolve respond ring run say see seem sell send serve set sign speak
    spend stand start stay stop suffer suggest supersede take talk tell think treat try understand use visit
    wait want watch work write began came chose did fell felt gave went held kept knew led left lost made meant
    met paid ran said sent sold spent stood taken took told thought understood written wrote"""
)
_TERMS = frozenset(term for verb in _VERBS for term in words.terms(verb))
#: Words that ask or judge and name nothing.
_EMPTY = frozenset(words.terms("""allowed possible currently exactly actually new old big much many really please"""))
#: Common verbs' forms that name things oftener than they tell what is done.
_THINGS = spoken(
    """change changes cost costs cover end ends fit help lead order orders plan plans report reports set start
    visit visits watch hold offer offers call calls building meeting meetings sign signs contact heads employee
    employees manager managers leader leaders"""
)
_FUTURE = re.compile(
    r"\b(?:will|won't|shall|(?:is|are) to be|to be (?:decided|looked at|confirmed|agreed|announced)"
    r"|(?:has|have|is|are) not (?:yet )?(?:been )?(?:decided|agreed|settled|answered|known|signed)(?: yet)?"
    r"|not yet|undecided|pending"
    r"|(?:is|are) (?:expected|planned|due)|still open|(?:decides?|meets?|votes?|answers?|agrees?|signs?|chooses?)"
    r" (?:at|in|on|next|by|after|when)\b)",
    re.IGNORECASE,
)
_PAST_QUESTION = re.compile(
    r"\b(?:did|was|were|had|(?:has|have) (?:\w+ ){1,4}(?:\w+ed|been|done|made|said|told|chosen))\b", re.IGNORECASE
)


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VERBAL = re.compile(r"[a-z]{3,}(?:ed|[^s'’]s)")


def has_verb(text: str) -> bool:
    """Whether a text says what somebody does, as far as lists know."""
    return any(word in _AUXILIARIES or not _TERMS.isdisjoint(words.terms(word)) for word in _spoken(text))


def may_have_verb(text: str) -> bool:
    """The same in doubt: whatever ends in -s or -ed may be one."""
    return has_verb(text) or any(_VERBAL.fullmatch(word) for word in _spoken(text))


def _spoken(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def names_nothing(word: str) -> bool:
    """Whether a word of a question is a verb or asks, so that it is none of the things asked about."""
    if word[:1].isupper() or word.casefold() in _THINGS:
        return False
    terms = words.terms(word)
    return (bool(terms) and (_TERMS | _EMPTY).issuperset(terms)) or bool(re.fullmatch(r"[a-z]{3,}(?:ed|ly)", word))


def asks_of_the_past(question: str) -> bool:
    """ "What did they decide?"; not "What does it cost?"."""
    return bool(_PAST_QUESTION.search(question))


def is_still_to_come(statement: str) -> bool:
    """ "The board decides in May", "is not decided yet", "will be sent"."""
    return bool(_FUTURE.search(statement))
