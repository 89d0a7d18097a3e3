"""Taking documents in: names are checked, bytes are stored beside their document, work is announced after the commit.

Knows nothing of formats beyond a file's suffix, and reads no content: that is the workers' part. One file that is
refused never stops its neighbours. Source: contract/company, "What goes in".
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from accounts.models import Membership
from memories import redaction, work
from memories.company import readiness
from memories.company.intake.archive import Refusal
from memories.company.reading import convert
from memories.models import Document, Source, Upload

__all__ = ["LONGEST_PATH", "TWICE", "Accepted", "File", "Given", "Refusal", "add", "kept_path", "too_large"]

LONGEST_PATH = 1000
LONGEST_SOURCE = 255
# One transaction stores up to so much: it stays short, and a large import needs little memory.
_BATCH_FILES = 200
_BATCH_BYTES = 16 * 1024 * 1024
# The classes of U+202A to U+202E and U+2066 to U+2069. The marks for right-to-left names are of other classes.
_TURNS = frozenset({"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"})
_MEGABYTE = 1024 * 1024
TWICE = "This import holds another file of the same path. Rename one of them, and import it again."
_SOURCE_NAMES = {Source.Kind.UPLOAD: "Uploads", Source.Kind.API: "API", Source.Kind.CHAT: "Chats"}


@dataclass(frozen=True, slots=True)
class File:
    """A file as it came in, by its path inside its source."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Accepted:
    """A document that is stored. `state` is queued, or what it was before when the same bytes came in again (`is_new`
    is false then)."""

    document_id: str
    path: str
    state: str
    is_new: bool


Given = File | Refusal


@dataclass(frozen=True, slots=True)
class _Fit:
    """A file that is taken in, under the path that it is kept under."""

    path: str
    content: bytes
    digest: str


def add(caller: Caller, *, source_kind: str, source_name: str = "", files: Iterable[Given]) -> list[Accepted | Refusal]:
    """Stores what is new or changed and queues it, in batches, each a transaction; what is returned is committed.

    Returns one line for each file, in order: Accepted, or Refusal with a reason for a person. The same bytes under the
    same path again are no work. Raises InvalidArguments for a bad source name, ScopeMissing,
    PermissionMissing.
    """
    caller.require_scope(scopes.MEMORY_WRITE)
    caller.require_role(Membership.Role.MEMBER)
    kind, name = Source.Kind(source_kind), _source_name(Source.Kind(source_kind), source_name)
    seen: dict[str, str] = {}
    answers: list[Accepted | Refusal] = []
    for batch in _batches(files):
        answers += _stored(caller, kind, name, [_checked(given, seen) for given in batch])
    return answers


def _source_name(kind: Source.Kind, name: str) -> str:
    name = redaction.cut(" ".join(name.split())).text or _SOURCE_NAMES.get(kind, "")
    if not name or len(name) > LONGEST_SOURCE or not all(map(_is_showable, name)):
        raise InvalidArguments(f"A source needs a name of 1 to {LONGEST_SOURCE} characters.", argument="source")
    return name


