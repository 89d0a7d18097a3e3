"""How a text becomes words: what is searched exactly, and with which weight. Pure; knows no database and no model.

Prose is folded (case, accents) and stemmed. An identifier (`ERR-4912`, `snake_case`, `docs/guide.md`, a hex id) is kept
whole *and* in parts, so that the exact token finds its record and a half-remembered one still does. Scripts without
spaces (Chinese, Japanese, Thai, ...) become pairs of characters. A term is stored as a number, its hash.
"""

import hashlib
import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from snowballstemmer import stemmer

from memories import scripts

# pgvector's sparsevec allows 10^9 dimensions; a prime spreads the hashed terms evenly.
TERM_SPACE = 999_999_937
# BM25's usual constants; the length part is mild, since facts are all short.
K1 = 1.2
B = 0.5
# What an identifier weighs beside its parts, and a word of the heading path beside a word of the text.
PATH_WEIGHT = 0.4

# A text's language is not known, a word's script is. Latin words are taken for English, which is what most are.
_STEMMERS = {
    "cyrillic": stemmer("russian"),
    "arabic": stemmer("arabic"),
    "greek": stemmer("greek"),
    "armenian": stemmer("armenian"),
    "devanagari": stemmer("hindi"),
}
_STEMMER = stemmer("english")
# A stemmer holds the word it works on: two threads at once would stem a mixture, and it would be remembered.
_stemming = threading.Lock()
_TOKEN = re.compile(r"(?:[^\W_]|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])+(?:[-_./:@#+'’][^\W_]+)*", re.UNICODE)
_PART = re.compile(r"[-_./:@#+]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GLUE = re.compile(r"\w[_/#@]\w|\w\.[a-z]{2,4}$")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003134f]+"
)

_TARGET = re.compile(r"\]\([^)\s]*(?:\s[^)]*)?\)")
_MARKS = re.compile(r"[*_`#>|\[\]]+|<[^<>]*>|\{%.*?%\}|^\s*[-:| ]+$", re.MULTILINE | re.DOTALL)

STOP_WORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being between both but by
    can cannot could did do does doing done down during each either else ever every few for from further get
    gets getting give given go goes going got had has have having he her here hers him his how i if in into is
    it its itself just let like many may me might mine more most much must my myself need needs neither no nor
    not now of off on once one only or other our ours out over own per please same shall she should so some
    someone something soon still such tell than that the their theirs them then there these they thing things
    this those through to too under until up us use used using very want wants was way we were what whatever
    when where whether which while who whoever whom whose why will with within without would yes yet you your
    yours there's i'm i've i'd i'll we're we've we'll don't doesn't didn't can't won't isn't aren't what's
    who's where's how's it's let's that's know find show explain anyone anybody somebody does's okay ok""".split()  # noqa: SIM905  (read as a paragraph, not as a column)
)


# The same for the scripts whose words are stemmed, and for pairs of characters; pairs of kana alone are grammar, too.
FOREIGN_STOP_WORDS = frozenset(
    """кто что где когда как какой какая какие каков сколько почему зачем чей куда откуда ли и в на с по для из от до за
    у о об не мы вы они он она оно наш наша наши это этот эта эти у к или а но же бы есть
    من ما ماذا متى اين أين كيف كم لماذا هل هو هي في على الى إلى عن مع و أو هذا هذه ذلك التي الذي نحن
    ποιος ποια ποιο ποιοι τι πότε που πού πως πώς πόσο πόσα γιατί ο η το οι τα και σε με για από του της των είναι
    什么 怎么 多少 是谁 哪里 我们 是否 如何 为什 的是 谁是 谁负 哪个 哪些 几个 有多 何时""".split()  # noqa: SIM905
)
_KANA = re.compile("[\u3040-\u309f]{1,2}")


def terms(text: str) -> list[str]:
    """Every term of `text`, in order, with repetitions: stems, whole identifiers, character pairs."""
    found: list[str] = []
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text)):
        found.extend(_of_token(token))
    return found


def tokens(text: str) -> list[str]:
    """The words and identifiers of `text` as they stand, in order."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text))


def content_terms(text: str) -> list[str]:
    """The terms that carry a question's meaning, each once: without function and question words."""
    kept: dict[str, None] = {}
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text)):
        if token.casefold().replace("’", "'") in STOP_WORDS or token.casefold() in FOREIGN_STOP_WORDS:
            continue
        kept.update(dict.fromkeys(_of_token(token)))
    telling = [term for term in kept if term not in FOREIGN_STOP_WORDS and not _KANA.fullmatch(term)]
    return telling or list(kept)


