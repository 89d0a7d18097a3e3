"""Files as people hand them in: loose ones into one source, each .zip into a source of its own, unpacked.

Opened one at a time, so that an import is never in memory as a whole.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from accounts.caller import Caller
from memories.company.intake import archive, ingest
from memories.company.intake.archive import Refusal
from memories.company.intake.ingest import Accepted, File, Given
from memories.errors import Unreadable
from memories.models import Source


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file by its path; it is opened when its turn comes, and not if it is too large."""

    path: str
    size: int
    open: Callable[[], BinaryIO]


def sent(file: "UploadedFile[bytes]", path: str) -> Incoming:
    """A file of a form, under a path of its own."""
    return Incoming(path, file.size or 0, lambda: cast(BinaryIO, file.open()))


def take_in(
    caller: Caller, *, source_kind: str, source_name: str = "", incoming: Iterable[Incoming]
) -> list[Accepted | Refusal]:
    """Imports all of it; everything returned is committed. One line for each document or refused file.

    An archive's source is called like its file, or `source_name` where it is all there is. Raises what `ingest.add`
    raises.
    """
    archives: dict[str, Incoming] = {}
    loose = (given for file in incoming for given in _loose(file, archives))
    answers = ingest.add(caller, source_kind=source_kind, source_name=source_name, files=loose)
    is_all = len(archives) == 1 and not answers
    for file in archives.values():
        name = (source_name if is_all else "") or file.path.rsplit("/", 1)[-1][: ingest.LONGEST_SOURCE]
        answers += ingest.add(caller, source_kind=Source.Kind.ARCHIVE, source_name=name, files=_unpacked(file))
    return answers


def _loose(file: Incoming, archives: dict[str, Incoming]) -> Iterator[Given]:
    if file.path.lower().endswith(".zip"):
        if file.path in archives:
            yield Refusal(file.path, ingest.TWICE)
        else:
            archives[file.path] = file
    elif file.size > settings.PAM_MAX_DOCUMENT_BYTES:
        yield Refusal(file.path, ingest.too_large(file.size, settings.PAM_MAX_DOCUMENT_BYTES))
    else:
        yield _read(file)


def _read(file: Incoming) -> Given:
    try:
        with file.open() as opened:
            return File(file.path, opened.read())
    except OSError as error:
        return _closed(file, error)


def _closed(file: Incoming, error: OSError) -> Refusal:
    return Refusal(file.path, f"The file cannot be opened ({error.strerror or type(error).__name__}).")


def _unpacked(file: Incoming) -> Iterator[Given]:
    """Its entries, below the folder that the archive lies in."""
    if file.size > settings.PAM_MAX_ARCHIVE_BYTES:
        yield Refusal(file.path, ingest.too_large(file.size, settings.PAM_MAX_ARCHIVE_BYTES))
        return
    folder, _, name = file.path.rpartition("/")
    is_empty = True
    try:
        with file.open() as opened:
            for entry in archive.entries(name, opened):
                is_empty = False
                below = f"{folder}/{entry.path}" if folder else entry.path
                yield File(below, entry.content) if isinstance(entry, archive.Entry) else Refusal(below, entry.reason)
        if is_empty:
            yield Refusal(file.path, "The archive holds no documents.")
    except Unreadable as error:
        yield Refusal(file.path, error.message)
    except OSError as error:
        yield _closed(file, error)
