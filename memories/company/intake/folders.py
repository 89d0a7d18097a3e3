"""A folder on disk as a source: what lies in it, and what it has lost since the last import."""

import os
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from accounts import isolation
from accounts.models import Account
from memories.company.intake import documents
from memories.company.intake.uploads import Incoming
from memories.models import Document, Source

_AT_ONCE = 200
NO_IMPORT = ".noimport"


def files(folder: Path) -> Iterator[Incoming]:
    """Every file below `folder` in the order of their paths. Left out are hidden files, links, and each folder that
    holds a file `.noimport`, with all below it."""
    for place, inner, names in os.walk(folder):
        if NO_IMPORT in names:
            inner.clear()
            continue
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield file(path, path.relative_to(folder).as_posix())


def file(path: Path, name: str) -> Incoming:
    return Incoming(name, path.stat().st_size, partial(_opened, path))


def _opened(path: Path) -> BinaryIO:
    return cast(BinaryIO, path.open("rb"))


def lost(account: Account, source_name: str, present: Collection[str]) -> list[int]:
    """The documents of the folder's source that are not among the paths `present`."""
    with isolation.account(account.pk):
        rows = Document.objects.of(account).filter(source__kind=Source.Kind.FOLDER, source__name=source_name)
        return [pk for pk, path in rows.order_by("id").values_list("pk", "path") if path not in present]


def size(account: Account, source_name: str) -> int:
    """How many documents the folder's source holds."""
    with isolation.account(account.pk):
        rows = Document.objects.of(account).filter(source__kind=Source.Kind.FOLDER, source__name=source_name)
        return rows.count()


def forget(account: Account, pks: list[int]) -> None:
    """Deletes documents, some at a time."""
    for at in range(0, len(pks), _AT_ONCE):
        with isolation.account(account.pk):
            documents.remove(account.pk, pks[at : at + _AT_ONCE])
