"""First-person basics of German, Spanish and French; every other language but English is left alone. Pure.

The statement is English, so that the same matter has the same slot whatever language it was said in; names and things
stay in the user's words: "Ich wohne in Köln" is "User lives in Köln".
"""

import re

_ENGLISH = frozenset(
    """i i'm am is are the and a an to of in my me we you it that for with at on from have has was do don't not but
    this be live work like love prefer use hate can will would as or so by our your been just no what how please
    because""".split()  # noqa: SIM905
)
_FOREIGN = frozenset(
    """ich bin ist und der die das ein eine nicht mein meine mit wohne für auf zu habe kein keine mir mich wir sehr
    auch heiße yo soy es el la los las un una de que no mi mis en con por para tengo vivo me gusta llamo muy pero
    trabajo je suis est et le les une des du pas mon ma mes en avec pour j'ai j'habite j'aime ai n'ai dans qui que
    au eu sou é o os uma não meu minha com em moro io sono il gli che non mio mia per ho di ik ben het een niet mijn
    van""".split()  # noqa: SIM905
)
_THING = r"(?P<x>[^,.;!?()]{2,60}?)(?=$|[,.;!?(]| und | y | e | et | aber | pero | mais | weil | porque | parce )"
_NUMBER = r"(?P<x>\d{1,3})"
_READINGS = tuple(
    (re.compile(pattern, re.IGNORECASE), told)
    for pattern, told in (
        # German
        (rf"\b(?:ich heiße|ich heisse|mein name ist) {_THING}", "User's name is {x}"),
        (rf"\b(?:ich )?(?:wohne|lebe)(?: jetzt| derzeit| seit \w+)? in {_THING}", "User lives in {x}"),
        (rf"\b(?:ich )?arbeite(?: derzeit)? als {_THING}", "User works as {x}"),
        (rf"\b(?:ich )?arbeite(?: derzeit)? (?:bei|für) {_THING}", "User works at {x}"),
        (rf"\bich bin {_NUMBER}(?: jahre(?: alt)?)?\b", "User is {x} years old"),
        (r"\bich bin (?P<x>vegetarier(?:in)?|veganer(?:in)?)\b", "User is {x}"),
        (rf"\bich komme aus {_THING}", "User comes from {x}"),
        (
            rf"\bich bin (?:allergisch gegen) {_THING}|\bich bin gegen (?P<y>[^,.;!?()]+?) allergisch",
            "User is allergic to {x}",
        ),
        (rf"\bich (?:mag|esse|trinke) (?:keinen|keine|kein) {_THING}", "User does not like {x}"),
        (rf"\b(?:ich )?(?:mag|liebe) {_THING}", "User likes {x}"),
        (rf"\bich spreche {_THING}", "User speaks {x}"),
        (rf"\bmeine? (?:lieblings)(?P<w>\w+) (?:ist|sind) {_THING}", "User's favourite {w} is {x}"),
        # Spanish
        (rf"\b(?:me llamo|mi nombre es) {_THING}", "User's name is {x}"),
        (rf"\bvivo en {_THING}", "User lives in {x}"),
        (rf"\btrabajo como {_THING}", "User works as {x}"),
        (rf"\btrabajo (?:en|para) {_THING}", "User works at {x}"),
        (rf"\btengo {_NUMBER} años\b", "User is {x} years old"),
        (r"\bsoy (?P<x>vegetarian[oa]|vegan[oa])\b", "User is {x}"),
        (rf"\bsoy de {_THING}", "User comes from {x}"),
        (rf"\bsoy alérgic[oa] (?:al|a los|a las|a la|a) {_THING}", "User is allergic to {x}"),
        (rf"\bno me gustan? {_THING}", "User does not like {x}"),
        (rf"(?<!no )\bme (?:gustan?|encantan?) {_THING}", "User likes {x}"),
        (rf"\bno como {_THING}", "User does not eat {x}"),
        (rf"\bhablo {_THING}", "User speaks {x}"),
        # French
        (rf"\b(?:je m'appelle|mon nom est) {_THING}", "User's name is {x}"),
        (rf"\b(?:j'habite|je vis|je vis actuellement) (?:à|a|en|au) {_THING}", "User lives in {x}"),
        (rf"\bje travaille comme {_THING}", "User works as {x}"),
        (rf"\bje travaille (?:chez|pour) {_THING}", "User works at {x}"),
        (rf"\bj'ai {_NUMBER} ans\b", "User is {x} years old"),
        (r"\bje suis (?P<x>végétarien(?:ne)?|végane|vegan)\b", "User is {x}"),
        (rf"\bje viens de {_THING}", "User comes from {x}"),
        (rf"\bje suis allergique (?:aux|au|à la|à l'|à) ?{_THING}", "User is allergic to {x}"),
        (rf"\bje (?:n'aime|n'adore) (?:pas|plus) {_THING}", "User does not like {x}"),
        (rf"\bje ne mange (?:pas|plus) (?:de |d')?{_THING}", "User does not eat {x}"),
        (rf"\b(?:j'aime|j'adore) {_THING}", "User likes {x}"),
        (rf"\bje parle {_THING}", "User speaks {x}"),
    )
)
_UNSURE = re.compile(
    r"\b(?:wenn|falls|hätte|wäre|würde|vielleicht|si (?!je)|si j'|quizás|ojalá|gustaría|aimerais"
    r"|peut-être|voudrais|möchte)\b",
    re.IGNORECASE,
)


def is_english(sentence: str) -> bool:
    """Whether a sentence has at least as many small words of English as of its neighbours."""
    said = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", sentence.casefold().replace("’", "'"))
    return sum(word in _ENGLISH for word in said) >= sum(word in _FOREIGN for word in said)


def read(sentence: str) -> list[str]:
    """What a sentence in German, Spanish or French says of its writer, in the third person."""
    sentence = sentence.replace("’", "'")
    if sentence.rstrip().endswith("?") or sentence.lstrip().startswith("¿") or _UNSURE.search(sentence):
        return []
    found = list[tuple[int, str]]()
    for pattern, told in _READINGS:
        for match in pattern.finditer(sentence):
            value = match["x"] or match.groupdict().get("y") or ""
            noun = match.groupdict().get("w") or ""
            found.append((match.start(), told.format(x=value.strip(), w=noun)))
    return [statement for _, statement in sorted(found)]
