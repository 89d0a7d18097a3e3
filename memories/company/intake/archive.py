"""A zip of documents, entry by entry. Knows no database and writes nothing to disk.

Nothing that an archive says of itself is believed: bytes are counted as they are read. A refused entry never stops its
neighbours. Source: contract/company, "What goes in".
"""

import contextlib
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from django.conf import settings

from memories.company.reading import convert, names
from memories.errors import Unreadable

_CHUNK = 256 * 1024
# Below this no ratio is dangerous, and a small file of one repeated word is no attack.
_HARMLESS = 1024 * 1024
_MEGABYTE = 1024 * 1024
_UTF_8_NAME = 0x800
_ENCRYPTED = 0x1
_UNIX_LINK, _UNIX_KIND = 0o120000, 0o170000
_JUNK = frozenset({"thumbs.db", "desktop.ini"})
_ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".bz2", ".xz")
_TWICE = "The archive holds another file of this name. Rename one of them."


@dataclass(frozen=True)
class Entry:
    """One file: its path inside the archive, with `/` between folders and without Notion's page ids."""

    path: str
    content: bytes


@dataclass(frozen=True)
class Refusal:
    """A file that was left out, and the reason as a sentence for the person who imports."""

    path: str
    reason: str


class _Budget:
    """What the whole archive may still unpack to: bytes that are kept, and bytes that were read only to be refused."""

    def __init__(self, packed: int) -> None:
        self.kept = min(settings.PAM_MAX_ARCHIVE_BYTES, max(_HARMLESS, settings.PAM_MAX_EXPANSION * packed))
        self.wasted = settings.PAM_MAX_ARCHIVE_BYTES


def entries(name: str, file: BinaryIO) -> Iterator[Entry | Refusal]:
    """The files of the archive in its order; its folders are the entries' paths.

    Skipped without a word: folders, links, hidden files, what operating systems leave behind. Refused: paths that leave
    the folder, encrypted or damaged entries, unsupported formats, archives in the archive, entries that are too large
    or unpack too far, and the second entry of one name (the first is kept). Raises Unreadable for what is no archive at
    all, or one with too many entries; where it is too large as a whole, the entries past the bound are refused."""
    try:
        package = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, EOFError, OSError) as error:
        raise Unreadable(f"{name} is damaged, or no zip archive. Save or download it again.") from error
    with package:
        found = [entry for entry in package.infolist() if not _is_skipped(entry)]
        if len(found) > settings.PAM_MAX_ARCHIVE_ENTRIES:
            raise Unreadable(
                f"{name} holds {len(found):,} files, where {settings.PAM_MAX_ARCHIVE_ENTRIES:,} are allowed. Split it."
            )
        yield from _walk(package, found, _Budget(_size(file)))


def _walk(package: zipfile.ZipFile, found: list[zipfile.ZipInfo], budget: _Budget) -> Iterator[Entry | Refusal]:
    paths = [_path(entry) for entry in found]
    short = Counter(names.without_export_id(path) for path in dict.fromkeys(paths))
    seen = set[str]()
    for entry, path in zip(found, paths, strict=True):
        # Two pages of one name keep the ids that tell them apart.
        trimmed = names.without_export_id(path)
        shown = trimmed if short[trimmed] == 1 else path
        if reason := _refusal(entry, path) or (_TWICE if path in seen else ""):
            yield Refusal(shown, reason)
            continue
        seen.add(path)
        yield _read(package, entry, shown, budget)


def _is_skipped(entry: zipfile.ZipInfo) -> bool:
    parts = _path(entry).split("/")
    is_link = entry.create_system == 3 and entry.external_attr >> 16 & _UNIX_KIND == _UNIX_LINK
    is_hidden = any(part.startswith(".") and part not in (".", "..") for part in parts)
    return entry.is_dir() or is_link or is_hidden or "__MACOSX" in parts or parts[-1].lower() in _JUNK


def _path(entry: zipfile.ZipInfo) -> str:
    """The name as it was meant: many zip tools write UTF-8 without saying so, which then reads as code page 437."""
    path = entry.orig_filename
    if not entry.flag_bits & _UTF_8_NAME:
        with contextlib.suppress(UnicodeError):
            path = path.encode("cp437").decode("utf-8")
    # Windows tools write their own separator.
    path = path.split("\0")[0].replace("\\", "/")
    return "/".join(part for part in path.split("/") if part != ".")


def _refusal(entry: zipfile.ZipInfo, path: str) -> str:
    if path.startswith("/") or ".." in path.split("/") or path[1:2] == ":":
        return "Its path leads out of the archive's folder."
    if entry.flag_bits & _ENCRYPTED:
        return "It is encrypted. Pack it again without a password."
    if names.suffix(path) in _ARCHIVES:
        return "It is an archive inside the archive. Unpack it, or import it on its own."
    return "" if convert.is_supported(path) else convert.unsupported(path)


def _read(package: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str, budget: _Budget) -> Entry | Refusal:
    chunks = list[bytes]()
    try:
        for chunk in _chunks(package, entry, budget):
            chunks.append(chunk)
    except Unreadable as error:
        budget.wasted -= sum(map(len, chunks))
        return Refusal(path, error.message)
    except RuntimeError:  # zipfile's way to say that a password is needed
        return Refusal(path, "It is encrypted. Pack it again without a password.")
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError):
        budget.wasted -= sum(map(len, chunks))
        return Refusal(path, "It is damaged inside the archive. Pack it again.")
    content = b"".join(chunks)
    budget.kept -= len(content)
    return Entry(path, content)


def _chunks(package: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: _Budget) -> Iterator[bytes]:
    largest = max(_HARMLESS, settings.PAM_MAX_EXPANSION * entry.compress_size)
    read = 0
    with package.open(entry) as file:
        while chunk := file.read(_CHUNK):
            read += len(chunk)
            if read > settings.PAM_MAX_DOCUMENT_BYTES:
                raise Unreadable(f"It is larger than {settings.PAM_MAX_DOCUMENT_BYTES / _MEGABYTE:.0f} MB. Split it.")
            if read > largest:
                raise Unreadable("It unpacks to far more than its own size (a zip bomb).")
            if read > min(budget.kept, budget.wasted):
                raise Unreadable("The archive is too large as a whole. Import the rest in a second one.")
            yield chunk


def _size(file: BinaryIO) -> int:
    place = file.tell()
    size = file.seek(0, 2)
    file.seek(place)
    return size
