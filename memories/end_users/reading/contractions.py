"""What is said short or typed in haste, written out: "I'm" is "I am", "gonna" is "going to". Pure."""

import re

_NOT = {"can't": "cannot", "won't": "will not", "shan't": "shall not", "ain't": "am not"}
_HASTY = {
    "im": "I am",
    "ive": "I have",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "cant": "cannot",
    "wont": "will not",
    "isnt": "is not",
    "havent": "have not",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "u": "you",
    "ur": "your",
    "y'all": "you",
    "fave": "favourite",
}
_WORD = re.compile(
    r"\b(?:[A-Za-z]+n't|im|ive|dont|doesnt|didnt|cant|wont|isnt|havent|gonna|wanna|gotta|fave|u|ur)\b", re.I
)
_SHORT = re.compile(r"\b(I|you|we|they|he|she|it|that|there|who|what|where|how)'(m|re|ve|ll)\b", re.I)
_LONG = {"m": "am", "re": "are", "ve": "have", "ll": "will"}
_HAD = re.compile(r"\b(I|we|you|he|she|they)'d(?= (?:better|been|already|never been|had|gone|done|seen)\b)", re.I)
_WOULD = re.compile(r"\b(I|we|you|he|she|they)'d\b", re.I)
_IS = re.compile(r"\b(he|she|it|that|there|what|who|where|how|name|when)'s\b(?! (?:got|been)\b)", re.I)
_HAS = re.compile(r"\b(he|she|it)'s(?= (?:got|been)\b)", re.I)
_OF_MY = re.compile(
    r"(?<!at )(?<!to )(?<!of )(?<!in )(?<!from )(?<!for )\b((?:my|our|your) (?:[\w-]+ )?[\w-]+)'s(?="
    r" (?:a|an|the|called|named|\d+|in|at|from|also|not)\b)",
    re.I,
)
_HAVE_GOT = re.compile(r"\b(have|has) got\b", re.I)
_I = re.compile(r"(?<![\w.'-])i(?=(?:'| |,|$))(?!\.)")


def expanded(text: str) -> str:
    """`text` with straight apostrophes, "I" as a capital, and short forms written out."""
    text = text.replace("’", "'").replace("‘", "'").replace("`", "'")
    text = _I.sub("I", text)
    text = _WORD.sub(_written_out, text)
    text = _SHORT.sub(lambda found: f"{found[1]} {_LONG[found[2].lower()]}", text)
    text = _HAD.sub(r"\1 had", text)
    text = _WOULD.sub(r"\1 would", text)
    text = _HAS.sub(r"\1 has", text)
    text = _IS.sub(r"\1 is", text)
    text = _OF_MY.sub(r"\1 is", text)
    return _HAVE_GOT.sub(lambda found: found[1], text)


def _written_out(found: re.Match[str]) -> str:
    word = found[0].casefold()
    if word.endswith("n't"):
        return _cased(found[0], _NOT.get(word) or f"{word[:-3]} not")
    return _cased(found[0], _HASTY.get(word, found[0]))


def _cased(before: str, after: str) -> str:
    return after[0].upper() + after[1:] if before[:1].isupper() else after
