"""English verbs, as far as turning the first person into the third needs them. Lists, no parser. Pure."""

import re

from memories.grammar import spoken

#: Base forms that begin a predicate of their own after "and": none that is oftener a noun.
PLAIN = spoken(
    """accept adopt adore aim am are attend avoid bake be become believe belong breed bring build buy can cannot care
    carry climb code coach collect come commute compose cook could cycle dance deploy design despise detest develop
    did dislike do draw dream drink drive earn eat enjoy expect fear feel finish fly follow forget garden get give
    go graduate grow hate have help hike hope intend invest jog join juggle keep knit know lead learn let like
    listen live love maintain make manage mean meditate meet mentor migrate might miss moderate move must need never
    operate organise organize own paint pay photograph plan play prefer prepare program read receive recycle refuse
    rent repair ride run sail save say see sell send serve shall should sing skate ski sleep smoke speak spend stand
    start stay stream study suffer support surf swim take talk teach tend think train translate travel try tutor
    type understand use used volunteer wait wake walk want watch wear weigh went will wish work worry would write"""
)
_ALSO = spoken(
    """act add admire agree allow answer appear apply appreciate argue arrange arrive ask assume back base begin blog
    book borrow boil break brew brush call camp cancel catch celebrate change charge check choose clean close
    collaborate combine commit compare compile complete concentrate consider consult consume contain continue
    contribute control convert copy count cover create crave cross cry cut deal decide deliver depend describe
    detail die dig disagree discuss divide document double download dress drop edit embed enable end ensure enter
    escape evaluate exceed exercise exist explain explore export fail fall fast feature feed fight file fill find
    fish fit fix focus force format freeze fry gather generate grade grill grow handle hang happen head hear heat
    hide hire hit hold host hurt identify ignore imagine import improve include increase inform insert insist
    inspect install interview introduce involve iron journal judge jump kick kiss land laugh launch lean leave lend
    lie lift limit link list load lock log look lose lower mark marry master matter measure memorise memorize merge
    mind mix monitor mount name note notice notify obey object observe offer open oppose order outline overlook pack
    park pass perform phone pick place plant point pour practice practise praise pray present press pretend prevent
    print process produce promise promote protect prove provide publish pull push put question queue quit quote race
    raise reach react realise realize recall recommend record reduce refactor refer regret rehearse reject relax
    rely remain remember remind remove repeat replace reply report represent request require research reserve resist
    respect rest restart retire return reuse review revise roast roll row rule save scan schedule score search seem
    select separate set settle share shave shift ship shoot shop show shower shut sign sit skip smell snack sort
    sound spell split spread squat stick stop store stretch strike structure struggle submit subscribe succeed
    suggest summarise summarize supply suppose sweep switch tackle target taste tell test thank throw tidy touch
    track trade treat trust turn update upgrade upload value visit warm warn wash waste water welcome win wonder
    wrap yell zip dabble tinker experiment install renovate paint sculpt sew crochet quilt bowl box row fence
    practise tour busk blog vlog"""
)
BASE = PLAIN | _ALSO
MODALS = spoken("can cannot could may might must shall should will would")
BE = spoken("am is are was were be been being")
PAST = spoken(
    """ate became began bought broke brought built came caught chose cut did drank drove dreamt dropped fell felt found
    flew forgot fought gave got graduated grew had heard held hid hit hurt kept knew laid learnt led left lent lost
    made met moved paid put quit ran read rode sang sat saw sent set shot slept sold spent spoke stood swam taught
    thought told took understood was went were woke won wore wrote spelt burnt lay threw cost used"""
)
# Their present looks like a past form.
_PRESENT_ED = spoken("need feed speed breed exceed proceed succeed embed bleed weed heed seed shed wed")
_SAME = spoken("put set cut read hit quit let cost hurt bet spread")
ADVERBS = spoken(
    """also always never often sometimes usually just still only really actually currently already recently generally
    mostly rarely seldom normally typically now once first then quite kinda rather regularly mainly absolutely
    definitely probably maybe perhaps finally even ever almost hardly both personally honestly truly simply not
    strongly strictly occasionally frequently constantly basically fully deeply totally particularly especially much
    primarily exclusively daily weekly sort of kind"""
)
_NO_ADVERB = spoken("rely apply reply supply comply fly multiply ally bully rally tally imply")
_IRREGULAR = {"have": "has", "do": "does", "go": "goes", "am": "is", "are": "is", "be": "is", "were": "was"}
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|o)$")


def third(base: str) -> str:
    """`live` -> `lives`; a form that does not change with the person comes back as it is."""
    word = base.casefold()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in MODALS or is_past(word) or not word.isalpha():
        return base
    if _SIBILANT.search(word):
        return base + ("" if word.endswith("s") and not word.endswith("ss") else "es")
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def is_past(word: str) -> bool:
    """Whether a verb stands in the past; one that looks the same in both counts as present."""
    if word in _SAME:
        return word == "quit"
    return word in PAST or (word.endswith("ed") and word not in _PRESENT_ED)


def base(word: str) -> str:
    """`lives` -> `live`, as the first person says it; empty where the word is no verb in the third."""
    return _BASE_OF.get(word, "")


def is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _NO_ADVERB)


def is_finite(word: str) -> bool:
    """Whether a word can be the verb of a sentence about somebody else: "lives", "is", "went"."""
    return word in BE or word in MODALS or word in _THIRD or word in PAST or word in ("has", "does", "had")


_THIRD = frozenset(third(verb) for verb in BASE)
_BASE_OF = {third(verb): verb for verb in sorted(BASE) if third(verb) != verb} | {
    "is": "am",
    "has": "have",
    "does": "do",
}
