"""`.env.example` is the list of what can be set: nothing missing, nothing stale, nothing twice."""

import re

from django.conf import settings

READ = re.compile(r"\b(?:text|number|flag|words)\(\s*\"([A-Z][A-Z_]+)\"")
SETTINGS = sorted((settings.BASE_DIR / "pam").glob("*settings.py"))
LISTED = re.compile(r"(?m)^#?([A-Z][A-Z_]+)=")


def _listed() -> list[str]:
    return LISTED.findall((settings.BASE_DIR / ".env.example").read_text())


def test_every_variable_that_the_settings_read_is_listed() -> None:
    read = [name for path in SETTINGS for name in READ.findall(path.read_text())]

    assert set(read) - set(_listed()) == set()


def test_every_listed_variable_is_read_somewhere() -> None:
    readers = [*SETTINGS, settings.BASE_DIR / "docker-compose.yml"]
    text = "".join(path.read_text() for path in readers)

    assert [name for name in _listed() if name not in text] == []


def test_no_variable_is_listed_twice() -> None:
    assert len(_listed()) == len(set(_listed()))
