"""Which writing system a text is in, as far as search must know it. Pure."""

import unicodedata
from functools import lru_cache

# So many of its letters must be Latin: a Japanese sentence may name an ERR-4912, an English one a person from Kyiv.
MOSTLY = 0.5


def is_latin(text: str) -> bool:
    """Whether most letters of a text are Latin; true where it has none."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(map(_is_latin, letters)) >= MOSTLY * len(letters)


def of(word: str) -> str:
    """What Unicode calls the script of a word's first letter, in lower case: latin, cyrillic, arabic, cjk ..."""
    return next((_script(letter) for letter in word if letter.isalpha()), "")


def _is_latin(letter: str) -> bool:
    return letter.isascii() or _script(letter) in ("latin", "feminine", "masculine")


@lru_cache(maxsize=65_536)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0].lower()
