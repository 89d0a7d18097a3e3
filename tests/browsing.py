"""Looking at pages through Django's test client, as one of the cast."""

import re
from typing import Any

from django.test import Client

from tests.cast import Person

_TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]+')


def signed_in(person: Person) -> Client:
    client = Client()
    client.force_login(person.user)
    return client


def text(response: Any) -> str:
    """The page, without the one thing in it that differs each time."""
    return _TOKEN.sub(r"\1", response.content.decode())


def header(response: Any, name: str) -> str:
    value: str = response.headers.get(name, "")
    return value
