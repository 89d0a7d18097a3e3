"""What a file is called, made fit to be shown. Pure."""

import re
from pathlib import PurePosixPath

# Notion ends each exported page's and folder's name with the page's id: 32 hex digits after a space.
_EXPORT_ID = re.compile(r"[ _-][0-9a-f]{32}$")


def without_export_id(path: str) -> str:
    """`Team/Handbook 0a1b…ef.md` is `Team/Handbook.md`, in every part of the path. Other names come back unchanged."""
    parts = path.split("/")
    return "/".join(_trimmed_folder(part) for part in parts[:-1]) + "/" * (len(parts) > 1) + _trimmed_file(parts[-1])


def suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _trimmed_folder(name: str) -> str:
    return _EXPORT_ID.sub("", name) or name


def _trimmed_file(name: str) -> str:
    path = PurePosixPath(name)
    return f"{_trimmed_folder(path.stem)}{path.suffix}" if path.suffix else _trimmed_folder(name)
