"""Where the embedded servers of a folder listen, remembered so that every `manage.py` command finds them."""

from collections.abc import Mapping
from pathlib import Path

from pam.local import home

FILE = "addresses.json"


def of(folder: Path) -> dict[str, str]:
    """DATABASE_URL and REDIS_URL of the last start in `folder`, as far as embedded servers were started there."""
    return home.recall(folder / FILE)


def keep(folder: Path, addresses: Mapping[str, str]) -> None:
    home.remember(folder / FILE, dict(addresses))