def _batches(files: Iterable[Given]) -> Iterator[list[Given]]:
    batch: list[Given] = []
    size = 0
    for given in files:
        length = len(given.content) if isinstance(given, File) else 0
        if batch and (len(batch) == _BATCH_FILES or size + length > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(given)
        size += length
    if batch:
        yield batch


def _checked(given: Given, seen: dict[str, str]) -> _Fit | Refusal:
    """The file under the path that it is kept under, or why it is refused. `seen` remembers this import's paths."""
    if isinstance(given, Refusal):
        return Refusal(_shown(given.path), redaction.cut(given.reason).text)
    try:
        path = kept_path(given.path)
    except InvalidArguments as error:
        return Refusal(_shown(given.path), error.message)
    digest = hashlib.sha256(given.content).hexdigest()
    reason = _unfit(path, given.content) or (TWICE if seen.get(path, digest) != digest else "")
    if reason:
        return Refusal(path, reason)
    seen[path] = digest
    return _Fit(path, given.content, digest)


def kept_path(path: str) -> str:
    """The path that a document is known by: `/` between folders, no secrets, one form of Unicode (macOS sends another).

    Raises InvalidArguments with a sentence for people: empty, too long, with control characters, or out of its folder.
    """
    parts = [part.strip(" ") for part in unicodedata.normalize("NFC", path).replace("\\", "/").split("/")]
    if ".." in parts:
        raise InvalidArguments("Its path leads out of its folder.", argument="path")
    kept = "/".join(part for part in parts if part not in ("", "."))
    if not kept:
        raise InvalidArguments("It has no name.", argument="path")
    if not all(map(_is_showable, kept)):
        raise InvalidArguments("Its path has characters in it that cannot be shown. Rename it.", argument="path")
    if len(kept) > LONGEST_PATH:
        raise InvalidArguments(f"Its path is longer than {LONGEST_PATH:,} characters. Shorten it.", argument="path")
    return redaction.cut(kept).text[:LONGEST_PATH]


def _unfit(path: str, content: bytes) -> str:
    """What can be said of a file without reading it; the rest the worker finds out."""
    if not convert.is_supported(path):
        return convert.unsupported(path)
    if not content:
        return "The file is empty."
    if len(content) > settings.PAM_MAX_DOCUMENT_BYTES:
        return too_large(len(content), settings.PAM_MAX_DOCUMENT_BYTES)
    return ""


def too_large(size: int, most: int) -> str:
    return (
        f"The file is too large: {size / _MEGABYTE:.1f} MB, where {most / _MEGABYTE:.0f} MB are allowed. "
        "Split it, or export it without pictures."
    )


def _is_showable(letter: str) -> bool:
    """No control character, no half of a surrogate pair, nothing that turns what follows it around ("gpj.exe" shown as
    "exe.jpg"). Joiners are part of names in Persian and of emoji."""
    return unicodedata.category(letter) not in ("Cc", "Cs") and unicodedata.bidirectional(letter) not in _TURNS


def _shown(path: str) -> str:
    """A refused path fit to be shown and stored: short, printable, without secrets."""
    shown = "".join(letter if _is_showable(letter) else "\N{REPLACEMENT CHARACTER}" for letter in path)
    return redaction.cut(shown).text[:200]


def _stored(caller: Caller, kind: Source.Kind, name: str, batch: Sequence[_Fit | Refusal]) -> list[Accepted | Refusal]:
    files = {given.path: given for given in batch if isinstance(given, _Fit)}
    if not files:
        return [given for given in batch if isinstance(given, Refusal)]
    with isolation.account(caller.account.pk):
        source, _ = Source.objects.get_or_create(
            account=caller.account, kind=kind, name=name, defaults={"created_by": caller.user}
        )
        source.account = caller.account
        queued = _queued(source, files)
        documents = {document.path: document for document in _present(source, files)}
        if queued:
            readiness.refresh(caller.account.pk)
            pks = [documents[path].pk for path in queued][: work.WAKE_UPS]
            work.after_commit((work.PROCESS_DOCUMENT, (pk, caller.account.pk)) for pk in pks)
    return [given if isinstance(given, Refusal) else _accepted(documents[given.path], queued) for given in batch]


def _accepted(document: Document, queued: Sequence[str]) -> Accepted:
    return Accepted(document.public_id, document.path, document.state, is_new=document.path in queued)


def _present(source: Source, paths: Iterable[str]) -> Iterable[Document]:
    rows = Document.objects.of(source.account).filter(source=source, path__in=list(paths))
    return rows.only("public_id", "path", "state", "content_hash")


def _queued(source: Source, files: Mapping[str, _Fit]) -> list[str]:
    """Stores the new and the changed ones of `files` as queued. Returns their paths.

    A failed document is tried again. Whoever works on an earlier version of one loses the claim to it.
    """
    known = {document.path: document for document in _present(source, files)}
    # In one order everywhere, so that two imports of the same paths wait for each other instead of locking up.
    changed = sorted(path for path, file in files.items() if _is_changed(known.get(path), file))
    rows = [_row(source, files[path]) for path in changed]
    Document.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["account", "source", "path"],
        update_fields=["content_hash", "size", "state", "error", "attempts", "claim", "claimed_at", "updated_at"],
    )
    Upload.objects.bulk_create(
        [Upload(account=source.account, document=row, content=files[row.path].content) for row in rows],
        update_conflicts=True,
        unique_fields=["document"],
        update_fields=["content"],
    )
    return changed


def _row(source: Source, file: _Fit) -> Document:
    return Document(
        account=source.account, source=source, path=file.path, content_hash=file.digest, size=len(file.content)
    )


def _is_changed(document: Document | None, file: _Fit) -> bool:
    return document is None or document.content_hash != file.digest or document.state == Document.State.FAILED
