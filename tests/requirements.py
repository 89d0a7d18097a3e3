"""Which promise a test keeps: an id, listed with its source and sentence in requirements.toml beside this file."""

import tomllib
from pathlib import Path

import pytest

MANIFEST = Path(__file__).with_suffix(".toml")


def promises() -> dict[str, dict[str, str]]:
    """Every promised behaviour: id -> {source, sentence}."""
    return tomllib.loads(MANIFEST.read_text())


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Marks a test as keeping these promises. An id that the manifest does not have fails the run."""
    return pytest.mark.requirement(*ids)
