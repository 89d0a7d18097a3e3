"""The word lists by which a prompt is understood without a language model: triage and follow-ups. Pure data."""

from memories import words


def spoken(text: str) -> frozenset[str]:
    return frozenset(text.split())


# How a question is built -------------------------------------------------------------------------------------------

QUESTION = spoken("who whom whose what which when where why how")
AUXILIARY = spoken(
    """is are was were am be been do does did has have had can could will would should shall may might must isn't
    aren't wasn't don't doesn't didn't can't won't what's who's where's when's how's it's that's"""
)
#: After these, and whoever does it, comes a verb.
BEFORE_A_VERB = spoken("do does did can could will would should shall may might must don't doesn't didn't can't won't")
SUBJECT = spoken("i we you they he she it")
PREPOSITION = spoken(
    """in at on for with from to of by under over after before during since until about regarding without"""
)
PERSON = spoken("he she him her his hers")
THING = spoken("it they them that this those these")
OWNER = spoken("its their theirs")
PLACE = frozenset(["there"])
ONE = spoken("one ones same other others latter former")
DETERMINER = spoken("a an the our my your their its")
#: "This year" points at the calendar.
NOW = spoken("year quarter month week day days morning afternoon evening weekend time summer autumn winter spring")
POINTING = spoken("that this those these")
#: After these, "it" points at what follows: "does it take long to get a laptop?"
EXPLETIVE = spoken(
    """take takes cost costs possible ok okay true allowed necessary required safe mean worth matter normal common"""
)
#: After these a "that" begins a clause: "is it true that", "do we know that".
SAYING = spoken("know say says said mean means true sure think rule ensure so such")
#: What a question says before it comes to its subject.
FRAME = (
    QUESTION
    | AUXILIARY
    | PREPOSITION
    | spoken(
        """and but so also please i we you they he she it me us one there tell show give explain describe remind find
        know list summarize summarise more much many long often far soon exactly currently now responsible charge
        decide decided own owns owned lead leads led run runs manage manages handle handles approve approves sign
        signs maintain maintains happen happens happened need needs use uses apply applies get gets say says mean
        means work works look like talk head heads write wrote make makes made pay pays cost costs anything
        something everything think thinks want take takes contact call ask report reports"""
    )
)
TRAILING = spoken(
    """end ends start starts begin begins work works cost costs take takes close closes open opens expire expires
    happen happens look like ask asked asks get need have apply run runs go mean again now currently today
    please be due live for to in on at with about from exactly"""
)

# What is no question for company memory -----------------------------------------------------------------------------

#: Regular expressions, a blank standing for any white space.
PLEASANTRIES = [
    "hi|hello|hey|hiya|yo|howdy|morning|hallo|hola|ciao|bonjour|salut|servus|moin|namaste",
    "good (?:morning|afternoon|evening|day|night)|guten (?:morgen|tag|abend)|buenos días|bonsoir",
    "(?:hi|hello|hey|thanks|morning) (?:there|all|everyone|everybody|team|folks|world|claude|friend|mate|again|guys)",
    "how are you(?: (?:doing|today))?|how(?: is|'s) it going|what's up|whats up|nice to meet you",
    "thanks|thank you|thx|ty|cheers|many thanks|thanks a (?:lot|bunch)|so much|very much|much appreciated|again",
    "for (?:your|the|all (?:your|the)) help|no problem|you're (?:welcome|great|the best)",
    "danke|vielen dank|merci|gracias|muchas gracias|grazie|obrigado|bedankt|tack",
    "that(?:'s| is) (?:all|it|great|perfect|helpful)|ok|okay|k|alright|cool|great|nice|perfect|awesome|excellent",
    "wonderful|super|fine|good|good job|well done|got it|sounds good|makes sense|understood|i see",
    "sure|yes|yep|yeah|no|nope|lol|haha|hahaha|hehe|wow|oh|hm|hmm",
    "bye|goodbye|later|see you(?: later)?|talk to you later|tschüss|have a (?:nice|good|great) (?:day|one|weekend)",
    "are you there|anyone there|tell me a joke|who are you|what can you do",
    "你好|您好|谢谢|谢谢你|こんにちは|ありがとう|ありがとうございます|안녕하세요|감사합니다|नमस्ते",
    "привет|спасибо|здравствуйте|مرحبا|شكرا|שלום|תודה",
]

#: Stems are compared, so that each word is given once.
LANGUAGES = spoken(
    """python javascript typescript java kotlin rust golang ruby php perl haskell scala clojure elixir erlang
    fortran cobol bash zsh powershell sql html css scss sass regex regexp json yaml xml jquery numpy pandas c++
    c# objective-c dart lua julia matlab javascript's python's react vue angular svelte django flask rails
    tailwind node nodejs latex git"""
)
MATTERS = frozenset(
    words.terms(
        """array list string dict dictionary hash map set tuple object class function method lambda loop recursion
        recursive algorithm quicksort mergesort bubble binary tree linked stack queue heap graph matrix integer
        int float number boolean variable var let const pointer iterator generator decorator async await promise
        callback exception error try catch null none undefined type interface enum struct module import
        comprehension slice index key value column row table join query select group div flexbox grid selector
        button element dom event listener component hook state props file line character word text date datetime
        timestamp timezone substring palindrome fibonacci factorial prime fizzbuzz duplicate sum average maximum
        minimum max min length syntax code snippet script program one-liner expression pattern operator commit
        branch rebase merge cherry-pick stash"""
    )
)
DEEDS = frozenset(
    words.terms(
        """reverse sort filter map reduce parse format convert concatenate split join iterate count flatten remove
        delete add append insert replace find search match validate check compare implement write create declare
        define initialize print read open close center centre align style undo revert squash rename copy clone
        swap rotate generate compute calculate return returns call handle raise throw refactor debug optimize
        explain work difference differ fix compile run execute install export use example best way quick quickly
        efficient place twice once render last first nth second new empty given email address phone url"""
    )
)
#: Whoever says this means a company, and most likely this one.
OURS = spoken(
    """we we're we've us our ours team company org organisation organization colleague colleagues customer
    customers client clients policy who whom whose when"""
)
