"""Secrets are cut before anything is kept. Knows texts and nested values, no database and no settings.

Every way in calls this before it stores, embeds, logs or sends on. What is cut is replaced by `[redacted: <what>]`; the
words around it stay. Source: contract/knowledge, "Secrets are cut"; DESIGN, decision 8.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from memories import secret_looks, secret_tokens, secret_values
from memories.secret_tokens import MARK, mark

# Cutting one secret can lay bare the next (a key inside a password); more rounds than this has only an attack.
_MOST_ROUNDS = 8
_DEEPEST = 100
_DESCRIBING = frozenset(
    {"type", "format", "pattern", "description", "title", "$ref", "name", "user", "username", "label"}
)
# Rows of a table in JSON repeat their names.
_of_name = lru_cache(maxsize=4096)(secret_values.names_secret)


@dataclass(frozen=True)
class Redacted:
    """A text that may be kept, and how many secrets were cut out of it."""

    text: str
    count: int


def cut(text: str) -> Redacted:
    """`text` without secrets. Cutting twice is cutting once; a text without secrets comes back as it is."""
    before = text.count(MARK)
    for _ in range(_MOST_ROUNDS):
        shorter = secret_values.cut(secret_tokens.cut(text))
        if shorter == text:
            break
        text = shorter
    return Redacted(text, max(0, text.count(MARK) - before))


def cut_deep(value: Any) -> Any:
    """The same for nested dicts, lists and tuples (JSON).

    The value of a field whose name says that it is a secret is cut whole, whatever the name's case or style; names are
    cut as texts. Numbers stay, except under such a name; booleans and None stay everywhere."""
    return _deep(value, "", 0)


def cut_fields(value: Any) -> Any:
    """A document's JSON: what stands under a secret's name goes, at any depth, unless it only tells of the secret.

    Texts under other names are left to `cut`, which reads them with what stands around them."""
    return _told(value, "", 0)


def _told(value: Any, what: str, depth: int) -> Any:
    if depth > _DEEPEST:
        return value
    if isinstance(value, dict):
        return {key: _told(item, _named(key, what), depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_told(item, what, depth + 1) for item in value]
    if not what or not isinstance(value, str):
        return value
    return mark(what) if secret_looks.is_value(value.strip(), what) else value


def _named(key: str, outer: str) -> str:
    """Below a secret's name stand its parts, and settings and words about it."""
    if outer and key.lower() in _DESCRIBING:
        return ""
    return _of_name(key) or outer


def _deep(value: Any, what: str, depth: int) -> Any:
    if depth > _DEEPEST:
        return mark("nested too deeply")
    if isinstance(value, dict):
        return _fields(value, what, depth)
    if isinstance(value, (list, tuple)):
        return type(value)(_deep(item, what, depth + 1) for item in value)
    if what and value not in ("", None) and not isinstance(value, bool):
        return value if isinstance(value, str) and value.startswith(MARK) else mark(what)
    return cut(value).text if isinstance(value, str) else value


def _fields(fields: dict[Any, Any], what: str, depth: int) -> dict[Any, Any]:
    """`{"name": "DB_PASSWORD", "value": …}` names its secret in another field."""
    named = next((fields[key] for key in ("name", "key", "Name", "Key") if isinstance(fields.get(key), str)), "")
    of_value = secret_values.names_secret(named) if named else ""
    return {
        cut(key).text if isinstance(key, str) else key: _deep(item, what or _what(key, of_value), depth + 1)
        for key, item in fields.items()
    }


def _what(key: Any, of_value: str) -> str:
    if not isinstance(key, str):
        return ""
    return secret_values.names_secret(key) or (of_value if key.lower() == "value" else "")
