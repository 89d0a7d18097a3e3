"""Whether a PDF's compressed streams unpack to a harmless size. Pure.

The library behind unpacks a stream whole; deflate makes a thousand bytes of one. So each stream is unpacked here first,
in pieces that are thrown away, until their sum shows a bomb.
"""

import re
import zlib
from collections.abc import Iterator

from memories.errors import Unreadable

HARMLESS = 16 * 1024 * 1024
_CHUNK = 1024 * 1024
_STREAM = re.compile(rb"stream\r?\n")
_DICTIONARY_WITHIN = 2048
_DEFLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
_IMAGE = re.compile(rb"/Subtype\s*/Image")
_BOMB = "The PDF unpacks to far more than its own size (a bomb). It is not opened."


def check(content: bytes, *, most: int) -> None:
    """Raises Unreadable when the streams come to more than `most` bytes; those of pictures are never unpacked."""
    total = 0
    for start, dictionary in _streams(content):
        filters = len(_DEFLATE.findall(dictionary))
        if not filters or _IMAGE.search(dictionary):
            continue
        if filters > 1:
            raise Unreadable(_BOMB)
        for size in _sizes(content, start):
            total += size
            if total > most:
                raise Unreadable(_BOMB)


def _streams(content: bytes) -> Iterator[tuple[int, bytes]]:
    for found in _STREAM.finditer(content):
        before = content[max(0, found.start() - _DICTIONARY_WITHIN) : found.start()]
        if not before.endswith(b"end"):
            yield found.end(), before[before.rfind(b"obj") + 1 :]


def _sizes(content: bytes, start: int) -> Iterator[int]:
    """Sizes of the pieces that the stream at `start` unpacks to; a damaged stream just ends."""
    unpacker = zlib.decompressobj()
    rest = memoryview(content)[start:]
    at = 0
    try:
        while not unpacker.eof and (unpacker.unconsumed_tail or at < len(rest)):
            packed = unpacker.unconsumed_tail or rest[at : at + _CHUNK]
            at += 0 if unpacker.unconsumed_tail else _CHUNK
            yield len(unpacker.decompress(packed, _CHUNK))
    except zlib.error:
        return