def identifiers(text: str) -> list[str]:
    """The terms that name one thing exactly (`err-4912`, `holdoff_force`, `docs/guide.md`, a hex id), each once.

    Glued words of plain letters (`read-only`) are none, nor is a bare number.
    """
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text))
    return list(dict.fromkeys(fold(token) for token in tokens if _is_identifier(token)))


def _is_identifier(token: str) -> bool:
    if _UNSPACED.search(token) or not token.isascii():
        return False
    has_both = any(map(str.isdigit, token)) and any(map(str.isalpha, token))
    return len(token) > 3 and (has_both or bool(_GLUE.search(token)))


@lru_cache(maxsize=65_536)
def _of_token(token: str) -> tuple[str, ...]:
    if _UNSPACED.search(token):
        return tuple(_of_mixed_script(token))
    token = re.sub(r"['’](?:s|t|m|d|re|ve|ll)?$", "", token.replace("’", "'"))
    parts = [piece for part in _PART.split(token) for piece in _CAMEL.split(part) if piece]
    stems = tuple(_stem(part) for part in parts)
    whole = fold(token)
    # A plain word is its stem only; anything glued together is also itself.
    return stems if len(parts) <= 1 else (*stems, whole)


def _of_mixed_script(token: str) -> Iterable[str]:
    at = 0
    for run in _UNSPACED.finditer(token):
        if token[at : run.start()]:
            yield from _of_token(token[at : run.start()])
        yield from _pairs(run.group())
        at = run.end()
    if token[at:]:
        yield from _of_token(token[at:])


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


def readable(source: str) -> str:
    """Markdown without its marks and link targets: good enough for words and vectors, not for showing."""
    return _MARKS.sub(" ", _TARGET.sub("]", source))


def surface(text: str) -> list[str]:
    """The words as they stand, folded, each once: for looking up near-synonyms."""
    return list(dict.fromkeys(fold(token) for token in _TOKEN.findall(unicodedata.normalize("NFKC", text))))


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """Case and accents gone: `Zürich` and `zurich` are one word."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    folded = fold(word)
    if not folded.isalpha():
        return folded
    fitting = _STEMMER if folded.isascii() else _STEMMERS.get(scripts.of(folded))
    if not fitting:
        return folded
    with _stemming:
        return str(fitting.stemWord(folded))


@lru_cache(maxsize=65_536)
def number(term: str) -> int:
    """A term's number, the same in every process and release: 1 to TERM_SPACE."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest()) % TERM_SPACE + 1


def weights(text: str, path: str = "", *, average_length: float, path_weight: float = PATH_WEIGHT) -> dict[int, float]:
    """BM25's weight of each term in a text under the headings `path`, without the inverse document frequency.

    A query multiplies by the frequencies of its day, so a text is never weighed anew because others came.
    """
    counts: Counter[str] = Counter(terms(text))
    length = sum(counts.values())
    for term in set(terms(path)):
        counts[term] += path_weight  # type: ignore[assignment]  # a Counter may hold shares
    return weighed(counts, length, average_length=average_length)


def counted(text: str) -> tuple[Counter[str], int]:
    """How often each term that carries meaning stands in `text`, and the number of all terms."""
    counts: Counter[str] = Counter()
    length = 0
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text)):
        found = _of_token(token)
        length += len(found)
        if token.casefold().replace("’", "'") not in STOP_WORDS:
            counts.update(found)
    return counts, length


def weighed(counts: Mapping[str, float], length: float, *, average_length: float) -> dict[int, float]:
    """BM25's weight of each counted term, by its number, in a text of `length` terms."""
    norm = K1 * (1 - B + B * length / average_length)
    result: dict[int, float] = {}
    for term, count in counts.items():
        key = number(term)
        result[key] = result.get(key, 0.0) + count * (K1 + 1) / (count + norm)
    return result


def rarity(frequency: int, total: int) -> float:
    """Inverse document frequency as BM25 has it: never below zero, highest for a term that no document holds."""
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def shares(query_terms: Iterable[str], rarities: Mapping[str, float]) -> dict[int, float]:
    """Each query term's number with its share of the whole question's rarity; they add up to 1."""
    weighed = {number(term): rarities[term] for term in query_terms}
    total = sum(weighed.values()) or 1.0
    return {term: weight / total for term, weight in weighed.items()}
