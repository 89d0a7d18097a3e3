"""How well chats are read, as a part of `make bench`: sets Django up, then hands over to `benchmarks.chats`."""

import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import django

from benchmarks.figures import Figure


def run(chats: Path, data: Path, *, tell: bool = False) -> Iterator[Figure]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    # What reads chats knows the models' bounds, so it can be imported only now.
    yield from importlib.import_module("benchmarks.chats").run(chats, data, tell=tell)
