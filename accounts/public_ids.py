"""Ids that leave the house: prefixed, unguessable, the same length everywhere."""

import secrets
from functools import partial
from typing import Any

from django.db import models

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 20  # 100 bits: nobody finds one by guessing


def new(prefix: str) -> str:
    """Returns e.g. ``doc_7k2m…``: the prefix, an underscore, 20 characters of Crockford's alphabet."""
    return prefix + "_" + "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


class PublicIdField(models.CharField):  # type: ignore[type-arg]
    """A unique text column that fills itself with an id of the given prefix."""

    def __init__(self, prefix: str = "id", **kwargs: Any) -> None:
        self.prefix = prefix
        kwargs.setdefault("max_length", 40)
        kwargs.setdefault("unique", True)
        kwargs.setdefault("editable", False)
        kwargs.setdefault("default", partial(new, prefix))
        super().__init__(**kwargs)

    def get_prep_value(self, value: Any) -> Any:
        """What Postgres cannot be asked for (NUL, half of a surrogate pair) is asked for as what no id has."""
        prepared = super().get_prep_value(value)
        if not isinstance(prepared, str):
            return prepared
        return prepared.replace("\x00", "?").encode(errors="replace").decode()

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        kwargs["prefix"] = self.prefix
        for implied in ("default", "unique", "editable", "max_length"):
            kwargs.pop(implied, None)
        return name, path, args, kwargs
