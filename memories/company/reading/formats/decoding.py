"""Bytes of a text file to clean text, whatever wrote them. Pure."""

import re
import unicodedata

import charset_normalizer

from memories.errors import Unreadable

_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LINE_ENDS = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters, lone surrogates, non-characters, and what is invisible: soft hyphens, zero-width spaces, direction
# overrides and tag characters, which can carry words that no reader sees. Joiners stay: scripts and emoji need them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_CONTROL = bytes(range(9)) + bytes(range(14, 32))
_SAMPLE = 64 * 1024
# Written text has hardly any. What is valid UTF-8 is text even with stray NULs and escape codes in it.
_MOST_CONTROLS, _MOST_CONTROLS_ELSEWHERE = 0.1, 0.01
_HALF = 0.3
_WESTERN = frozenset("àâäáãåæçèéêëìíîïñòóôöõøœßšžùúûüýÿÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒŠŽÙÚÛÜÝ€£§©®°±²·«»¿¡‘’‚“”„–—…•™\xa0")
_USUAL_SHARE = 0.9
# French has one accent in eighteen letters; Cyrillic or Greek read as Western text is nearly all accents.
_ACCENT_SHARE = 0.25


def text(content: bytes, declared: str = "") -> str:
    """The characters of `content`, cleaned.

    Tried in turn: byte-order mark, UTF-16 without one, UTF-8, the `declared` charset, and the charset that its bytes
    look like. Raises Unreadable for bytes that are no text."""
    return clean(_decoded(content, declared))


def clean(characters: str) -> str:
    """Line ends as `\\n`, composed characters (NFC), plain spaces; nothing invisible or not storable."""
    characters = _UNSEEN.sub("", _LINE_ENDS.sub("\n", characters)).replace("\xa0", " ")
    return characters if unicodedata.is_normalized("NFC", characters) else unicodedata.normalize("NFC", characters)


def _decoded(content: bytes, declared: str) -> str:
    for mark, charset in _BOMS:
        if content.startswith(mark):
            return content.decode(charset, "replace")
    if wide := _wide(content):
        return content.decode(wide, "replace")
    utf_8 = _utf_8(content)
    _refuse_binary(content, _MOST_CONTROLS if utf_8 else _MOST_CONTROLS_ELSEWHERE)
    return utf_8 or _as_declared(content, declared) or _guessed(content)


def _wide(content: bytes) -> str:
    """UTF-16 without a mark: nearly every other byte of European text is NUL."""
    sample = content[:_SAMPLE]
    even, odd = (sample[start::2].count(0) / max(1, len(sample) // 2) for start in (0, 1))
    if max(even, odd) < _HALF or min(even, odd) > _HALF / 10:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _refuse_binary(content: bytes, most: float) -> None:
    sample = content[:_SAMPLE]
    if len(sample) - len(sample.translate(None, _CONTROL)) > len(sample) * most:
        raise Unreadable("This is not a text file: it holds binary data. Import it under its real file type.")


def _utf_8(content: bytes) -> str:
    try:
        return content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        damaged = content.decode("utf-8", "replace")
    # Text of another charset hardly ever holds a valid sequence of UTF-8: this one was cut off, or glued together.
    broken = damaged.count("\ufffd")
    return damaged if sum(letter > "\x7f" for letter in damaged) > 2 * broken else ""


def _as_declared(content: bytes, declared: str) -> str:
    try:
        return content.decode(declared) if declared else ""
    except (LookupError, UnicodeDecodeError):
        return ""


def _guessed(content: bytes) -> str:
    western = content.decode("cp1252", "replace")
    if _is_western(western[:_SAMPLE]):
        return western
    best = charset_normalizer.from_bytes(content[:_SAMPLE]).best()
    return content.decode(best.encoding if best else "cp1252", "replace")


def _is_western(characters: str) -> bool:
    """Windows-1252 (Latin-1 has the same letters): accents are rare among letters, and nothing odd stands in words."""
    high = [letter for letter in characters if letter > "\x7f"]
    usual = sum(letter in _WESTERN for letter in high)
    return usual >= _USUAL_SHARE * len(high) and len(high) <= _ACCENT_SHARE * sum(map(str.isalpha, characters))
