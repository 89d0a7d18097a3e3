"""When two texts say the same: to the letter, so that "Use Redis 6" and "Use Redis 7" stay two. Pure.

Source: contract knowledge, "Seen again": Unicode form, case, white space and closing punctuation do not count. R13.
"""

import hashlib
import unicodedata

_CLOSING = ".!?…。！？｡;,:"


def normalised(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split()).rstrip(_CLOSING + " ")


def text_hash(text: str) -> str:
    """64 hexadecimal digits. A text of nothing but punctuation counts as it stands."""
    return hashlib.sha256((normalised(text) or text).encode()).hexdigest()
